/** Asks once for each call who is on the other side. The lookup never delays a call. */
import type { Customer } from '../../broker/contract.ts';
import { findCustomers } from '../../broker/customers.ts';
import { isWithheld } from '../../numbers/withheld.ts';
import { orAbort } from '../../wait.ts';
import { isSameCall, type CallInfo } from '../state/call-info.ts';
import type { Dependencies } from '../dependencies.ts';
import type { OutgoingCalls } from './outgoing-calls.ts';

/** For the page's own function; longer than the timeout of the broker's request. */
const TIMEOUT_MS = 30_000;

export function lookUpCustomers({ store, connection }: Dependencies, outgoing: OutgoingCalls): void {
  const lookUp = async (info: CallInfo) => {
    const { life, settings, session } = connection;
    const isNamed = info.direction === 'outgoing' && outgoing.options.name !== undefined;
    // The page's function may never settle.
    const end = AbortSignal.any([life, AbortSignal.timeout(TIMEOUT_MS)]);
    const finding = findCustomers(info.number, settings?.lookup, session, end);
    const customers = await orAbort(finding, end).catch((): Customer[] => []);
    if (!life.aborted && customers.length > 0)
      store.apply({ type: 'customers', of: info, customers, isNamed });
  };

  let latest: CallInfo | undefined;
  store.subscribe(({ call }) => {
    if (call.is !== 'incoming' && call.is !== 'dialing') return;
    if (latest && isSameCall(latest, call.info)) return;
    latest = call.info;
    // A withheld number belongs to nobody.
    if (!isWithheld(call.info.number)) void lookUp(call.info);
  });
}
