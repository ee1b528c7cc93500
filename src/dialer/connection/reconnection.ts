/** When a new connection replaces the present one: after a failure, for a new token or other settings, never in a call. */
import type { DialerError } from '../../errors.ts';
import { watchNetwork } from '../../page/network.ts';
import { childOf, later } from '../../wait.ts';
import { RetryPolicy } from './retry-policy.ts';
import { isBusy, type Call } from '../state/call.ts';
import type { DialerStore } from '../store.ts';

/** The SDK comes back from a lost socket within about 30 s, so we wait longer before we start a new one. */
const LOST_TIMEOUT_MS = 60_000;

/**
 * Why there is a new connection. A call delays it; of two reasons the later one in this list counts. When the SDK registers
 * again by itself, no recovery is needed any more.
 */
const REASONS = ['recovery', 'renewal', 'settings'] as const;
type Reason = (typeof REASONS)[number];

export class Reconnection {
  readonly #store: DialerStore;
  readonly #reconnect: () => void;
  readonly #retryPolicy = new RetryPolicy();
  /** Waits for the end of the call. */
  #pending: Reason | undefined;
  #timer = new AbortController();
  /** The network is watched until this aborts. */
  #watching: AbortSignal | undefined;

  constructor(store: DialerStore, reconnect: () => void) {
    this.#store = store;
    this.#reconnect = reconnect;
  }

  /** Reconnects now, or after the call. */
  request(reason: Reason): void {
    const { line, call } = this.#store.state;
    if (line.is === 'off') return;
    if (isBusy(call)) return this.#postpone(reason);
    this.#reconnect();
  }

  callChanged(call: Call): void {
    if (this.#pending && !isBusy(call)) this.request(this.#pending);
  }

  /** A new connection is being made: nothing waits for one any more. */
  begun(): void {
    this.#pending = undefined;
  }

  registered(): void {
    this.#timer.abort();
    this.#retryPolicy.reset();
    if (this.#pending === 'recovery') this.#pending = undefined;
  }

  /** @param signal of the connection whose socket is lost */
  lost(signal: AbortSignal): void {
    this.#recoverIn(LOST_TIMEOUT_MS, signal);
  }

  /**
   * @param signal of the connection that has failed
   * @returns when the next attempt begins, epoch milliseconds; `undefined`: not by itself
   */
  failed(error: DialerError, signal: AbortSignal): number | undefined {
    const wait = this.#retryPolicy.waitAfter(error);
    this.#recoverIn(wait, signal);
    return wait === undefined ? undefined : Date.now() + wait;
  }

  /** Somebody asks for a connection: the next failure counts as the first. */
  resetRetries(): void {
    this.#retryPolicy.reset();
  }

  /** A socket may have died unnoticed while the machine slept or had no network. */
  watchNetwork(life: AbortSignal): void {
    if (this.#watching === life) return;
    this.#watching = life;
    watchNetwork(life, () => {
      const { is } = this.#store.state.line;
      if ((is !== 'failed' && is !== 'lost' && is !== 'up') || this.#retryPolicy.mustWait) return;
      this.#retryPolicy.reset();
      this.request('recovery');
    });
  }

  #postpone(reason: Reason): void {
    const pending = this.#pending;
    if (pending === undefined || REASONS.indexOf(reason) > REASONS.indexOf(pending)) this.#pending = reason;
  }

  /** @param wait in milliseconds; `undefined`: not by itself */
  #recoverIn(wait: number | undefined, signal: AbortSignal): void {
    this.#timer.abort();
    this.#timer = childOf(signal);
    if (wait !== undefined) later(wait, this.#timer.signal, () => this.request('recovery'));
  }
}
