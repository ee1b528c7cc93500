/** What a call costs: every minute is paid for when it starts. */
import type { CallRecord, World } from '../world/world.ts';

/** What a started minute of an answered call costs, in VND. */
export const PRICE_PER_MINUTE = 300;

/** Takes the first minute now and every further one as it starts, until the returned function is called. */
export function startMeter(world: World, record: CallRecord, minuteMs: number): () => void {
  const charge = () => {
    const member = world.members.get(record.memberNo);
    if (member === undefined) return;
    record.cost += PRICE_PER_MINUTE;
    world.setBalance(member, member.balance - PRICE_PER_MINUTE);
  };
  charge();
  const timer = setInterval(charge, minuteMs);
  return () => clearInterval(timer);
}
