/** Finds out by itself that an obstacle which somebody else has to remove is gone: an admin may have added money. */
import { seenAfter } from '../page/visibility.ts';
import { jittered } from './jitter.ts';

const FIRST_WAIT_MS = 5000;
const LONGEST_WAIT_MS = 60_000;

export class StatusPoller {
  readonly #look: (signal: AbortSignal) => Promise<boolean>;
  #watch: AbortController | undefined;

  /** @param look resolves to whether there is still something to wait for; never rejects */
  constructor(look: (signal: AbortSignal) => Promise<boolean>) {
    this.#look = look;
  }

  /** Looks soon, and then less and less often, until it is over. */
  begin(): void {
    this.end();
    this.#watch = new AbortController();
    void this.#keepLooking(this.#watch.signal);
  }

  end(): void {
    this.#watch?.abort();
  }

  async #keepLooking(signal: AbortSignal): Promise<void> {
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
      await seenAfter(jittered(wait), signal);
      if (signal.aborted) return;
      if (!(await this.#look(signal)) || signal.aborted) return;
    }
  }
}
