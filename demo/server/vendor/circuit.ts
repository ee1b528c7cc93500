/**
 * A circuit breaker for one endpoint: after repeated failures nothing is sent for a moment, then one request tries again.
 * So a dead vendor costs whoever asks milliseconds, not the whole deadline.
 */
import { VendorError } from './response.ts';

const FAILURES = 5;
const WITHIN_MS = 10_000;
/** Until one request may try: at most five seconds after the vendor is back it is noticed. */
export const OPEN_MS = 3000;

export class Circuit {
  readonly #path: string;
  readonly #openMs: number;
  #failures = 0;
  #firstFailureAt = 0;
  /** By `performance.now`; 0: closed. */
  #openedAt = 0;
  #isTrying = false;

  constructor(path: string, openMs: number) {
    this.#path = path;
    this.#openMs = openMs;
  }

  /** @throws {VendorError} `circuit-open` when nothing may be sent now */
  check(): void {
    const isOpen =
      this.#openedAt !== 0 && (this.#isTrying || performance.now() - this.#openedAt < this.#openMs);
    if (!isOpen) return;
    throw new VendorError(
      'circuit-open',
      `The vendor's ${this.#path} has failed repeatedly; it is tried again in a moment.`,
    );
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    this.check();
    this.#isTrying = this.#openedAt !== 0;
    try {
      const result = await work();
      this.#close();
      return result;
    } catch (error) {
      // A refusal is an answer; only an endpoint that does not answer is left alone.
      if (error instanceof VendorError && error.code !== 'unreachable') this.#close();
      else this.#fail();
      throw error;
    }
  }

  #close(): void {
    this.#failures = 0;
    this.#openedAt = 0;
    this.#isTrying = false;
  }

  #fail(): void {
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
