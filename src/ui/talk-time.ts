/** How long the member's balance lasts, by what a minute costs. Milliseconds; `undefined`: the price or the balance is not known. */
import type { DialerState } from '../dialer/state/state.ts';

const MINUTE_MS = 60_000;
/** A longer time tells an agent nothing. */
const LONGEST_MS = 10_000 * 60 * MINUTE_MS;

export function talkTime({
  balance,
  pricePerMinute,
}: NonNullable<DialerState['member']>): number | undefined {
  if (balance === undefined || !pricePerMinute) return undefined;
  const time = (Math.max(0, balance) / pricePerMinute) * MINUTE_MS;
  return time <= LONGEST_MS ? time : undefined;
}

/**
 * How long the current call can last. The vendor takes the money when a call is over, so the balance is from before the
 * call. Only outgoing calls are paid.
 */
export function talkTimeLeft({ call, member }: DialerState, now: number): number | undefined {
  if (call.is !== 'active' || call.info.direction !== 'outgoing' || !member) return undefined;
  const { answeredAt = now } = call.info;
  const all = talkTime(member);
  return all === undefined ? undefined : Math.max(0, all - Math.max(0, now - answeredAt));
}
