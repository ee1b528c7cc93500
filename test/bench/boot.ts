/**
 * From navigation to registration, against pages that are wired by hand: behind a slow network, on a processor four times
 * slower. `SDK_FILE=PATH` takes the vendor's own script, else a stand-in of its weight comes: see boot-vendor.ts.
 */
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Browser } from '@playwright/test';
import { startServer } from '../../demo/companion/test/free-port.ts';
import { launchBrowser } from '../end-to-end/browser.ts';
import { BUILT_SCRIPT, buildScript } from '../end-to-end/build.ts';
import { API, openVendor, type BootVendor } from './boot-vendor.ts';
import { median, type Measure } from './measure.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
const SLOWER = 4;
/** 100 ms there and back, 10 Mbit/s. */
const NETWORK = { offline: false, latency: 100, downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 };
const BROKER_MS = 150;
const API_MS = 30;
/** By when a page that waits for interest has done all that it does before. */
const SETTLED_MS = 1500;
const LONGEST_MS = 30_000;

const TAG = `<partner-dialer broker-url="/session" sdk-url="/sdk.js" sdk-base-url="${API}" lang="vi"`;
const SCRIPT = '<script src="/dist/partner-dialer.js" defer></script>';
/** Whoever writes first has the browser look for a font, which takes longer than all that the dialer draws. */
const TEXT = '<h1>Khách hàng</h1>';
const HINT = '<link rel="preload" as="script" href="/sdk.js" />';
/** README's snippet begins with it: our script first, because the session is requested as soon as it runs. */
const README_HINT = `<link rel="preload" as="script" href="/dist/partner-dialer.js" />${HINT}`;
const TOLD =
  '<script>addEventListener("dialer-ready", () => registered(String(performance.now())));</script>';

/** As the vendor's example does it, but for the order. */
function byHand(order: string): string {
  return `
    const token = async () => (await (await fetch('/session', { method: 'POST' })).json()).token;
    const sdk = () => new Promise((resolve) => {
      const script = document.createElement('script');
      script.src = '/sdk.js';
      script.onload = resolve;
      document.head.append(script);
    });
    const boot = (token) => {
      const phone = document.createElement('vbot-widget');
      phone.setAttribute('token', token);
      phone.setAttribute('base-url', location.origin + '${API}');
      phone.setAttribute('headless', 'true');
      phone.addEventListener('vbot:onUserConnected', () => registered(String(performance.now())));
      document.body.append(phone);
    };
    ${order}`;
}

const AT_ONCE = byHand('Promise.all([token(), sdk()]).then(([given]) => boot(given));');

/** The least that a page can have which takes its telephone from a file: that file has to come first. */
const FROM_FILE = '<script src="/by-hand.js" defer></script>';

const PAGES = {
  parallel: `<script>${AT_ONCE}</script>`,
  'parallel, hint': `${HINT}<script>${AT_ONCE}</script>`,
  file: FROM_FILE,
  'file, hint': `${HINT}${FROM_FILE}`,
  ours: `${SCRIPT}${TOLD}${TAG}></partner-dialer>`,
  'ours, hint': `${README_HINT}${SCRIPT}${TOLD}${TAG}></partner-dialer>`,
  interaction: `${SCRIPT}${TOLD}${TAG} connect-mode="interaction"></partner-dialer>`,
} as const;
type PageName = keyof typeof PAGES;

interface Visit {
  readonly registeredMs: number;
  /** Of the processor for the main thread, until it was registered or has settled: waiting for a busy machine is not in it. */
  readonly busyMs: number;
  readonly asked: readonly string[];
}

export async function benchBoot(): Promise<Measure[]> {
  await buildScript();
  const vendor = await openVendor();
  const server = createServer((request, response) => void answer(vendor, request, response));
  const origin = await startServer(server);
  // The vendor's own script asks its CDN for sounds, and the exchange behind it signs for itself.
  const alone = ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--ignore-certificate-errors'];
  const browser = await launchBrowser(...alone);
  const visits = Object.fromEntries(Object.keys(PAGES).map((name) => [name, []])) as unknown as Record<
    PageName,
    Visit[]
  >;
  const fast: Record<'ours' | 'parallel', Visit[]> = { ours: [], parallel: [] };
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const name of Object.keys(PAGES) as PageName[])
        visits[name].push(await visit(browser, origin, name, SLOWER));
      for (const name of ['ours', 'parallel'] as const)
        fast[name].push(await visit(browser, origin, name, 1));
    }
  } finally {
    await browser.close();
    server.close();
    server.closeAllConnections();
    await vendor.close();
  }
  return [...measuresOf(visits), ...mainThread(fast)];
}

function measuresOf(visits: Readonly<Record<PageName, readonly Visit[]>>): Measure[] {
  const registered = (name: PageName) => median(visits[name].map(({ registeredMs }) => registeredMs));
  const ratio = (name: string, hint: '' | ', hint', other: PageName, goal: number): Measure => {
    const [own, file] = [registered(`ours${hint}`), registered(`file${hint}`)];
    const least = `by hand from a file ${file.toFixed(0)} ms, ${(file / registered(other)).toFixed(2)}`;
    return {
      name,
      value: own / registered(other),
      goal,
      control: file / registered(other),
      note: `${own.toFixed(0)} ms : ${registered(other).toFixed(0)} ms; ${least}`,
    };
  };
  const early = visits.interaction
    .flatMap(({ asked }) => asked)
    .filter((path) => !/^\/(page|dist)/.test(path));
  return [
    ratio('registered : both at once', '', 'parallel', 1.18),
    ratio('registered : both at once, with the hint', ', hint', 'parallel, hint', 1.12),
    { name: 'requests to broker and vendor before interest', value: early.length, goal: 0, note: '' },
    ...(['ours', 'ours, hint'] as const).map((name) => ({
      name: `downloads of the SDK, ${name}`,
      value: Math.max(...visits[name].map(({ asked }) => asked.filter((path) => path === '/sdk.js').length)),
      goal: 1,
      note: '',
    })),
  ];
}

/** Of its own: what it takes beyond a page that does the same by hand. */
function mainThread(fast: Readonly<Record<'ours' | 'parallel', readonly Visit[]>>): Measure[] {
  const busy = (name: 'ours' | 'parallel') => median(fast[name].map(({ busyMs }) => busyMs));
  return [
    {
      name: 'main thread of our own until registered, ms at full speed',
      value: busy('ours') - busy('parallel'),
      goal: 120,
      note: `${busy('ours').toFixed(0)} ms, by hand ${busy('parallel').toFixed(0)} ms`,
    },
  ];
}

async function visit(browser: Browser, origin: string, name: PageName, slower: number): Promise<Visit> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const client = await context.newCDPSession(page);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  await client.send('Runtime.enable');
  await client.send('Network.enable');
  await client.send('Network.emulateNetworkConditions', NETWORK);
  await client.send('Emulation.setCPUThrottlingRate', { rate: slower });
  // Told by the page: whatever asks it would bring a script of its own, and run while the page is busy.
  await client.send('Runtime.addBinding', { name: 'registered' });
  const registered = new Promise<number>((resolve) => {
    client.on('Runtime.bindingCalled', ({ payload }) => resolve(Number(payload)));
  });
  try {
    await page.goto(`${origin}/page/${encodeURIComponent(name)}`, { waitUntil: 'commit' });
    const isQuiet = name === 'interaction';
    const registeredMs = await Promise.race([
      isQuiet ? sleep(SETTLED_MS, Number.NaN) : registered,
      sleep(LONGEST_MS, undefined),
    ]);
    if (registeredMs === undefined) throw new Error(`${name} was not registered in time.`);
    const { metrics } = await client.send('Performance.getMetrics');
    const busy = metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? Number.NaN;
    return { registeredMs, busyMs: busy * 1000, asked };
  } finally {
    await context.close();
  }
}

/** A server has its files ready: to compress the SDK's takes longer than much of what is measured. */
const known = new Map<string, Buffer>();

function zipped(body: Buffer | string): Buffer {
  const text = String(body);
  const made = known.get(text) ?? gzipSync(body);
  known.set(text, made);
  return made;
}

async function answer(vendor: BootVendor, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = decodeURIComponent(new URL(request.url ?? '/', 'http://local').pathname);
  const send = (type: string, body: Buffer | string) =>
    response.setHeader('Content-Type', type).setHeader('Content-Encoding', 'gzip').end(zipped(body));
  if (path.startsWith('/page/')) {
    const body = PAGES[path.slice('/page/'.length) as PageName];
    return void send('text/html', `<!doctype html><html lang="vi"><body>${TEXT}${body}</body></html>`);
  }
  if (path.startsWith('/dist/')) {
    return void send('text/javascript', await readFile(join(BUILT_SCRIPT, path.slice('/dist/'.length))));
  }
  if (path === '/by-hand.js') return void send('text/javascript', AT_ONCE);
  if (path === '/sdk.js') return void send('text/javascript', vendor.script);
  await sleep(path === '/session' ? BROKER_MS : API_MS);
  const { authorization = '' } = request.headers;
  const body =
    path === '/session'
      ? JSON.stringify({ token: vendor.token })
      : await vendor.answer(path, request.method ?? 'GET', authorization);
  send('application/json', body);
}
