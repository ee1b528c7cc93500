/** Polls while the member is blocked by what somebody else has to remove: an admin may have added money. */
import { DialerError } from '../errors.ts';
import { visibleAfter } from '../page/visibility.ts';
import { jittered } from './jitter.ts';

const FIRST_WAIT_MS = 5000;
const LONGEST_WAIT_MS = 60_000;

export class StatusPoller {
  readonly #poll: (signal: AbortSignal) => Promise<boolean>;
  #polling: AbortController | undefined;

  /** @param poll resolves to whether there is still something to wait for */
  constructor(poll: (signal: AbortSignal) => Promise<boolean>) {
    this.#poll = poll;
  }

  /** Soon, and then less and less often, up to a minute apart, only while the page is visible. */
  begin(): void {
    this.end();
    this.#polling = new AbortController();
    void this.#keepPolling(this.#polling.signal);
  }

  end(): void {
    this.#polling?.abort();
  }

  async #keepPolling(signal: AbortSignal): Promise<void> {
    let retryAfter = 0;
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
      await visibleAfter(jittered(wait) + retryAfter, signal);
      if (signal.aborted) return;
      try {
        retryAfter = 0;
        if (!(await this.#poll(signal))) return;
      } catch (error) {
        // No agent asked, so no agent is told of a broker that does not answer.
        if (error instanceof DialerError) retryAfter = error.retryAfter ?? 0;
      }
      if (signal.aborted) return;
    }
  }
}
