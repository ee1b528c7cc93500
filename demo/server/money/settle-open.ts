/** What becomes of a movement that was left open, by a crash or in doubt, and of a payment that was not seen to arrive. */
import type { Movement, OpenMovement } from './movement.ts';
import { balanceOf, checkRise, type PaymentDependencies } from './payment.ts';
import { NEVER_SENT } from './rules.ts';

/** Ends it as far as evidence and age allow. Any companion may do so, and any number of them at once. */
export async function settleOpen(
  open: OpenMovement,
  { vendor, ledger, timing, alert }: PaymentDependencies,
): Promise<void> {
  const { id, amount, memberNo, state, before } = open;
  if (state !== 'unknown' && open.overdue <= 0) return;
  if (state === 'claimed') {
    await ledger.advance(open, 'void', { note: NEVER_SENT });
    return;
  }
  if (state === 'sent') {
    await ledger.advance(open, 'unknown', { note: 'its companion ended before the vendor had answered' });
  }
  const after = await balanceOf(vendor, memberNo);
  if (after !== undefined && before !== null && after > before) {
    const settled = await ledger.advance(open, 'settled', {
      after,
      note: 'proved by the balance',
      isSeen: true,
    });
    if (settled) checkRise(open, before, after, alert);
  } else if (state === 'unknown' && open.age > timing.quarantineMs) {
    const abandoned = await ledger.advance(open, 'abandoned', { after });
    if (abandoned) alert(`Top-up ${id}: whether ${amount} VND reached ${memberNo} has stayed unknown.`);
  }
}

/** @param balance as read now; absent: it is read. Returns whether the balance has risen. */
export async function seeRise(
  paid: Movement,
  { vendor, ledger, alert }: PaymentDependencies,
  balance?: number,
): Promise<boolean> {
  const after = balance ?? (await balanceOf(vendor, paid.memberNo));
  if (after === undefined || after <= (paid.before ?? 0)) return false;
  const seen = await ledger.see(paid, after);
  // Later on the member may have spent some of it, so only too much is a reason to look.
  if (seen && after > (paid.before ?? 0) + paid.amount) checkRise(paid, paid.before ?? 0, after, alert);
  return true;
}
