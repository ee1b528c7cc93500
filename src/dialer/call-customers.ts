/** Who is on the other side: asked once for each call, beside everything else. Nothing waits for the answer. */
import type { Customer } from '../broker/contract.ts';
import { findCustomers } from '../broker/customers.ts';
import { orAbort } from '../wait.ts';
import { isSameCall, type CallInfo } from './state/call-info.ts';
import { isLive } from './state/call.ts';
import type { Connection } from './connection.ts';
import type { DialerNotification } from './notifications.ts';
import type { DialerStore } from './store.ts';
import type { DialerState } from './state/state.ts';

/** Longer than any agent looks at a ringing telephone; then the answer is not wanted any more. */
const TIMEOUT_MS = 30_000;

export class CallCustomers {
  readonly #store: DialerStore;
  readonly #connection: Connection;
  readonly #notify: (notification: DialerNotification) => void;
  #asked: CallInfo | undefined;

  constructor(
    store: DialerStore,
    connection: Connection,
    notify: (notification: DialerNotification) => void,
  ) {
    this.#store = store;
    this.#connection = connection;
    this.#notify = notify;
  }

  stateChanged({ call }: DialerState): void {
    if (call.is !== 'incoming' && call.is !== 'dialing') return;
    if (this.#asked && isSameCall(this.#asked, call.info)) return;
    this.#asked = call.info;
    // A withheld number belongs to nobody.
    if (/\d{3}/.test(call.info.number)) void this.#ask(call.info);
  }

  async #ask(info: CallInfo): Promise<void> {
    const { life: signal } = this.#connection;
    const customers = await this.#find(info.number, signal).catch(() => []);
    if (signal.aborted || customers.length === 0) return;
    this.#store.apply({ type: 'customers', of: info, customers });
    const { call } = this.#store.state;
    if (isLive(call) && isSameCall(call.info, info)) {
      this.#notify({ name: 'customer', call: call.info, customers });
    }
  }

  /** Rejects when the time is over, too: the page's function may never settle. */
  async #find(number: string, signal: AbortSignal): Promise<readonly Customer[]> {
    const { settings, session } = this.#connection;
    const end = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    return orAbort(findCustomers(number, settings?.lookup, session?.broker, end), end);
  }
}
