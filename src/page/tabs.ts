/**
 * Something that one tab of this browser can use at a time. A Web Lock says which tab, and passes it on when a tab is closed
 * or crashes; over a BroadcastChannel the tab that holds it says what it is doing, and is asked to pass it on.
 */
import * as z from 'zod/mini';
import { orAbort } from '../wait.ts';
import { TabMark, WebLock } from './web-lock.ts';

const TICK_MS = 500;
/** In ticks without a word of the holder. Counted, not measured: for a tab that was frozen itself, one tick has passed. */
const ASK_AFTER = 2;
const UNKNOWN_AFTER = 2;
const HANGING_AFTER = 7;
/** How long a tab waits for the holder to pass the lock on, in ticks. */
const MOST_TICKS_WANTED = 16;
/** How long a holder that has passed the lock on waits for the other tab to take it, in milliseconds. */
const TAKING_MS = 2000;

const messageSchema = z.object({
  type: z.enum(['ask', 'status', 'want', 'passed', 'refused']),
  from: z.string(),
  to: z.optional(z.string()),
  status: z.optional(z.unknown()),
});

type Message = z.infer<typeof messageSchema>;
type Place = 'here' | 'elsewhere';

export interface TabStatus {
  /** The holder needs it now: no other tab gets it. */
  readonly isBusy: boolean;
}

export interface TabListener<Status> {
  /** Another tab has it; `undefined`: and has not said what it is doing. */
  readonly onElsewhere: (status: Status | undefined) => void;
  /** The lease has ended: resolves once this tab has ended all use. */
  readonly released: () => Promise<void>;
}

/** By name: the locks that this page uses, and when the last one of that name will have been given back. */
const locksOfThisPage = new Map<string, 'in use' | Promise<void>>();

/** Insecure pages have no Web Locks. */
export function hasTabLocks(): boolean {
  return navigator.locks !== undefined && 'BroadcastChannel' in globalThis;
}

export class TabLock<Status extends TabStatus> {
  readonly name: string;
  readonly #id = crypto.randomUUID();
  readonly #schema: z.ZodMiniType<Status>;
  readonly #listener: TabListener<Status>;
  readonly #lock: WebLock;
  readonly #busyMark: TabMark;
  readonly #ending = new AbortController();
  #channel: BroadcastChannel | undefined;
  #status: Status;
  #joined: Promise<Place> | undefined;
  /** Settles `join()`; absent once it is known which tab has the lock. */
  #decision:
    | { readonly resolve: (place: Place) => void; readonly reject: (error: unknown) => void }
    | undefined;
  /** While this tab may use it; a lease during which the lock was stolen goes on until the status is not busy. */
  #lease: AbortController | undefined;
  #onLease: ((lease: AbortSignal) => void) | undefined;
  /** The tab that is to take it now. */
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
   * @returns who has it, within about a second; `same-page`: something else of this page has it, or waits for it
   * @throws {DOMException} where this page may not use Web Locks: its origin is opaque
   */
  async join(): Promise<Place | 'same-page'> {
    if (this.#joined) {
      await this.#joined;
      return this.isHeld ? 'here' : 'elsewhere';
    }
    const earlier = locksOfThisPage.get(this.name);
    if (earlier === 'in use') return 'same-page';
    locksOfThisPage.set(this.name, 'in use');
    this.#joined = this.#join(earlier);
    this.#joined.catch(() => locksOfThisPage.delete(this.name));
    return this.#joined;
  }

  /**
   * Resolves as soon as this tab may use it, with a signal that aborts when it may not any more.
   *
   * @param signal ends the wait
   */
  lease(signal: AbortSignal): Promise<AbortSignal> {
    const lease = this.#lease?.signal;
    if (lease && !lease.aborted) return Promise.resolve(lease);
    return orAbort(new Promise<AbortSignal>((resolve) => (this.#onLease = resolve)), signal);
  }

  /** What the other tabs are told. */
  setStatus(status: Status): void {
    this.#status = status;
    this.#busyMark.set(status.isBusy);
    if (this.isHeld) this.#post({ type: 'status', status });
    else if (!status.isBusy && !this.#lock.isHeld) this.#endLease();
  }

  /** Asks the holder to pass it on; resolves to whether it has. */
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

  /** The lock is kept until this tab has ended all use. */
  end(): void {
    if (this.#ending.signal.aborted) return;
    this.#ending.abort();
    clearInterval(this.#timer);
    clearTimeout(this.#passing);
    this.#channel?.close();
    this.#busyMark.set(false);
    this.#want?.settle(false);
    this.#decision?.resolve('elsewhere');
    this.#lease?.abort();
    if (!this.#joined) return;
    const released = this.#lock.end(this.#released());
    locksOfThisPage.set(this.name, released);
    void released.then(
      () => locksOfThisPage.get(this.name) === released && locksOfThisPage.delete(this.name),
    );
  }

  async #released(): Promise<void> {
    // An earlier lock of this page may not have been given back yet.
    await this.#joined?.catch(() => undefined);
    await this.#listener.released();
  }

  async #join(earlier: Promise<void> | undefined): Promise<Place> {
    await earlier;
    if (this.#ending.signal.aborted) return 'elsewhere';
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

  /** The browser passes the lock to the next tab of the queue when the holder is gone; a holder that hangs is noticed here. */
  #wait(): void {
    this.#silence = 0;
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#lock.enqueue();
  }

  /** This tab may use it from now on. */
  #begin(): void {
    clearInterval(this.#timer);
    this.#holderStatus = undefined;
    if (!this.#lease || this.#lease.signal.aborted) this.#lease = new AbortController();
    this.#post({ type: 'status', status: this.#status });
    this.#decision?.resolve('here');
    this.#decision = undefined;
    this.#onLease?.(this.#lease.signal);
    this.#want?.settle(true);
  }

  /** Another tab has taken it: as agreed, or because this one hung. */
  #onStolen(): void {
    clearTimeout(this.#passing);
    this.#passingTo = undefined;
    if (this.#ending.signal.aborted) return;
    this.#wait();
    // A call goes on to its end.
    if (!this.#status.isBusy) this.#endLease();
  }

  #endLease(): void {
    if (!this.#lease || this.#lease.signal.aborted) return;
    this.#listener.onElsewhere(this.#holderStatus);
    this.#lease.abort();
  }

  #read(message: Message): void {
    const isForUs = message.to === this.#id;
    switch (message.type) {
      case 'ask':
        return this.#lock.isHeld ? this.#post({ type: 'status', status: this.#status }) : undefined;
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

  /** A newer version of the dialer may say what this one does not understand: that tab is alive all the same. */
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

  /** The other tab steals the lock once this one has ended its use: that is the one way past the tabs in the queue. */
  async #pass(to: string): Promise<void> {
    // The use is being ended: the other tab has to wait.
    if (this.#passingTo === to) return this.#post({ type: 'status', status: this.#status });
    if (this.#passingTo !== undefined || this.#status.isBusy) return this.#post({ type: 'refused', to });
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

  /** A tab that shows an `alert()` in a call says nothing for as long: its call goes on. */
  async #stealFromHanging(): Promise<void> {
    const isBusy = await this.#busyMark.isSet();
    if (isBusy || this.#silence < HANGING_AFTER || this.#lock.isHeld || this.#ending.signal.aborted) return;
    this.#silence = 0;
    this.#lock.steal();
  }

  #post(message: Omit<Message, 'from'>): void {
    if (!this.#ending.signal.aborted) this.#channel?.postMessage({ ...message, from: this.#id });
  }
}
