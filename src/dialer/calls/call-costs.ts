/** Asks the broker what a call has cost, as soon as the vendor may know. */
import { findCallCost } from '../../broker/call-cost.ts';
import { pause } from '../../wait.ts';
import type { Dependencies } from '../dependencies.ts';
import type { MemberCheck } from '../member/member-check.ts';
import type { CallInfo } from '../state/call-info.ts';

/** Milliseconds between the end of the call and the first request, and between two requests. */
const WAITS_MS = [3000, 12_000, 45_000, 120_000];

export function lookUpCosts({ store, connection, events }: Dependencies, memberCheck: MemberCheck): void {
  const lookUp = async (call: CallInfo) => {
    const { life: signal } = connection;
    for (const wait of WAITS_MS) {
      await pause(wait, signal);
      if (signal.aborted) return;
      const { session } = connection;
      // While the dialer signs in again, there is nobody to ask: the next round asks.
      if (!session) continue;
      if (!session.has('calls')) return;
      // The agent did not ask, so no error is shown.
      const cost = await findCallCost(call, session, signal).catch(() => undefined);
      if (signal.aborted) return;
      if (cost === undefined) continue;
      const charged = { ...call, cost };
      events.report({ is: 'cost-known', call: charged });
      events.emit({ name: 'callcost', call: charged });
      // The cost has been charged: read the new balance, and perhaps the price of a minute.
      return memberCheck.refresh();
    }
  };

  store.subscribe(({ call, line }, previous) => {
    // A `disconnect()` has ended the call: whoever signs in next may be another member.
    if (call.is !== 'ended' || previous.call.is !== 'active' || line.is === 'off') return;
    if (call.info.direction === 'outgoing') void lookUp(call.info);
  });
}
