/** When to connect again without being asked: a growing, jittered wait after a failure, and before a token ends. */
import type { DialerError, DialerErrorCode } from '../errors.ts';
import { jittered } from './jitter.ts';

/** What may pass by itself. The rest needs somebody: a developer, a sign-in, a decision. */
const PASSING: ReadonlySet<DialerErrorCode> = new Set<DialerErrorCode>([
  'broker-unreachable',
  'vendor-unreachable',
  'sdk-load-failed',
  'sdk-auth-failed',
  'registration-failed',
  'network-lost',
]);

const FIRST_WAIT_MS = 3000;
const LONGEST_WAIT_MS = 30_000;
/** After that many failures in a row the agent, the network or the sleep of the machine decides. */
const MOST_TRIES = 10;
/** The part of a token's life after which the next one is asked for. */
const RENEWAL_AFTER = 0.8;
/** Tokens that live for a moment only must not keep the dialer busy with itself. */
const SHORTEST_RENEWAL_MS = 1000;
/** The part of the usual wait that is added to the pause a broker asks for. */
const RETRY_AFTER_SPREAD = 0.1;
/** Timers count in 32 bits. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export class RetryPolicy {
  readonly #reconnect: () => void;
  readonly #renew: () => void;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #renewal: ReturnType<typeof setTimeout> | undefined;
  #tries = 0;
  /** Epoch milliseconds. */
  #notBefore = 0;

  /**
   * @param reconnect makes a new connection, once nothing is lost by it
   * @param renew asks for the next token
   */
  constructor(reconnect: () => void, renew: () => void) {
    this.#reconnect = reconnect;
    this.#renew = renew;
  }

  /** @returns when it will be tried again, in epoch milliseconds; `undefined`: not by itself */
  plan({ code, retryAfter = 0 }: DialerError): number | undefined {
    clearTimeout(this.#retry);
    this.#notBefore = Date.now() + retryAfter;
    if (!PASSING.has(code) || this.#tries >= MOST_TRIES) return undefined;
    const backoff = jittered(Math.min(FIRST_WAIT_MS * 2 ** this.#tries, LONGEST_WAIT_MS));
    // Dialers that were told the same second must not come back in the same second.
    const wait = Math.max(backoff, retryAfter + backoff * RETRY_AFTER_SPREAD);
    this.#tries += 1;
    this.#retry = setTimeout(this.#reconnect, wait);
    return Date.now() + wait;
  }

  /** The broker asked for a pause that is not over. */
  get mustWait(): boolean {
    return Date.now() < this.#notBefore;
  }

  /** The connection is up: the next failure is the first one again. */
  succeed(): void {
    clearTimeout(this.#retry);
    this.#tries = 0;
    this.#notBefore = 0;
  }

  /** The agent or the network says that it is worth trying now. */
  reset(): void {
    this.succeed();
    clearTimeout(this.#renewal);
  }

  /** @param expiresAt ISO 8601; what is no date, or is over already, plans nothing */
  planRenewal(expiresAt: string | undefined): void {
    clearTimeout(this.#renewal);
    const left = Date.parse(expiresAt ?? '') - Date.now();
    if (!(left > 0)) return;
    const wait = Math.max(left * RENEWAL_AFTER, SHORTEST_RENEWAL_MS);
    this.#renewal = setTimeout(this.#renew, Math.min(wait, LONGEST_TIMER_MS));
  }

  /** There is no next token yet, and the connection is still good. */
  planRenewalAgain(retryAfter = 0): void {
    clearTimeout(this.#renewal);
    this.#renewal = setTimeout(this.#renew, Math.max(jittered(LONGEST_WAIT_MS), retryAfter));
  }
}
