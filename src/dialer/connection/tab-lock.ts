/**
 * Only one tab of this browser at a time can use the phone. A Web Lock decides which tab, and goes to the next one when a tab
 * is closed or crashes. Over a BroadcastChannel the holder tells what it does, and other tabs ask for the lock.
 */
import * as z from 'zod/mini';
import { TabMark, WebLock } from '../../page/web-lock.ts';
import { orAbort } from '../../wait.ts';
import type { TabActivity } from '../state/block.ts';

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
  /** A tab that sends something else is still alive. */
  status: z.catch(z.optional(activitySchema), undefined),
});

type TabMessage = z.infer<typeof messageSchema>;

const TICK_MS = 500;
/** In ticks without a message from the holder. Counted, not measured: for a tab that was frozen, only one tick has passed. */
const ASK_AFTER = 2;
const UNKNOWN_AFTER = 2;
const HANGING_AFTER = 7;
/** How long a tab waits until the holder passes the lock on, in ticks. */
const MOST_TICKS_WANTED = 16;
/** How long a holder that has passed the lock on waits until the other tab takes it, in milliseconds. */
const TAKING_MS = 2000;

type Place = 'here' | 'elsewhere';

export interface TabListener {
  /** Another tab has the lock; `undefined`: it has not told what it does. */
  readonly onElsewhere: (activity: TabActivity | undefined) => void;
  /** Called when the lease has ended; resolves once this tab has ended all use. */
  readonly released: () => Promise<void>;
}

export class TabLock {
  readonly name: string;
  readonly #listener: TabListener;
  /** Of this tab, in messages. */
  readonly #id = crypto.randomUUID();
  readonly #lock: WebLock;
  readonly #busyMark: TabMark;
  readonly #ending = new AbortController();
  #activity: TabActivity;
  /** From `join()` to `end()`. */
  #channel: BroadcastChannel | undefined;
  #joined: Promise<Place> | undefined;
  /** Settles `join()`; absent once it is known which tab has the lock. */
  #decision:
    | { readonly resolve: (place: Place) => void; readonly reject: (error: unknown) => void }
    | undefined;
  /** While this tab may use it. If the lock is stolen during a call, the lease goes on until the call is over. */
  #lease: AbortController | undefined;
  #onLease: ((lease: AbortSignal) => void) | undefined;
  /** The tab that this tab passes the lock to. */
  #passingTo: string | undefined;
  #passing: ReturnType<typeof setTimeout> | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #holderActivity: TabActivity | undefined;
  #silence = 0;
  #want: { ticks: number; readonly settle: (isHeld: boolean) => void } | undefined;
  #taking: Promise<boolean> | undefined;

  /** @param name seen by all pages of this origin */
  constructor(name: string, activity: TabActivity, listener: TabListener) {
    this.name = name;
    this.#activity = activity;
    this.#listener = listener;
    this.#busyMark = new TabMark(`${name} busy`);
    this.#lock = new WebLock(name, {
      onHeld: () => this.#begin(),
      onStolen: () => this.#onStolen(),
      onForbidden: (error) => this.#decision?.reject(error),
    });
  }

  get isHeld(): boolean {
    return this.#lock.isHeld && this.#passingTo === undefined;
  }

  /**
   * Enters the queue for the lock.
   *
   * @returns who has it, within about a second
   * @throws {DOMException} if Web Locks are forbidden on this page: its origin is opaque
   */
  async join(): Promise<Place> {
    if (!this.#joined) return (this.#joined = this.#join());
    await this.#joined;
    return this.isHeld ? 'here' : 'elsewhere';
  }

  /**
   * Resolves as soon as this tab may use it, with a signal that aborts when the lease ends.
   *
   * @param signal ends the wait
   */
  lease(signal: AbortSignal): Promise<AbortSignal> {
    const lease = this.#lease?.signal;
    if (lease && !lease.aborted) return Promise.resolve(lease);
    return orAbort(new Promise<AbortSignal>((resolve) => (this.#onLease = resolve)), signal);
  }

  /** Tells the other tabs. */
  setActivity(activity: TabActivity): void {
    this.#activity = activity;
    this.#busyMark.set(this.#isBusy);
    if (this.isHeld) this.#postStatus();
    else if (!this.#isBusy && !this.#lock.isHeld) this.#endLease();
  }

  /** Asks the holder to pass the lock on. @returns whether it did */
  take(): Promise<boolean> {
    if (this.isHeld || this.#ending.signal.aborted) return Promise.resolve(this.isHeld);
    this.#taking ??= new Promise<boolean>((settle) => {
      this.#want = { ticks: 0, settle };
      this.#post({ type: 'want' });
    }).finally(() => {
      this.#taking = undefined;
      this.#want = undefined;
    });
    return this.#taking;
  }

  /** Resolves when the lock is given back, which is once this tab has ended all use. */
  async end(): Promise<void> {
    if (this.#ending.signal.aborted) return;
    this.#ending.abort();
    clearInterval(this.#timer);
    clearTimeout(this.#passing);
    this.#channel?.close();
    this.#channel = undefined;
    this.#busyMark.set(false);
    this.#want?.settle(false);
    this.#decision?.resolve('elsewhere');
    this.#lease?.abort();
    await this.#lock.end(this.#listener.released());
  }

  /** In a call, this tab keeps the lock. */
  get #isBusy(): boolean {
    return this.#activity.is !== 'idle';
  }

  #join(): Promise<Place> {
    const place = new Promise<Place>((resolve, reject) => (this.#decision = { resolve, reject }));
    this.#wait();
    this.#channel = new BroadcastChannel(this.name);
    this.#channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const message = z.safeParse(messageSchema, data);
      if (message.success && message.data.from !== this.#id) this.#read(message.data);
    });
    this.#post({ type: 'ask' });
    return place;
  }

  /** When the holder is closed, the browser gives the lock to the next tab. The timer notices a holder that hangs. */
  #wait(): void {
    this.#silence = 0;
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#lock.enqueue();
  }

  /** This tab has the lock. */
  #begin(): void {
    clearInterval(this.#timer);
    this.#holderActivity = undefined;
    if (!this.#lease || this.#lease.signal.aborted) this.#lease = new AbortController();
    this.#postStatus();
    this.#decision?.resolve('here');
    this.#decision = undefined;
    this.#onLease?.(this.#lease.signal);
    this.#want?.settle(true);
  }

  /** Another tab has taken the lock: as agreed, or because this tab hung. */
  #onStolen(): void {
    clearTimeout(this.#passing);
    this.#passingTo = undefined;
    if (this.#ending.signal.aborted) return;
    this.#wait();
    // A call is not interrupted.
    if (!this.#isBusy) this.#endLease();
  }

  #endLease(): void {
    if (!this.#lease || this.#lease.signal.aborted) return;
    this.#listener.onElsewhere(this.#holderActivity);
    this.#lease.abort();
  }

  #post(message: Omit<TabMessage, 'from'>): void {
    this.#channel?.postMessage({ ...message, from: this.#id });
  }

  #postStatus(): void {
    this.#post({ type: 'status', status: this.#activity });
  }

  #read(message: TabMessage): void {
    const isForUs = message.to === this.#id;
    switch (message.type) {
      case 'ask':
        return this.#lock.isHeld ? this.#postStatus() : undefined;
      case 'status':
        return this.#lock.isHeld ? undefined : this.#readStatus(message.status);
      case 'want':
        return this.#lock.isHeld ? void this.#pass(message.from) : undefined;
      case 'passed':
        return isForUs && this.#want ? this.#lock.steal() : undefined;
      case 'refused':
        return isForUs ? this.#want?.settle(false) : undefined;
    }
  }

  #readStatus(activity: TabActivity | undefined): void {
    this.#silence = 0;
    this.#holderActivity = activity;
    this.#tellElsewhere();
  }

  #tellElsewhere(): void {
    this.#listener.onElsewhere(this.#holderActivity);
    this.#decision?.resolve('elsewhere');
    this.#decision = undefined;
  }

  /** Once this tab has ended its use, the other tab steals the lock: only a steal passes the tabs in the queue. */
  async #pass(to: string): Promise<void> {
    // This tab is still ending its use: the other tab waits.
    if (this.#passingTo === to) return this.#postStatus();
    if (this.#passingTo !== undefined || this.#isBusy) return this.#post({ type: 'refused', to });
    this.#passingTo = to;
    this.#endLease();
    await this.#listener.released();
    if (this.#ending.signal.aborted || this.#passingTo !== to) return;
    this.#post({ type: 'passed', to });
    this.#passing = setTimeout(() => this.#keep(), TAKING_MS);
  }

  /** The other tab has not taken it. */
  #keep(): void {
    this.#passingTo = undefined;
    this.#begin();
  }

  #tick(): void {
    this.#silence += 1;
    if (this.#silence >= HANGING_AFTER) void this.#stealFromHanging();
    if (this.#decision && this.#silence >= UNKNOWN_AFTER) this.#tellElsewhere();
    if (this.#want) {
      this.#want.ticks += 1;
      if (this.#want.ticks > MOST_TICKS_WANTED) this.#want.settle(false);
      else this.#post({ type: 'want' });
    } else if (this.#silence >= ASK_AFTER) this.#post({ type: 'ask' });
  }

  /** A tab that shows an `alert()` in a call answers nobody meanwhile, but its call goes on: it keeps the lock. */
  async #stealFromHanging(): Promise<void> {
    const isBusy = await this.#busyMark.isSet();
    if (isBusy || this.#silence < HANGING_AFTER || this.#lock.isHeld || this.#ending.signal.aborted) return;
    this.#silence = 0;
    this.#lock.steal();
  }
}
