/** Sets a bench up, and clears it away: a sandbox and an HTTP server of its own, for a page that outlives it. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { createSandbox, type Sandbox } from '../../demo/sandbox/sandbox.ts';
import { Bench } from './bench.ts';
import type { BenchPage } from './bench-page.ts';

/** A sound file at the bench, for the page to play. */
export const SOUND_PATH = '/bench/disconnected.wav';
const SCRIPT_PATH = '/vendor/sdk-under-test.js';
const PAGE = `<!doctype html><meta charset="utf-8"><title>Bench</title><script src="${SCRIPT_PATH}"></script><body></body>`;

/** A tenth of a second of nothing, for a page that wants a sound of its own. */
const SOUND = Buffer.concat([
  Buffer.from(
    '52494646440300005741564566 6d74201000000001000100401f0000401f00000100080064617461 20030000'.replaceAll(
      ' ',
      '',
    ),
    'hex',
  ),
  Buffer.alloc(800, 128),
]);

export interface OpenBench {
  readonly bench: Bench;
  close(): Promise<void>;
}

/** Opens the page too: the script has run when this resolves, and no element is there yet. */
export async function openBench(benchPage: BenchPage, sdk: string): Promise<OpenBench> {
  const sandbox = createSandbox({ wss: true });
  const server = await serve(sandbox, sdk);
  const close = async () => {
    await benchPage.leave();
    server.close();
    server.closeAllConnections();
    await sandbox.close();
  };
  try {
    const journal = benchPage.newJournal();
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const bench = new Bench({ sandbox, page: benchPage.page, journal, origin });
    await bench.open();
    return { bench, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function serve(sandbox: Sandbox, sdk: string): Promise<Server> {
  const listener = getRequestListener((request, env) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/') return new Response(PAGE, { headers: { 'Content-Type': 'text/html' } });
    if (pathname === SOUND_PATH) return new Response(SOUND, { headers: { 'Content-Type': 'audio/wav' } });
    if (pathname !== SCRIPT_PATH) return sandbox.fetch(request, env);
    return new Response(sdk, { headers: { 'Content-Type': 'text/javascript; charset=utf-8' } });
  });
  const server = createServer(listener);
  sandbox.attach(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return server;
}
