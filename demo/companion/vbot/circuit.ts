/** A circuit breaker: after repeated failures, requests to an endpoint pause, so that nobody waits in vain. */
import { VendorError } from './errors.ts';

const FAILURES = 5;

export class Circuit {
  readonly #path: string;
  readonly #openMs: number;
  /** In a row. */
  #failures = 0;
  /** By `performance.now`, which nobody can put back. */
  #openUntil = 0;

  /** @param openMs 0: it never opens */
  constructor(path: string, openMs: number) {
    this.#path = path;
    this.#openMs = openMs;
  }

  /** @throws {VendorError} `circuit-open` without sending it, or what sending it throws */
  async execute<T>(send: () => Promise<T>): Promise<T> {
    if (this.#failures >= FAILURES) {
      if (performance.now() < this.#openUntil) {
        const message = `The vendor's ${this.#path} has failed several times in a row; requests to it pause for a moment.`;
        throw new VendorError('circuit-open', message);
      }
      // This request tests the endpoint, while the others are still refused.
      this.#open();
    }
    try {
      const answer = await send();
      this.#failures = 0;
      return answer;
    } catch (error) {
      if (isDown(error)) this.#failures += 1;
      // A refusal is an answer.
      else if (error instanceof VendorError && error.sent) this.#failures = 0;
      if (this.#failures >= FAILURES) this.#open();
      throw error;
    }
  }

  #open(): void {
    this.#openUntil = performance.now() + this.#openMs;
  }
}

function isDown(error: unknown): boolean {
  return error instanceof VendorError && (error.code === 'unreachable' || error.code === 'not-connected');
}
