/**
 * What was measured with the vendor's SDK, asked of the stand-in; with `SDK_FILE`, a path or an address, of another build.
 * Every test has a bench: a sandbox of its own, a page with the script under test, and a journal of both.
 */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { test as base, type Page } from '@playwright/test';
import { buildScript } from '../../rest/script.ts';
import { createSandbox, type Sandbox } from '../../sandbox.ts';
import { startServer } from '../servers.ts';
import { Bench } from './bench.ts';
import { Journal } from './journal.ts';
import type { Microphone } from './observer.ts';

export { expect } from '@playwright/test';

/** A sound file at the bench, for the page to play. */
export const SOUND_PATH = '/bench/disconnected.wav';
const SCRIPT_PATH = '/vendor/sdk-under-test.js';
const PAGE = `<!doctype html><meta charset="utf-8"><title>Bench</title><script src="${SCRIPT_PATH}"></script><body></body>`;

/** A tenth of a second of nothing, for a page that wants a sound of its own. */
const SOUND = Buffer.concat([
  Buffer.from(
    '524946464403000057415645666d74201000000001000100401f0000401f0000010008006461746120030000',
    'hex',
  ),
  Buffer.alloc(800, 128),
]);

interface Fixtures {
  /** The script has run in its page, and no element is there yet. */
  readonly bench: Bench;
  /** The same in a second browser context: another browser of the same member. */
  readonly second: Bench;
  readonly vendor: { readonly sandbox: Sandbox; readonly origin: string };
  /** What the page gets when it asks for one: `test.use({ microphone: 'denied' })`. */
  readonly microphone: Microphone;
}

export const test = base.extend<Fixtures, { readonly sdk: string }>({
  sdk: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
    async ({}, use) => {
      await use(await loadSdk(process.env['SDK_FILE']));
    },
    { scope: 'worker' },
  ],
  microphone: ['granted', { option: true }],
  vendor: async ({ sdk }, use) => {
    const sandbox = createSandbox({ wss: true });
    const server = createBenchServer(sandbox, sdk);
    await use({ sandbox, origin: await startServer(server) });
    server.close();
    server.closeAllConnections();
    await sandbox.close();
  },
  bench: async ({ page, microphone, vendor }, use) => {
    await use(await openBench(page, microphone, vendor));
    await page.goto('about:blank');
  },
  second: async ({ browser, microphone, vendor }, use) => {
    const context = await browser.newContext();
    await use(await openBench(await context.newPage(), microphone, vendor));
    await context.close();
  },
});

async function openBench(page: Page, microphone: Microphone, vendor: Fixtures['vendor']): Promise<Bench> {
  const journal = new Journal();
  await journal.watch(page, microphone);
  const bench = new Bench({ ...vendor, page, journal });
  await bench.open();
  return bench;
}

/** @throws {Error} when there is no script there */
async function loadSdk(source: string | undefined): Promise<string> {
  if (source === undefined) return buildScript();
  if (!/^https?:/.test(source)) return readFile(source, 'utf8');
  const response = await fetch(source);
  if (!response.ok) throw new Error(`${source} answered ${response.status}.`);
  return response.text();
}

function createBenchServer(sandbox: Sandbox, sdk: string): Server {
  const listener = getRequestListener((request, env) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/') return new Response(PAGE, { headers: { 'Content-Type': 'text/html' } });
    if (pathname === SOUND_PATH) return new Response(SOUND, { headers: { 'Content-Type': 'audio/wav' } });
    if (pathname !== SCRIPT_PATH) return sandbox.fetch(request, env);
    return new Response(sdk, { headers: { 'Content-Type': 'text/javascript; charset=utf-8' } });
  });
  const server = createServer(listener);
  sandbox.attach(server);
  return server;
}
