/** Holds the state. Only `apply` replaces it. */
import { DialerError, type DialerErrorCode } from '../errors.ts';
import { isLive } from './state/call.ts';
import { INITIAL_STATE, transition, type DialerEvent, type DialerState } from './state/state.ts';

export class DialerStore {
  readonly #subscribers: ((state: DialerState, previous: DialerState) => void)[] = [];
  readonly #waiters = new Set<(state: DialerState) => void>();
  #state: DialerState = INITIAL_STATE;
  #told: DialerState = INITIAL_STATE;
  /** Of which no subscriber has been told, the oldest one first: each with the state before it. */
  readonly #changes: (readonly [DialerState, DialerState])[] = [];
  #isTelling = false;
  /** The time of day at `performance.now()` 0. */
  #origin = 0;

  /** Subscribers are called in the order of their subscription, and of each change in the order of the changes. */
  subscribe(subscriber: (state: DialerState, previous: DialerState) => void): void {
    this.#subscribers.push(subscriber);
  }

  get state(): DialerState {
    return this.#state;
  }

  /** The state of which the subscribers are told, or were told last. While one of them runs, `state` may be ahead. */
  get told(): DialerState {
    return this.#told;
  }

  /**
   * The time of day in epoch milliseconds. From the beginning of a call to its end, and until a retry, it is counted with
   * `performance.now()`: a change of the system clock does not change a duration.
   */
  get now(): number {
    const { line, call } = this.#state;
    const isWaiting = line.is === 'failed' && (line.retryAt ?? 0) > this.#origin + performance.now();
    if (!isLive(call) && !isWaiting) this.#origin = Date.now() - performance.now();
    return Math.round(this.#origin + performance.now());
  }

  apply(event: DialerEvent): void {
    const previous = this.#state;
    const state = (this.#state = transition(previous, event));
    // What a waiter asks of the session may hold now, although the state is the same.
    for (const waiter of this.#waiters) waiter(state);
    if (state === previous) return;
    // The page gets this object in events: what it writes must not reach the card and the call log.
    if ('info' in state.call) Object.freeze(state.call.info);
    this.#changes.push([state, previous]);
    if (this.#isTelling) return;
    this.#isTelling = true;
    try {
      for (let change; (change = this.#changes.shift());) {
        this.#told = change[0];
        for (const tell of this.#subscribers) tell(...change);
      }
    } finally {
      this.#isTelling = false;
    }
  }

  /** Resolves with the first state, this one included, for which the condition holds. @param timeout in milliseconds */
  until(
    holds: (state: DialerState) => boolean,
    timeout: number,
    code: DialerErrorCode = 'call-rejected',
  ): Promise<DialerState> {
    const { promise, resolve, reject } = Promise.withResolvers<DialerState>();
    const waiter = (state: DialerState) => {
      if (!holds(state)) return;
      clearTimeout(timer);
      this.#waiters.delete(waiter);
      resolve(state);
    };
    const timer = setTimeout(() => {
      this.#waiters.delete(waiter);
      reject(new DialerError(code, "The vendor's SDK did not respond in time."));
    }, timeout);
    this.#waiters.add(waiter);
    waiter(this.#state);
    return promise;
  }
}
