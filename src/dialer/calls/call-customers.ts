/** Asks once for each call who is on the other side. The lookup never delays a call. */
import type { Customer } from '../../broker/contract.ts';
import { findCustomers } from '../../broker/customers.ts';
import { isWithheld } from '../../numbers/withheld.ts';
import { orAbort } from '../../wait.ts';
import { isSameCall, type CallInfo } from '../state/call-info.ts';
import type { Dependencies } from '../dependencies.ts';
import type { DialerState } from '../state/state.ts';

/** No telephone rings for longer; a later answer would be of no use. */
const TIMEOUT_MS = 30_000;

export class CallCustomers {
  readonly #store: Dependencies['store'];
  readonly #connection: Dependencies['connection'];
  #asked: CallInfo | undefined;

  constructor({ store, connection }: Dependencies) {
    this.#store = store;
    this.#connection = connection;
  }

  stateChanged({ call }: DialerState): void {
    if (call.is !== 'incoming' && call.is !== 'dialing') return;
    if (this.#asked && isSameCall(this.#asked, call.info)) return;
    this.#asked = call.info;
    // A withheld number belongs to nobody.
    if (!isWithheld(call.info.number)) void this.#ask(call.info);
  }

  async #ask(info: CallInfo): Promise<void> {
    const { life: signal } = this.#connection;
    const customers = await this.#find(info.number, signal).catch(() => []);
    if (signal.aborted || customers.length === 0) return;
    this.#store.apply({ type: 'customers', of: info, customers });
  }

  /** Rejects when the time is over, too: the page's function may never settle. */
  async #find(number: string, signal: AbortSignal): Promise<readonly Customer[]> {
    const { settings, session } = this.#connection;
    const end = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    return orAbort(findCustomers(number, settings?.lookup, session, end), end);
  }
}
