/**
 * Random sequences of what three tabs of one agent do: they take the phone, call, sign out, hang and are closed, also at once.
 * Never do two of them use the phone, and in the end one of them has it.
 */
import { expect } from '@open-wc/testing';
import { seededRandom } from '../../support/random.ts';
import type { Act, Order, Report } from './tab-worker.ts';

const { MODEL_SEED, MODEL_RUNS } = import.meta.env;
const firstSeed = Number(MODEL_SEED ?? 1);
const sequences = Math.ceil(Number(MODEL_RUNS) / 25);

const TABS = 3;
const STEPS = 10;
const SHORTEST_HANG_MS = 500;
const LONGEST_HANG_MS = 6000;
/** When a tab has hung for so long, the next one may take the phone: its last sign may be from a second and a half before. */
const HANGING_MS = 1500;
/** A tab that wakes and calls at once may have lost the phone already: the browser has not told it yet. */
const STEALING_MS = 300;
const LONGEST_TAKE_MS = 9500;
const CALM_MS = 20_000;
const LOOK_MS = 500;
const OFTEN: readonly (Act | 'close')[] = [
  'take',
  'take',
  'take',
  'take',
  'call',
  'call',
  'end the call',
  'hang',
  'sign out',
  'join',
  'close',
];

/** Of one tab; `to` is Infinity while it lasts. In milliseconds. */
interface Span {
  readonly tab: string;
  readonly from: number;
  to: number;
}

/** What the reports of all tabs say together. */
class Log {
  readonly lines: string[] = [];
  readonly joined = new Set<string>();
  readonly uses: Span[] = [];
  readonly calls: Span[] = [];
  readonly takes: Span[] = [];
  readonly hangs: Span[] = [];
  readonly #begins: Readonly<Partial<Record<Report['is'], Span[]>>> = {
    using: this.uses,
    'in call': this.calls,
    asking: this.takes,
    hangs: this.hangs,
  };
  readonly #ends: Readonly<Partial<Record<Report['is'], Span[]>>> = {
    'use over': this.uses,
    'call over': this.calls,
    'got it': this.takes,
    refused: this.takes,
    woke: this.hangs,
  };

  note(tab: string, { is, at }: Report): void {
    this.lines.push(`${at.toFixed(0).slice(-6)} ${tab} ${is}`);
    if (is === 'joins') this.joined.add(tab);
    this.#begins[is]?.push({ tab, from: at, to: Infinity });
    this.#end(this.#ends[is] ?? [], tab, at);
  }

  /** It is closed: the browser ends all that it had. */
  close(tab: string, at: number): void {
    this.lines.push(`${at.toFixed(0).slice(-6)} ${tab} closed`);
    for (const spans of Object.values(this.#begins)) this.#end(spans, tab, at);
  }

  /** Two tabs with the phone at a time; one that hangs cannot know that it has lost it. */
  get doubles(): string[] {
    return this.uses.flatMap((use, index) =>
      this.uses.slice(0, index).flatMap((earlier) => {
        const isApart =
          earlier.tab === use.tab || earlier.to <= use.from + CLOCKS_MS || use.to <= earlier.from;
        const isInCall = this.calls.some(
          ({ tab, from, to }) =>
            tab === earlier.tab &&
            from + (this.#hung(tab, from) ? STEALING_MS : 0) < use.from &&
            use.from + CLOCKS_MS < to,
        );
        if (isInCall) return [`${use.tab} has the phone in a call of ${earlier.tab}`];
        return isApart || this.#hung(earlier.tab, use.from) ? [] : [`${earlier.tab} and ${use.tab}`];
      }),
    );
  }

  get lateTakes(): string[] {
    return this.takes
      .filter(({ tab, from, to }) => to - from > LONGEST_TAKE_MS + this.#hungFor(tab, from, to))
      .map(({ tab, from, to }) => `${tab} waits ${to - from} ms`);
  }

  /** All that was ordered is done, and one tab has it. */
  get isCalm(): boolean {
    return (
      this.joined.size === TABS && this.takes.every(({ to }) => to < Infinity) && this.holders.length === 1
    );
  }

  get holders(): string[] {
    return this.uses.filter(({ to }) => to === Infinity).map(({ tab }) => tab);
  }

  #end(spans: readonly Span[], tab: string, at: number): void {
    for (const each of spans) if (each.tab === tab && each.to === Infinity) each.to = at;
  }

  #hung(tab: string, at: number): boolean {
    return this.hangs.some(
      (hang) => hang.tab === tab && hang.from + HANGING_MS < at && at < hang.to + CLOCKS_MS,
    );
  }

  #hungFor(tab: string, from: number, to: number): number {
    return this.hangs
      .filter((hang) => hang.tab === tab && hang.from < to && hang.to > from)
      .reduce((sum, hang) => sum + hang.to - hang.from, 0);
  }
}

/** By so much the clocks of two threads may differ, and a report may be late. */
const CLOCKS_MS = 50;

const now = () => performance.timeOrigin + performance.now();
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** The test's own timeout ends it. */
const until = async (holds: () => boolean) => {
  while (!holds()) await pause(LOOK_MS);
};

/** One after the other: the server of the tests refuses too many requests at once. */
let opening: Promise<unknown> = Promise.resolve();

class Tabs {
  readonly log = new Log();
  readonly #name: string;
  readonly #workers = new Map<string, Worker>();
  #opened = 0;

  constructor(seed: number) {
    this.#name = `generated ${seed} ${crypto.randomUUID()}`;
  }

  get names(): readonly string[] {
    return [...this.#workers.keys()];
  }

  /** Resolves when its script has run. */
  open(): Promise<unknown> {
    const tab = `tab ${(this.#opened += 1)}`;
    return (opening = opening.then(() => this.#open(tab)));
  }

  order(tab: string, act: Act, ms: number): void {
    this.log.lines.push(`${now().toFixed(0).slice(-6)}   ${tab}: ${act} ${ms}`);
    this.#workers.get(tab)?.postMessage({ act, ms, name: this.#name } satisfies Order);
  }

  #open(tab: string): Promise<unknown> {
    const worker = new Worker(new URL('tab-worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<Report>) => this.log.note(tab, data));
    this.#workers.set(tab, worker);
    this.order(tab, 'join', 0);
    return new Promise((resolve, reject) => {
      worker.addEventListener('message', resolve, { once: true });
      worker.addEventListener('error', () => reject(new Error(`The script of ${tab} did not load.`)));
    });
  }

  close(tab: string): void {
    // Before: another tab may have what this one had before this thread goes on.
    const at = now();
    this.#workers.get(tab)?.terminate();
    this.#workers.delete(tab);
    this.log.close(tab, at);
  }
}

/** @returns what was wrong, and what happened */
async function play(seed: number): Promise<string[]> {
  const random = seededRandom(seed);
  const upTo = (ms: number) => Math.floor(random() * ms);
  const pick = <T>(values: readonly T[]) => values[upTo(values.length)] as T;
  const tabs = new Tabs(seed);
  await Promise.all(Array.from({ length: TABS }, () => tabs.open()));
  await pause(upTo(2000));
  for (let step = 0; step < STEPS; step += 1) {
    const [tab, act] = [pick(tabs.names), pick(OFTEN)];
    if (act !== 'close') tabs.order(tab, act, SHORTEST_HANG_MS + upTo(LONGEST_HANG_MS - SHORTEST_HANG_MS));
    else {
      tabs.close(tab);
      await tabs.open();
    }
    await pause(pick([0, 0, 30, upTo(600), upTo(2500)]));
  }
  const { log } = tabs;
  const wait = now() + CALM_MS;
  log.joined.clear();
  for (const tab of tabs.names) for (const act of ['end the call', 'join'] as const) tabs.order(tab, act, 0);
  while (!log.isCalm && now() < wait) await pause(LOOK_MS);
  const { doubles, lateTakes, holders, lines } = log;
  const found = [
    ...doubles,
    ...lateTakes,
    ...(holders.length === 1 ? [] : [`in the end, ${holders.length} have it`]),
  ];
  for (const tab of tabs.names) tabs.close(tab);
  return found.length === 0 ? [] : [`seed ${seed}: ${found.join(', ')}`, ...lines];
}

describe('three tabs of an agent, whatever they do', () => {
  it('use no phone that they got and lost while they hung', async function hung() {
    this.timeout(60_000);
    const tabs = new Tabs(0);
    for (const _ of [1, 2, 3]) await tabs.open();
    const [first = '', second = '', third = ''] = tabs.names;
    await until(() => tabs.log.holders.includes(first));
    tabs.order(second, 'hang', 6000);
    tabs.close(first);
    await until(() =>
      tabs.log.hangs.some(({ tab, from, to }) => tab === second && to < Infinity && to - from >= 6000),
    );
    await pause(LOOK_MS);
    expect(tabs.log.uses.map(({ tab }) => tab)).to.deep.equal([first, third]);
    for (const tab of tabs.names) tabs.close(tab);
  });

  it('never use the phone at the same time, and one of them has it in the end', async function whatever() {
    this.timeout(120_000);
    const seeds = Array.from({ length: sequences }, (_, index) => firstSeed + index);
    const wrong = (await Promise.all(seeds.map(play))).flat();
    expect(wrong.join('\n')).to.equal('');
  });
});
