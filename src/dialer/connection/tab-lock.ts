/**
 * Only one tab of this browser at a time can use the phone. A Web Lock decides which tab, and goes to the next one when a tab
 * is closed or crashes. Over a BroadcastChannel the holder tells what it does, and other tabs ask for the lock.
 */
import * as z from 'zod/mini';
import { aborted, every, later, orAbort, pause } from '../../wait.ts';
import type { TabActivity } from '../state/block.ts';
import { isHere, isQueued, leaseOf, moveTenure, type Tenure, type TenureEvent } from './tab-tenure.ts';

const activitySchema: z.ZodMiniType<TabActivity> = z.object({
  /** A newer version may know more. */
  is: z.catch(z.enum(['idle', 'calling', 'ringing', 'in-call']), 'idle'),
  number: z.optional(z.string()),
  name: z.optional(z.string()),
  since: z.optional(z.number()),
});
const messageSchema = z.object({
  type: z.enum(['ask', 'status', 'want', 'passed', 'refused']),
  from: z.string(),
  to: z.optional(z.string()),
  /** Of a request for the lock, and of the answer to it: by the clock of the tab that asks, in milliseconds. */
  at: z.optional(z.number()),
  /** Epoch milliseconds: when the agent has asked for the phone in the tab that has it. */
  askedAt: z.optional(z.number()),
  /** A tab that sends something else is still alive. */
  status: z.catch(z.optional(activitySchema), undefined),
});

type TabMessage = z.infer<typeof messageSchema>;

const TICK_MS = 500;
/** In ticks without a message from the holder. Counted, not measured: for a tab that was frozen, only one tick has passed. */
const ASK_AFTER = 2;
const HANGING_AFTER = 7;
/** How often a tab asks for the lock, once in a tick. */
const MOST_REQUESTS = 17;
/** How long a holder that has passed the lock on waits until the other tab takes it, in milliseconds. */
const TAKING_MS = 2000;
/** So long after the request `passed` counts: a tab that has hung reads it late, when the holder may have the lock again. */
const PASSED_MS = 1500;

export interface TabListener {
  /** Another tab has the lock; `undefined`: it has not told what it does. */
  readonly onElsewhere: (activity: TabActivity | undefined) => void;
  /** Called when the lease has ended; resolves once this tab has ended all use. */
  readonly released: () => Promise<unknown>;
}

export class TabLock {
  readonly name: string;
  readonly #listener: TabListener;
  /** Of this tab, in messages. */
  readonly #id = crypto.randomUUID();
  /** Held while no other tab may take this one for hanging. */
  readonly #busyName: string;
  #busy: AbortController | undefined;
  #tenure: Tenure = { is: 'waiting', holder: null };
  /** Aborts at the next move. */
  #moved = new AbortController();
  #activity: TabActivity;
  /** From `join()` to `end()`. */
  #channel: BroadcastChannel | undefined;
  /** While this tab is in the queue. */
  #queue = new AbortController();
  #release: () => void = () => undefined;
  #silence = 0;
  /** When the tab to which the lock is passed has asked last, by its own clock. */
  #wantedAt = 0;
  #taking: Promise<boolean> | undefined;
  /** Epoch milliseconds: when the agent has asked for the phone here, and in the tab that has it. */
  #askedAt = 0;
  #askedThereAt = 0;
  /** Aborts when the request for the lock is decided. */
  #decided = new AbortController();

  /** @param name seen by all pages of this origin */
  constructor(name: string, activity: TabActivity, listener: TabListener) {
    this.name = name;
    this.#busyName = `${name} busy`;
    this.#activity = activity;
    this.#listener = listener;
  }

  get isHeld(): boolean {
    return this.#tenure.is === 'holding';
  }

  /** What the tab that has the lock does; `undefined`: it has not told. */
  get holder(): TabActivity | undefined {
    return isQueued(this.#tenure) ? (this.#tenure.holder ?? undefined) : undefined;
  }

  /** Enters the queue for the lock. @returns whether this tab has it, within about a second */
  join(): Promise<boolean> {
    if (!this.#channel) {
      this.#channel = new BroadcastChannel(this.name);
      this.#channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        const message = z.safeParse(messageSchema, data);
        if (message.success && message.data.from !== this.#id) this.#read(message.data);
      });
      this.#enqueue();
      this.#post({ type: 'ask' });
    }
    return this.#until(isHere);
  }

  /** Resolves as soon as this tab may use it, with a signal that aborts when the lease ends. */
  lease(signal: AbortSignal): Promise<AbortSignal> {
    return orAbort(
      this.#until((tenure) => leaseOf(tenure)?.signal),
      signal,
    );
  }

  /** Tells the other tabs. */
  setActivity(activity: TabActivity): void {
    if (JSON.stringify(activity) === JSON.stringify(this.#activity)) return;
    this.#activity = activity;
    this.#markBusy(this.#isBusy);
    if (this.isHeld) this.#postStatus();
    else if (!this.#isBusy) this.#move({ type: 'call-over' });
  }

  /** Asks the holder to pass the lock on, unless the agent has asked for it there since then (epoch milliseconds). @returns whether it did */
  take(askedAt: number): Promise<boolean> {
    this.#askedAt = askedAt;
    this.#taking ??= this.#take().finally(() => (this.#taking = undefined));
    return this.#taking;
  }

  /**
   * Resolves when the lock is given back, which is once this tab has ended all use. Until then it answers nobody.
   *
   * @param keepsLock another tab waits for that, as the exchange may not yet know that the last call is over; false: it takes
   *   the lock from a tab that has been frozen meanwhile
   */
  async end(keepsLock = true): Promise<void> {
    this.#channel?.close();
    this.#channel = undefined;
    this.#move({ type: 'ended' });
    this.#markBusy(keepsLock);
    await this.#listener.released();
    this.#release();
    this.#markBusy(false);
  }

  /** In a call, this tab keeps the lock. */
  get #isBusy(): boolean {
    return this.#activity.is !== 'idle';
  }

  #move(event: TenureEvent): void {
    const before = this.#tenure;
    const tenure = (this.#tenure = moveTenure(before, event));
    if (tenure === before) return;
    if (!isQueued(tenure)) this.#queue.abort();
    else if (!isQueued(before)) this.#enqueue();
    const isElsewhere = tenure.is !== 'ended' && isHere(tenure) === false;
    if (isElsewhere) this.#listener.onElsewhere(this.holder);
    if (leaseOf(before) !== leaseOf(tenure)) leaseOf(before)?.abort();
    this.#moved.abort();
    this.#moved = new AbortController();
    if (tenure.is === 'holding') this.#postStatus();
    if (tenure.is === 'holding' || tenure.is === 'ended') this.#decided.abort();
    if (tenure.is === 'passing') void this.#pass(tenure.to);
  }

  async #until<T>(read: (tenure: Tenure) => T | undefined): Promise<T> {
    for (;;) {
      const found = read(this.#tenure);
      if (found !== undefined) return found;
      await aborted(this.#moved.signal);
    }
  }

  /** When the holder is closed, the browser gives the lock to the next tab. The timer notices a holder that hangs. */
  #enqueue(): void {
    this.#silence = 0;
    this.#queue.abort();
    this.#queue = new AbortController();
    const { signal } = this.#queue;
    every(TICK_MS, signal, () => this.#tick());
    void this.#request({ signal });
  }

  /** Gets the lock before the tabs that wait in the queue. */
  #steal(): void {
    this.#queue.abort();
    void this.#request({ steal: true });
  }

  async #request(options: LockOptions): Promise<void> {
    let isHeld = false;
    let isOver = false;
    try {
      await navigator.locks.request(this.name, options, async () => {
        // A tab that hung may have lost it already: the browser says so before it answers this.
        await navigator.locks.query();
        if (isOver || !isQueued(this.#tenure)) return;
        isHeld = true;
        const released = new Promise<void>((resolve) => (this.#release = resolve));
        this.#move({ type: 'granted' });
        await released;
      });
    } catch (error) {
      isOver = true;
      const isStolen = error instanceof DOMException && error.name === 'AbortError';
      if (isHeld) this.#askedThereAt = Date.now();
      if (isHeld) this.#move({ type: 'stolen', isBusy: this.#isBusy });
      // This tab has left the queue.
      else if (options.signal?.aborted || !isQueued(this.#tenure)) return;
      else if (isStolen) this.#enqueue();
      // In a page whose origin is opaque, locks are forbidden, and no other tab can have the phone.
      else if (isHere(this.#tenure) === undefined) this.#move({ type: 'granted' });
    }
  }

  async #take(): Promise<boolean> {
    if (this.isHeld || this.#tenure.is === 'ended') return this.isHeld;
    const { signal } = (this.#decided = new AbortController());
    for (let left = MOST_REQUESTS; left > 0 && !signal.aborted; left -= 1) {
      if (this.#askedThereAt > this.#askedAt) break;
      this.#post({ type: 'want', at: performance.now() });
      await pause(TICK_MS, signal);
    }
    return this.isHeld;
  }

  #post(message: Omit<TabMessage, 'from'>): void {
    this.#channel?.postMessage({ ...message, from: this.#id });
  }

  #postStatus(): void {
    this.#post({ type: 'status', status: this.#activity, askedAt: this.#askedAt });
  }

  #read({ type, from, to, at = 0, askedAt = 0, status }: TabMessage): void {
    const { is } = this.#tenure;
    const hasLock = is === 'holding' || is === 'passing';
    const isForUs = to === this.#id;
    const isInTime = performance.now() - at < PASSED_MS;
    if (type === 'status') {
      this.#silence = 0;
      this.#askedThereAt = askedAt;
      this.#move({ type: 'heard', holder: status });
    } else if (type === 'ask' && hasLock) this.#postStatus();
    else if (type === 'want' && hasLock) this.#onWanted(from, at);
    else if (type === 'passed' && isForUs && this.#taking && isInTime) this.#steal();
    else if (type === 'refused' && isForUs) this.#decided.abort();
  }

  #onWanted(by: string, at: number): void {
    if (this.isHeld && !this.#isBusy) this.#move({ type: 'wanted', by });
    // This tab is still ending its use: the other tab waits.
    else if (this.#tenure.is === 'passing' && this.#tenure.to === by) this.#postStatus();
    else return this.#post({ type: 'refused', to: by });
    this.#wantedAt = at;
  }

  async #pass(to: string): Promise<void> {
    const { signal } = this.#moved;
    await this.#listener.released();
    if (signal.aborted) return;
    this.#post({ type: 'passed', to, at: this.#wantedAt });
    later(TAKING_MS, signal, () => this.#move({ type: 'not-taken' }));
  }

  #tick(): void {
    this.#silence += 1;
    if (this.#silence < ASK_AFTER) return;
    this.#post({ type: 'ask' });
    if (isHere(this.#tenure) === undefined) this.#move({ type: 'heard', holder: undefined });
    if (this.#silence >= HANGING_AFTER) void this.#stealFromHanging();
  }

  /** A tab that shows an `alert()` in a call answers nobody meanwhile, but its call goes on: it keeps the lock. */
  async #stealFromHanging(): Promise<void> {
    const { held = [] } = await navigator.locks.query();
    const isBusy = held.some(({ name }) => name === this.#busyName);
    if (isBusy || this.#silence < HANGING_AFTER || !isQueued(this.#tenure)) return;
    this.#silence = 0;
    this.#steal();
  }

  #markBusy(isBusy: boolean): void {
    if (isBusy === (this.#busy !== undefined)) return;
    this.#busy?.abort();
    this.#busy = isBusy ? new AbortController() : undefined;
    const signal = this.#busy?.signal;
    // If locks are forbidden, this page cannot reach other tabs anyway.
    if (signal)
      navigator.locks
        .request(this.#busyName, { mode: 'shared' }, () => aborted(signal))
        .catch(() => undefined);
  }
}
