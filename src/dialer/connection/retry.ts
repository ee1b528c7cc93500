/** When an automatic request to a server is sent again. Retries never stop. */
import { watchNetwork } from '../../page/network.ts';
import { watchReturn } from '../../page/visibility.ts';
import { childOf, later, pause, stopwatch } from '../../wait.ts';

/** Up to a fifth more or less, because all dialers of a company fail at the same time. */
const JITTER = 0.2;
/** This part of the usual wait is added to the server's `Retry-After`, which may name the same second to all dialers. */
const RETRY_AFTER_SPREAD = 0.1;
/** A page may be hidden for days: it sends a server at most one request in this time. */
const HIDDEN_MS = 600_000;

export class Retry {
  readonly #firstMs: number;
  readonly #longestMs: number;
  #attempts = 0;
  /** The pause that the server asked for with its last answer, in milliseconds. */
  #pause = 0;
  #sinceAnswer = stopwatch();

  constructor(firstMs: number, longestMs: number) {
    this.#firstMs = firstMs;
    this.#longestMs = longestMs;
  }

  /** What is left of the pause that the server asked for, in milliseconds; 0: it is over. */
  get pauseLeft(): number {
    return Math.max(0, this.#pause - this.#sinceAnswer());
  }

  /** The next wait in milliseconds, twice as long as the one before. */
  next(retryAfter = 0): number {
    const usual = Math.min(this.#firstMs * 2 ** this.#attempts, this.#longestMs);
    const wait = usual * (1 - JITTER + 2 * JITTER * Math.random());
    this.#attempts += 1;
    this.#pause = retryAfter;
    this.#sinceAnswer = stopwatch();
    return Math.max(wait, retryAfter + wait * RETRY_AFTER_SPREAD);
  }

  /** The next failure counts as the first. */
  reset(): void {
    this.#attempts = 0;
    this.#pause = 0;
  }

  /**
   * Resolves when the next attempt is due: after the wait, but much later while the page is hidden; and as soon as somebody
   * returns to the page, the network is back or the machine wakes. After those two, the next failure counts as the first.
   */
  async due(wait: number, signal: AbortSignal): Promise<void> {
    const over = childOf(signal);
    const passed = stopwatch();
    const wake = () => later(this.pauseLeft, over.signal, () => over.abort());
    watchReturn(over.signal, wake);
    watchNetwork(over.signal, () => {
      this.#attempts = 0;
      wake();
    });
    await pause(wait, over.signal);
    if (document.visibilityState === 'hidden') await pause(HIDDEN_MS - passed(), over.signal);
    over.abort();
  }
}
