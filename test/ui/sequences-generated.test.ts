/**
 * Random sequences of an agent's keys and presses, between which others act: somebody rings, answers, hangs up, another tab
 * calls, the connection goes and comes, the page shows a number. `MODEL_PRESSES=2000` plays more, `MODEL_SEED=…` others.
 */
import { expect, nextFrame } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { nextTurn, openReady, until, type DialerPage } from '../support/dialer.ts';
import { memberWith, session } from '../support/fake-broker.ts';
import { FakeVbot } from '../support/fake-vbot.ts';
import { centerOf, letPass, pressAt } from '../support/pointer.ts';
import { seededRandom } from '../support/random.ts';
import { buttonsOf, nameOf } from '../support/views.ts';

const { MODEL_SEED, MODEL_PRESSES } = import.meta.env;
const RUNS = Number(MODEL_PRESSES ?? 8);
const SEED = Number(MODEL_SEED ?? 1);
const STEPS = 12;
/** Nobody aims at what has been there for less, and nobody reads while typing. */
const SIGHT_MS = 500;
const NUMBERS = ['0912345678', '0987654321', '0900000200', '0283822123'];
const KEYS = [...'0123456789', ' ', 'Enter', 'Backspace', 'ArrowUp'];
/** Presses that say what they are about. */
const ACTS = /^(?:Call|Answer|Hang up|Decline|Mute|Cancel|Recent|Sound|Close)/;

describe(`an agent in ${RUNS} random sequences`, function sequences() {
  this.timeout(60_000 + RUNS * 5000);

  for (let run = 0; run < RUNS; run += 1) {
    const seed = SEED * 100_000 + run;
    it(`does only what was in sight, with seed ${seed}`, () => new Sequence(seed).play());
  }
});

class Sequence {
  readonly #random: () => number;
  readonly #member: { readonly memberNo: string };
  readonly #notes: string[] = [];
  readonly #over = new AbortController();
  #page!: DialerPage;
  #connect: (() => void) | undefined;
  /** When what is drawn has last changed, and when a key was last typed. */
  #drawn = { text: '', since: 0 };
  #typedAt = -Infinity;
  #keyAt = -Infinity;
  /** When the latest press began. */
  #pressedAt = -Infinity;
  /** What the agent could read before the step, and what the page has asked for. */
  #seen = '';
  #asked: string[] = [];
  #heard: string[] = [];

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    this.#member = { memberNo: `seed${seed}${Math.random()}` };
  }

  async play(): Promise<void> {
    const member = { ...this.#member, name: 'An', balance: 12_500, currency: 'VND' };
    const text = document.createElement('p');
    text.style.height = '3000px';
    document.documentElement.dir = this.#random() < 0.3 ? 'rtl' : 'ltr';
    const floating = this.#pick(['false', 'false', 'bottom-right']);
    this.#page = await openReady({ floating, open: 'true' }, memberWith({ member }));
    document.body.append(text);
    const { signal } = this.#over;
    document.addEventListener('keydown', ({ key }) => this.#heard.push(key), { signal });
    const begins = ({ timeStamp }: Event) => (this.#keyAt = timeStamp);
    document.addEventListener('keydown', begins, { capture: true, signal });
    const presses = ({ timeStamp }: Event) => (this.#pressedAt = timeStamp);
    document.addEventListener('pointerdown', presses, { capture: true, signal });
    try {
      for (let step = 0; step < STEPS; step += 1) await this.#step();
      expect(
        this.#heard.filter((key) => key !== 'Escape' && key !== 'Tab'),
        `keys on the page: ${this.#notes.join(', ')}`,
      ).to.deep.equal([]);
    } finally {
      this.#over.abort();
      text.remove();
      scrollTo(0, 0);
      document.documentElement.removeAttribute('dir');
    }
  }

  async #step(): Promise<void> {
    const before = this.#told.length;
    this.#see();
    const choice = this.#random();
    if (choice < 0.35) await this.#key();
    else if (choice < 0.6) await this.#press();
    else if (choice < 0.72) await this.#shiftAndPress();
    else if (choice < 0.8) await this.#scroll();
    else await this.#happen();
    await this.#page.dialer.updateComplete;
    this.#see();
    await letPass(this.#pick([0, 90, 180, 300, 600]));
    this.#see();
    this.#check(this.#told.slice(before), '');
  }

  /** Whatever the SDK was told has to have been in sight. */
  #check(orders: readonly string[], what: string): void {
    for (const order of orders) {
      const [verb, number = ''] = order.split(' ');
      if (verb !== 'makeCall') continue;
      const isShown = this.#seen.includes(number) || this.#asked.includes(number);
      expect(isShown, `${order} ${what} in sight ${this.#seen}: ${this.#notes.join(', ')}`).to.equal(true);
    }
  }

  get #told(): readonly string[] {
    return FakeVbot.current?.told ?? [];
  }

  get #text(): string {
    const { shadowRoot } = this.#page.dialer;
    const field = shadowRoot?.querySelector('input')?.value ?? '';
    const bubble = shadowRoot?.querySelector('[part~=bubble]')?.textContent ?? '';
    return `${field} ${shadowRoot?.querySelector('[part~=card]')?.textContent ?? ''} ${bubble}`;
  }

  #see(): void {
    const { call } = this.#page.dialer.state;
    const about = 'info' in call && call.is !== 'ended' ? `${call.is} ${call.info.number}` : 'keypad';
    if (about !== this.#drawn.text) this.#drawn = { text: about, since: performance.now() };
    this.#seen += this.#text.replaceAll(/[\s.]/g, '');
  }

  async #key(): Promise<void> {
    const { dialer } = this.#page;
    if (dialer.shadowRoot?.activeElement == null)
      dialer.shadowRoot
        ?.querySelector<HTMLElement>(this.#pick(['input', '[part~=card]', 'button:not([part~=call-button])']))
        ?.focus();
    if (dialer.shadowRoot?.activeElement == null) return;
    const key = this.#pick(KEYS);
    this.#notes.push(key);
    const { call } = dialer.state;
    const { since } = this.#drawn;
    const typedAt = this.#typedAt;
    const before = this.#told.length;
    const wasAnswering = this.#isAnswering;
    this.#seen = '';
    this.#see();
    await sendKeys({ press: key });
    if (key !== 'Enter' && key !== 'ArrowUp') this.#typedAt = this.#keyAt;
    await nextTurn();
    await dialer.updateComplete;
    // The SDK is told of an earlier press a moment after it.
    const answered =
      !wasAnswering &&
      (this.#isAnswering || this.#told.slice(before).some((each) => each.startsWith('answerCall')));
    // Typing that began before somebody rang has to pause.
    const isTyping = typedAt > since && typedAt < since + SIGHT_MS && this.#keyAt < typedAt + SIGHT_MS;
    const isEarly = call.is === 'incoming' && (this.#keyAt < since + SIGHT_MS || isTyping);
    expect(answered && isEarly, `answered by ${key}: ${this.#notes.join(', ')}`).to.equal(false);
    expect(answered && key === ' ', `answered by Space: ${this.#notes.join(', ')}`).to.equal(false);
  }

  /** "Answer" was pressed, or "Decline". */
  get #isAnswering(): boolean {
    return buttonsOf(this.#page.dialer).some(
      (each) => nameOf(each) === 'Answer' && each.ariaDisabled === 'true',
    );
  }

  async #press(): Promise<void> {
    const all = buttonsOf(this.#page.dialer).filter((each) => ACTS.test(nameOf(each)));
    const target = all[Math.floor(this.#random() * all.length)];
    if (!target) return;
    this.#notes.push(`press ${nameOf(target)}`);
    this.#seen = '';
    this.#see();
    scrollTo(0, 0);
    await pressAt(centerOf(target));
    await nextTurn();
  }

  /** Something happens in the moment of a press: the press is not for what is there now. */
  async #shiftAndPress(): Promise<void> {
    scrollTo(0, 0);
    const all = buttonsOf(this.#page.dialer).filter((each) => ACTS.test(nameOf(each)));
    const target = all[Math.floor(this.#random() * all.length)];
    if (!target) return;
    await letPass(600);
    const place = centerOf(target);
    const { textContent } = target;
    this.#seen = '';
    this.#see();
    await this.#happen();
    await this.#page.dialer.updateComplete;
    const under = this.#page.dialer.shadowRoot?.elementFromPoint(place.x, place.y)?.closest('button');
    const isSame = under === target && under.textContent === textContent;
    const since = performance.now();
    await letPass(30);
    const before = this.#told.length;
    await pressAt(place);
    await nextTurn();
    this.#notes.push(`press in that moment at ${nameOf(target)}`);
    const orders = this.#told
      .slice(before)
      .filter((each) => /^(?:makeCall|answerCall|hangupCall)/.test(each));
    // On a busy machine the press may come so late that it is for what is there now.
    if (!isSame && this.#pressedAt < since + SIGHT_MS)
      expect(orders, this.#notes.join(', ')).to.deep.equal([]);
  }

  async #scroll(): Promise<void> {
    if (this.#page.dialer.getAttribute('floating') !== 'false') return;
    scrollTo(0, 1500);
    for (let frame = 0; frame < 3; frame += 1) await nextFrame();
    const text = document.body.lastElementChild;
    const at = Math.round(text?.getBoundingClientRect().top ?? 0);
    await this.#happen();
    for (let frame = 0; frame < 3; frame += 1) await nextFrame();
    const now = Math.round(text?.getBoundingClientRect().top ?? 0);
    expect(now, `the page: ${this.#notes.join(', ')}`).to.equal(at);
    scrollTo(0, 0);
  }

  /** What somebody else does. */
  async #happen(): Promise<void> {
    const { dialer } = this.#page;
    const { call } = dialer.state;
    const vbot = FakeVbot.current;
    const number = this.#pick(NUMBERS);
    if (this.#connect) {
      this.#notes.push('the connection comes');
      const waits = dialer.shadowRoot?.textContent?.includes('Waiting to call');
      const before = this.#told;
      const count = before.length;
      this.#connect();
      this.#connect = undefined;
      await until(() => dialer.state.line.is === 'up', 'the connection');
      // On a busy machine it would leave only after the next press, which did not ask for it.
      if (waits)
        await until(() => this.#told.length > (this.#told === before ? count : 0), 'the call that waited');
    } else if (call.is === 'incoming' || call.is === 'active') {
      this.#notes.push('they hang up');
      vbot?.end('Cuộc gọi đã bị hủy');
    } else if (call.is === 'dialing') {
      const isAnswered = this.#random() < 0.5;
      this.#notes.push(isAnswered ? 'they answer' : 'they are busy');
      if (isAnswered) vbot?.accept();
      else vbot?.end('Busy');
    } else if (call.is !== 'placing') {
      const choice = this.#random();
      this.#notes.push(
        `${choice < 0.4 ? 'rings' : choice < 0.6 ? 'another tab' : choice < 0.8 ? 'prefill' : 'connects again'} ${number}`,
      );
      if (choice < 0.4) vbot?.ring(number);
      else if (choice < 0.6) this.#callElsewhere(number);
      else if (choice < 0.8) await dialer.prefill(number);
      else await this.#reconnect();
    }
    await nextTurn();
    // Seen only after the next press, it would seem newer than it is.
    this.#see();
  }

  #callElsewhere(number: string): void {
    const key = Object.keys(localStorage).find((name) => name.includes(this.#member.memberNo));
    if (key === undefined) return;
    const known = JSON.parse(localStorage.getItem(key) ?? '[]');
    const call = { ...known[0], id: `elsewhere ${number}`, number, startedAt: Date.now() };
    localStorage.setItem(key, JSON.stringify([call, ...known]));
    dispatchEvent(new StorageEvent('storage', { key }));
  }

  /** A call that is asked for now waits. */
  async #reconnect(): Promise<void> {
    const { dialer, broker } = this.#page;
    const member = { ...this.#member, name: 'An', balance: 12_500, currency: 'VND' };
    broker.on(
      'POST session',
      () => new Promise((resolve) => (this.#connect = () => resolve(session({ member })))),
    );
    dialer.setAttribute('sdk-base-url', `https://other.example/${this.#random()}`);
    await until(() => this.#connect !== undefined, 'the request');
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T;
  }
}
