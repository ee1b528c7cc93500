/**
 * A circuit breaker for one endpoint: after repeated failures nothing is sent for a moment, then one request tries again.
 * So a dead vendor costs whoever asks milliseconds, not the whole deadline.
 */

const FAILURES = 5;
const WITHIN_MS = 10_000;
/** Until one request may try: at most five seconds after the vendor is back it is noticed. */
export const OPEN_MS = 3000;

export class Circuit {
  readonly #openMs: number;
  #failures = 0;
  #firstFailureAt = 0;
  /** By `performance.now`; 0: closed. */
  #openedAt = 0;
  #isTrying = false;

  constructor(openMs: number) {
    this.#openMs = openMs;
  }

  /** Whether a request may be sent now. Who was let through reports how it went. */
  allows(): boolean {
    if (this.#openedAt === 0) return true;
    if (this.#isTrying || performance.now() - this.#openedAt < this.#openMs) return false;
    this.#isTrying = true;
    return true;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openedAt = 0;
    this.#isTrying = false;
  }

  failed(): void {
    const now = performance.now();
    if (this.#failures === 0 || now - this.#firstFailureAt > WITHIN_MS) {
      this.#failures = 0;
      this.#firstFailureAt = now;
    }
    this.#failures += 1;
    if (this.#openMs > 0 && (this.#isTrying || this.#failures >= FAILURES)) this.#openedAt = now;
    this.#isTrying = false;
  }
}
