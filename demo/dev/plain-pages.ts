/**
 * The pages of `demo/pages` without a bundler come as a partner's web server sends them: with the built script and, one of them,
 * with a policy in its headers.
 */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build, type Connect, type Plugin, type Rollup, type ViteDevServer } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const STRICT_PAGE = 'strict-csp.html';
/** Files of `demo/pages`. */
export const PLAIN_PAGES: readonly string[] = [
  'plain.html',
  STRICT_PAGE,
  'iframe.html',
  'two-elements.html',
  'mounts.html',
];
const SCRIPT = '/partner-dialer/partner-dialer.js';

export function plainPages(): Plugin {
  return {
    name: 'plain-pages',
    apply: 'serve',
    configureServer(server) {
      // A fresh clone has no `dist`, so the script is built when a page first asks for it, and after changes.
      let script: Promise<string> | undefined;
      server.watcher.add(here('../../src')).on('all', () => (script = undefined));
      const otherOrigin = serveElsewhere(server);
      const respond = async (request: IncomingMessage, response: ServerResponse, next: () => void) => {
        const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
        if (pathname === SCRIPT) {
          script ??= buildScript();
          script.catch(() => (script = undefined));
          return response.setHeader('Content-Type', 'text/javascript').end(await script);
        }
        const name = /^\/pages\/([\w-]+\.html)$/.exec(pathname)?.[1];
        if (name === undefined || !PLAIN_PAGES.includes(name)) return next();
        const nonce = randomBytes(16).toString('base64url');
        if (name === STRICT_PAGE) response.setHeader('Content-Security-Policy', strictPolicy(nonce));
        const text = await readFile(here(`../pages/${name}`), 'utf8');
        response.setHeader('Content-Type', 'text/html; charset=utf-8').setHeader('Cache-Control', 'no-cache');
        return response.end(
          text.replaceAll('{{nonce}}', nonce).replaceAll('{{other-origin}}', otherOrigin()),
        );
      };
      const respondOrFail = async (...[request, response, next]: Parameters<Connect.NextHandleFunction>) => {
        try {
          await respond(request, response, next);
        } catch (error) {
          next(error);
        }
      };
      server.middlewares.use((request, response, next) => {
        void respondOrFail(request, response, next);
      });
    },
  };
}

async function buildScript(): Promise<string> {
  const [built] = (await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    // In the process of a development server, every build would be one for development.
    resolve: { conditions: ['module', 'browser', 'production'] },
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      lib: { entry: here('../../src/script.ts'), formats: ['iife'], name: 'PartnerDialer' },
    },
  })) as Rollup.RollupOutput[];
  if (!built) throw new Error('The script was not built.');
  return built.output[0].code;
}

/**
 * The same on a second port, which is another origin: a frame of it has a microphone only if the page lends it one.
 *
 * @returns tells the origin
 */
function serveElsewhere({ middlewares, httpServer }: ViteDevServer): () => string {
  const elsewhere = createServer(middlewares);
  elsewhere.on('upgrade', (...given) => httpServer?.emit('upgrade', ...given));
  httpServer?.once('listening', () => elsewhere.listen(0, '127.0.0.1'));
  httpServer?.once('close', () => {
    elsewhere.close();
    elsewhere.closeAllConnections();
  });
  return () => `http://127.0.0.1:${(elsewhere.address() as AddressInfo | null)?.port}`;
}

/** `wss:` is for the vendor's own script, see `SANDBOX_WSS`. */
function strictPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "connect-src 'self' wss:",
    "style-src 'self'",
    "img-src 'self'",
    // The sandbox's SDK brings its sounds along.
    "media-src 'self' data:",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types lit-html partner-dialer',
  ].join('; ');
}
