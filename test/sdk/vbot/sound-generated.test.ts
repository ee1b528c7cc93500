/** Random sequences of what an agent, the exchange and the devices do in a call: what is sent is what is shown. */
import * as fc from 'fast-check';
import type { PartnerDialer } from '../../../src/index.ts';
import { nextTurn, openReady, passTime, sdk, until } from '../../support/dialer.ts';
import { FakeVbot } from '../../support/fake-vbot.ts';
import { PlayedPhone, type PlayedScreen } from './played-phone.ts';

const { MODEL_SEED, MODEL_RUNS } = import.meta.env;
const seed = Number(MODEL_SEED ?? 20_261_126);
const numRuns = Math.round(Number(MODEL_RUNS) / 4);

const KEY = 'partner-dialer devices';
const SYSTEM = { id: '', label: '' };
const CHOICE = { microphone: { id: 'm2', label: 'Headset' }, speaker: SYSTEM, ringers: [SYSTEM] };
/** Within this, the dialer shows what the agent does on VBot's own screen. */
const SCREEN_MS = 100;
/** Of a few milliseconds each: the browser itself needs some to open a microphone. */
const MOST_TURNS = 500;

/** How a call ends. After it, devices come and go, and exchange and browser reply to what they were asked for in the call. */
const ENDS: Readonly<Record<string, (stage: Stage) => unknown>> = {
  'hang up': (stage) => stage.ask((dialer) => dialer.hangUp()),
  'hang up without a socket': (stage) => {
    stage.phone.loseSocket(false);
    stage.ask((dialer) => dialer.hangUp());
  },
  'the customer hangs up': () => sdk().end(),
  disconnect: (stage) => stage.ask((dialer) => dialer.disconnect()),
};

const STEPS: Readonly<Record<string, (stage: Stage) => unknown>> = {
  mute: (stage) => stage.ask((dialer) => dialer.setMuted(true)),
  unmute: (stage) => stage.ask((dialer) => dialer.setMuted(false)),
  hold: (stage) => stage.ask((dialer) => dialer.setHeld(true)),
  resume: (stage) => stage.ask((dialer) => dialer.setHeld(false)),
  'press Mute': (stage) => stage.press('Mute'),
  'press Hold': (stage) => stage.press('Hold'),
  'the exchange agrees': ({ phone }) => phone.session?.agree(),
  'the exchange refuses': ({ phone }) => phone.session?.refuse(),
  'the exchange does not reply': ({ phone }) => phone.session?.timeOut(),
  'the customer holds': ({ phone }) => phone.session?.setRemoteHold(true),
  'the customer resumes': ({ phone }) => phone.session?.setRemoteHold(false),
  'VBot’s screen holds': ({ phone }) => phone.session?.hold({}, () => undefined),
  'VBot’s screen resumes': ({ phone }) => phone.session?.unhold({}, () => undefined),
  'VBot’s screen mutes': (stage) => stage.pressOnScreen((screen) => screen.pressMute()),
  'VBot’s screen chooses the headset': (stage) => stage.pressOnScreen((screen) => screen.chooseHeadset()),
  'the headset is pulled out': ({ phone }) => phone.plugHeadset(false),
  'the headset is plugged in': ({ phone }) => phone.plugHeadset(true),
  'the microphone ends': ({ phone }) => phone.endTracks(),
  'the browser asks': ({ phone }) => (phone.isAsking = true),
  'the agent allows': ({ phone }) => phone.grant(),
  'the socket is lost': ({ phone }) => phone.loseSocket(false),
  'the reply and the socket are lost': ({ phone }) => phone.loseSocket(true),
  'the socket is back': ({ phone }) => phone.bringSocketBack(),
  call: (stage) => stage.call(),
};
const OFTEN = [
  'mute',
  'unmute',
  'hold',
  'resume',
  'press Mute',
  'press Hold',
  'the exchange agrees',
  'the exchange refuses',
];
const DEVICES = [
  'the headset is pulled out',
  'the headset is plugged in',
  'the microphone ends',
  'the browser asks',
  'the agent allows',
];
type Step = readonly [string, number];

/** Milliseconds to the next step; 0: together. */
const wait = fc.constantFrom(0, 0, 0, 0, 4, 4, 4, 60, 60, 600, 600, 40_000);
const oneOf = (...names: readonly string[]) => fc.tuple(fc.constantFrom(...names), wait);
const inCall = fc.oneof(
  { weight: 3, arbitrary: oneOf(...OFTEN) },
  { weight: 2, arbitrary: oneOf(...Object.keys(STEPS)) },
);
const sequence = fc
  .tuple(
    fc.array(inCall, { minLength: 3, maxLength: 14 }),
    fc.option(oneOf(...Object.keys(ENDS)), { freq: 3 }),
    fc.array(oneOf(...DEVICES, 'the exchange agrees', 'the exchange refuses'), { maxLength: 5 }),
  )
  .map(([during, end, after]): Step[] => [...during, ...(end ? [end] : []), ...after]);

class Stage {
  readonly phone: PlayedPhone;
  readonly #dialer: PartnerDialer;
  #wrong: string | undefined;
  /** Of `setHeld()`, which have not settled. */
  #pending = 0;
  /** VBot's own screen shows what the dialer does not show yet. */
  #isScreenAhead = false;

  constructor(phone: PlayedPhone, dialer: PartnerDialer) {
    this.phone = phone;
    this.#dialer = dialer;
    dialer.addEventListener('dialer-statechange', () => this.#checkSilence('the state changed'));
    const own = Object.getOwnPropertyDescriptor(MediaStreamTrack.prototype, 'enabled');
    // JsSIP sets the track before it tells of it, in the same task.
    const checkSoon = () => queueMicrotask(() => this.#checkSilence('the track was set'));
    phone.replaceAccessor(MediaStreamTrack.prototype, 'enabled', {
      ...own,
      set(this: MediaStreamTrack, on: boolean) {
        own?.set?.call(this, on);
        checkSoon();
      },
    });
  }

  ask(work: (dialer: PartnerDialer) => Promise<void>): void {
    this.#pending += 1;
    const settled = () => (this.#pending -= 1);
    work(this.#dialer).then(settled, settled);
  }

  press(label: string): void {
    const buttons = [...(this.#dialer.shadowRoot?.querySelectorAll('button') ?? [])];
    buttons.find((each) => each.textContent.trim() === label)?.click();
  }

  /** Of what the agent does there, no event tells. */
  async pressOnScreen(press: (screen: PlayedScreen) => unknown): Promise<void> {
    const { screen, isAsking } = this.phone;
    if (!screen || isAsking || sdk().getAttribute('headless') === 'true') return;
    this.#isScreenAhead = true;
    await press(screen);
    await passTime(SCREEN_MS);
    this.#isScreenAhead = false;
  }

  /** Somebody who answers, if a call can begin now. */
  async call(): Promise<void> {
    const dialer = this.#dialer;
    if (!dialer.state.canCall || this.phone.isAsking) return;
    dialer.call('0912345678').catch(() => undefined);
    if (!(await this.#soon(() => dialer.state.call.is === 'dialing'))) return;
    sdk().accept();
    await this.#soon(() => dialer.state.call.is !== 'dialing');
  }

  async play(steps: readonly Step[]): Promise<void> {
    for (const [step, milliseconds] of steps) {
      await { ...STEPS, ...ENDS }[step]?.(this);
      if (milliseconds > 0) await passTime(milliseconds);
      if (milliseconds > 0) await this.#check(step);
      if (this.#wrong !== undefined) throw new Error(this.#wrong);
    }
    await this.#comeToRest();
    await this.#check('everything came to rest');
    if (this.#wrong !== undefined) throw new Error(this.#wrong);
  }

  /** Whatever waits for something gets it. */
  async #comeToRest(): Promise<void> {
    const { phone } = this;
    for (let round = 0; round < 4; round += 1) {
      phone.grant();
      phone.bringSocketBack();
      phone.session?.agree();
      await passTime(1000);
    }
    if (this.#pending > 0) this.#wrong ??= 'a promise has not settled';
    const isSent = () =>
      this.#dialer.state.call.is !== 'active' || phone.session?.track?.readyState === 'live';
    if (!(await this.#soon(isSent))) this.#wrong ??= 'no microphone is sent';
    const { call } = this.#dialer.state;
    if (call.is === 'active' && phone.session?.isHeldThere !== call.held)
      this.#wrong ??= `the exchange has the call otherwise: ${this.#shown}`;
  }

  get #isOver(): boolean {
    return ['none', 'ended'].includes(this.#dialer.state.call.is);
  }

  async #check(step: string): Promise<void> {
    const { phone } = this;
    const { state } = this.#dialer;
    if (phone.isOpening) return;
    if (this.#isOver && !(await this.#soon(() => phone.live.length === 0)))
      this.#wrong ??= `a microphone is open after the call (${step})`;
    if (state.call.is !== 'active' || phone.session?.isOver) return;
    const isRight = () => {
      const { call } = this.#dialer.state;
      if (call.is !== 'active' || phone.isOpening || this.#isChanging) return true;
      return phone.session?.track?.enabled === (!call.muted && !call.held);
    };
    if (!(await this.#soon(isRight)))
      this.#wrong ??= `the track is ${phone.session?.track?.enabled ? 'on' : 'off'}: ${this.#shown} (${step})`;
  }

  /** The exchange was asked, by the page or by a press of the agent. */
  get #isChanging(): boolean {
    return this.#pending > 0 || this.#dialer.shadowRoot?.querySelector('[aria-busy=true]') !== null;
  }

  get #shown(): string {
    const { call } = this.#dialer.state;
    return call.is === 'active' ? `muted ${call.muted}, held ${call.held}` : call.is;
  }

  /** Also while the exchange has not agreed yet. */
  #checkSilence(when: string): void {
    const { call } = this.#dialer.state;
    const { session } = this.phone;
    if (call.is !== 'active' || session?.isOver || !session?.track?.enabled || this.#isScreenAhead) return;
    if (call.muted || call.held) this.#wrong ??= `the track is on: ${this.#shown} (${when})`;
  }

  async #soon(holds: () => boolean): Promise<boolean> {
    for (let turn = 0; turn < MOST_TURNS && !holds(); turn += 1) await nextTurn();
    return holds();
  }
}

async function play(hasScreen: boolean, steps: readonly Step[]): Promise<void> {
  localStorage.setItem(KEY, JSON.stringify(CHOICE));
  const phone = new PlayedPhone();
  const page = await openReady(hasScreen ? { 'vendor-ui': 'true' } : {});
  try {
    const stage = new Stage(phone, page.dialer);
    await stage.call();
    await until(() => page.dialer.state.call.is === 'active', 'a call');
    await stage.play(steps);
  } finally {
    await page.close();
    for (const track of phone.tracks) track.stop();
    phone.restore();
    localStorage.removeItem(KEY);
    FakeVbot.onBoot = (vbot) => vbot.register();
  }
}

describe('what is sent in a call', () => {
  it(`is what is shown, in ${numRuns} sequences`, async function generated() {
    this.timeout(30_000 + numRuns * 3000);
    await fc.assert(fc.asyncProperty(fc.boolean(), sequence, play), {
      seed,
      numRuns,
      unbiased: true,
      includeErrorInReport: true,
    });
  });
});
