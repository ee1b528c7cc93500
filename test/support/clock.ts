/**
 * The page's time in a browser test. It runs as fast as real time, so that what the browser does itself keeps up, but while a
 * test waits with `until`, `reaches` or `passTime` it runs ahead: a second of waiting takes a tenth of one.
 */
import { useFakeTimers } from 'sinon';

/** How far one turn of a waiting test takes the clock. */
const STEP_MS = 50;
const TURN_MS = 4;

const realSetTimeout = globalThis.setTimeout;
const realNow = performance.now.bind(performance);
const START = realNow();
const START_OF_DAY = Date.now();
const clock = useFakeTimers({
  now: START_OF_DAY,
  toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  shouldAdvanceTime: true,
  advanceTimeDelta: TURN_MS,
});

/** By how much a test has set the machine's clock: `performance.now()` and the events' times go on without it. */
let set = 0;
const now = () => START + clock.now - START_OF_DAY - set;
performance.now = now;
const timeStamp = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp')?.get;
const stamps = new WeakMap<Event, number>();
/** When a test last advanced the clock, in the browser's own time, and how far. */
let advanced = { at: START, to: START };
Object.defineProperty(Event.prototype, 'timeStamp', {
  configurable: true,
  get(this: Event) {
    const known = stamps.get(this);
    if (known !== undefined) return known;
    const at = Number(timeStamp?.call(this));
    const counted = now() + at - realNow();
    // A busy machine takes the event up late, and the clock has hardly gone on meanwhile.
    const stamp = at < advanced.at ? counted : Math.max(counted, advanced.to);
    stamps.set(this, stamp);
    return stamp;
  },
});

AbortSignal.timeout = (ms) => {
  const abort = new AbortController();
  setTimeout(() => abort.abort(new DOMException('signal timed out', 'TimeoutError')), ms);
  return abort.signal;
};

/** Of real time, less than a test has. */
const LIMIT_MS = 10_000;

/** Waits for it, at most as long as the test may take; rejects with what has not come. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  const deadline = realNow() + LIMIT_MS;
  while (!holds()) {
    if (realNow() > deadline) throw new Error(`never came: ${what}`);
    await stepAhead(STEP_MS);
  }
}

/** Advances the clock until the promise has settled. */
export async function settled<T>(settling: Promise<T>): Promise<T> {
  let isOver = false;
  const over = () => (isOver = true);
  settling.then(over, over);
  await until(() => isOver, 'a promise that settles');
  return settling;
}

/** Advances the clock by this time; every timer that is due in it runs. */
export async function passTime(ms: number): Promise<void> {
  await nextTurn();
  await clock.tickAsync(ms);
  advanced = { at: realNow(), to: now() };
  await nextTurn();
}

/** Skips this time at once: what takes turns of its own in it comes late. */
export async function leap(ms: number): Promise<void> {
  await stepAhead(ms);
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
}

/** Somebody sets the machine's clock: it is another time of the day, but none has passed. */
export function setClock(ms: number): void {
  set += ms;
  clock.setSystemTime(clock.now + ms);
}

/** A task later, in which hardly any time has passed. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    realSetTimeout(resolve, TURN_MS);
  });
}

async function stepAhead(ms: number): Promise<void> {
  await nextTurn();
  clock.tick(ms);
  advanced = { at: realNow(), to: now() };
}
