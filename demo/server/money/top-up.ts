/**
 * The money rules, and with payment.ts the only place that may call addMoney. The vendor gives no idempotency key and no
 * list of past top-ups, so a lost answer cannot be asked for again: the intent is written down first, the money is sent at
 * most once per intent, and whatever is in doubt keeps its share of the day's limits until a balance proves what happened.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { hasEnded, type MemberNo, type MemberRow } from '../vendor/data.ts';
import { VendorError } from '../vendor/response.ts';
import type { Ledger } from './ledger.ts';
import { LedgerError } from './ledger-reader.ts';
import type { Movement, TopUpReason } from './movement.ts';
import { pay, type MoneyApi, type PaymentDependencies } from './payment.ts';
import { scopeOf, type Refusal, type TopUpPolicy } from './rules.ts';
import { seeRise, settleOpen } from './settle-open.ts';
import { TIMING, type Timing } from './timing.ts';
import { ADMIN_SHORT, enough, failed, REFUSED_CLAIMS, skipped, type TopUpResult } from './top-up-result.ts';

export interface TopUpOptions {
  readonly timing?: Timing;
  /** Told what a person should look at; holds no secret. */
  readonly alert?: (text: string) => void;
  /** Told when the store has failed. */
  readonly ledgerFailed?: (error: LedgerError) => void;
  /** A person has said at the command line that the limits are not meant. */
  readonly isBeyondLimits?: boolean;
}

/** How long the budget is believed without being looked at again. */
const CHECK_MS = 5000;

export class TopUp {
  readonly #policy: TopUpPolicy;
  readonly #payment: PaymentDependencies;
  readonly #ledgerFailed: (error: LedgerError) => void;
  readonly #isBeyondLimits: boolean;
  readonly #running = new Map<MemberNo, Promise<TopUpResult>>();
  /** Members who were paid and whose balance has not been seen to rise, as far as this process knows. */
  readonly #unseen = new Set<string>();
  /** Until when the partner account counts as short of money, by `performance.now`; 0: it is not. */
  #shortUntil = 0;
  #checking: Promise<boolean> | undefined;
  #checkedAt = 0;

  constructor(
    vendor: MoneyApi,
    ledger: Ledger,
    policy: TopUpPolicy,
    { timing = TIMING, alert = console.warn, ledgerFailed, isBeyondLimits = false }: TopUpOptions = {},
  ) {
    this.#policy = policy;
    this.#payment = { vendor, ledger, timing, alert };
    this.#ledgerFailed = ledgerFailed ?? (() => undefined);
    this.#isBeyondLimits = isBeyondLimits;
  }

  /**
   * Sees to it that the member, as just read, has money, as far as policy and limits allow. What the vendor or the
   * ledger cannot do is a result, not an error; what takes them too long goes on without whoever asked.
   */
  async ensure(memberNo: MemberNo, member: MemberRow, reason: TopUpReason): Promise<TopUpResult> {
    if (member.balance > 0) {
      if (this.#unseen.has(scopeOf(memberNo))) this.#see(memberNo, member.balance);
      return enough(member.balance);
    }
    if (this.#policy.mode === 'off') return skipped('off', 'topping up is switched off');
    if (hasEnded(member)) return skipped('ended', "the member's account has ended");
    if (this.#policy.mode === 'request' && reason === 'session') {
      return skipped('not-asked', 'waits until the agent asks');
    }
    const running =
      this.#running.get(memberNo) ??
      this.#run(memberNo, reason).finally(() => this.#running.delete(memberNo));
    this.#running.set(memberNo, running);
    const { timeoutMs } = this.#payment.timing;
    if (timeoutMs === undefined) return running;
    const meanwhile = { ...failed('pending', 'the vendor takes its time'), balance: member.balance };
    return Promise.race([running, delay(timeoutMs, meanwhile, { ref: false })]);
  }

  /** Resolves when no money is on its way any more, also for those who did not wait for it. */
  async rest(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  /** Ends what was left open, of one member or of all, as far as evidence and age allow. */
  async sweep(memberNo?: MemberNo): Promise<void> {
    const { ledger, timing } = this.#payment;
    for (const open of await ledger.open(memberNo)) await settleOpen(open, this.#payment);
    if (memberNo !== undefined) return;
    const unseen = await ledger.unseen(timing.coolDownMs);
    this.#unseen.clear();
    for (const paid of unseen) {
      if (!(await seeRise(paid, this.#payment))) this.#unseen.add(scopeOf(paid.memberNo));
    }
  }

  /** Whether the day's budget is the sum of its movements, as of a moment ago; once it was not, it never is again. */
  check(): Promise<boolean> {
    const now = performance.now();
    if (this.#checking && now - this.#checkedAt < CHECK_MS) return this.#checking;
    this.#checkedAt = now;
    this.#checking = this.#payment.ledger.mismatches().then(
      (mismatches) => {
        if (mismatches.length === 0) return true;
        this.#checkedAt = Infinity;
        this.#payment.alert(
          `NO TOP-UPS until this is put right and the companion restarted: ${mismatches.join('; ')}.`,
        );
        return false;
      },
      (error: unknown) => {
        this.#checking = undefined;
        throw error;
      },
    );
    return this.#checking;
  }

  async #run(memberNo: MemberNo, reason: TopUpReason): Promise<TopUpResult> {
    if (performance.now() < this.#shortUntil) return ADMIN_SHORT;
    try {
      if (!(await this.check())) return failed('ledger', 'the budget does not agree with the movements');
      const movement = await this.#claim(memberNo, reason);
      if (typeof movement === 'string') return await this.#explain(memberNo, movement);
      const result = await pay(movement, this.#payment);
      this.#learn(memberNo, result);
      return result;
    } catch (error) {
      if (error instanceof LedgerError) {
        this.#ledgerFailed(error);
        return failed('ledger', error.message);
      }
      if (error instanceof VendorError) return failed('vendor', error.message);
      throw error;
    }
  }

  #learn(memberNo: MemberNo, { why, balance }: TopUpResult): void {
    if (why === 'admin-short') {
      if (this.#shortUntil === 0)
        this.#payment.alert('No top-ups for now: the partner account is short of money.');
      this.#shortUntil = performance.now() + this.#payment.timing.retryMs;
      return;
    }
    this.#shortUntil = 0;
    if (why === 'paid' && !(balance !== undefined && balance > 0)) this.#unseen.add(scopeOf(memberNo));
  }

  async #claim(memberNo: MemberNo, reason: TopUpReason): Promise<Movement | Refusal> {
    const { ledger, timing } = this.#payment;
    const isBeyondLimits = this.#isBeyondLimits;
    const request = { memberNo, reason, isBeyondLimits, ...this.#policy, ...timing };
    const first = await ledger.claim(request);
    if (first !== 'open') return first;
    await this.sweep(memberNo);
    return ledger.claim(request);
  }

  /** The balance that brought us here may be from before somebody else's top-up. */
  async #explain(memberNo: MemberNo, refusal: Refusal): Promise<TopUpResult> {
    const { balance } = await this.#payment.vendor.readMember(memberNo);
    if (balance <= 0) return { ...REFUSED_CLAIMS[refusal], balance };
    if (refusal === 'not-seen') this.#see(memberNo, balance);
    return enough(balance);
  }

  /** Goes on by itself: nobody has to wait for it, and the next sweep makes up for a failure. */
  #see(memberNo: MemberNo, balance: number): void {
    this.#unseen.delete(scopeOf(memberNo));
    this.#writeRise(memberNo, balance).catch(() => this.#unseen.add(scopeOf(memberNo)));
  }

  async #writeRise(memberNo: MemberNo, balance: number): Promise<void> {
    const { ledger, timing } = this.#payment;
    for (const paid of await ledger.unseen(timing.coolDownMs, memberNo))
      await seeRise(paid, this.#payment, balance);
  }
}
