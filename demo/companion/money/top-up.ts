/**
 * The money rules. Only send.ts may call addMoney. The vendor has no idempotency key and no list of past top-ups,
 * so a lost answer is lost for good. Therefore: write the intent down first, send the money at most once per intent, and
 * count a doubtful payment against the day's limits until a balance proves what happened.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { memberKey, type MemberNo, type MemberRow } from '../vbot/api.ts';
import { VendorError } from '../vbot/errors.ts';
import { PartnerAccount } from './account.ts';
import { LedgerError, type Ledger } from './ledger.ts';
import type { Movement, TopUpReason } from './movement.ts';
import type { Refusal } from './reserve.ts';
import {
  ADMIN_SHORT,
  enough,
  failed,
  REFUSED_CLAIMS,
  skipped,
  vendorFailure,
  type MoneyApi,
  type MoneyLog,
  type TopUpPolicy,
  type TopUpResult,
} from './result.ts';
import { pay, useless } from './send.ts';
import { Settlement } from './settle.ts';
import type { Standing } from './standing.ts';

interface TopUpOptions {
  readonly log: MoneyLog;
  /** How long the caller waits before the answer is `pending`; absent: to the end. */
  readonly timeoutMs?: number | undefined;
}

/** Why nobody can be paid now. */
export interface Trouble {
  readonly why: 'ledger' | 'admin-short' | 'daily-limit' | 'clock-ahead';
  readonly text: string;
}

/** The state of the money, and what stops top-ups. */
export interface Outlook {
  /** Empty: top-ups can be made. */
  readonly troubles: readonly Trouble[];
  /** Undefined: the ledger cannot be read. */
  readonly standing: Standing | undefined;
}

/** How long a comparison of the budget is valid. */
const CHECK_MS = 5000;

export class TopUp {
  readonly #vendor: MoneyApi;
  readonly account: PartnerAccount;
  readonly #ledger: Ledger;
  readonly #settlement: Settlement;
  readonly #means: Parameters<typeof pay>[0];
  readonly #policy: TopUpPolicy;
  readonly #timeoutMs: number | undefined;
  readonly #log: MoneyLog;
  readonly #running = new Map<string, Promise<TopUpResult>>();
  /** Until when the partner account counts as short of money, by `performance.now`; 0: it does not. */
  #shortUntil = 0;
  /** The text of the alert if the day's budget is not the sum of the movements; else empty. */
  readonly #budgetCheck = new LRUCache<'trouble', string>({
    max: 1,
    ttl: CHECK_MS,
    ttlResolution: 0,
    fetchMethod: async (_, __, { options }) => {
      await this.#ledger.checkWritable();
      const mismatches = await this.#ledger.mismatches();
      if (mismatches.length === 0) return '';
      // Once wrong, it is never trusted again.
      options.ttl = 0;
      const text = `NO TOP-UPS until this is corrected and the companion is restarted: ${mismatches.join('; ')}.`;
      this.#log.alert(text);
      return text;
    },
  });

  constructor(vendor: MoneyApi, ledger: Ledger, policy: TopUpPolicy, { log, timeoutMs }: TopUpOptions) {
    this.#vendor = vendor;
    this.#ledger = ledger;
    this.#policy = policy;
    this.#timeoutMs = timeoutMs;
    this.#log = log;
    this.#settlement = new Settlement(vendor, ledger, log);
    this.account = new PartnerAccount(vendor);
    this.#means = { vendor, ledger, account: this.account, settlement: this.#settlement, log };
  }

  /**
   * Pays the member if they have no money and policy and limits allow it. A failure of vendor or ledger is a result, not an
   * error. A payment that takes too long for the caller goes on.
   *
   * @param member as just read; undefined: not read yet
   */
  async ensure(memberNo: MemberNo, member: MemberRow | undefined, reason: TopUpReason): Promise<TopUpResult> {
    if (member && member.balance > 0) {
      this.#settlement.noteMoney(memberNo);
      return enough(member);
    }
    const { mode } = this.#policy;
    if (mode === 'off') return skipped('off', 'top-ups are off');
    const why = member && useless(member, this.#policy.amount);
    if (why) return why;
    if (mode === 'request' && reason === 'session')
      return skipped('not-asked', 'TOP_UP_MODE=request: waits until the agent asks');
    const scope = memberKey(memberNo);
    const running =
      this.#running.get(scope) ?? this.#run(memberNo, reason).finally(() => this.#running.delete(scope));
    this.#running.set(scope, running);
    if (this.#timeoutMs === undefined) return running;
    const meanwhile = { ...failed('pending', 'the vendor is slow; the top-up continues'), member };
    return Promise.race([running, delay(this.#timeoutMs, meanwhile, { ref: false })]);
  }

  /** Resolves when no payment is under way. */
  async rest(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  async outlook(): Promise<Outlook> {
    const results = await Promise.allSettled([this.#checkBudget(), this.#ledger.standing()]);
    const failure = results.find((result) => result.status === 'rejected');
    const troubles: Trouble[] = failure
      ? [{ why: 'ledger', text: describe(failure.reason as LedgerError) }]
      : [];
    const [, read] = results;
    if (read.status === 'rejected') return { troubles, standing: undefined };
    const { value: standing } = read;
    const { mode, amount, dailyLimit } = this.#policy;
    if (mode !== 'off') {
      if ((this.account.last ?? amount) < amount)
        troubles.push({ why: 'admin-short', text: 'The partner account is short of money.' });
      if (standing.today.used + amount > dailyLimit)
        troubles.push({ why: 'daily-limit', text: "Today's top-up limit for all members is used up." });
      if (standing.today.later > 0)
        troubles.push({
          why: 'clock-ahead',
          text: `The database's clock was ahead: ${standing.today.later} VND of later days count against today's limits.`,
        });
    }
    return { troubles, standing };
  }

  /** Ends open movements, of one member or of all, as far as evidence and age allow. Any companion may do so. */
  sweep(memberNo?: MemberNo, signal?: AbortSignal): Promise<void> {
    return this.#settlement.sweep(memberNo, signal);
  }

  async #run(memberNo: MemberNo, reason: TopUpReason): Promise<TopUpResult> {
    const result = await this.#attempt(memberNo, reason);
    if (result.why === 'admin-short') {
      if (this.#shortUntil === 0)
        this.#log.alert('Top-ups are stopped: the partner account is short of money. Add money to it.');
      if (performance.now() >= this.#shortUntil) {
        this.#shortUntil = performance.now() + this.#ledger.timing.retryMs;
      }
    } else if (result.amount !== undefined) {
      this.#shortUntil = 0;
    }
    this.#log.topUp(memberNo, reason, result);
    return result;
  }

  async #attempt(memberNo: MemberNo, reason: TopUpReason): Promise<TopUpResult> {
    if (performance.now() < this.#shortUntil) return this.#judge(memberNo, reason, ADMIN_SHORT);
    try {
      await this.#checkBudget();
      const claimed = await this.#claim(memberNo, reason);
      return await (typeof claimed === 'string'
        ? this.#explain(memberNo, REFUSED_CLAIMS[claimed])
        : pay(this.#means, claimed));
    } catch (error) {
      if (error instanceof VendorError) return vendorFailure('vendor', error);
      if (!(error instanceof LedgerError)) throw error;
      this.#log.ledgerFailed(error);
      return this.#judge(memberNo, reason, failed('ledger', describe(error)));
    }
  }

  /** An agent who asks may have money already: only the vendor can tell. */
  async #judge(memberNo: MemberNo, reason: TopUpReason, result: TopUpResult): Promise<TopUpResult> {
    if (reason !== 'agent') return result;
    return this.#explain(memberNo, result).catch(() => result);
  }

  /** @throws {LedgerError} if nothing can be paid now */
  async #checkBudget(): Promise<void> {
    const trouble = await this.#budgetCheck.fetch('trouble');
    if (trouble) throw new LedgerError(trouble);
  }

  async #claim(memberNo: MemberNo, reason: TopUpReason): Promise<Movement | Refusal> {
    const claim = { memberNo, reason, ...this.#policy };
    const first = await this.#ledger.claim(claim);
    if (first !== 'open') return first;
    await this.sweep(memberNo);
    return this.#ledger.claim(claim);
  }

  /** The balance may be from before another companion's payment: read it again. @throws {VendorError} */
  async #explain(memberNo: MemberNo, result: TopUpResult): Promise<TopUpResult> {
    const member = await this.#vendor.readMember(memberNo);
    return member.balance > 0 ? enough(member) : { ...result, member };
  }
}

function describe({ message, cause }: LedgerError): string {
  return cause instanceof Error ? `${message} ${cause.message}` : message;
}
