/**
 * The money rules, and the only place that may call addMoney. The vendor gives no idempotency key and no list of past
 * top-ups, so a lost answer cannot be asked for again: the intent is written down first, the money is sent at most once
 * per intent, and whatever is in doubt keeps its share of the day's limits until a balance proves what happened.
 */
import type { TopUpPolicy } from './environment.ts';
import type { Facts, Ledger, Movement, MovementState, TopUpReason } from './ledger.ts';
import { LedgerError } from './ledger.ts';
import { VendorError, type MemberNo, type OpenApi } from './open-api.ts';
import { hasEnded, type MemberRow } from './vendor-data.ts';

export interface TopUpResult {
  readonly status: 'done' | 'skipped' | 'failed';
  readonly why:
    | 'paid'
    | 'enough' // the member has money now
    | 'off'
    | 'ended'
    | 'not-asked' // the policy says no
    | 'limit'
    | 'pending'
    | 'unconfirmed'
    | 'refused'
    | 'vendor'
    | 'ledger';
  /** For people; holds no secret. */
  readonly detail: string;
  /** VND, if it was read after the fact. */
  readonly balance?: number | undefined;
  readonly vendorCode?: number | undefined;
}

/** How long a claim may take until its money is sent; after that, others may take it for dead. */
const LEASE_MS = 30_000;
/** How long after a doubtful answer the money may still arrive; then the member may be topped up anew. */
const QUARANTINE_MS = 10 * 60_000;
/** The answers that mean "not done", as far as the balance agrees. */
const REFUSALS = new Map([
  [-1, 'the member is on a call'],
  [401, 'the API key is not accepted'],
  [402, 'the partner account is short of money, or the top-up failed at the vendor'],
  [403, 'the API key may not do this'],
  [404, 'the vendor does not know the member or the account that pays'],
]);

export class TopUp {
  readonly #vendor: OpenApi;
  readonly #ledger: Ledger;
  readonly #policy: TopUpPolicy;
  readonly #running = new Map<MemberNo, Promise<TopUpResult>>();

  constructor(vendor: OpenApi, ledger: Ledger, policy: TopUpPolicy) {
    this.#vendor = vendor;
    this.#ledger = ledger;
    this.#policy = policy;
  }

  /**
   * Sees to it that the member, as just read, has money, as far as policy and limits allow. What the vendor or the
   * ledger cannot do is a result, not an error.
   */
  async ensure(memberNo: MemberNo, member: MemberRow, reason: TopUpReason): Promise<TopUpResult> {
    if (member.balance <= 0) {
      if (this.#policy.mode === 'off') return skipped('off', 'topping up is switched off');
      if (hasEnded(member)) return skipped('ended', "the member's account has ended");
      if (this.#policy.mode === 'request' && reason === 'session') {
        return skipped('not-asked', 'waits until the agent asks');
      }
    }
    const running = this.#running.get(memberNo) ?? this.#run(memberNo, member.balance, reason);
    this.#running.set(memberNo, running);
    return running;
  }

  async #run(memberNo: MemberNo, balance: number, reason: TopUpReason): Promise<TopUpResult> {
    try {
      const open = await this.#ledger.openMovement(memberNo);
      if (open && !(await this.#resolve(memberNo, open)) && balance <= 0) {
        return failed('pending', 'an earlier top-up is under way or not confirmed yet');
      }
      if (balance > 0) return { ...skipped('enough', 'the balance is above 0'), balance };
      return await this.#pay(memberNo, reason);
    } catch (error) {
      if (error instanceof LedgerError) return failed('ledger', error.message);
      if (error instanceof VendorError) return failed('vendor', error.message);
      throw error;
    } finally {
      this.#running.delete(memberNo);
    }
  }

  /** Ends what an earlier run left open, on evidence or by age; false: not yet. */
  async #resolve(memberNo: MemberNo, open: Movement): Promise<boolean> {
    const age = Date.now() - Date.parse(open.at);
    if (open.state === 'unknown') return this.#resolveUnknown(memberNo, open, age);
    if (age <= LEASE_MS) return false;
    if (open.state === 'claimed') return this.#move(open, 'void', { note: 'left behind before it was sent' });
    const doubtful = await this.#ledger.advance(open, 'unknown', { note: 'left behind when it was sent' });
    return doubtful !== undefined && this.#resolveUnknown(memberNo, doubtful, 0);
  }

  async #resolveUnknown(memberNo: MemberNo, unknown: Movement, age: number): Promise<boolean> {
    // Evidence has to be younger than the doubt, so the balance that brought us here is not good enough.
    const { balance } = await this.#vendor.readMember(memberNo);
    if (unknown.before !== undefined && balance > unknown.before) {
      return this.#move(unknown, 'settled', { after: balance, note: 'proved by the balance' });
    }
    return age > QUARANTINE_MS && this.#move(unknown, 'abandoned', { after: balance });
  }

  async #pay(memberNo: MemberNo, reason: TopUpReason): Promise<TopUpResult> {
    const { amount, dailyLimit, dailyLimitPerMember } = this.#policy;
    const claim = await this.#ledger.claim({ memberNo, amount, reason, dailyLimit, dailyLimitPerMember });
    if ('refused' in claim) return explainRefusedClaim(claim.refused);

    // Read again: the balance that brought us here may be from before somebody else's top-up.
    const before = await this.#readBalance(memberNo, claim.movement);
    if (before > 0) {
      await this.#move(claim.movement, 'void', { before, note: 'not needed any more' });
      return { ...skipped('enough', 'the balance is above 0'), balance: before };
    }
    const sent = await this.#ledger.advance(claim.movement, 'sent', { before });
    if (!sent) return failed('pending', 'another run has taken over');
    if (Date.now() - Date.parse(sent.claimedAt) > LEASE_MS) {
      await this.#move(sent, 'void', { note: 'too late to send' });
      return failed('pending', 'this run was held up for too long');
    }
    return this.#send(memberNo, sent, before);
  }

  /** The one POST. */
  async #send(memberNo: MemberNo, sent: Movement, before: number): Promise<TopUpResult> {
    try {
      await this.#vendor.addMoney(memberNo, sent.amount);
    } catch (error) {
      return this.#judge(memberNo, sent, before, error);
    }
    const after = await this.#balanceNow(memberNo);
    await this.#move(sent, 'settled', { after });
    return paid(sent.amount, before, after);
  }

  /** No plain success: only the balance tells what happened. */
  async #judge(memberNo: MemberNo, sent: Movement, before: number, error: unknown): Promise<TopUpResult> {
    const vendorCode =
      error instanceof VendorError && error.code === 'refused' ? error.vendorCode : undefined;
    const refusal = vendorCode === undefined ? undefined : REFUSALS.get(vendorCode);
    const note = error instanceof Error ? error.message : undefined;
    const after = await this.#balanceNow(memberNo);
    if (after !== undefined && after > before) {
      await this.#move(sent, 'settled', { after, note: 'proved by the balance' });
      return paid(sent.amount, before, after);
    }
    if (refusal !== undefined && after !== undefined) {
      await this.#move(sent, 'failed', { after, note });
      return { ...failed('refused', refusal), balance: after, vendorCode };
    }
    await this.#move(sent, 'unknown', { after, note });
    return { ...failed('unconfirmed', 'sent, but the vendor has not confirmed it'), balance: after };
  }

  async #readBalance(memberNo: MemberNo, claimed: Movement): Promise<number> {
    try {
      return (await this.#vendor.readMember(memberNo)).balance;
    } catch (error) {
      await this.#move(claimed, 'void', { note: 'the balance could not be read' });
      throw error;
    }
  }

  async #balanceNow(memberNo: MemberNo): Promise<number | undefined> {
    try {
      return (await this.#vendor.readMember(memberNo)).balance;
    } catch {
      // Then nothing is proved, which every caller takes into account.
      return undefined;
    }
  }

  async #move(movement: Movement, state: MovementState, facts?: Facts): Promise<boolean> {
    return (await this.#ledger.advance(movement, state, facts)) !== undefined;
  }
}

function explainRefusedClaim(refused: 'open' | 'member-limit' | 'daily-limit'): TopUpResult {
  if (refused === 'open') return failed('pending', 'another top-up of this member is under way');
  const whose = refused === 'member-limit' ? 'this member' : 'all members';
  return failed('limit', `today's top-up limit of ${whose} is reached`);
}

function paid(amount: number, before: number, after: number | undefined): TopUpResult {
  const detail = `${amount} VND added: ${before} → ${after ?? 'not read'}`;
  return { status: 'done', why: 'paid', detail, balance: after };
}

function skipped(why: TopUpResult['why'], detail: string): TopUpResult {
  return { status: 'skipped', why, detail };
}

function failed(why: TopUpResult['why'], detail: string): TopUpResult {
  return { status: 'failed', why, detail };
}
