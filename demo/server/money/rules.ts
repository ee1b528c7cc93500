/** What a claim has to pass. Each of these runs in the claim's own transaction. */
import type { Sql } from './database.ts';
import type { Movement, TopUpReason } from './movement.ts';
import type { Timing } from './timing.ts';

export interface Wish extends Pick<Timing, 'retryMs' | 'quarantineMs'> {
  readonly memberNo: string;
  /** VND, as are the limits. */
  readonly amount: number;
  readonly reason: TopUpReason;
  readonly dailyLimitPerMember: number;
  readonly dailyLimit: number;
}

export type Refusal = 'open' | 'too-soon' | 'member-limit' | 'daily-limit';

/** Undoes the transaction it is thrown in. */
export class Refused extends Error {
  readonly why: Refusal;

  constructor(why: Refusal) {
    super(why);
    this.why = why;
  }
}

export const ALL_MEMBERS = 'all members';

/** However a number is spelled, it may be the same member to the vendor. */
export function scopeOf(memberNo: string): string {
  return memberNo.toLowerCase();
}

/** After each refusal twice as long, by the rows of the day, so that it holds for all companions, also after a restart. */
export async function backOff(
  sql: Sql,
  { memberNo, day, claimedAt }: Movement,
  { retryMs, quarantineMs }: Wish,
): Promise<void> {
  const [row] = await sql(
    `select count(*) as times, max(changed_at) as latest from top_up
     where lower(member) = lower(?) and day = ? and state = 'failed' and changed_at >
       (select coalesce(max(changed_at), 0) from top_up where lower(member) = lower(?) and day = ? and state = 'settled')`,
    [memberNo, day, memberNo, day],
  );
  const times = Number(row?.['times']);
  const pause = Math.min(retryMs * 2 ** (times - 1), quarantineMs);
  if (times > 0 && claimedAt < Number(row?.['latest']) + pause) throw new Refused('too-soon');
}

/** One statement, so that no two can both take the last of the money. */
export async function reserve(
  sql: Sql,
  { amount, day }: Movement,
  scope: string,
  cap: number,
  otherwise: Refusal,
): Promise<void> {
  if (amount > cap) throw new Refused(otherwise);
  const reserved = await sql(
    `insert into budget (scope, day, used, cap) values (?, ?, ?, ?)
     on conflict (scope, day) do update set used = budget.used + excluded.used, cap = excluded.cap
     where budget.used + excluded.used <= excluded.cap returning used`,
    [scope, day, amount, cap],
  );
  if (reserved.length === 0) throw new Refused(otherwise);
}

/** In the order of `reserve`, so that two companions never wait for each other. */
export async function release(sql: Sql, { memberNo, amount, day }: Movement): Promise<void> {
  for (const scope of [scopeOf(memberNo), ALL_MEMBERS]) {
    await sql('update budget set used = used - ? where scope = ? and day = ?', [amount, scope, day]);
  }
}
