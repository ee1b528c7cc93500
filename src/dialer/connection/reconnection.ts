/**
 * When a new connection replaces the present one: after a failure, for a new token or other settings, never in a call, nor while
 * the other party is still in a call that the agent has left.
 */
import type { DialerError, DialerErrorCode } from '../../errors.ts';
import { watchNetwork } from '../../page/network.ts';
import type { CallingSdk } from '../../sdk/calling-sdk.ts';
import { childOf } from '../../wait.ts';
import { Retry } from './retry.ts';
import { isBusy, type Call } from '../state/call.ts';
import type { DialerStore } from '../store.ts';

const FIRST_WAIT_MS = 3000;
const LONGEST_WAIT_MS = 120_000;

/** Only a person can solve these: the next attempt waits until somebody returns to the page. */
const NEED_A_PERSON: ReadonlySet<DialerErrorCode> = new Set([
  'broker-unauthorized',
  'configuration',
] as const);

/** The SDK comes back from a lost socket within about 30 s, so we wait longer before we start a new one. */
const LOST_TIMEOUT_MS = 60_000;

/** Why the dialer reconnects. */
type Reason =
  /** The connection failed. The SDK may still register again by itself. */
  | 'recovery'
  /** The present token ends soon, or it belongs to other settings or to another member. */
  | 'sign-in';

export class Reconnection {
  readonly #store: DialerStore;
  readonly #sdk: () => CallingSdk | undefined;
  readonly #reconnect: (isQuiet: boolean) => void;
  readonly #retry = new Retry(FIRST_WAIT_MS, LONGEST_WAIT_MS);
  /** Waits for the end of the call. */
  #pending: Reason | undefined;
  #timer = new AbortController();

  /**
   * @param sdk of the present connection
   * @param reconnect `isQuiet`: the last failure stays on the screen meanwhile
   */
  constructor(store: DialerStore, sdk: () => CallingSdk | undefined, reconnect: (isQuiet: boolean) => void) {
    this.#store = store;
    this.#sdk = sdk;
    this.#reconnect = reconnect;
  }

  /** Reconnects now, or once the call is over, also for the other party. */
  request(reason: Reason): void {
    const { line, call } = this.#store.state;
    if (line.is === 'off') return;
    const sdk = this.#sdk();
    // If it waited for the end of a call, the screen shows that call, and no failure that could stay.
    const isQuiet = reason === 'recovery' && this.#pending === undefined;
    // The SDK may be in the next call, of which the state is told after the end of this one.
    if (!isBusy(call) && !sdk?.call) return this.#reconnect(isQuiet);
    if (this.#pending !== 'sign-in') this.#pending = reason;
    void sdk?.leaving?.then(() => this.callChanged(this.#store.state.call));
  }

  callChanged(call: Call): void {
    if (this.#pending && !isBusy(call)) this.request(this.#pending);
  }

  get needsSignIn(): boolean {
    return this.#pending === 'sign-in';
  }

  /** Nothing waits for the end of the call any more. */
  forgetPending(): void {
    this.#pending = undefined;
  }

  registered(): void {
    this.#timer.abort();
    this.#retry.reset();
    if (this.#pending === 'recovery') this.#pending = undefined;
  }

  /** @param signal of the connection whose socket is lost */
  lost(signal: AbortSignal): void {
    void this.#recoverIn(LOST_TIMEOUT_MS, signal);
  }

  /**
   * @param signal of the connection that has failed
   * @returns when the next attempt begins, epoch milliseconds; `undefined`: no time is known
   */
  failed({ code, retryAfter }: DialerError, signal: AbortSignal): number | undefined {
    const wait = this.#retry.next(retryAfter);
    const isByItself = !NEED_A_PERSON.has(code);
    void this.#recoverIn(isByItself ? wait : Infinity, signal);
    return isByItself ? this.#store.timeOfDay + wait : undefined;
  }

  /** Somebody asks for a connection: the next failure counts as the first. */
  resetRetries(): void {
    this.#retry.reset();
  }

  /** A socket may have died unnoticed while the machine slept or had no network. */
  watchNetwork(connection: AbortSignal): void {
    watchNetwork(connection, () => {
      if (this.#store.state.line.is === 'up') this.request('recovery');
    });
  }

  /** @param wait in milliseconds */
  async #recoverIn(wait: number, connection: AbortSignal): Promise<void> {
    this.#timer.abort();
    this.#timer = childOf(connection);
    const { signal } = this.#timer;
    await this.#retry.due(wait, signal);
    if (!signal.aborted) this.request('recovery');
  }
}
