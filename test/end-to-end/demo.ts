/** Serves the built demo with companion and sandbox behind it, and asks the sandbox. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { createServer as createVite, type Plugin } from 'vite';
import { demoServer } from '../../demo/dev/dev-server.ts';
import { plainPages } from '../../demo/dev/plain-pages.ts';
import { until } from '../../demo/companion/test/app.ts';
import { freePort } from '../../demo/companion/test/free-port.ts';
import { BUILT_DEMO } from './build.ts';

/** How long whoever is called lets it ring, in milliseconds. */
const ANSWER_AFTER_MS = 100;

export interface RunningDemo {
  readonly origin: string;
  /** The sandbox as new, and an agent with money and a caller number. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

type Environment = Readonly<Record<string, string>>;

/** On a port of its own, with a new database. `buildDemo()` comes first. */
export async function startDemo(env: Environment = {}): Promise<RunningDemo> {
  const folder = await mkdtemp(join(tmpdir(), 'partner-dialer-'));
  const DATABASE_URL = `file:${join(folder, 'companion.db')}`;
  if (process.env['SDK_FILE']) process.env['SANDBOX_WSS'] = 'on';
  const port = await freePort();
  const server = await createVite({
    configFile: false,
    root: BUILT_DEMO,
    appType: 'mpa',
    plugins: [demoServer({ ...process.env, DATABASE_URL, ...env }), plainPages(), builtFiles(BUILT_DEMO)],
    logLevel: 'error',
    // Nothing is left to bundle.
    optimizeDeps: { noDiscovery: true, include: [] },
    // Somebody who edits a file while the tests run must not reload the page under test.
    server: {
      host: '127.0.0.1',
      port,
      strictPort: true,
      cors: false,
      watch: null,
      hmr: false,
      fs: { allow: [BUILT_DEMO] },
    },
  });
  await server.listen();
  const origin = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(`${origin}/healthz`).catch(() => undefined))?.ok, 20_000);
  const reset = async () => {
    await askSandbox(origin, 'reset', {});
    await askSandbox(origin, 'settings', { answerAfter: ANSWER_AFTER_MS });
    await askSandbox(origin, 'members/agent001', { balance: 50_000, hotlines: ['842899990001'] });
  };
  const close = async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { origin, reset, close };
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
};

/** Sends what is built as it is, to be kept by the browser: Vite would compile it, and be asked again for each page. */
function builtFiles(root: string): Plugin {
  return {
    name: 'built-files',
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const path = request.url ?? '';
        const type = CONTENT_TYPES[extname(path)];
        if (path === '/@vite/client') response.setHeader('Content-Type', 'text/javascript').end();
        else if (!type || !/^\/assets\/[\w.-]+$/.test(path)) next();
        else {
          const headers = { 'Content-Type': type, 'Cache-Control': 'max-age=31536000, immutable' };
          readFile(join(root, path)).then((body) => response.writeHead(200, headers).end(body), next);
        }
      });
    },
  };
}

/** `GET` or, with a body, `POST` at the sandbox of a demo. */
export async function askSandbox<T = unknown>(origin: string, path: string, body?: object): Promise<T> {
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  };
  const response = await fetch(`${origin}/sandbox/${path}`, body && init);
  if (!response.ok) throw new Error(`${path}: HTTP ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
