/** Polls while the member is blocked by what somebody else has to remove: an admin may have added money. */
import { DialerError } from '../errors.ts';
import { visibleAfter } from '../page/visibility.ts';
import { jittered } from './jitter.ts';

const FIRST_WAIT_MS = 5000;
const LONGEST_WAIT_MS = 60_000;

export class StatusPoller {
  readonly #poll: (signal: AbortSignal) => Promise<boolean>;
  #polling: AbortController | undefined;
  /** When the broker may be asked again, epoch milliseconds. */
  #restUntil = 0;

  /** @param poll resolves to whether there is still something to wait for */
  constructor(poll: (signal: AbortSignal) => Promise<boolean>) {
    this.#poll = poll;
  }

  /** After `firstWait` milliseconds, and then less and less often, up to a minute apart, only while the page is visible. */
  begin(firstWait = FIRST_WAIT_MS): void {
    this.end();
    this.#polling = new AbortController();
    void this.#keepPolling(firstWait, this.#polling.signal);
  }

  end(): void {
    this.#polling?.abort();
  }

  async #keepPolling(firstWait: number, signal: AbortSignal): Promise<void> {
    for (let wait = firstWait; ; wait = Math.min(Math.max(2 * wait, FIRST_WAIT_MS), LONGEST_WAIT_MS)) {
      await visibleAfter(jittered(wait) + Math.max(0, this.#restUntil - Date.now()), signal);
      if (signal.aborted) return;
      try {
        this.#restUntil = 0;
        if (!(await this.#poll(signal))) return;
      } catch (error) {
        // No agent asked, so no agent is told of a broker that does not answer.
        if (error instanceof DialerError) this.#restUntil = Date.now() + (error.retryAfter ?? 0);
      }
      if (signal.aborted) return;
    }
  }
}
