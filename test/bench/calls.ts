/**
 * What calls cost beside the bare SDK, with real audio through the sandbox's exchange: what 200 of them leave behind in one
 * page, and the time of the page's main thread in a good call. `SDK_FILE=PATH` takes the vendor's own script.
 */
import { createServer, type Server } from 'node:http';
import { readFile } from 'node:fs/promises';
import { getRequestListener } from '@hono/node-server';
import type { Browser, CDPSession, Page } from '@playwright/test';
import { createSandbox, type Sandbox } from '../../demo/sandbox/sandbox.ts';
import { buildScript } from '../../demo/sandbox/rest/script.ts';
import { startServer } from '../../demo/companion/test/free-port.ts';
import { launchBrowser } from '../end-to-end/browser.ts';
import { buildPackage } from '../end-to-end/partner-page.ts';
import type { Measure } from './measure.ts';

const MEMBER = 'agent001';
const ANSWERS = '0900000200';
/** Until the engine has compiled what is hot. */
const WARM_UP = 20;
const CALLS = Number(process.env['CALLS'] ?? 200);
const TALK_MS = 30_000;
const KB = 1000;

type Kind = 'bare' | 'dialer';

/** In the page: `phone` calls once, and talks for so long; it counts the outcomes. */
const PHONE: Readonly<Record<Kind, string>> = {
  bare: `
    const widget = document.createElement('vbot-widget');
    for (const [name, value] of Object.entries({ headless: '', token: TOKEN, 'base-url': BASE })) widget.setAttribute(name, value);
    const next = (name) => new Promise((resolve) => widget.addEventListener('vbot:' + name, resolve, { once: true }));
    globalThis.outcomes = 0;
    globalThis.ready = next('onUserConnected');
    globalThis.phone = async (talk) => {
      const accepted = next('onCallAccepted');
      const ended = next('onCallEnded');
      await widget.makeCall('${ANSWERS}');
      await accepted;
      await pause(talk);
      widget.hangupCall();
      await ended;
      outcomes += 1;
    };
    document.body.append(widget);`,
  dialer: `
    const dialer = document.createElement('partner-dialer');
    const attributes = { 'broker-url': '/session', 'sdk-url': '/sdk.js', 'sdk-base-url': BASE, lang: 'en' };
    for (const [name, value] of Object.entries(attributes)) dialer.setAttribute(name, value);
    const next = (name) => new Promise((resolve) => dialer.addEventListener('dialer-' + name, resolve, { once: true }));
    globalThis.outcomes = 0;
    dialer.addEventListener('dialer-callend', ({ detail }) => { if (detail.call.outcome === 'answered') outcomes += 1; });
    globalThis.ready = next('ready');
    globalThis.phone = async (talk) => {
      const connected = next('callconnect');
      const ended = next('callend');
      await dialer.call('${ANSWERS}');
      await connected;
      await pause(talk);
      await dialer.hangUp();
      await ended;
    };
    document.body.append(dialer);`,
};

declare global {
  var phone: (talkMs: number) => Promise<void>;
  var ready: Promise<unknown>;
  var outcomes: number;
}

export async function benchCalls(): Promise<Measure[]> {
  const file = process.env['SDK_FILE'];
  const text = file === undefined ? await buildScript() : await readFile(file, 'utf8');
  const built = await buildPackage();
  const browser = await launchBrowser();
  const sandbox = createSandbox({ wss: true });
  sandbox.world.setBalance(sandbox.world.createMember(MEMBER, ['HL_SALES']), 10_000_000);
  const server = serverOf(sandbox, { '/sdk.js': text, '/dialer.js': built.bundle });
  const origin = await startServer(server);
  try {
    sandbox.world.settings = { ...sandbox.world.settings, answerAfter: 1 };
    const bare = await measure(browser, origin, 'bare');
    const dialer = await measure(browser, origin, 'dialer');
    const note = (what: keyof Measured) =>
      `a call: ${dialer[what].toFixed(2)}, bare SDK ${bare[what].toFixed(2)}`;
    const more = (what: keyof Measured) => dialer[what] - bare[what];
    return [
      { name: 'calls without one outcome', value: CALLS - dialer.outcomes, goal: 0, note: `of ${CALLS}` },
      { name: 'kB more than the bare SDK', value: more('memory'), goal: 6, note: note('memory') },
      { name: 'listeners more', value: more('listeners'), goal: 0.1, note: note('listeners') },
      { name: 'nodes more', value: more('nodes'), goal: 0.1, note: note('nodes') },
      { name: '% of a core in a good call', value: more('core'), goal: 1, note: note('core') },
    ];
  } finally {
    await browser.close();
    server.close();
    server.closeAllConnections();
    await sandbox.close();
    await built.remove();
  }
}

interface Measured {
  readonly outcomes: number;
  /** Left behind by one call, in kB. */
  readonly memory: number;
  readonly listeners: number;
  readonly nodes: number;
  /** Percent of the time of the page's main thread, while two people talk. */
  readonly core: number;
}

async function measure(browser: Browser, origin: string, kind: Kind): Promise<Measured> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, permissions: ['microphone'] });
  const page = await context.newPage();
  try {
    await page.goto(`${origin}/?${kind}`);
    await page.evaluate(() => globalThis.ready.then(() => undefined));
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable');
    await call(page, WARM_UP);
    const before = await cleanMetricsOf(session);
    await page.evaluate(() => void (globalThis.outcomes = 0));
    await call(page, CALLS);
    const after = await cleanMetricsOf(session);
    const left = (name: string) =>
      ((after.get(name) ?? Number.NaN) - (before.get(name) ?? Number.NaN)) / CALLS;
    const outcomes = await page.evaluate(() => globalThis.outcomes);
    const core = await coreOf(page, session);
    const memory = left('JSHeapUsedSize') / KB;
    return { outcomes, memory, listeners: left('JSEventListeners'), nodes: left('Nodes'), core };
  } finally {
    await context.close();
  }
}

async function call(page: Page, count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) await page.evaluate(() => globalThis.phone(100));
}

/** A good call from its second second on. */
async function coreOf(page: Page, session: CDPSession): Promise<number> {
  const talk = page.evaluate((talkMs) => globalThis.phone(talkMs), TALK_MS + 5000);
  await page.waitForTimeout(3000);
  const before = await metricsOf(session);
  await page.waitForTimeout(TALK_MS);
  const after = await metricsOf(session);
  await talk;
  return (
    (100 * ((after.get('TaskDuration') ?? Number.NaN) - (before.get('TaskDuration') ?? 0))) / (TALK_MS / 1000)
  );
}

async function cleanMetricsOf(session: CDPSession): Promise<ReadonlyMap<string, number>> {
  // What the first collection finalizes goes with the second one.
  for (let time = 0; time < 3; time += 1) await session.send('HeapProfiler.collectGarbage');
  return metricsOf(session);
}

async function metricsOf(session: CDPSession): Promise<ReadonlyMap<string, number>> {
  const { metrics } = await session.send('Performance.getMetrics');
  return new Map(metrics.map(({ name, value }) => [name, value]));
}

function serverOf(sandbox: Sandbox, scripts: Readonly<Record<string, string>>): Server {
  const listener = getRequestListener((request, env) => {
    const { pathname, search, origin } = new URL(request.url);
    const script = scripts[pathname];
    if (script !== undefined)
      return new Response(script, { headers: { 'Content-Type': 'text/javascript; charset=utf-8' } });
    const token = sandbox.world.issueToken(MEMBER);
    if (pathname === '/session') return Response.json({ token, member: { memberNo: MEMBER }, blockers: [] });
    if (pathname !== '/') return sandbox.fetch(request, env);
    const kind: Kind = search === '?bare' ? 'bare' : 'dialer';
    const page = `<!doctype html><meta charset="utf-8"><title>Calls</title><body>
      <script src="${kind === 'bare' ? '/sdk.js' : '/dialer.js'}"></script>
      <script>{
        const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
        const TOKEN = '${token}', BASE = '${origin}/vendor/v3.0';
        ${PHONE[kind]}
      }</script>`;
    return new Response(page, { headers: { 'Content-Type': 'text/html' } });
  });
  const server = createServer(listener);
  sandbox.attach(server);
  return server;
}
