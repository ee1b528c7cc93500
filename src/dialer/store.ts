/** Holds the state; the only one that may replace it. */
import { DialerError } from '../errors.ts';
import { INITIAL_STATE, transition, type DialerEvent, type DialerState } from './state/state.ts';

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
    this.check();
    this.#changed(this.#state, previous);
  }

  /** Lets those who wait look again, for what is not in the state. */
  check(): void {
    for (const waiter of this.#waiters) waiter(this.#state);
  }

  /**
   * Resolves with the first state, this one included, for which the condition holds.
   *
   * @param timeout milliseconds
   * @throws {DialerError} `call-rejected` when it did not come in time
   */
  until(holds: (state: DialerState) => boolean, timeout: number): Promise<DialerState> {
    if (holds(this.#state)) return Promise.resolve(this.#state);
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
      };
      const waiter = (state: DialerState) => {
        if (!holds(state)) return;
        end();
        resolve(state);
      };
      const timer = setTimeout(() => {
        end();
        reject(new DialerError('call-rejected', 'The calling SDK did not answer in time.'));
      }, timeout);
      this.#waiters.add(waiter);
    });
  }
}
