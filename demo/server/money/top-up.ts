/**
 * The money rules, and the only place that may call addMoney. The vendor has no idempotency key and no list of past top-ups,
 * so a lost answer is lost for good. Therefore: write the intent down first, send the money at most once per intent, and
 * count a doubtful payment against the day's limits until a balance proves what happened.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { hasEnded, type MemberNo, type MemberRow } from '../vbot/api.ts';
import { VendorError } from '../vbot/client.ts';
import {
  LedgerError,
  NEVER_SENT,
  scopeOf,
  type Ledger,
  type Movement,
  type OpenMovement,
  type Refusal,
  type TopUpReason,
} from './ledger.ts';

/** Amounts in VND. */
export interface TopUpPolicy {
  /** `auto`: at every session that needs it; `request`: only when the agent asks; `off`: never. */
  readonly mode: 'auto' | 'request' | 'off';
  /** Of one top-up. */
  readonly amount: number;
  /** A day, for one member. */
  readonly dailyLimitPerMember: number;
  /** A day, for all members together. */
  readonly dailyLimit: number;
  /** An operator has ordered `--beyond-limits`. */
  readonly isBeyondLimits?: boolean;
}

/** The vendor's endpoints about money. Each method throws a VendorError and nothing else. */
export interface MoneyApi {
  readMember(memberNo: MemberNo): Promise<MemberRow>;
  /** VND on the partner's own account. */
  adminBalance(): Promise<number>;
  addMoney(memberNo: MemberNo, vnd: number): Promise<void>;
}

export interface TopUpResult {
  readonly status: 'done' | 'skipped' | 'failed';
  readonly why:
    | 'paid'
    | 'enough' // the member has money now
    | 'off' // the policy
    | 'not-asked' // the policy
    | 'ended' // the member's account
    | 'too-small' // the balance would still not be above 0
    | 'no-hotline' // the member could still not call
    | 'limit' // of the day
    | 'later' // refused, or not looked at, a short while ago
    | 'admin-short' // the partner account
    | 'pending' // under way
    | 'unconfirmed' // sent, and in doubt
    | 'refused' // by the vendor
    | 'vendor' // cannot be asked
    | 'ledger'; // cannot be used
  /** For logs and operators. */
  readonly detail: string;
  /** VND that were sent. */
  readonly amount?: number | undefined;
  /** As last read. */
  readonly member?: MemberRow | undefined;
  readonly error?: VendorError | undefined;
}

/** For operators; nothing of it is secret. */
export interface MoneyLog {
  /** Every top-up that was tried, automatic ones too. */
  topUp(memberNo: string, reason: TopUpReason, result: TopUpResult): void;
  /** For a person to look at. */
  alert(text: string): void;
  ledgerFailed(error: LedgerError): void;
}

export interface TopUpOptions {
  readonly log?: MoneyLog;
  /** How long the caller waits before the answer is `pending`; absent: to the end. */
  readonly timeoutMs?: number | undefined;
}

const QUIET: MoneyLog = { topUp: () => undefined, alert: console.warn, ledgerFailed: () => undefined };
/** How long a comparison of the budget is valid. */
const CHECK_MS = 5000;

/** The vendor's codes that mean "not done", if the balance agrees. */
const REFUSED = new Map([
  [-1, 'the member is on a call'],
  [401, 'the API key is not accepted'],
  [402, 'the partner account is short of money, or the top-up failed at the vendor'],
  [403, 'the API key may not do this'],
  [404, 'the vendor does not know the member or the account that pays'],
]);

const REFUSED_CLAIMS: Readonly<Record<Refusal, TopUpResult>> = {
  open: failed('pending', 'an earlier top-up is under way or not confirmed yet'),
  'not-seen': failed('pending', 'the last top-up is not seen in the balance yet'),
  'too-soon': failed('later', 'the vendor has refused it a short while ago; it is tried again later'),
  'member-limit': failed('limit', "today's top-up limit of this member is reached"),
  'daily-limit': failed('limit', "today's top-up limit of all members is reached"),
};

const ADMIN_SHORT = failed('admin-short', 'the partner account is short of money');

export class TopUp {
  readonly #vendor: MoneyApi;
  readonly #ledger: Ledger;
  readonly #policy: TopUpPolicy;
  readonly #timeoutMs: number | undefined;
  readonly #log: MoneyLog;
  readonly #running = new Map<string, Promise<TopUpResult>>();
  /** Paid members whose balance was not seen to rise. */
  readonly #unseen = new Set<string>();
  /** Until when the partner account counts as short of money, by `performance.now`; 0: it does not. */
  #shortUntil = 0;
  /** What is wrong with the day's budget, which has to be the sum of the movements; empty: nothing. */
  readonly #budget = new LRUCache<'trouble', string>({
    max: 1,
    ttl: CHECK_MS,
    ttlResolution: 0,
    fetchMethod: async (_, __, { options }) => {
      await this.#ledger.checkWritable();
      const mismatches = await this.#ledger.mismatches();
      if (mismatches.length === 0) return '';
      // Once wrong, it is never trusted again.
      options.ttl = 0;
      const text = `NO TOP-UPS until this is put right and the companion restarted: ${mismatches.join('; ')}.`;
      this.#log.alert(text);
      return text;
    },
  });

  constructor(vendor: MoneyApi, ledger: Ledger, policy: TopUpPolicy, options: TopUpOptions = {}) {
    this.#vendor = vendor;
    this.#ledger = ledger;
    this.#policy = policy;
    this.#timeoutMs = options.timeoutMs;
    this.#log = options.log ?? QUIET;
  }

  /**
   * Pays the member if they have no money and policy and limits allow it. A failure of vendor or ledger is a result, not an
   * error. A payment that takes too long for the caller goes on.
   *
   * @param member as just read; undefined: not read yet
   */
  async ensure(memberNo: MemberNo, member: MemberRow | undefined, reason: TopUpReason): Promise<TopUpResult> {
    if (member && member.balance > 0) {
      const wasUnseen = this.#unseen.size > 0 && this.#unseen.delete(scopeOf(memberNo));
      // In the background; after a failure, the next sweep does it.
      if (wasUnseen) this.#seeArrivals().catch(() => undefined);
      return enough(member);
    }
    const { mode } = this.#policy;
    if (mode === 'off') return skipped('off', 'topping up is switched off');
    const useless = member && this.#isUseless(member);
    if (useless) return useless;
    if (mode === 'request' && reason === 'session') return skipped('not-asked', 'waits until the agent asks');
    const scope = scopeOf(memberNo);
    const running =
      this.#running.get(scope) ?? this.#run(memberNo, reason).finally(() => this.#running.delete(scope));
    this.#running.set(scope, running);
    if (this.#timeoutMs === undefined) return running;
    const meanwhile = { ...failed('pending', 'the vendor takes its time'), member };
    return Promise.race([running, delay(this.#timeoutMs, meanwhile, { ref: false })]);
  }

  /** Resolves when no payment is under way. */
  async rest(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  /** Why nothing can be paid now; undefined: it can. */
  async trouble(): Promise<string | undefined> {
    try {
      return (await this.#budget.fetch('trouble')) || undefined;
    } catch (error) {
      if (error instanceof LedgerError) return describe(error);
      throw error;
    }
  }

  /** Ends open movements, of one member or of all, as far as evidence and age allow. Any companion may do so. */
  async sweep(memberNo?: MemberNo, signal?: AbortSignal): Promise<void> {
    for (const open of await this.#ledger.open(memberNo)) {
      if (signal?.aborted) return;
      await this.#settleOpen(open);
    }
    if (memberNo === undefined) await this.#seeArrivals(signal);
  }

  async #run(memberNo: MemberNo, reason: TopUpReason): Promise<TopUpResult> {
    const result = await this.#attempt(memberNo, reason);
    if (result.why === 'admin-short') {
      if (this.#shortUntil === 0)
        this.#log.alert('No top-ups for now: the partner account is short of money.');
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
    if (performance.now() < this.#shortUntil) return ADMIN_SHORT;
    try {
      const trouble = await this.trouble();
      if (trouble !== undefined) return failed('ledger', trouble);
      const claimed = await this.#claim(memberNo, reason);
      return await (typeof claimed === 'string' ? this.#explain(memberNo, claimed) : this.#pay(claimed));
    } catch (error) {
      if (error instanceof LedgerError) {
        this.#log.ledgerFailed(error);
        return failed('ledger', describe(error));
      }
      if (error instanceof VendorError) return ofVendor('vendor', error);
      throw error;
    }
  }

  async #claim(memberNo: MemberNo, reason: TopUpReason): Promise<Movement | Refusal> {
    const claim = { memberNo, reason, ...this.#policy };
    const first = await this.#ledger.claim(claim);
    if (first !== 'open') return first;
    await this.sweep(memberNo);
    return this.#ledger.claim(claim);
  }

  /** The balance may be from before another companion's payment: read it again. */
  async #explain(memberNo: MemberNo, refusal: Refusal): Promise<TopUpResult> {
    const member = await this.#vendor.readMember(memberNo);
    if (member.balance <= 0) return { ...REFUSED_CLAIMS[refusal], member };
    return enough(member);
  }

  /** After the claim nobody else pays this member, so the balances read here stay true. */
  async #pay(claimed: Movement): Promise<TopUpResult> {
    const ledger = this.#ledger;
    const { member, admin } = await this.#readBalances(claimed);
    const before = member.balance;
    const why = before > 0 ? enough(member) : this.#isUseless(member);
    if (why) {
      const note = before > 0 ? 'not needed any more' : why.detail;
      await ledger.advance(claimed, 'void', { before, note });
      return why;
    }
    if (admin < claimed.amount) {
      await ledger.advance(claimed, 'void', { before, note: `the partner account has ${admin} VND` });
      return { ...ADMIN_SHORT, member };
    }
    const fencedAt = performance.now();
    const sent = await ledger.send(claimed, before);
    if (!sent) return failed('pending', 'another run has taken over');
    // The process was held up, e.g. stopped or asleep: others may soon take it for dead.
    if (performance.now() - fencedAt > ledger.timing.leaseMs / 2) {
      await ledger.advance(sent, 'void', { note: 'too late to send' });
      return failed('pending', 'this run was held up for too long');
    }
    return this.#send(sent, before);
  }

  async #readBalances(claimed: Movement): Promise<{ member: MemberRow; admin: number }> {
    try {
      const [member, admin] = await Promise.all([
        this.#vendor.readMember(claimed.memberNo),
        this.#vendor.adminBalance(),
      ]);
      return { member, admin };
    } catch (error) {
      await this.#ledger.advance(claimed, 'void', { note: 'a balance could not be read' });
      throw error;
    }
  }

  /** The one POST, and what came of it. */
  async #send(sent: Movement, before: number): Promise<TopUpResult> {
    const { memberNo, amount } = sent;
    const error = await this.#vendor.addMoney(memberNo, amount).then(() => undefined, asVendorError);
    const note = error?.message;
    if (error && !error.sent) {
      await this.#ledger.advance(sent, error.code === 'not-connected' ? 'failed' : 'void', { note });
      throw error;
    }
    const member = await this.#vendor.readMember(memberNo).catch(() => undefined);
    const after = member?.balance;
    const isSeen = after !== undefined && after > before;
    if (!error || isSeen) {
      await this.#ledger.advance(sent, 'settled', {
        after,
        note: note && `${note} Proved by the balance.`,
        isSeen,
      });
      if (!isSeen) this.#unseen.add(scopeOf(memberNo));
      this.#checkRise(sent, before, after);
      const detail = `${amount} VND added: ${before} → ${after ?? 'not read'}`;
      return { status: 'done', why: 'paid', detail, amount, member };
    }
    const refusal = refusalOf(error);
    if (refusal && after !== undefined) {
      await this.#ledger.advance(sent, 'failed', { after, note });
      return { ...refusal, amount, member };
    }
    await this.#ledger.advance(sent, 'unknown', { after, note });
    return { ...ofVendor('unconfirmed', error), amount, member };
  }

  /** A payment that would not make the member able to call. */
  #isUseless(member: MemberRow): TopUpResult | undefined {
    const { amount } = this.#policy;
    if (hasEnded(member)) return { ...skipped('ended', "the member's account has ended"), member };
    if (member.balance + amount > 0) return undefined;
    const detail = `the balance is ${member.balance} VND: ${amount} VND would not bring it above 0`;
    return { ...failed('too-small', detail), member };
  }

  /** Ends an open movement as far as evidence and age allow. */
  async #settleOpen(open: OpenMovement): Promise<void> {
    const { id, amount, memberNo, state, before } = open;
    if (state !== 'unknown' && open.overdue <= 0) return;
    if (state === 'claimed') {
      await this.#ledger.advance(open, 'void', { note: NEVER_SENT });
      return;
    }
    if (state === 'sent') {
      await this.#ledger.advance(open, 'unknown', {
        note: 'its companion ended before the vendor had answered',
      });
    }
    const after = await this.#balanceOf(memberNo);
    if (after !== undefined && before !== null && after > before) {
      const facts = { after, note: 'proved by the balance', isSeen: true };
      if (await this.#ledger.advance(open, 'settled', facts)) this.#checkRise(open, before, after);
    } else if (state === 'unknown' && open.age > this.#ledger.timing.quarantineMs) {
      const abandoned = await this.#ledger.advance(open, 'abandoned', { after });
      if (abandoned)
        this.#log.alert(`Top-up ${id}: whether ${amount} VND reached ${memberNo} has stayed unknown.`);
    }
  }

  /** Looks which payments have arrived; until then their members get no other one. */
  async #seeArrivals(signal?: AbortSignal): Promise<void> {
    for (const paid of await this.#ledger.unseen()) {
      if (signal?.aborted) return;
      const { memberNo, amount, before } = paid;
      const after = await this.#balanceOf(memberNo);
      if (after === undefined || before === null || after <= before) {
        this.#unseen.add(scopeOf(memberNo));
        continue;
      }
      const seen = await this.#ledger.see(paid, after);
      // The member may have spent some of it, so only a higher balance is suspicious.
      if (seen && after > before + amount) this.#checkRise(paid, before, after);
    }
  }

  /** Alerts if the balance is not what this payment alone would make it. */
  #checkRise({ id, memberNo, amount }: Movement, before: number, after: number | undefined): void {
    const expected = before + amount;
    if (after === undefined || Math.abs(after - expected) < 0.01) return;
    this.#log.alert(
      `Top-up ${id}: the balance of ${memberNo} went from ${before} to ${after} VND, not to ${expected}. ` +
        'Either the vendor shows it late, or somebody else moves money too: is there a second ledger for this account?',
    );
  }

  /** VND; undefined when it cannot be read: then nothing is proved. */
  async #balanceOf(memberNo: MemberNo): Promise<number | undefined> {
    return (await this.#vendor.readMember(memberNo).catch(() => undefined))?.balance;
  }
}

/** A certain refusal, if the balance agrees. */
function refusalOf(error: VendorError): TopUpResult | undefined {
  if (error.code === 'rate-limited') return ofVendor('later', error);
  const meaning = error.code === 'refused' ? REFUSED.get(error.vendorCode ?? Number.NaN) : undefined;
  return meaning === undefined
    ? undefined
    : { ...ofVendor('refused', error), detail: `${meaning} (${error.message})` };
}

function ofVendor(why: TopUpResult['why'], error: VendorError): TopUpResult {
  return { ...failed(why, error.message), error };
}

function enough(member: MemberRow): TopUpResult {
  return { ...skipped('enough', 'the balance is above 0'), member };
}

export function skipped(why: TopUpResult['why'], detail: string): TopUpResult {
  return { status: 'skipped', why, detail };
}

function failed(why: TopUpResult['why'], detail: string): TopUpResult {
  return { status: 'failed', why, detail };
}

function describe({ message, cause }: LedgerError): string {
  return cause instanceof Error ? `${message} ${cause.message}` : message;
}

function asVendorError(error: unknown): VendorError {
  if (error instanceof VendorError) return error;
  throw error;
}
