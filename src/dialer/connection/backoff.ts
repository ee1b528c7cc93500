/** The waits between attempts. Each is longer, and a little random, because all dialers of a company fail at the same time. */

/** A fifth more or less. */
const JITTER = 0.2;

export function jittered(milliseconds: number): number {
  return milliseconds * (1 - JITTER + 2 * JITTER * Math.random());
}

export class Backoff {
  readonly #firstMs: number;
  readonly #longestMs: number;
  #attempts = 0;

  constructor(firstMs: number, longestMs: number) {
    this.#firstMs = firstMs;
    this.#longestMs = longestMs;
  }

  /** How many waits there were since the last reset. */
  get attempts(): number {
    return this.#attempts;
  }

  /** Twice as long as the wait before, in milliseconds. */
  next(): number {
    const wait = jittered(Math.min(this.#firstMs * 2 ** this.#attempts, this.#longestMs));
    this.#attempts += 1;
    return wait;
  }

  reset(): void {
    this.#attempts = 0;
  }
}
