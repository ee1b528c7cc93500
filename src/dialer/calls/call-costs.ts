/** Asks the broker what a call has cost, as soon as the vendor may know. */
import { findCallCost } from '../../broker/call-cost.ts';
import { pause } from '../../wait.ts';
import type { Dependencies } from '../dependencies.ts';
import type { MemberCheck } from '../member/member-check.ts';
import type { CallInfo } from '../state/call-info.ts';
import type { DialerState } from '../state/state.ts';

/** Milliseconds between the end of the call and the first request, and between two requests. */
const WAITS_MS = [3000, 12_000, 45_000, 120_000];

export class CallCosts {
  readonly #connection: Dependencies['connection'];
  readonly #events: Dependencies['events'];
  readonly #memberCheck: MemberCheck;

  constructor({ connection, events }: Dependencies, memberCheck: MemberCheck) {
    this.#connection = connection;
    this.#events = events;
    this.#memberCheck = memberCheck;
  }

  stateChanged({ call }: DialerState, previous: DialerState): void {
    if (call.is !== 'ended' || previous.call.is !== 'active') return;
    if (call.info.direction === 'outgoing') void this.#ask(call.info);
  }

  async #ask(call: CallInfo): Promise<void> {
    const { life: signal } = this.#connection;
    for (const wait of WAITS_MS) {
      await pause(wait, signal);
      if (signal.aborted) return;
      const { session } = this.#connection;
      // While the dialer signs in again, there is nobody to ask: the next round asks.
      if (!session) continue;
      if (!session.has('calls')) return;
      // The agent did not ask, so no error is shown.
      const cost = await findCallCost(call, session, signal).catch(() => undefined);
      if (signal.aborted) return;
      if (cost === undefined) continue;
      this.#events.report({ is: 'cost-known', call: { ...call, cost } });
      // Now the balance is without it, and the broker may have learned the price of a minute.
      return this.#memberCheck.refresh();
    }
  }
}
