/**
 * The money rules, and the only place that may call addMoney. The vendor gives no idempotency key and no list of past
 * top-ups, so a lost answer cannot be asked for again: the intent is written down first, the money is sent at most once
 * per intent, and whatever is in doubt keeps its share of the day's limits until a balance proves what happened.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { LedgerError, type Ledger } from './ledger.ts';
import { bringToAnEnd } from './reconcile.ts';
import type { Movement, TopUpReason } from './movement.ts';
import type { Refusal } from './rules.ts';
import { TIMING, type Timing } from './timing.ts';
import { hasEnded, type MemberRow } from '../open-api/data.ts';
import { memberNoSchema, VendorError, type MemberNo, type OpenApi } from '../open-api/open-api.ts';
import type { TopUpPolicy } from '../environment.ts';
import {
  ADMIN_SHORT,
  enough,
  failed,
  REFUSALS,
  REFUSED_CLAIMS,
  skipped,
  type TopUpResult,
} from './top-up-result.ts';

/** What of the vendor it takes to move money. */
export type Bank = Pick<OpenApi, 'readMember' | 'adminBalance' | 'addMoney'>;

export class TopUp {
  readonly #vendor: Bank;
  readonly #ledger: Ledger;
  readonly #policy: TopUpPolicy;
  readonly #timing: Timing;
  readonly #alert: (text: string) => void;
  readonly #running = new Map<MemberNo, Promise<TopUpResult>>();
  /** Until when the partner account counts as short of money, by `performance.now`; 0: it is not. */
  #shortUntil = 0;

  /** @param alert told what a person should look at; holds no secret */
  constructor(
    vendor: Bank,
    ledger: Ledger,
    policy: TopUpPolicy,
    timing = TIMING,
    alert: (text: string) => void = console.warn,
  ) {
    this.#vendor = vendor;
    this.#ledger = ledger;
    this.#policy = policy;
    this.#timing = timing;
    this.#alert = alert;
  }

  /**
   * Sees to it that the member, as just read, has money, as far as policy and limits allow. What the vendor or the
   * ledger cannot do is a result, not an error; what takes them too long goes on without whoever asked.
   */
  async ensure(memberNo: MemberNo, member: MemberRow, reason: TopUpReason): Promise<TopUpResult> {
    if (member.balance > 0) return enough(member.balance);
    if (this.#policy.mode === 'off') return skipped('off', 'topping up is switched off');
    if (hasEnded(member)) return skipped('ended', "the member's account has ended");
    if (this.#policy.mode === 'request' && reason === 'session') {
      return skipped('not-asked', 'waits until the agent asks');
    }
    const running =
      this.#running.get(memberNo) ??
      this.#run(memberNo, reason).finally(() => this.#running.delete(memberNo));
    this.#running.set(memberNo, running);
    const { patienceMs } = this.#timing;
    if (patienceMs === undefined) return running;
    const meanwhile = { ...failed('pending', 'the vendor takes its time'), balance: member.balance };
    return Promise.race([running, delay(patienceMs, meanwhile, { ref: false })]);
  }

  /** Resolves when no money is on its way any more, also for those who had no patience. */
  async rest(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  /** Ends what was left open, of one member or of all, as far as evidence and age allow. */
  async sweep(memberNo?: MemberNo): Promise<void> {
    const { quarantineMs } = this.#timing;
    const investigation = { quarantineMs, balanceOf: this.#balanceOf, alert: this.#alert };
    for (const open of await this.#ledger.open(memberNo)) {
      await bringToAnEnd(this.#ledger, open, investigation);
    }
  }

  async #run(memberNo: MemberNo, reason: TopUpReason): Promise<TopUpResult> {
    if (performance.now() < this.#shortUntil) return ADMIN_SHORT;
    try {
      const movement = await this.#claim(memberNo, reason);
      return typeof movement === 'string'
        ? await this.#explain(memberNo, movement)
        : await this.#pay(movement);
    } catch (error) {
      if (error instanceof LedgerError) return failed('ledger', error.message);
      if (error instanceof VendorError) return failed('vendor', error.message);
      throw error;
    }
  }

  async #claim(memberNo: MemberNo, reason: TopUpReason): Promise<Movement | Refusal> {
    const wish = { memberNo, reason, ...this.#policy, ...this.#timing };
    const first = await this.#ledger.claim(wish);
    if (first !== 'open') return first;
    await this.sweep(memberNo);
    return this.#ledger.claim(wish);
  }

  /** The balance that brought us here may be from before somebody else's top-up. */
  async #explain(memberNo: MemberNo, refusal: Refusal): Promise<TopUpResult> {
    const { balance } = await this.#vendor.readMember(memberNo);
    return balance > 0 ? enough(balance) : { ...REFUSED_CLAIMS[refusal], balance };
  }

  async #pay(claimed: Movement): Promise<TopUpResult> {
    const { before, admin } = await this.#readBalances(claimed);
    if (before > 0) {
      await this.#ledger.advance(claimed, 'void', { before, note: 'not needed any more' });
      return enough(before);
    }
    if (admin < claimed.amount) {
      const note = `the partner account has ${admin} VND`;
      if (this.#shortUntil === 0) this.#alert(`No top-ups for now: ${note}.`);
      this.#shortUntil = performance.now() + this.#timing.retryMs;
      await this.#ledger.advance(claimed, 'void', { before, note });
      return { ...ADMIN_SHORT, balance: before };
    }
    this.#shortUntil = 0;
    const fencedAt = performance.now();
    const sent = await this.#ledger.send(claimed, before);
    if (!sent) return failed('pending', 'another run has taken over');
    // Held up since, e.g. stopped or asleep: by now the others may count this one among the dead.
    if (performance.now() - fencedAt > this.#timing.leaseMs / 2) {
      await this.#ledger.advance(sent, 'void', { note: 'too late to send' });
      return failed('pending', 'this run was held up for too long');
    }
    return this.#send(sent, before);
  }

  /** Read after the claim: from here on nobody else pays this member, so what is read stays true. */
  async #readBalances(claimed: Movement): Promise<{ before: number; admin: number }> {
    try {
      const [member, admin] = await Promise.all([
        this.#vendor.readMember(memberNoSchema.parse(claimed.memberNo)),
        this.#vendor.adminBalance(),
      ]);
      return { before: member.balance, admin };
    } catch (error) {
      await this.#ledger.advance(claimed, 'void', { note: 'a balance could not be read' });
      throw error;
    }
  }

  /** The one POST. */
  async #send(sent: Movement, before: number): Promise<TopUpResult> {
    const memberNo = memberNoSchema.parse(sent.memberNo);
    const error = await this.#vendor.addMoney(memberNo, sent.amount).then(() => undefined, asVendorError);
    const after = await this.#balanceOf(memberNo);
    const note = error?.message;
    if (!error || (after !== undefined && after > before)) {
      await this.#ledger.advance(sent, 'settled', { after, note: note && `${note} Proved by the balance.` });
      const detail = `${sent.amount} VND added: ${before} → ${after ?? 'not read'}`;
      return { status: 'done', why: 'paid', detail, balance: after };
    }
    const vendorCode = error.code === 'refused' ? error.vendorCode : undefined;
    const refusal = vendorCode === undefined ? undefined : REFUSALS.get(vendorCode);
    if (refusal !== undefined && after !== undefined) {
      await this.#ledger.advance(sent, 'failed', { after, note });
      return { ...failed('refused', refusal), balance: after, vendorCode };
    }
    await this.#ledger.advance(sent, 'unknown', { after, note });
    return { ...failed('unconfirmed', 'sent, but the vendor has not confirmed it'), balance: after };
  }

  readonly #balanceOf = async (memberNo: string): Promise<number | undefined> => {
    try {
      return (await this.#vendor.readMember(memberNoSchema.parse(memberNo))).balance;
    } catch {
      // Then nothing is proved, which every caller takes into account.
      return undefined;
    }
  };
}

function asVendorError(error: unknown): VendorError {
  if (error instanceof VendorError) return error;
  throw error;
}
