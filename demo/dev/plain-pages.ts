/**
 * What Vite does not serve: the script of the states page, and the pages that need no bundler. Those come as a partner's
 * web server sends them: with the built script, a policy in their headers, and for an agent who has signed in before.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Connect, InlineConfig, Plugin, ViteDevServer } from 'vite';
import { InMemoryBuild } from './in-memory-build.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const FOLDER = '/pages/';
const SCRIPT_FOLDER = '/partner-dialer/';

const STRICT_PAGE = 'strict-csp.html';
/** Files of `demo/pages`. */
export const PLAIN_PAGES: readonly string[] = [
  'plain.html',
  STRICT_PAGE,
  'iframe.html',
  'two-elements.html',
  'mounts.html',
];
const FILES = [...PLAIN_PAGES, 'mounts.js', 'pages.css'];
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
};
/** In one file: its 200 modules one by one take longer than the drawing of all states. */
const STATES_SCRIPT = '/states/page.ts';
const STATES_FILE = 'page.js';
const STATES_BUILD = {
  configFile: false,
  build: {
    target: 'es2022',
    minify: false,
    lib: { entry: here('../states/page.ts'), formats: ['es'], fileName: 'page' },
    rolldownOptions: { output: { codeSplitting: false } },
  },
} satisfies InlineConfig;
/** Who is signed in where nobody was. */
const AGENT = 'agent001';

export function plainPages(): Plugin {
  return {
    name: 'plain-pages',
    apply: 'serve',
    configureServer(server) {
      // A fresh clone has no `dist`.
      const script = new InMemoryBuild(server, {
        configFile: here('../../vite.config.ts'),
        mode: 'script',
      });
      const states = new InMemoryBuild(server, STATES_BUILD);
      const otherOrigin = serveElsewhere(server);
      const answer = async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
        const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
        const [, folder, name = ''] = /^(\/[\w-]+\/)([\w.-]+)$/.exec(pathname) ?? [];
        if (folder === SCRIPT_FOLDER) {
          const code = (await script.files()).get(name);
          if (code !== undefined) send(response, '.js', code);
          return code !== undefined;
        }
        if (pathname === STATES_SCRIPT) {
          send(response, '.js', (await states.files()).get(STATES_FILE) ?? '');
          return true;
        }
        if (folder !== FOLDER) return false;
        if (name.endsWith('.html')) await signIn(server, request, response);
        if (!FILES.includes(name)) return false;
        const text = await readFile(here(`../pages/${name}`), 'utf8');
        const nonce = randomBytes(16).toString('base64url');
        if (name === STRICT_PAGE) response.setHeader('Content-Security-Policy', strictPolicy(nonce));
        send(
          response,
          extname(name),
          text.replaceAll('{{nonce}}', nonce).replaceAll('{{other-origin}}', otherOrigin()),
        );
        return true;
      };
      const answerOrPass = async (
        request: Connect.IncomingMessage,
        response: ServerResponse,
        next: Connect.NextFunction,
      ) => {
        try {
          if (!(await answer(request, response))) next();
        } catch (error) {
          next(error);
        }
      };
      server.middlewares.use((request, response, next) => void answerOrPass(request, response, next));
    },
  };
}

/**
 * The same on a second port, which is another origin: a frame of it has a microphone only where it was lent one.
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

function send(response: ServerResponse, extension: string, text: string): void {
  response.setHeader('Content-Type', TYPES[extension] ?? 'text/plain').setHeader('Cache-Control', 'no-cache');
  response.end(text);
}

/** A new session for whoever had one: the old one may have ended. Nothing where the demo's sign-in is off. */
async function signIn(
  server: ViteDevServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { port } = (server.httpServer as Server).address() as AddressInfo;
  const [, memberNo = AGENT] = /\bdialer_session=(\w+)\./.exec(request.headers.cookie ?? '') ?? [];
  const answer = await fetch(`http://127.0.0.1:${port}/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ memberNo }),
  });
  response.setHeader('Set-Cookie', answer.headers.getSetCookie());
}
