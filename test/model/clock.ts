/** The page's time, moved by the test. Microtasks and message channels stay real: they need no time to pass. */
import { useFakeTimers, type SinonFakeTimers } from 'sinon';

const START = Date.parse('2026-03-02T08:00:00Z');
/** More timers than this in one move of the clock are a loop that waits for nothing. */
const MOST_TIMERS = 6000;
/** Turns without anything happening after which the page counts as quiet. */
const QUIET_TURNS = 2;
const MOST_TURNS = 400;

const channel = new MessageChannel();
const turns: (() => void)[] = [];
channel.port1.addEventListener('message', () => turns.shift()?.());
channel.port1.start();
const post = MessagePort.prototype.postMessage;

/** One real task. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    turns.push(resolve);
    post.call(channel.port2, undefined);
  });
}

export class VirtualClock {
  /** Counts whatever happens, so that quiet can be told. */
  activity = 0;
  readonly #clock: SinonFakeTimers;
  readonly #own = new Set<ReturnType<SinonFakeTimers['setTimeout']>>();
  #jumped = 0;
  #ahead = 0;
  #set = 0;
  readonly #timeout = AbortSignal.timeout;
  readonly #performanceNow = performance.now;

  constructor() {
    this.#clock = useFakeTimers({
      now: START,
      toFake: [
        'setTimeout',
        'clearTimeout',
        'setInterval',
        'clearInterval',
        'requestIdleCallback',
        'cancelIdleCallback',
        'requestAnimationFrame',
        'cancelAnimationFrame',
        'Date',
      ],
    });
    AbortSignal.timeout = (ms) => {
      const abort = new AbortController();
      this.later(ms, () => abort.abort(new DOMException('signal timed out', 'TimeoutError')));
      return abort.signal;
    };
    performance.now = () => this.lasted - START;
    const happened = () => (this.activity += 1);
    MessagePort.prototype.postMessage = function count(this: MessagePort, ...message: [unknown]) {
      happened();
      return Reflect.apply(post, this, message);
    };
  }

  get now(): number {
    return this.#clock.now;
  }

  /** The time in which timers could run: without the jumps. */
  get lived(): number {
    return this.#clock.now - this.#jumped;
  }

  /** The most that a clock may have counted: with the jumps ahead, without those back. */
  get counted(): number {
    return this.lived + this.#ahead;
  }

  /** By `performance.now()`: with the time in which the page was frozen. */
  get lasted(): number {
    return this.#clock.now - this.#set;
  }

  /** Timers that the element and its dialer have set. */
  get foreignTimers(): number {
    return this.#clock.countTimers() - this.#own.size;
  }

  /** A timer of the played world. */
  later(ms: number, work: () => void): () => void {
    const id = this.#clock.setTimeout(() => {
      this.#own.delete(id);
      this.activity += 1;
      work();
    }, ms);
    this.#own.add(id);
    return () => {
      this.#own.delete(id);
      this.#clock.clearTimeout(id);
    };
  }

  /** Until nothing happens any more without the clock moving. */
  async settle(): Promise<void> {
    this.#clock.tick(0);
    let quiet = 0;
    for (let count = 0; quiet < QUIET_TURNS && count < MOST_TURNS; count += 1) {
      const before = this.activity;
      await turn();
      quiet = this.activity === before ? quiet + 1 : 0;
    }
  }

  /**
   * Lets time pass, timer by timer, each with what follows from it.
   *
   * @returns whether it got there; `false`: something waits for nothing, again and again
   */
  async advance(ms: number): Promise<boolean> {
    await this.settle();
    const arrival = new AbortController();
    this.later(ms, () => arrival.abort());
    for (let count = 0; !arrival.signal.aborted; count += 1) {
      if (count > MOST_TIMERS) return false;
      const before = this.activity;
      this.#clock.next();
      await turn();
      if (this.activity !== before) await this.settle();
    }
    await this.settle();
    return true;
  }

  /** The page was frozen: the time is another, and no timer has run. */
  jump(ms: number): void {
    this.#jumped += ms;
    this.#ahead += Math.max(0, ms);
    this.#clock.setSystemTime(this.#clock.now + ms);
  }

  /** The machine slept, or somebody has set its clock: for the page, only the time of the day is another. */
  set(ms: number): void {
    this.#set += ms;
    this.jump(ms);
  }

  restore(): void {
    this.#clock.restore();
    performance.now = this.#performanceNow;
    AbortSignal.timeout = this.#timeout;
    MessagePort.prototype.postMessage = post;
  }
}
