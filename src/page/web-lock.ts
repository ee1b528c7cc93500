/** A Web Lock: this tab waits for it in the browser's queue, or steals it from a tab that hangs. */

/** Insecure pages have no Web Locks. */
export function hasTabLocks(): boolean {
  return navigator.locks !== undefined && 'BroadcastChannel' in globalThis;
}

interface WebLockListener {
  readonly onHeld: () => void;
  /** Another tab has stolen it. */
  readonly onStolen: () => void;
  /** Web Locks are forbidden on this page: its origin is opaque. */
  readonly onForbidden: (error: unknown) => void;
}

export class WebLock {
  readonly #name: string;
  readonly #listener: WebLockListener;
  #queue = new AbortController();
  #isEnded = false;
  /** Absent while this tab does not hold it. */
  #release: (() => void) | undefined;

  constructor(name: string, listener: WebLockListener) {
    this.#name = name;
    this.#listener = listener;
  }

  get isHeld(): boolean {
    return this.#release !== undefined;
  }

  /** Waits behind the tabs that asked before. */
  enqueue(): void {
    this.#queue = new AbortController();
    this.#request({ signal: this.#queue.signal });
  }

  /** Gets the lock before the tabs that wait in the queue. */
  steal(): void {
    this.#queue.abort();
    this.#request({ steal: true });
  }

  /** Leaves the queue now, and releases the lock when this tab no longer uses it. */
  async end(unused: Promise<void>): Promise<void> {
    this.#isEnded = true;
    this.#queue.abort();
    await unused;
    this.#release?.();
    this.#release = undefined;
  }

  #request(options: LockOptions): void {
    let release: (() => void) | undefined;
    const granted = () => {
      if (this.#isEnded || this.#release) return undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      this.#release = release;
      this.#queue.abort();
      this.#listener.onHeld();
      return held;
    };
    // It also rejects when another tab steals the lock, and when this tab leaves the queue.
    navigator.locks.request(this.#name, options, granted).catch((error: unknown) => {
      if (release !== undefined && release === this.#release) {
        this.#release = undefined;
        this.#listener.onStolen();
      } else if (!options.signal?.aborted) this.#listener.onForbidden(error);
    });
  }
}

/** A flag that other tabs can read without asking the tab that set it. When that tab is closed, the flag is cleared. */
export class TabMark {
  readonly #name: string;
  #set: AbortController | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  set(on: boolean): void {
    if (on === (this.#set !== undefined)) return;
    this.#set?.abort();
    this.#set = on ? new AbortController() : undefined;
    const signal = this.#set?.signal;
    if (!signal) return;
    const unset = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve());
    });
    // If locks are forbidden, this page cannot reach other tabs anyway.
    navigator.locks.request(this.#name, { mode: 'shared' }, () => unset).catch(() => undefined);
  }

  /** Has any tab set it? */
  async isSet(): Promise<boolean> {
    const { held = [] } = await navigator.locks.query();
    return held.some(({ name }) => name === this.#name);
  }
}
