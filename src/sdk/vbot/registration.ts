/** The registration at the exchange, as the SDK reports it: each change is emitted once, in order. */
import type { Hotline } from '../../broker/contract.ts';
import type { DialerError } from '../../errors.ts';
import type { SdkEvent } from '../calling-sdk.ts';
import { parseHotlines } from './messages.ts';
import { within } from '../../wait.ts';

const HOTLINES_TIMEOUT_MS = 2000;

export class Registration {
  readonly #emit: (event: SdkEvent) => void;
  readonly #signal: AbortSignal;
  /** Aborted when the present registration is lost or has failed. */
  #present: AbortController | undefined;
  #hasFailed = false;
  /** From the SDK's last event. */
  #hotlines: readonly Hotline[] = [];

  /** @param signal no event comes after it aborts */
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

  /** Used where the SDK's method does not answer. */
  noteHotlines(hotlines: readonly Hotline[]): void {
    this.#hotlines = hotlines;
  }

  lose(): void {
    if (!this.#present) return;
    this.#end();
    this.#emit({ type: 'lost' });
  }

  /** A call in progress goes on: its audio does not pass through the exchange's registrar. */
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
    const call = async () => getHotlines();
    const answer = await within(
      call().catch(() => undefined),
      HOTLINES_TIMEOUT_MS,
    );
    return answer === undefined ? this.#hotlines : parseHotlines(answer);
  }
}
