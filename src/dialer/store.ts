/** Holds the state; the only one that may replace it. */
import { INITIAL_STATE, transition, type DialerEvent, type DialerState } from './state.ts';

export class DialerStore {
  readonly #changed: (state: DialerState, previous: DialerState) => void;
  readonly #waiters = new Set<(state: DialerState) => void>();
  #state: DialerState = INITIAL_STATE;

  constructor(changed: (state: DialerState, previous: DialerState) => void) {
    this.#changed = changed;
  }

  get state(): DialerState {
    return this.#state;
  }

  apply(event: DialerEvent): void {
    const previous = this.#state;
    this.#state = transition(previous, event);
    if (this.#state === previous) return;
    for (const waiter of this.#waiters) waiter(this.#state);
    this.#changed(this.#state, previous);
  }

  /** Resolves with the first state, this one included, for which the condition holds. */
  until(holds: (state: DialerState) => boolean): Promise<DialerState> {
    if (holds(this.#state)) return Promise.resolve(this.#state);
    return new Promise((resolve) => {
      const waiter = (state: DialerState) => {
        if (!holds(state)) return;
        this.#waiters.delete(waiter);
        resolve(state);
      };
      this.#waiters.add(waiter);
    });
  }
}
