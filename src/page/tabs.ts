/**
 * Something that only one tab of this browser can use at a time. A Web Lock decides which tab, and goes to the next one when
 * a tab is closed or crashes. Over a BroadcastChannel the holder tells its status, and other tabs ask for the lock.
 */
import * as z from 'zod/mini';
import { orAbort } from '../wait.ts';
import { TabChannel, type TabMessage } from './tab-channel.ts';
import { TabMark, WebLock } from './web-lock.ts';

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

interface TabStatus {
  /** The holder is in a call: no other tab gets the lock. */
  readonly isBusy: boolean;
}

export interface TabListener<Status> {
  /** Another tab has the lock; `undefined`: its status is not known. */
  readonly onElsewhere: (status: Status | undefined) => void;
  /** Called when the lease has ended; resolves once this tab has ended all use. */
  readonly released: () => Promise<void>;
}

export class TabLock<Status extends TabStatus> {
  readonly name: string;
  readonly #schema: z.ZodMiniType<Status>;
  readonly #listener: TabListener<Status>;
  readonly #channel: TabChannel;
  readonly #lock: WebLock;
  readonly #busyMark: TabMark;
  readonly #ending = new AbortController();
  #status: Status;
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
  #holderStatus: Status | undefined;
  #silence = 0;
  #want: { ticks: number; readonly settle: (isHeld: boolean) => void } | undefined;
  #taking: Promise<boolean> | undefined;

  /** @param name seen by all pages of this origin */
  constructor(name: string, schema: z.ZodMiniType<Status>, status: Status, listener: TabListener<Status>) {
    this.name = name;
    this.#schema = schema;
    this.#status = status;
    this.#listener = listener;
    this.#channel = new TabChannel(name);
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
   * @throws {DOMException} where this page may not use Web Locks: its origin is opaque
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
  setStatus(status: Status): void {
    this.#status = status;
    this.#busyMark.set(status.isBusy);
    if (this.isHeld) this.#channel.post({ type: 'status', status });
    else if (!status.isBusy && !this.#lock.isHeld) this.#endLease();
  }

  /** Asks the holder to pass the lock on. @returns whether it did */
  take(): Promise<boolean> {
    if (this.isHeld || this.#ending.signal.aborted) return Promise.resolve(this.isHeld);
    this.#taking ??= new Promise<boolean>((settle) => {
      this.#want = { ticks: 0, settle };
      this.#channel.post({ type: 'want' });
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
    this.#channel.close();
    this.#busyMark.set(false);
    this.#want?.settle(false);
    this.#decision?.resolve('elsewhere');
    this.#lease?.abort();
    await this.#lock.end(this.#listener.released());
  }

  #join(): Promise<Place> {
    const place = new Promise<Place>((resolve, reject) => (this.#decision = { resolve, reject }));
    this.#wait();
    this.#channel.open((message) => this.#read(message));
    this.#channel.post({ type: 'ask' });
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
    this.#holderStatus = undefined;
    if (!this.#lease || this.#lease.signal.aborted) this.#lease = new AbortController();
    this.#channel.post({ type: 'status', status: this.#status });
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
    if (!this.#status.isBusy) this.#endLease();
  }

  #endLease(): void {
    if (!this.#lease || this.#lease.signal.aborted) return;
    this.#listener.onElsewhere(this.#holderStatus);
    this.#lease.abort();
  }

  #read(message: TabMessage): void {
    const isForUs = message.to === this.#channel.id;
    switch (message.type) {
      case 'ask':
        return this.#lock.isHeld ? this.#channel.post({ type: 'status', status: this.#status }) : undefined;
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

  /** A newer version of the dialer may send a status that this one does not understand: that tab is alive all the same. */
  #readStatus(told: unknown): void {
    this.#silence = 0;
    this.#holderStatus = z.safeParse(this.#schema, told).data;
    this.#tellElsewhere();
  }

  #tellElsewhere(): void {
    this.#listener.onElsewhere(this.#holderStatus);
    this.#decision?.resolve('elsewhere');
    this.#decision = undefined;
  }

  /** Once this tab has ended its use, the other tab steals the lock: only so does it come before the tabs in the queue. */
  async #pass(to: string): Promise<void> {
    // This tab is still ending its use: the other tab waits.
    if (this.#passingTo === to) return this.#channel.post({ type: 'status', status: this.#status });
    if (this.#passingTo !== undefined || this.#status.isBusy)
      return this.#channel.post({ type: 'refused', to });
    this.#passingTo = to;
    this.#endLease();
    await this.#listener.released();
    if (this.#ending.signal.aborted || this.#passingTo !== to) return;
    this.#channel.post({ type: 'passed', to });
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
      else this.#channel.post({ type: 'want' });
    } else if (this.#silence >= ASK_AFTER) this.#channel.post({ type: 'ask' });
  }

  /** A tab that shows an `alert()` in a call answers nobody meanwhile, but its call goes on: it keeps the lock. */
  async #stealFromHanging(): Promise<void> {
    const isBusy = await this.#busyMark.isSet();
    if (isBusy || this.#silence < HANGING_AFTER || this.#lock.isHeld || this.#ending.signal.aborted) return;
    this.#silence = 0;
    this.#lock.steal();
  }
}
