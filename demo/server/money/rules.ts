/** What a claim has to pass. Each of these runs in the claim's own transaction. */
import type { Sql } from './database.ts';
import type { Movement, TopUpReason } from './movement.ts';
import type { Timing } from './timing.ts';

/** What top-ups are held to; amounts in VND. It comes from the environment, whoever asks. */
export interface TopUpPolicy {
  /** `auto`: at every session that needs it; `request`: only when the agent asks; `off`: never. */
  readonly mode: 'auto' | 'request' | 'off';
  /** Of one top-up. */
  readonly amount: number;
  /** A day, for one member. */
  readonly dailyLimitPerMember: number;
  /** A day, for all members together. */
  readonly dailyLimit: number;
}

export interface TopUpRequest
  extends
    Pick<Timing, 'retryMs' | 'quarantineMs' | 'coolDownMs'>,
    Pick<TopUpPolicy, 'dailyLimitPerMember' | 'dailyLimit'> {
  readonly memberNo: string;
  /** VND. */
  readonly amount: number;
  readonly reason: TopUpReason;
  /** A person has said at the command line that the limits are not meant. */
  readonly isBeyondLimits?: boolean;
}

export type Refusal = 'open' | 'not-seen' | 'too-soon' | 'member-limit' | 'daily-limit';

/** Undoes the transaction it is thrown in. */
export class Refused extends Error {
  readonly why: Refusal;

  constructor(why: Refusal) {
    super(why);
    this.why = why;
  }
}

export const ALL_MEMBERS = 'all members';
/** On movements whose companion ended before it sent them: no refusal, so nobody has to wait for it. */
export const NEVER_SENT = 'its companion ended before it was sent';

/** However a number is spelled, it may be the same member to the vendor. */
export function scopeOf(memberNo: string): string {
  return memberNo.toLowerCase();
}

/** A balance of 0 after a top-up may be an old one: until it was seen to rise, it is no evidence of a need. */
export async function awaitRise(sql: Sql, movement: Movement, { coolDownMs }: TopUpRequest): Promise<void> {
  const unseen = await sql(
    `select id from top_up
     where lower(member) = lower(?) and state = 'settled' and seen_at is null and changed_at > ?`,
    [movement.memberNo, movement.claimedAt - coolDownMs],
  );
  if (unseen.length > 0) throw new Refused('not-seen');
}

/**
 * After each refusal twice as long, by the rows of the day, so that it holds for all companions, also after a restart. What
 * could not be sent counts like a refusal; what was not needed does not.
 */
export async function backOff(
  sql: Sql,
  { memberNo, day, claimedAt }: Movement,
  { retryMs, quarantineMs }: TopUpRequest,
): Promise<void> {
  const [row] = await sql(
    `select count(*) as times, max(changed_at) as latest from top_up
     where lower(member) = lower(?) and day = ?
       and (state = 'failed' or (state = 'void' and coalesce(before_balance, 0) <= 0 and coalesce(note, '') <> ?))
       and changed_at >
         (select coalesce(max(changed_at), 0) from top_up where lower(member) = lower(?) and day = ? and state = 'settled')`,
    [memberNo, day, NEVER_SENT, memberNo, day],
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
export async function release(sql: Sql, { memberNo, amount, day, isBeyondLimits }: Movement): Promise<void> {
  if (isBeyondLimits) return;
  for (const scope of [scopeOf(memberNo), ALL_MEMBERS]) {
    await sql('update budget set used = used - ? where scope = ? and day = ?', [amount, scope, day]);
  }
}
