/** When a connection that is lost or has failed is made again. */
import type { DialerError, DialerErrorCode } from '../../errors.ts';
import { childOf } from '../../wait.ts';
import { Retry } from './retry.ts';

const FIRST_WAIT_MS = 3000;
const LONGEST_WAIT_MS = 120_000;

/** Only a person can solve these: the next attempt waits until somebody returns to the page. */
const NEED_A_PERSON: ReadonlySet<DialerErrorCode> = new Set([
  'broker-unauthorized',
  'configuration',
] as const);

/** The SDK comes back from a lost socket within about 30 s, so we wait longer before we start a new one. */
const LOST_TIMEOUT_MS = 60_000;

export class Reconnection {
  readonly #reconnect: () => void;
  readonly #retry = new Retry(FIRST_WAIT_MS, LONGEST_WAIT_MS);
  #timer = new AbortController();

  constructor(reconnect: () => void) {
    this.#reconnect = reconnect;
  }

  /** Registered, or somebody asks for a connection: the next failure counts as the first. */
  reset(): void {
    this.#timer.abort();
    this.#retry.reset();
  }

  lost(connection: AbortSignal): void {
    void this.#reconnectIn(LOST_TIMEOUT_MS, connection);
  }

  /** @returns milliseconds until the next attempt; `undefined`: no time is known */
  failed({ code, retryAfter }: DialerError, connection: AbortSignal): number | undefined {
    const wait = this.#retry.next(retryAfter);
    const isByItself = !NEED_A_PERSON.has(code);
    void this.#reconnectIn(isByItself ? wait : Infinity, connection);
    return isByItself ? wait : undefined;
  }

  async #reconnectIn(wait: number, connection: AbortSignal): Promise<void> {
    this.#timer.abort();
    this.#timer = childOf(connection);
    const { signal } = this.#timer;
    await this.#retry.due(wait, signal);
    if (!signal.aborted) this.#reconnect();
  }
}
