/** Polls the broker while the member is blocked: an admin may have added money. */
import { DialerError } from '../../errors.ts';
import { visibleAfter } from '../../page/visibility.ts';
import { childOf } from '../../wait.ts';
import { Backoff } from '../connection/backoff.ts';

const FIRST_WAIT_MS = 5000;
const LONGEST_WAIT_MS = 60_000;

export class StatusPoller {
  /** Resolves to whether there is still something to wait for. */
  readonly #poll: (signal: AbortSignal) => Promise<boolean>;
  #polling: AbortController | undefined;
  /** Epoch milliseconds: the broker asked for a pause. */
  #notBefore = 0;

  constructor(poll: (signal: AbortSignal) => Promise<boolean>) {
    this.#poll = poll;
  }

  /**
   * The first poll comes after `firstWait` milliseconds, then less and less often, only while the page is visible.
   *
   * @param signal ends it
   */
  begin(signal: AbortSignal, firstWait?: number): void {
    this.#polling?.abort();
    this.#polling = childOf(signal);
    void this.#keepPolling(this.#polling.signal, firstWait);
  }

  async #keepPolling(signal: AbortSignal, firstWait: number | undefined): Promise<void> {
    const backoff = new Backoff(FIRST_WAIT_MS, LONGEST_WAIT_MS);
    for (let wait = firstWait ?? backoff.next(); !signal.aborted; wait = backoff.next()) {
      await visibleAfter(wait + Math.max(0, this.#notBefore - Date.now()), signal);
      if (signal.aborted) return;
      try {
        this.#notBefore = 0;
        if (!(await this.#poll(signal))) return;
      } catch (error) {
        // The agent did not ask, so no error is shown.
        if (error instanceof DialerError) this.#notBefore = Date.now() + (error.retryAfter ?? 0);
      }
    }
  }
}
