/**
 * Settling: ends open movements as far as evidence and age allow, and checks which payments have arrived. Any companion may do
 * so for all others.
 */
import { memberKey, type MemberNo } from '../vbot/api.ts';
import type { Ledger } from './ledger.ts';
import { rounded, type Movement, type OpenMovement } from './movement.ts';
import { NEVER_SENT } from './reserve.ts';
import type { MoneyApi, MoneyLog } from './result.ts';

export class Settlement {
  readonly #vendor: MoneyApi;
  readonly #ledger: Ledger;
  readonly #log: MoneyLog;
  /** Paid members whose balance was not seen to rise. */
  readonly #unseen = new Set<string>();
  /** Whether the log says that the vendor shows money late. */
  #isLatenessTold = false;

  constructor(vendor: MoneyApi, ledger: Ledger, log: MoneyLog) {
    this.#vendor = vendor;
    this.#ledger = ledger;
    this.#log = log;
  }

  /** Open movements, of one member or of all. */
  async sweep(memberNo?: MemberNo, signal?: AbortSignal): Promise<void> {
    await this.#ledger.redate();
    for (const open of await this.#ledger.open(memberNo)) {
      if (signal?.aborted) return;
      await this.#settle(open);
    }
    if (memberNo === undefined) await this.#seeArrivals(signal);
  }

  /** The member has money: checks in the background whether a payment has arrived. */
  noteMoney(memberNo: MemberNo): void {
    const wasUnseen = this.#unseen.size > 0 && this.#unseen.delete(memberKey(memberNo));
    // After a failure, the next sweep does it.
    if (wasUnseen) this.#seeArrivals().catch(() => undefined);
  }

  /** The vendor has said that the member was paid; their balance may be shown late. */
  notePaid(sent: Movement, before: number, after: number | undefined): void {
    if (after !== undefined && after > before) return this.#checkRise(sent, before, after);
    this.#unseen.add(memberKey(sent.memberNo));
    if (after === undefined || this.#isLatenessTold) return;
    this.#isLatenessTold = true;
    this.#log.alert(
      `Top-up ${sent.id}: the vendor took ${sent.amount} VND for ${sent.memberNo} but still shows ${after} VND. If it only ` +
        'updates balances late, do nothing; until the balance rises, the next top-up of this member has to wait. This is logged once.',
    );
  }

  async #settle(open: OpenMovement): Promise<void> {
    const { id, amount, memberNo, reason, state, before } = open;
    if (state !== 'unknown' && open.overdue <= 0) return;
    if (state === 'claimed') {
      await this.#ledger.advance(open, 'void', { note: NEVER_SENT });
      return;
    }
    if (state === 'sent') {
      await this.#ledger.advance(open, 'unknown', {
        note: 'the companion stopped before the vendor responded',
      });
    }
    const after = await this.#readBalance(memberNo);
    if (after !== undefined && before !== null && after > before) {
      const facts = { after, note: 'proved by the balance', isSeen: true };
      if (!(await this.#ledger.advance(open, 'settled', facts))) return;
      const detail = `${amount} VND added: ${before} → ${after}, seen later`;
      this.#log.topUp(memberNo, reason, { status: 'done', why: 'paid', detail, amount });
      this.#checkRise(open, before, after);
    } else if (state === 'unknown' && open.age > this.#ledger.timing.quarantineMs) {
      const abandoned = await this.#ledger.advance(open, 'abandoned', { after });
      if (abandoned)
        this.#log.alert(
          `Top-up ${id}: whether ${amount} VND reached ${memberNo} has stayed unknown. Check it in the vendor's console.`,
        );
    }
  }

  /** Checks which payments have arrived; until then their members get no further one. */
  async #seeArrivals(signal?: AbortSignal): Promise<void> {
    for (const paid of await this.#ledger.unseen()) {
      if (signal?.aborted) return;
      const { memberNo, before } = paid;
      const after = await this.#readBalance(memberNo);
      if (after === undefined || before === null || after <= before) {
        this.#unseen.add(memberKey(memberNo));
        continue;
      }
      const seen = await this.#ledger.see(paid, after);
      if (seen) this.#checkRise(paid, before, after);
    }
  }

  /** Alerts if the balance is higher than this payment alone makes it. The member may have spent some of it meanwhile. */
  #checkRise({ id, memberNo, amount }: Movement, before: number, after: number): void {
    const expected = rounded(before + amount);
    if (after <= expected) return;
    this.#log.alert(
      `Top-up ${id}: the balance of ${memberNo} went from ${before} to ${after} VND, not to ${expected}. ` +
        'Something else changes this balance, too: is there a second ledger (another companion or script) for this account?',
    );
  }

  /** VND; undefined when it cannot be read: then nothing is proved. */
  async #readBalance(memberNo: MemberNo): Promise<number | undefined> {
    return (await this.#vendor.readMember(memberNo).catch(() => undefined))?.balance;
  }
}
