/** What becomes of a movement that somebody left open, by a crash or in doubt. */
import type { Ledger } from './ledger.ts';
import type { OpenMovement } from './movement.ts';

export interface Investigation {
  /** How long after a doubtful answer the money may still arrive. */
  readonly quarantineMs: number;
  /** VND, as the vendor says now; undefined when that cannot be read. */
  balanceOf(memberNo: string): Promise<number | undefined>;
  /** Told what a person should look at. */
  alert(text: string): void;
}

/** Ends it as far as evidence and age allow. Any companion may do so, and any number of them at once. */
export async function bringToAnEnd(
  ledger: Ledger,
  open: OpenMovement,
  { quarantineMs, balanceOf, alert }: Investigation,
): Promise<void> {
  const { id, amount, memberNo, state, before } = open;
  if (state !== 'unknown' && open.overdue <= 0) return;
  if (state === 'claimed') {
    await ledger.advance(open, 'void', { note: 'left behind before it was sent' });
    return;
  }
  if (state === 'sent') await ledger.advance(open, 'unknown', { note: 'left behind when it was sent' });
  const after = await balanceOf(memberNo);
  if (after !== undefined && before !== null && after > before) {
    await ledger.advance(open, 'settled', { after, note: 'proved by the balance' });
  } else if (state === 'unknown' && open.age > quarantineMs) {
    const abandoned = await ledger.advance(open, 'abandoned', { after });
    if (abandoned) alert(`Top-up ${id}: whether ${amount} VND reached ${memberNo} has stayed unknown.`);
  }
}
