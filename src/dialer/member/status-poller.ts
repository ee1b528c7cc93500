/** Polls the broker while the member is blocked: an admin may have added money. */
import { DialerError } from '../../errors.ts';
import { childOf, pause } from '../../wait.ts';
import { Retry } from '../connection/retry.ts';

const FIRST_WAIT_MS = 5000;
const LONGEST_WAIT_MS = 60_000;

export class StatusPoller {
  /** Resolves to whether there is still something to wait for. */
  readonly #poll: (signal: AbortSignal) => Promise<boolean>;
  readonly #retry = new Retry(FIRST_WAIT_MS, LONGEST_WAIT_MS);
  #polling: AbortController | undefined;

  constructor(poll: (signal: AbortSignal) => Promise<boolean>) {
    this.#poll = poll;
  }

  /** The first poll comes after `firstWait` milliseconds, then less and less often, only while the page is visible. */
  begin(signal: AbortSignal, firstWait?: number): void {
    // The pause that the broker has asked for goes on.
    const { pauseLeft } = this.#retry;
    this.#retry.reset();
    const usual = this.#retry.next(pauseLeft);
    this.#polling?.abort();
    this.#polling = childOf(signal);
    void this.#keepPolling(this.#polling.signal, Math.max(firstWait ?? usual, pauseLeft));
  }

  async #keepPolling(signal: AbortSignal, firstWait: number): Promise<void> {
    for (let wait = firstWait; ;) {
      await pause(wait, signal);
      if (signal.aborted) return;
      let retryAfter: number | undefined;
      try {
        if (document.visibilityState === 'visible' && !(await this.#poll(signal))) return;
      } catch (error) {
        // The agent did not ask, so no error is shown.
        if (error instanceof DialerError) ({ retryAfter } = error);
      }
      wait = this.#retry.next(retryAfter);
    }
  }
}
