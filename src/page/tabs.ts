/**
 * Something that one tab of this browser can hold at a time. A Web Lock says who holds it, and passes it on when a tab is
 * closed or crashes; over a BroadcastChannel the holder says what it is doing, and is asked to pass it on.
 */
import * as z from '../schema.ts';

const TICK_MS = 500;
/** In ticks without a word of the holder. Counted, not measured: to a tab that was frozen itself, one tick has passed. */
const ASK_AFTER = 2;
const UNKNOWN_AFTER = 2;
const FROZEN_AFTER = 7;
/** How long a tab waits for a holder to pass it on, in ticks. */
const MOST_TICKS_WANTED = 16;
/** How long a holder that has passed it on waits for the other tab to take it, in milliseconds. */
const TAKING_MS = 2000;

const messageSchema = z.object({
  type: z.oneOf('ask', 'status', 'want', 'passed', 'refused'),
  from: z.string(),
  to: z.optional(z.string()),
  status: z.optional(z.custom<unknown>()),
});

type Message = z.infer<typeof messageSchema>;

export interface TabStatus {
  /** The holder needs it now: nobody takes it away. */
  readonly isBusy: boolean;
}

export interface TabListener<Status> {
  /** This tab has become the holder, some time after `join()`. */
  readonly onHeld: () => void;
  /** Another tab holds it; `undefined`: and has not said what it is doing. */
  readonly onElsewhere: (status: Status | undefined) => void;
  /** Another tab has taken it by force, because this one did not answer. */
  readonly onRobbed: () => void;
  /** Another tab wants it. Resolves once this one has ended all use of it; `false`: it is needed here. */
  readonly give: () => Promise<boolean>;
}

type Place = 'here' | 'elsewhere';

/** By name: those of this page, and when the last one of that name will have been given back. */
const ofThisPage = new Map<string, Promise<void> | 'in use'>();

/** Insecure pages have no Web Locks. */
export function hasTabLocks(): boolean {
  return navigator.locks !== undefined && 'BroadcastChannel' in globalThis;
}

export class TabLock<Status extends TabStatus> {
  readonly name: string;
  readonly #id = crypto.randomUUID();
  readonly #schema: z.Schema<Status>;
  readonly #listener: TabListener<Status>;
  readonly #ending = new AbortController();
  #channel: BroadcastChannel | undefined;
  #status: Status;
  #joined: Promise<Place> | undefined;
  /** Until it is known who has it. */
  #undecided:
    | { readonly resolve: (place: Place) => void; readonly reject: (error: unknown) => void }
    | undefined;
  /** Gives the lock back; absent while another tab holds it. */
  #release: (() => void) | undefined;
  /** The tab that is to take it now. */
  #passingTo: string | undefined;
  #passing: ReturnType<typeof setTimeout> | undefined;
  /** Aborted when this tab waits for the lock no more. */
  #queue = new AbortController();
  #timer: ReturnType<typeof setInterval> | undefined;
  #holderStatus: Status | undefined;
  #silence = 0;
  #want: { ticks: number; readonly settle: (isHeld: boolean) => void } | undefined;
  #taking: Promise<boolean> | undefined;

  /** @param name seen by all pages of this origin */
  constructor(name: string, schema: z.Schema<Status>, status: Status, listener: TabListener<Status>) {
    this.name = name;
    this.#schema = schema;
    this.#status = status;
    this.#listener = listener;
  }

  get isHeld(): boolean {
    return this.#release !== undefined && this.#passingTo === undefined;
  }

  /**
   * Takes it if it is free, else waits for it.
   *
   * @returns who has it; `same-page`: something else in this page waits for it or has it
   * @throws {DOMException} where this page may not use Web Locks: its origin is opaque
   */
  async join(): Promise<Place | 'same-page'> {
    if (!this.#joined) {
      const before = ofThisPage.get(this.name);
      if (before === 'in use') return 'same-page';
      ofThisPage.set(this.name, 'in use');
      this.#joined = this.#join(before);
      this.#joined.catch(() => ofThisPage.delete(this.name));
      return this.#joined;
    }
    await this.#joined;
    return this.isHeld ? 'here' : 'elsewhere';
  }

  /** What the other tabs are told. */
  setStatus(status: Status): void {
    this.#status = status;
    if (this.isHeld) this.#post({ type: 'status', status });
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

  /** @param unused resolves when this tab has ended all use of it; the lock is kept until then */
  end(unused: Promise<void>): void {
    this.#ending.abort();
    this.#queue.abort();
    clearInterval(this.#timer);
    clearTimeout(this.#passing);
    this.#channel?.close();
    this.#want?.settle(false);
    this.#undecided?.resolve('elsewhere');
    if (!this.#joined) return;
    const released = this.#releaseAfter(unused);
    ofThisPage.set(this.name, released);
    void released.then(() => ofThisPage.get(this.name) === released && ofThisPage.delete(this.name));
  }

  async #releaseAfter(unused: Promise<void>): Promise<void> {
    // An earlier one of this page may not have been given back yet.
    await this.#joined?.catch(() => undefined);
    await unused;
    this.#release?.();
  }

  async #join(before: Promise<void> | undefined): Promise<Place> {
    await before;
    if (this.#ending.signal.aborted) return 'elsewhere';
    const place = new Promise<Place>((resolve, reject) => (this.#undecided = { resolve, reject }));
    // The browser looks for the lock while the rest is made ready.
    this.#wait();
    this.#channel = new BroadcastChannel(this.name);
    this.#channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const message = z.safeParse(messageSchema, data);
      if (message.success && message.data.from !== this.#id) this.#read(message.data);
    });
    this.#post({ type: 'ask' });
    return place;
  }

  /** In the queue for the lock; the browser gives it to the next tab when the holder's is gone. */
  #wait(): void {
    this.#queue = new AbortController();
    this.#silence = 0;
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#request({ signal: this.#queue.signal });
  }

  #request(options: LockOptions): void {
    let release: (() => void) | undefined;
    const granted = () => {
      if (this.#ending.signal.aborted || this.#release) return undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      this.#release = release;
      this.#hold();
      return held;
    };
    // Rejected as well when it is stolen, and when this tab waits for it no more.
    navigator.locks.request(this.name, options, granted).catch((error: unknown) => {
      if (release !== undefined && release === this.#release) this.#lose();
      else if (!options.signal?.aborted) this.#undecided?.reject(error);
    });
  }

  #hold(): void {
    this.#queue.abort();
    clearInterval(this.#timer);
    this.#holderStatus = undefined;
    this.#post({ type: 'status', status: this.#status });
    const undecided = this.#undecided;
    this.#undecided = undefined;
    if (undecided) undecided.resolve('here');
    else this.#listener.onHeld();
    this.#want?.settle(true);
  }

  /** Another tab has stolen it: as agreed, or because this one was frozen. */
  #lose(): void {
    this.#release = undefined;
    clearTimeout(this.#passing);
    const wasPassed = this.#passingTo !== undefined;
    this.#passingTo = undefined;
    if (this.#ending.signal.aborted) return;
    this.#wait();
    if (!wasPassed) this.#listener.onRobbed();
  }

  #read(message: Message): void {
    const isForUs = message.to === this.#id;
    switch (message.type) {
      case 'ask':
        return this.#release && this.#post({ type: 'status', status: this.#status });
      case 'status':
        return this.#release ? undefined : this.#readStatus(message.status);
      case 'want':
        return this.#release ? void this.#give(message.from) : undefined;
      case 'passed':
        return isForUs && this.#want ? this.#steal() : undefined;
      case 'refused':
        return isForUs ? this.#want?.settle(false) : undefined;
    }
  }

  /** What a newer version says of itself may not be understood; that it lives is. */
  #readStatus(told: unknown): void {
    this.#silence = 0;
    this.#holderStatus = z.safeParse(this.#schema, told).data;
    this.#tellElsewhere();
  }

  #tellElsewhere(): void {
    this.#listener.onElsewhere(this.#holderStatus);
    this.#undecided?.resolve('elsewhere');
    this.#undecided = undefined;
  }

  /** The other tab steals the lock, which is the one way past those that wait in the queue. */
  async #give(to: string): Promise<void> {
    // It takes its time, but lives.
    if (this.#passingTo === to) return this.#post({ type: 'status', status: this.#status });
    if (this.#passingTo !== undefined || this.#status.isBusy) return this.#post({ type: 'refused', to });
    this.#passingTo = to;
    const isGiven = await this.#listener.give();
    if (this.#ending.signal.aborted || this.#passingTo !== to) return;
    if (isGiven) {
      this.#post({ type: 'passed', to });
      this.#passing = setTimeout(() => this.#keep(), TAKING_MS);
      return;
    }
    this.#passingTo = undefined;
    this.#post({ type: 'refused', to });
  }

  /** Nobody has taken it. */
  #keep(): void {
    this.#passingTo = undefined;
    this.#listener.onHeld();
  }

  #steal(): void {
    this.#queue.abort();
    this.#request({ steal: true });
  }

  #tick(): void {
    this.#silence += 1;
    if (this.#silence >= FROZEN_AFTER && !this.#holderStatus?.isBusy) {
      this.#silence = 0;
      return this.#steal();
    }
    if (this.#undecided && this.#silence >= UNKNOWN_AFTER) this.#tellElsewhere();
    if (this.#want) {
      this.#want.ticks += 1;
      if (this.#want.ticks > MOST_TICKS_WANTED) this.#want.settle(false);
      else this.#post({ type: 'want' });
    } else if (this.#silence >= ASK_AFTER) this.#post({ type: 'ask' });
  }

  #post(message: Omit<Message, 'from'>): void {
    if (!this.#ending.signal.aborted) this.#channel?.postMessage({ ...message, from: this.#id });
  }
}
