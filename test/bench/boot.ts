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
/** A quick broker, and one that waits for four steps at a vendor who takes 200 ms for each. */
const BROKERS_MS = [150, 800] as const;
const API_MS = 30;
/** By when a page that waits for interest has done all that it does before. */
const SETTLED_MS = 1500;
const LONGEST_MS = 30_000;

const TAG = `<partner-dialer sdk-url="/sdk.js" sdk-base-url="${API}" lang="vi"`;
const SCRIPT = '<script src="/dist/partner-dialer.js" defer></script>';
/** Whoever writes first has the browser look for a font, which takes longer than all that the dialer draws. */
const TEXT = '<h1>Khách hàng</h1>';
const HINT = '<link rel="preload" as="script" href="/sdk.js" />';
/** README's snippet begins with it: our script first, because the session is requested as soon as it runs. */
const README_HINT = `<link rel="preload" as="script" href="/dist/partner-dialer.js" />${HINT}`;
const TOLD =
  '<script>addEventListener("dialer-ready", () => registered(String(performance.now())));</script>';

/** As the vendor's example does it, but both at once. */
function byHand(session: string): string {
  return `
    const token = async () => (await (await fetch('${session}', { method: 'POST' })).json()).token;
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
    Promise.all([token(), sdk()]).then(([given]) => boot(given));`;
}

function pagesOf(brokerMs: number) {
  const session = `/session/${brokerMs}`;
  const atOnce = `<script>${byHand(session)}</script>`;
  // The least that a page can have which takes its telephone from a file: that file has to come first.
  const file = `<script src="/by-hand/${brokerMs}.js" defer></script>`;
  const ours = `${SCRIPT}${TOLD}${TAG} broker-url="${session}"></partner-dialer>`;
  const begun = `document.querySelector('partner-dialer').session = fetch('${session}', { method: 'POST' })`;
  return {
    parallel: atOnce,
    'parallel, hint': `${HINT}${atOnce}`,
    file,
    'file, hint': `${HINT}${file}`,
    ours,
    'ours, hint': `${README_HINT}${ours}`,
    'ours, session': `${README_HINT}${ours}<script>${begun}</script>`,
  };
}

type PageName = `${keyof ReturnType<typeof pagesOf>}, ${(typeof BROKERS_MS)[number]}` | 'interaction';
const PAGES = {
  interaction: `${SCRIPT}${TOLD}${TAG} broker-url="/session/150" connect-mode="interaction"></partner-dialer>`,
  ...Object.fromEntries(
    BROKERS_MS.flatMap((ms) => Object.entries(pagesOf(ms)).map(([name, body]) => [`${name}, ${ms}`, body])),
  ),
} as Readonly<Record<PageName, string>>;

interface Visit {
  readonly registeredMs: number;
  /** Of the processor for the main thread, until it was registered or has settled: waiting for a busy machine is not in it. */
  readonly busyMs: number;
  readonly asked: readonly string[];
}

type Fast = 'ours, 150' | 'parallel, 150';

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
  const fast: Record<Fast, Visit[]> = { 'ours, 150': [], 'parallel, 150': [] };
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const name of Object.keys(PAGES) as PageName[])
        visits[name].push(await visit(browser, origin, name, SLOWER));
      for (const name of ['ours, 150', 'parallel, 150'] as const)
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

type Ours = 'ours' | 'ours, hint' | 'ours, session';

function measuresOf(visits: Readonly<Record<PageName, readonly Visit[]>>): Measure[] {
  const registered = (name: PageName) => median(visits[name].map(({ registeredMs }) => registeredMs));
  const ratio = (ms: (typeof BROKERS_MS)[number], ours: Ours, hint: '' | ', hint', goal: number): Measure => {
    const own = registered(`${ours}, ${ms}`);
    const [byHandMs, file] = [registered(`parallel${hint}, ${ms}`), registered(`file${hint}, ${ms}`)];
    const least = `by hand from a file ${file.toFixed(0)} ms, ${(file / byHandMs).toFixed(2)}`;
    return {
      name: `registered : both at once, ${ours}, broker at ${ms} ms`,
      value: own / byHandMs,
      goal,
      control: file / byHandMs,
      note: `${own.toFixed(0)} ms : ${byHandMs.toFixed(0)} ms; ${least}`,
    };
  };
  const early = visits.interaction
    .flatMap(({ asked }) => asked)
    .filter((path) => !/^\/(page|dist)/.test(path));
  return [
    ratio(150, 'ours', '', 1.18),
    ratio(150, 'ours, hint', ', hint', 1.12),
    ratio(150, 'ours, session', ', hint', 1.12),
    ratio(800, 'ours', '', 1.4),
    ratio(800, 'ours, hint', ', hint', 1.45),
    ratio(800, 'ours, session', ', hint', 1.12),
    { name: 'requests to broker and vendor before interest', value: early.length, goal: 0, note: '' },
    ...(['ours, 150', 'ours, hint, 150'] as const).map((name) => ({
      name: `downloads of the SDK, ${name}`,
      value: Math.max(...visits[name].map(({ asked }) => asked.filter((path) => path === '/sdk.js').length)),
      goal: 1,
      note: '',
    })),
  ];
}

/** Of its own: what it takes beyond a page that does the same by hand. */
function mainThread(fast: Readonly<Record<Fast, readonly Visit[]>>): Measure[] {
  const busy = (name: Fast) => median(fast[name].map(({ busyMs }) => busyMs));
  return [
    {
      name: 'main thread of our own until registered, ms at full speed',
      value: busy('ours, 150') - busy('parallel, 150'),
      goal: 120,
      note: `${busy('ours, 150').toFixed(0)} ms, by hand ${busy('parallel, 150').toFixed(0)} ms`,
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
  const brokerMs = /\d+/.exec(path)?.[0];
  if (path.startsWith('/by-hand/')) return void send('text/javascript', byHand(`/session/${brokerMs}`));
  if (path === '/sdk.js') return void send('text/javascript', vendor.script);
  const isSession = path.startsWith('/session/');
  await sleep(isSession ? Number(brokerMs) : API_MS);
  const { authorization = '' } = request.headers;
  const body = isSession
    ? JSON.stringify({ token: vendor.token })
    : await vendor.answer(path, request.method ?? 'GET', authorization);
  send('application/json', body);
}
