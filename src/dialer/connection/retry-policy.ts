/** After which failures the dialer connects again by itself, and when. */
import type { DialerError, DialerErrorCode } from '../../errors.ts';
import { Backoff } from './backoff.ts';

/** These may pass by themselves. The others need a person: a developer, a sign-in, a decision. */
const TEMPORARY: ReadonlySet<DialerErrorCode> = new Set<DialerErrorCode>([
  'broker-unreachable',
  'vendor-unreachable',
  'sdk-load-failed',
  'sdk-auth-failed',
  'registration-failed',
  'network-lost',
]);

const FIRST_WAIT_MS = 3000;
const LONGEST_WAIT_MS = 30_000;
/** After that many failures in a row, only the agent, the network or a machine that wakes up starts the next attempt. */
const MOST_ATTEMPTS = 10;
/** The part of the usual wait that is added to the pause that a broker asks for. */
const RETRY_AFTER_SPREAD = 0.1;

export class RetryPolicy {
  readonly #backoff = new Backoff(FIRST_WAIT_MS, LONGEST_WAIT_MS);
  /** Epoch milliseconds. */
  #notBefore = 0;

  /** @returns how long to wait, in milliseconds; `undefined`: the dialer does not try again by itself */
  waitAfter({ code, retryAfter = 0 }: DialerError): number | undefined {
    this.#notBefore = Date.now() + retryAfter;
    if (!TEMPORARY.has(code) || this.#backoff.attempts >= MOST_ATTEMPTS) return undefined;
    const wait = this.#backoff.next();
    // The broker may have told all dialers the same second.
    return Math.max(wait, retryAfter + wait * RETRY_AFTER_SPREAD);
  }

  /** The broker asked for a pause that is not over. */
  get mustWait(): boolean {
    return Date.now() < this.#notBefore;
  }

  /** The next failure counts as the first: the line is up, the agent asks, or the network is back. */
  reset(): void {
    this.#backoff.reset();
    this.#notBefore = 0;
  }
}
