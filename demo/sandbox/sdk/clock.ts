/** Counts the seconds of an answered call, from 0. */
import type { VbotState } from './state.ts';

const SECOND_MS = 1000;

export class CallClock {
  readonly #state: VbotState;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(state: VbotState) {
    this.#state = state;
  }

  start(): void {
    this.stop();
    let seconds = 0;
    this.#state.duration.value = seconds;
    this.#timer = setInterval(() => {
      seconds += 1;
      this.#state.duration.value = seconds;
    }, SECOND_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#state.duration.value = undefined;
  }
}
