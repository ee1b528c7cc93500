/** Sets a bench up, and clears it away: sandbox, HTTP server, browser context, and the ears that fill the journal. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Browser, BrowserContext, Page, Request as PageRequest } from 'playwright-core';
import { createSandbox, type Sandbox } from '../../demo/sandbox/sandbox.ts';
import { Bench } from './bench.ts';
import { Journal } from './journal.ts';
import { observerScript, type PageEvent } from './observer.ts';
import type { Microphone } from './scenario.ts';
import type { SdkScript } from './sdk-script.ts';

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
export async function openBench(
  browser: Browser,
  sdk: SdkScript,
  microphone: Microphone = 'granted',
): Promise<OpenBench> {
  const sandbox = createSandbox({ wss: true });
  const server = await serve(sandbox, sdk);
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const close = async () => {
    await context.close();
    server.close();
    server.closeAllConnections();
    await sandbox.close();
  };
  try {
    const journal = new Journal();
    const page = await openPage(context, journal, microphone);
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const bench = new Bench({ sandbox, page, journal, origin });
    await bench.open();
    return { bench, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function serve(sandbox: Sandbox, sdk: SdkScript): Promise<Server> {
  const listener = getRequestListener((request, env) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/') return new Response(PAGE, { headers: { 'Content-Type': 'text/html' } });
    if (pathname === SOUND_PATH) return new Response(SOUND, { headers: { 'Content-Type': 'audio/wav' } });
    if (pathname !== SCRIPT_PATH) return sandbox.fetch(request, env);
    return new Response(sdk.text, { headers: { 'Content-Type': 'text/javascript; charset=utf-8' } });
  });
  const server = createServer(listener);
  sandbox.attach(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return server;
}

async function openPage(context: BrowserContext, journal: Journal, microphone: Microphone): Promise<Page> {
  const page = await context.newPage();
  await page.exposeBinding('note', (_source, event: PageEvent) => journal.addEvent(event));
  await page.addInitScript(observerScript(microphone));
  page.on('request', (request) => journal.add('http', describeRequest(request)));
  page.on('pageerror', (error) => journal.add('note', `page error ${error.message}`));
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => addSip(journal, 'sent', String(payload)));
    socket.on('framereceived', ({ payload }) => addSip(journal, 'received', String(payload)));
  });
  return page;
}

/** `POST /vendor/v3.0/api/sdk/info`; of another host with its address. */
function describeRequest(request: PageRequest): string {
  const { hostname, pathname, href } = new URL(request.url());
  return `${request.method()} ${hostname === '127.0.0.1' ? pathname : href}`;
}

/** `INVITE sip:…` or `200 INVITE`; a keep-alive is nothing to note. */
function addSip(journal: Journal, kind: 'sent' | 'received', message: string): void {
  const request = /^([A-Z]+ \S+) SIP\/2\.0\r\n/.exec(message)?.[1];
  const status = /^SIP\/2\.0 (\d{3})/.exec(message)?.[1];
  const method = /^cseq:\s*\d+\s+(\w+)/im.exec(message)?.[1];
  const text = request ?? (status && `${status} ${method ?? ''}`);
  if (text !== undefined) journal.add(kind, text, message);
}
