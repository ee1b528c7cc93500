/** Claiming: checks whether the member may be paid now, and takes the amount from the day's limits, in one transaction. */
import { randomUUID } from 'node:crypto';
import type { Sql } from '../store/database.ts';
import { memberKey } from '../vbot/api.ts';
import {
  COLUMNS,
  dayOf,
  FROM_LATER_DAYS,
  laterThan,
  movementSchema,
  type Movement,
  type TopUpReason,
} from './movement.ts';
import { readClock } from './standing.ts';

/** How long the steps of a movement may take. Milliseconds. */
export interface Timing {
  /** How long a claim may wait to be sent, and then for its answer. After that, other companions count its owner as dead. */
  readonly leaseMs: number;
  /** How long after a doubtful answer the money may still arrive. After that, the member may be paid again. */
  readonly quarantineMs: number;
  /** How long a paid member gets no more money until their balance is seen to rise: what the vendor shows may be old. */
  readonly coolDownMs: number;
  /** How long a member waits after a refusal; doubled at each further one, up to the quarantine. */
  readonly retryMs: number;
}

export const TIMING: Timing = {
  leaseMs: 30_000,
  quarantineMs: 10 * 60_000,
  coolDownMs: 10 * 60_000,
  retryMs: 60_000,
};

export interface Claim {
  readonly memberNo: string;
  /** VND. */
  readonly amount: number;
  readonly reason: TopUpReason;
  /** VND a day, for one member and for all of them together. */
  readonly dailyLimitPerMember: number;
  readonly dailyLimit: number;
  /** Ordered with `--beyond-limits`. */
  readonly isBeyondLimits?: boolean;
}

export type Refusal = 'open' | 'not-seen' | 'too-soon' | 'member-limit' | 'daily-limit';

/** Rolls back the transaction that throws it. */
export class Refused extends Error {
  readonly why: Refusal;

  constructor(why: Refusal) {
    super(why);
    this.why = why;
  }
}

/** In `budget`: the limit of all members together. */
export const ALL_MEMBERS = 'all members';
/** The note of a movement whose companion ended before sending it. It is not a refusal, so the member need not wait. */
export const NEVER_SENT = 'its companion ended before it was sent';

/**
 * Inserts the movement and takes its amount from the day's limits.
 *
 * @throws {Refused}
 */
export async function reserve(sql: Sql, claim: Claim, timing: Timing, owner: string): Promise<Movement> {
  const { memberNo, dailyLimitPerMember, dailyLimit, isBeyondLimits = false } = claim;
  const movement = await insert(sql, claim, timing.leaseMs, owner);
  // From here on the row locks this member for everybody else.
  const past = await readPast(sql, movement, timing);
  if (past.isUnseen) throw new Refused('not-seen');
  if (movement.claimedAt < past.notBefore) throw new Refused('too-soon');
  if (!isBeyondLimits) {
    const memberCap = dailyLimitPerMember - past.usedLaterByMember;
    const cap = dailyLimit - past.usedLaterByAll;
    await use(sql, movement, memberKey(memberNo), memberCap, 'member-limit');
    await use(sql, movement, ALL_MEMBERS, cap, 'daily-limit');
  }
  return movement;
}

async function insert(
  sql: Sql,
  { memberNo, amount, reason, isBeyondLimits = false }: Claim,
  leaseMs: number,
  owner: string,
): Promise<Movement> {
  const now = await readClock(sql);
  const lease = now + leaseMs;
  const beyond = Number(isBeyondLimits);
  const [row] = await sql(
    `insert into top_up (id, member, amount, reason, day, state, owner, lease, claimed_at, changed_at, beyond_limits)
     values (?, ?, ?, ?, ?, 'claimed', ?, ?, ?, ?, ?) on conflict do nothing returning ${COLUMNS}`,
    [randomUUID(), memberNo, amount, reason, dayOf(now), owner, lease, now, now, beyond],
  );
  if (!row) throw new Refused('open');
  return movementSchema.parse(row);
}

/** Reasons in the past not to pay the member now. */
async function readPast(
  sql: Sql,
  { memberNo, day, claimedAt }: Movement,
  { coolDownMs, retryMs, quarantineMs }: Timing,
) {
  const scope = memberKey(memberNo);
  const ofMember = 'from top_up where lower(member) = ?';
  const later = `select coalesce(sum(amount), 0) ${FROM_LATER_DAYS}`;
  const [row] = await sql(
    `select
       (select count(*) ${ofMember} and state = 'settled' and seen_at is null and changed_at > ?) as unseen,
       count(*) as refusals, max(changed_at) as latest,
       (${later} and lower(member) = ?) as "usedLaterByMember", (${later}) as "usedLaterByAll"
     ${ofMember} and day = ?
       and (state = 'failed' or (state = 'void' and coalesce(before_balance, 0) <= 0 and coalesce(note, '') <> ?))
       and changed_at > (select coalesce(max(changed_at), 0) ${ofMember} and day = ? and state = 'settled')`,
    [
      scope,
      claimedAt - coolDownMs,
      ...laterThan(day),
      scope,
      ...laterThan(day),
      scope,
      day,
      NEVER_SENT,
      scope,
      day,
    ],
  );
  const refusals = Number(row?.['refusals']);
  // Computed from the day's rows, so that it holds for all companions and after a restart.
  const pause = Math.min(retryMs * 2 ** (refusals - 1), quarantineMs);
  return {
    // After a payment, a balance of 0 may be an old one. It proves nothing until the balance has been seen to rise.
    isUnseen: Number(row?.['unseen']) > 0,
    notBefore: refusals === 0 ? -Infinity : Number(row?.['latest']) + pause,
    usedLaterByMember: Number(row?.['usedLaterByMember']),
    usedLaterByAll: Number(row?.['usedLaterByAll']),
  };
}

/** One statement, so that two payments cannot both take the last of a limit. */
async function use(
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

/** In the same order as `reserve`, else two companions could deadlock. */
export async function release(sql: Sql, { memberNo, amount, day, isBeyondLimits }: Movement): Promise<void> {
  if (isBeyondLimits) return;
  for (const scope of [memberKey(memberNo), ALL_MEMBERS]) {
    await sql('update budget set used = used - ? where scope = ? and day = ?', [amount, scope, day]);
  }
}
