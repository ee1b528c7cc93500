/**
 * From the press of a button to the first paint that shows what it did, in the production build, on a machine four times slower
 * than this one. Counted from `pointerdown`, with the release right after it, as a tap on a touch screen has it.
 */
import type { Page } from '@playwright/test';
import type { DialerState } from '../../src/index.ts';
import { launchBrowser } from '../end-to-end/browser.ts';
import { buildPackage, PartnerSite } from '../end-to-end/partner-page.ts';
import { median, type Measure } from './measure.ts';

const SLOWER = 4;
const ROUNDS = 12;
const NUMBER = '0912345678';
/** Longer than the dialer holds a press back after its view has changed. */
const LOOK_MS = 700;
/** What the hand does before and after a press is none of its time. */
const STILL_MS = 100;
const MEDIAN_MS = 50;
const WORST_MS = 100;

const PRESSES = ['a digit', 'Call', 'Hang up', 'Answer'] as const;
/** A button that does nothing: what the browser itself takes on this machine. */
const NOTHING = 'Nothing';
type Press = (typeof PRESSES)[number] | typeof NOTHING;

/** Does at once what it is told, so that only the dialer's own work is measured. */
const SDK = `customElements.define('vbot-widget', class extends HTMLElement {
  #call = null;
  #state = 'idle';
  session = { connection: null, on() { return this; }, hold() {}, unhold() {}, terminate() {} };
  connectedCallback() {
    globalThis.vbot = this;
    setTimeout(() => {
      this.emit('onHotlinesUpdated', { hotlines: [{ name: 'Sales', phoneNumber: '842899990001' }] });
      this.emit('onUserConnected');
    });
  }
  emit(name, detail) {
    this.#state = detail?.state ?? this.#state;
    this.dispatchEvent(new CustomEvent('vbot:' + name, { detail }));
  }
  getCallState() { return this.#state; }
  getCallData() { return this.#call; }
  async makeCall(phoneNumber) {
    this.#call = { id: String(Math.random()), phoneNumber, direction: 'outgoing', startTime: new Date() };
    this.emit('onCallStateChange', { state: 'dialing' });
    this.emit('onCallProgress', { callData: this.#call });
  }
  ring(phoneNumber) {
    const { session } = this;
    this.#call = { id: String(Math.random()), phoneNumber, displayName: 'Nguyễn Thị Mai', direction: 'incoming', session };
    this.emit('onCallStateChange', { state: 'ringing' });
    this.emit('onCallIncoming', { callData: this.#call });
  }
  async answerCall() {
    this.#call = { ...this.#call, session: this.session };
    this.emit('onCallStateChange', { state: 'in-call' });
    this.emit('onCallAccepted', { callData: this.#call });
  }
  hangupCall() {
    const callData = this.#call;
    this.#call = null;
    this.emit('onCallStateChange', { state: 'idle' });
    this.emit('onCallEnded', { callData });
  }
  sendDTMF() {}
});`;

/** In the page: `watchPress(name)` promises when the next press began, when its effect was painted, and what the browser makes of it. */
const WATCH = `globalThis.watchPress = (name) => {
  const root = document.querySelector('partner-dialer').shadowRoot;
  const typed = () => root.querySelector('input')?.value.length ?? 0;
  const before = typed();
  const hasEffect = () => {
    if (name === 'Nothing') return true;
    if (name === 'Call') return root.querySelector('.hang-up') !== null;
    // The button says that the press has counted, until the SDK has done what it is to do.
    if (name === 'Hang up') return root.querySelector('.hang-up:not([aria-disabled=true])') === null;
    if (name === 'Answer') return root.querySelector('.incoming .call:not([aria-disabled=true])') === null;
    return typed() > before;
  };
  const isDone = () => root.querySelector('.primary[aria-disabled=true]') === null;
  const onScreen = [0];
  const observer = new PerformanceObserver((list) => onScreen.push(...list.getEntries().map((entry) => entry.duration)));
  observer.observe({ type: 'event', durationThreshold: 16 });
  globalThis.measured = new Promise((resolve) => {
    const once = { capture: true, once: true };
    addEventListener('pointerdown', ({ timeStamp }) => {
      const { port1, port2 } = new MessageChannel();
      // What a frame shows is painted by the first task after its animation callbacks.
      const nextFrame = () => requestAnimationFrame(() => port2.postMessage(undefined));
      let painted;
      port1.onmessage = () => {
        const now = performance.now() - timeStamp;
        painted ??= hasEffect() ? now : undefined;
        if (painted !== undefined && isDone()) resolve({ painted, done: now, onScreen });
        else nextFrame();
      };
      addEventListener('click', nextFrame, once);
    }, once);
  }).finally(() => setTimeout(() => observer.disconnect(), 90));
}`;

interface Measured {
  /** The first frame with a sign of it. */
  readonly painted: number;
  /** That of its end, as far as the SDK of the bench takes no time. */
  readonly done: number;
  readonly onScreen: readonly number[];
}

interface Time extends Omit<Measured, 'onScreen'> {
  /** By Event Timing, in steps of 8 ms: until the frame was on the screen, whatever it showed. */
  readonly onScreen: number;
}

type Times = Readonly<Record<Press, Time[]>>;

export async function benchInteraction(): Promise<Measure[]> {
  const built = await buildPackage();
  const browser = await launchBrowser();
  const site = await PartnerSite.open(browser, built.bundle);
  try {
    site.on('/sdk.js', (_, response) => {
      response.setHeader('Content-Type', 'text/javascript').end(SDK);
    });
    const script = `document.body.append(Object.assign(document.createElement('button'), { textContent: '${NOTHING}' }))`;
    const visit = await site.visit({ attributes: { lang: 'en' }, script });
    await visit.page.context().grantPermissions(['microphone']);
    const { first, times } = await pressAll(visit.page);
    return PRESSES.flatMap((name) => measuresOf(name, times[name], first[name], times[NOTHING]));
  } finally {
    await site.close();
    await browser.close();
    await built.remove();
  }
}

/** @returns the first round apart: no code of it has run before */
async function pressAll(page: Page): Promise<{ first: Times; times: Times }> {
  await page.waitForFunction(() => document.querySelector('partner-dialer')?.state.status === 'ready');
  await page.waitForTimeout(LOOK_MS);
  await page.evaluate(WATCH);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  const first = noTimes();
  await pressOnce(page, first);
  const times = noTimes();
  for (let round = 0; round < ROUNDS; round += 1) await pressOnce(page, times);
  return { first, times };
}

function noTimes(): Times {
  return { 'a digit': [], Call: [], 'Hang up': [], Answer: [], Nothing: [] };
}

async function pressOnce(page: Page, times: Times): Promise<void> {
  times.Nothing.push(await press(page, NOTHING, STILL_MS));
  for (const digit of NUMBER) times['a digit'].push(await press(page, digit, STILL_MS));
  times.Call.push(await press(page, 'Call'));
  await callIs(page, 'dialing');
  await page.evaluate(() => (Reflect.get(globalThis, 'vbot') as { answerCall(): void }).answerCall());
  await callIs(page, 'active');
  times['Hang up'].push(await press(page, 'Hang up'));
  await callIs(page, 'ended');
  await page.evaluate(() =>
    (Reflect.get(globalThis, 'vbot') as { ring(number: string): void }).ring('0987654321'),
  );
  await callIs(page, 'incoming');
  times.Answer.push(await press(page, 'Answer'));
  await callIs(page, 'active');
  times['Hang up'].push(await press(page, 'Hang up'));
  await callIs(page, 'ended');
  await page.waitForTimeout(LOOK_MS);
}

async function press(page: Page, name: string, lookMs = LOOK_MS): Promise<Time> {
  const box = await page.getByRole('button', { name, exact: true }).boundingBox();
  if (!box) throw new Error(`No button ${name} is in sight.`);
  // The pointer itself: a locator's click would run code of its own in the page.
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.evaluate(`watchPress('${name}')`);
  await page.waitForTimeout(lookMs);
  await page.mouse.down();
  await page.mouse.up();
  // Nothing else is asked of the page until it has painted.
  await page.waitForTimeout(STILL_MS);
  await page.evaluate(async () => {
    await Reflect.get(globalThis, 'measured');
  });
  await page.waitForTimeout(STILL_MS);
  return page.evaluate(async () => {
    const measured = (await Reflect.get(globalThis, 'measured')) as Measured;
    return { ...measured, onScreen: Math.max(...measured.onScreen) };
  });
}

async function callIs(page: Page, wanted: DialerState['call']['is']): Promise<void> {
  await page.waitForFunction((is) => document.querySelector('partner-dialer')?.state.call.is === is, wanted);
}

function measuresOf(
  name: Press,
  times: readonly Time[],
  first: readonly Time[],
  least: readonly Time[],
): Measure[] {
  const painted = times.map((time) => time.painted);
  const unchanged = least.map((time) => time.painted);
  const note = [
    `ms from the press to the paint of its effect, ${times.length} presses`,
    `the SDK's own answer to it ${median(times.map((time) => time.done)).toFixed(0)}`,
    `on the screen, by Event Timing, ${median(times.map((time) => time.onScreen)).toFixed(0)}`,
    `the very first ${Math.max(...first.map((time) => time.painted)).toFixed(0)}`,
    `a button that does nothing ${median(unchanged).toFixed(0)}`,
  ].join('; ');
  return [
    {
      name: `${name}, median`,
      value: median(painted),
      goal: MEDIAN_MS,
      note,
      control: median(unchanged),
    },
    {
      name: `${name}, worst`,
      value: Math.max(...painted),
      goal: WORST_MS,
      note,
      control: Math.max(...unchanged),
    },
  ];
}
