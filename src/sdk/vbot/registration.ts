/** The registration at the exchange as the SDK reports it, and why it fails: each change is emitted once, in order. */
import type { Hotline } from '../../broker/contract.ts';
import { DialerError } from '../../errors.ts';
import { blockedByPolicy, watchPolicy } from '../../page/content-security-policy.ts';
import { within } from '../../wait.ts';
import type { SdkListener } from '../calling-sdk.ts';

/** For what the dialer does first. */
const READY_TIMEOUT_MS = 2000;

export class Registration {
  readonly #listener: SdkListener;
  /** `checking`: registered, but the dialer does not know yet, see `beforeRegistered`. */
  #state: 'down' | 'checking' | 'reported' | 'failed' = 'down';
  #hotlines: readonly Hotline[] = [];

  constructor(listener: SdkListener) {
    this.#listener = listener;
  }

  get isUp(): boolean {
    return this.#state === 'checking' || this.#state === 'reported';
  }

  async succeed(): Promise<void> {
    if (this.isUp) return;
    this.#state = 'checking';
    await within(Promise.allSettled([this.#listener.beforeRegistered()]), READY_TIMEOUT_MS);
    if (this.#state !== 'checking') return;
    this.#state = 'reported';
    this.#listener.onEvent({ type: 'registered', hotlines: this.#hotlines });
  }

  /** The SDK may read them later than it registers. */
  noteHotlines(hotlines: readonly Hotline[]): void {
    this.#hotlines = hotlines;
    if (this.#state === 'reported') this.#listener.onEvent({ type: 'registered', hotlines });
  }

  lose(): void {
    if (!this.isUp) return;
    this.#state = 'down';
    this.#listener.onEvent({ type: 'lost' });
  }

  /** A call in progress goes on: its audio does not pass through the exchange's registrar. */
  fail(error: DialerError): void {
    if (this.#state === 'failed') return;
    this.#state = 'failed';
    this.#listener.onEvent({ type: 'failed', error });
  }
}

/** @param text the SDK's text for its failure; absent: it reports nothing */
export type ReadBootError = (text?: string) => DialerError;

/**
 * Why the SDK could not sign in or register. It has one text for a token that its API refuses, an API that it cannot reach
 * and a policy of the page that forbids the request; of a socket that the policy forbids it says nothing at all.
 */
export function watchBoot(apiBase: string, signal: AbortSignal): ReadBootError {
  const { origin } = new URL(apiBase);
  // Only the API tells the SDK the address of its socket.
  const policy = watchPolicy((blocked) => blocked.startsWith(origin) || /^wss?\b/.test(blocked));
  signal.addEventListener('abort', () => policy.end());
  const hasLastFailed = watchRequestsTo(apiBase, signal);
  return (text) => {
    const directive = policy.directive();
    if (directive !== undefined) return blockedByPolicy(directive, "the vendor's API");
    if (text === undefined)
      return new DialerError('registration-failed', 'The exchange did not respond in time.');
    // "Khởi tạo": initialise.
    if (!/kh[oở]i t[aạ]o/i.test(text.normalize()))
      return new DialerError('registration-failed', 'The exchange did not accept the registration.');
    return hasLastFailed()
      ? new DialerError('vendor-unreachable', "The vendor's API cannot be reached.")
      : new DialerError('sdk-auth-failed', "The vendor's API did not accept the token.");
  };
}

/**
 * A request without a response has the status 0. Safari tells no status: there, an outage looks like a refused token.
 *
 * @returns whether the last request had none
 */
function watchRequestsTo(base: string, signal: AbortSignal): () => boolean {
  const seen: PerformanceEntry[] = [];
  const observer = new PerformanceObserver((list) => seen.push(...list.getEntries()));
  observer.observe({ type: 'resource' });
  signal.addEventListener('abort', () => observer.disconnect());
  return () => {
    seen.push(...observer.takeRecords());
    const last = seen.findLast(({ name }) => name.startsWith(base));
    return last instanceof PerformanceResourceTiming && last.responseStatus === 0;
  };
}
