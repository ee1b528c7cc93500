/** How a top-up ended, for the broker and for people. */
import type { Refusal } from './rules.ts';

export interface TopUpResult {
  readonly status: 'done' | 'skipped' | 'failed';
  readonly why:
    | 'paid'
    | 'enough' // the member has money now
    | 'off'
    | 'ended'
    | 'not-asked' // the policy says no
    | 'limit'
    | 'later' // refused a short while ago
    | 'admin-short'
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

/** The answers that mean "not done", as far as the balance agrees. */
export const REFUSALS = new Map([
  [-1, 'the member is on a call'],
  [401, 'the API key is not accepted'],
  [402, 'the partner account is short of money, or the top-up failed at the vendor'],
  [403, 'the API key may not do this'],
  [404, 'the vendor does not know the member or the account that pays'],
]);

export const REFUSED_CLAIMS: Readonly<Record<Refusal, TopUpResult>> = {
  open: failed('pending', 'an earlier top-up is under way or not confirmed yet'),
  'not-seen': failed('pending', 'the last top-up is not seen in the balance yet'),
  'too-soon': failed('later', 'the vendor has refused it a short while ago; it is tried again later'),
  'member-limit': failed('limit', "today's top-up limit of this member is reached"),
  'daily-limit': failed('limit', "today's top-up limit of all members is reached"),
};

export const ADMIN_SHORT = failed('admin-short', 'the partner account is short of money');

export function enough(balance: number): TopUpResult {
  return { ...skipped('enough', 'the balance is above 0'), balance };
}

export function skipped(why: TopUpResult['why'], detail: string): TopUpResult {
  return { status: 'skipped', why, detail };
}

export function failed(why: TopUpResult['why'], detail: string): TopUpResult {
  return { status: 'failed', why, detail };
}
