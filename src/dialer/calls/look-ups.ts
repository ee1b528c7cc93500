/** Asks who is on the other side of a call, and what it has cost. Neither delays a call, and no error is shown. */
import { findCallCost } from '../../broker/call-cost.ts';
import type { Customer } from '../../broker/contract.ts';
import { findCustomers } from '../../broker/customers.ts';
import { isWithheld } from '../../numbers/withheld.ts';
import { orAbort, pause } from '../../wait.ts';
import type { Dependencies } from '../page-events.ts';
import type { MemberCheck } from '../member/member-check.ts';
import { isLive } from '../state/call.ts';
import type { CallInfo } from '../state/call-info.ts';
import type { OutgoingCalls } from './outgoing-calls.ts';

/** For the page's own function; longer than the timeout of the broker's request. */
const CUSTOMERS_TIMEOUT_MS = 30_000;
/** Milliseconds between the end of the call and the first request for its cost, and between two requests. */
const COST_WAITS_MS = [3000, 12_000, 45_000, 120_000];

/** Once for each call. */
export function lookUpCustomers({ store, connection }: Dependencies, outgoing: OutgoingCalls): void {
  const lookUp = async (info: CallInfo) => {
    const { life, settings, session } = connection;
    const isNamed = info.direction === 'outgoing' && outgoing.options.name !== undefined;
    // The page's function may never settle.
    const end = AbortSignal.any([life, AbortSignal.timeout(CUSTOMERS_TIMEOUT_MS)]);
    const finding = findCustomers(info.number, settings?.lookup, session, end);
    const customers = await orAbort(finding, end).catch((): Customer[] => []);
    if (!life.aborted && customers.length > 0)
      store.apply({ type: 'customers', of: info, customers, isNamed });
  };

  store.subscribe(({ call }, previous) => {
    // A withheld number belongs to nobody.
    if (isLive(call) && !isLive(previous.call) && !isWithheld(call.info.number)) void lookUp(call.info);
  });
}

/** As soon as the vendor may know. */
export function lookUpCosts({ store, connection, events }: Dependencies, memberCheck: MemberCheck): void {
  const lookUp = async (call: CallInfo, signal: AbortSignal) => {
    for (const wait of COST_WAITS_MS) {
      await pause(wait, signal);
      if (signal.aborted) return;
      const { session } = connection;
      // While the dialer signs in again, there is nobody to ask: the next round asks.
      if (!session) continue;
      if (!session.has('calls')) return;
      const cost = await findCallCost(call, session, signal).catch(() => undefined);
      if (signal.aborted) return;
      if (cost === undefined) continue;
      events.emit({ name: 'callcost', call: { ...call, cost } });
      // The cost has been charged: read the new balance, and perhaps the price of a minute.
      return memberCheck.refresh();
    }
  };

  // As the call begins: what ends the call may end this too, and whoever signs in next may be another member.
  let { life } = connection;
  store.subscribe(({ call }, previous) => {
    if (isLive(call) && !isLive(previous.call)) ({ life } = connection);
    if (call.is !== 'ended' || previous.call.is !== 'active') return;
    if (call.info.direction === 'outgoing') void lookUp(call.info, life);
  });
}
