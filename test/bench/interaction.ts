/** From the press of a button to the next paint, in the production build, on a machine four times slower than this one. */
import type { Page } from 'playwright-core';
import type { DialerState } from '../../src/index.ts';
import { buildPackage, PartnerSite } from '../end-to-end/partner-page.ts';
import { median, type Measure } from './measure.ts';

const SLOWER = 4;
const ROUNDS = 12;
const NUMBER = '0912345678';
/** Longer than the dialer holds a press back after its view has changed. */
const LOOK_MS = 700;
const MEDIAN_MS = 50;
const WORST_MS = 100;

const PRESSES = ['a digit', 'Call', 'Hang up', 'Answer'] as const;
/** A button that does nothing: what the browser itself takes on this machine. */
const NOTHING = 'Nothing';
type Press = (typeof PRESSES)[number] | typeof NOTHING;

/** Does at once what it is told, so that only the dialer's own work is measured. */
const SDK = `customElements.define('vbot-widget', class extends HTMLElement {
  #call = null;
  session = { connection: null, on() { return this; }, mute() {}, unmute() {}, hold() {}, unhold() {}, terminate() {} };
  connectedCallback() {
    globalThis.vbot = this;
    setTimeout(() => this.emit('onUserConnected'));
  }
  emit(name, detail) { this.dispatchEvent(new CustomEvent('vbot:' + name, { detail })); }
  getHotlines() { return [{ name: 'Sales', phoneNumber: '842899990001' }]; }
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

/** What a frame shows is painted by the first task after its animation callbacks. */
const WATCH = () => {
  const times: number[] = [];
  Reflect.set(globalThis, 'times', times);
  addEventListener(
    'click',
    ({ timeStamp }) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener('message', () => times.push(performance.now() - timeStamp));
        port1.start();
        port2.postMessage(undefined);
      }),
    { capture: true },
  );
};

export async function benchInteraction(): Promise<Measure[]> {
  const built = await buildPackage();
  const site = await PartnerSite.open(built.bundle);
  try {
    site.on('/sdk.js', (_, response) => {
      response.setHeader('Content-Type', 'text/javascript').end(SDK);
    });
    const script = `document.body.append(Object.assign(document.createElement('button'), { textContent: '${NOTHING}' }))`;
    const visit = await site.visit({ attributes: { lang: 'en' }, script });
    await visit.page.context().grantPermissions(['microphone']);
    const times = await pressAll(visit.page);
    const least = `, where a button that does nothing takes ${median(times[NOTHING]).toFixed(0)}`;
    return PRESSES.flatMap((name) => measuresOf(name, times[name], least));
  } finally {
    await site.close();
    await built.remove();
  }
}

async function pressAll(page: Page): Promise<Record<Press, number[]>> {
  const times: Record<Press, number[]> = { 'a digit': [], Call: [], 'Hang up': [], Answer: [], Nothing: [] };
  await page.waitForFunction(() => document.querySelector('partner-dialer')?.state.status === 'ready');
  await page.evaluate(WATCH);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  for (let round = 0; round < ROUNDS; round += 1) {
    times.Nothing.push(await press(page, NOTHING, 0));
    for (const digit of NUMBER) times['a digit'].push(await press(page, digit, 0));
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
  return times;
}

/** @returns milliseconds from the press to the next paint */
async function press(page: Page, name: string, lookMs = LOOK_MS): Promise<number> {
  await page.waitForTimeout(lookMs);
  const before = await page.evaluate(() => (Reflect.get(globalThis, 'times') as number[]).length);
  await page.getByRole('button', { name, exact: true }).click();
  const measured = await page.waitForFunction(
    (count) => (Reflect.get(globalThis, 'times') as number[])[count],
    before,
  );
  return (await measured.jsonValue()) ?? Number.NaN;
}

async function callIs(page: Page, wanted: DialerState['call']['is']): Promise<void> {
  await page.waitForFunction((is) => document.querySelector('partner-dialer')?.state.call.is === is, wanted);
}

function measuresOf(name: Press, times: readonly number[], least: string): Measure[] {
  const note = `ms from the press to the next paint, ${times.length} presses${least}`;
  return [
    { name: `${name}, median`, value: median(times), goal: MEDIAN_MS, note },
    { name: `${name}, worst`, value: Math.max(...times), goal: WORST_MS, note },
  ];
}
