/** When to try again by itself: a growing, jittered wait after a failure, and a new token before the old one ends. */
import type { DialerErrorCode } from '../errors.ts';
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
/** How long before its end a token is renewed, in milliseconds. */
const RENEWAL_LEAD_MS = 60_000;
/** Timers count in 32 bits. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export class RetryPolicy {
  readonly #reopen: () => void;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #renewal: ReturnType<typeof setTimeout> | undefined;
  #tries = 0;

  /** @param reopen makes a new connection, once nothing is lost by it */
  constructor(reopen: () => void) {
    this.#reopen = reopen;
  }

  /** @returns when it will be tried again, in epoch milliseconds; `undefined`: not by itself */
  plan(code: DialerErrorCode): number | undefined {
    clearTimeout(this.#retry);
    if (!PASSING.has(code) || this.#tries >= MOST_TRIES) return undefined;
    const wait = jittered(Math.min(FIRST_WAIT_MS * 2 ** this.#tries, LONGEST_WAIT_MS));
    this.#tries += 1;
    this.#retry = setTimeout(this.#reopen, wait);
    return Date.now() + wait;
  }

  /** The line is up: the next failure is the first one again. */
  succeed(): void {
    clearTimeout(this.#retry);
    this.#tries = 0;
  }

  /** The agent or the network says that it is worth trying now. */
  forget(): void {
    this.succeed();
    clearTimeout(this.#renewal);
  }

  /** @param expiresAt ISO 8601; what is no date, or is over already, plans nothing */
  renewBefore(expiresAt: string | undefined): void {
    clearTimeout(this.#renewal);
    const left = Date.parse(expiresAt ?? '') - Date.now() - RENEWAL_LEAD_MS;
    if (left > 0) this.#renewal = setTimeout(this.#reopen, Math.min(left, LONGEST_TIMER_MS));
  }
}
