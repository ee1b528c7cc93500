/** The registration at the exchange, as the SDK tells of it: each change is reported once, in its order. */
import type { Hotline } from '../../broker/contract.ts';
import { DialerError } from '../../errors.ts';
import type { SdkEvent } from '../calling-sdk.ts';
import { parseHotlines } from './messages.ts';
import { later } from '../../wait.ts';

const HOTLINES_TIMEOUT_MS = 2000;

export class Registration {
  readonly #emit: (event: SdkEvent) => void;
  readonly #signal: AbortSignal;
  /** Aborted when the present registration is lost or has failed. */
  #present: AbortController | undefined;
  #hasFailed = false;
  /** As the SDK told them last. */
  #hotlines: readonly Hotline[] = [];

  /** @param signal ends it all, without a further event */
  constructor(emit: (event: SdkEvent) => void, signal: AbortSignal) {
    this.#emit = emit;
    this.#signal = signal;
  }

  get isUp(): boolean {
    return this.#present !== undefined && !this.#signal.aborted;
  }

  /** @param getHotlines the SDK's own: an array in the public build, a promise by the documentation */
  async succeed(getHotlines: () => unknown): Promise<void> {
    if (this.#present) return;
    const registration = new AbortController();
    this.#present = registration;
    this.#hasFailed = false;
    const hotlines = await this.#read(getHotlines);
    if (this.#signal.aborted || registration.signal.aborted) return;
    this.#emit({ type: 'registered', hotlines });
  }

  /** Those that come with the event count where the SDK's method does not answer. */
  noteHotlines(hotlines: readonly Hotline[]): void {
    this.#hotlines = hotlines;
  }

  lose(): void {
    if (!this.#present) return;
    this.#end();
    this.#emit({ type: 'lost' });
  }

  /** A call in progress goes on: its audio does not pass through the registrar. */
  fail(error: DialerError): void {
    this.#end();
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#emit({ type: 'failed', error });
  }

  #end(): void {
    this.#present?.abort();
    this.#present = undefined;
  }

  async #read(getHotlines: () => unknown): Promise<readonly Hotline[]> {
    const ask = async () => getHotlines();
    const tooLong = new Promise<undefined>((resolve) => {
      later(HOTLINES_TIMEOUT_MS, this.#signal, () => resolve(undefined));
    });
    const answer = await Promise.race([ask().catch(() => undefined), tooLong]);
    return answer === undefined ? this.#hotlines : parseHotlines(answer);
  }
}

/** One text for a refused token and for an outage: which of them it was cannot be told here. */
export function bootError(text: string): DialerError {
  // "Khởi tạo": begin.
  return /kh[oở]i t[aạ]o/i.test(text.normalize())
    ? new DialerError('sdk-auth-failed', 'The calling service did not accept the sign-in.')
    : new DialerError('registration-failed', 'The exchange did not accept the registration.');
}
