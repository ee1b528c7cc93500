/** The result of a top-up, and where it is logged. */
import type { MemberNo, MemberRow } from '../vbot/api.ts';
import { VendorError } from '../vbot/errors.ts';
import type { LedgerError } from './ledger.ts';
import type { TopUpReason } from './movement.ts';
import type { Refusal } from './reserve.ts';

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
    | 'later' // refused or rate limited a short while ago
    | 'admin-short' // the partner account
    | 'pending' // under way
    | 'unconfirmed' // sent, and in doubt or not written down yet
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

/** The codes of the vendor's envelope that mean "not done", if the balance agrees. A gateway's refusal proves nothing. */
const REFUSED = new Map([
  [-1, 'the member is on a call'],
  [401, 'the API key is not accepted'],
  [402, 'the partner account is short of money, or the top-up failed at the vendor'],
  [403, 'the API key has no permission for this'],
  [404, 'the vendor does not know the member or the account that pays'],
]);

export const REFUSED_CLAIMS: Readonly<Record<Refusal, TopUpResult>> = {
  open: failed('pending', 'an earlier top-up is in progress or not confirmed yet'),
  'not-seen': failed('pending', 'the last top-up does not show in the balance yet'),
  'too-soon': failed('later', 'the vendor recently refused a top-up; the next attempt has to wait'),
  'member-limit': failed('limit', "today's top-up limit for this member is reached"),
  'daily-limit': failed('limit', "today's top-up limit for all members is reached"),
};

export const ADMIN_SHORT = failed('admin-short', 'the partner account is short of money');

/** A certain refusal, if the balance agrees. */
export function toRefusal(error: VendorError): TopUpResult | undefined {
  if (error.code === 'rate-limited') return vendorFailure('later', error);
  const meaning = error.hasEnvelope ? REFUSED.get(error.vendorCode ?? Number.NaN) : undefined;
  return meaning === undefined
    ? undefined
    : { ...vendorFailure('refused', error), detail: `${meaning} (${error.message})` };
}

export function vendorFailure(why: TopUpResult['why'], error: VendorError): TopUpResult {
  return { ...failed(why, error.message), error };
}

export function enough(member: MemberRow): TopUpResult {
  return { ...skipped('enough', 'the balance is above 0'), member };
}

export function skipped(why: TopUpResult['why'], detail: string): TopUpResult {
  return { status: 'skipped', why, detail };
}

export function failed(why: TopUpResult['why'], detail: string): TopUpResult {
  return { status: 'failed', why, detail };
}
