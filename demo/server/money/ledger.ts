/**
 * The ledger: reserves money before it is sent, for one payment of a member at a time, within the day's limits. The store
 * itself enforces the rules: a unique index, the caps of `budget`, and triggers that keep the history.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import * as z from 'zod/mini';
import type { Database, Sql, Value } from '../store/database.ts';
import { memberNoSchema } from '../vbot/api.ts';

/**
 *     claimed ──▶ sent ──▶ settled      the vendor said so, or a higher balance proves it
 *        │          ├────▶ failed       refused or not looked at, and the balance did not move
 *        │          ├────▶ void         it was never sent
 *        │          └────▶ unknown ──▶ settled | failed | abandoned
 *        └──▶ void                      it was never sent
 *
 * `claimed`, `sent` and `unknown` are open: the member gets no second movement. All but `failed` and `void` use up the
 * day's limits, `abandoned` too: that money may have moved.
 */
const state = z.enum(['claimed', 'sent', 'settled', 'failed', 'void', 'unknown', 'abandoned']);
/** In SQL: the states whose money may have moved. */
const CONSUMING = `('claimed', 'sent', 'settled', 'unknown', 'abandoned')`;

/** Who asked: the flow at a session, the agent in the guide, or an operator at the command line. */
const reason = z.enum(['session', 'agent', 'operator']);

const movementSchema = z.object({
  id: z.string(),
  memberNo: memberNoSchema,
  /** VND. */
  amount: z.number(),
  reason,
  /** The day whose limits it counts against, see `dayOf`. */
  day: z.string(),
  state,
  /** The member's balance in VND, read after the claim and before the money was sent. */
  before: z.nullable(z.number()),
  after: z.nullable(z.number()),
  note: z.nullable(z.string()),
  /** Milliseconds since 1970, by the store's clock. */
  claimedAt: z.number(),
  changedAt: z.number(),
  /** When the balance was seen to have risen. */
  seenAt: z.nullable(z.number()),
  /** Ordered with `--beyond-limits`: it uses up no limit. */
  isBeyondLimits: z.pipe(
    z.number(),
    z.transform((flag) => flag === 1),
  ),
});

const COLUMNS = `id, member as "memberNo", amount, reason, day, state, before_balance as "before",
  after_balance as "after", note, claimed_at as "claimedAt", changed_at as "changedAt", seen_at as "seenAt",
  beyond_limits as "isBeyondLimits"`;

const openMovementSchema = z.extend(movementSchema, {
  /** Milliseconds since the last change of state. */
  age: z.number(),
  /** Milliseconds since its lease ended; negative while it lasts. */
  overdue: z.number(),
});

export type MovementState = z.infer<typeof state>;
export type TopUpReason = z.infer<typeof reason>;
export type Movement = Readonly<z.infer<typeof movementSchema>>;
export type OpenMovement = Readonly<z.infer<typeof openMovementSchema>>;

/** How long the steps of a movement may take. Milliseconds. */
export interface Timing {
  /** How long a claim may wait to be sent, and then for its answer. After that, other companions take its owner for dead. */
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

/** The store cannot be used: nobody may pay. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
}

export interface Facts {
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  readonly note?: string | undefined;
  /** The balance was seen to have risen. */
  readonly isSeen?: boolean;
}

const ALL_MEMBERS = 'all members';
/** The note of a movement whose companion ended before it was sent: no refusal, so the member need not wait. */
export const NEVER_SENT = 'its companion ended before it was sent';
const DAY_MS = 24 * 3_600_000;
const VIETNAM_OFFSET_MS = 7 * 3_600_000;

/** When the store fails, every method throws a LedgerError and nothing else. */
export class Ledger {
  readonly #database: Database;
  readonly timing: Timing;
  readonly #owner = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;

  constructor(database: Database, timing: Timing = TIMING) {
    this.#database = database;
    this.timing = timing;
  }

  /** Reserves the money on disk, or returns why not. */
  async claim(claim: Claim): Promise<Movement | Refusal> {
    const { memberNo, dailyLimitPerMember, dailyLimit, isBeyondLimits = false } = claim;
    try {
      return await guard(() =>
        this.#database.transact(async (sql) => {
          const movement = await this.#insert(sql, claim);
          // From here on the row locks this member for everybody else.
          const past = await this.#readPast(sql, movement);
          if (past.isUnseen) throw new Refused('not-seen');
          if (movement.claimedAt < past.notBefore) throw new Refused('too-soon');
          if (!isBeyondLimits) {
            const memberCap = dailyLimitPerMember - past.laterOfMember;
            const cap = dailyLimit - past.laterOfAll;
            await reserve(sql, movement, scopeOf(memberNo), memberCap, 'member-limit');
            await reserve(sql, movement, ALL_MEMBERS, cap, 'daily-limit');
          }
          return movement;
        }),
      );
    } catch (error) {
      if (error instanceof Refused) return error.why;
      throw error;
    }
  }

  /** The fence: only the caller who gets the movement back may send its money, once. Undefined: others took us for dead. */
  send({ id }: Movement, before: number): Promise<Movement | undefined> {
    return this.#change(
      `update top_up set state = 'sent', before_balance = ?, lease = (select now from clock) + ?,
         changed_at = (select now from clock)
       where id = ? and state = 'claimed' and lease > (select now from clock) returning ${COLUMNS}`,
      [before, this.timing.leaseMs, id],
    );
  }

  /** Writes the next state on disk; undefined if somebody else has changed the state since it was read. */
  advance(
    movement: Movement,
    next: MovementState,
    { before, after, note, isSeen = false }: Facts = {},
  ): Promise<Movement | undefined> {
    const { id, state: known } = movement;
    // Others may have written `unknown` before the owner got its answer.
    const doubtful = next === 'settled' || next === 'failed' ? 'unknown' : known;
    const text = `update top_up set state = ?, owner = ?, changed_at = (select now from clock),
        before_balance = coalesce(?, before_balance), after_balance = coalesce(?, after_balance),
        note = coalesce(?, note), seen_at = case when ? = 1 then (select now from clock) else seen_at end
      where id = ? and state in (?, ?) returning ${COLUMNS}`;
    const values = [next, this.#owner, before, after, note, Number(isSeen), id, known, doubtful];
    if (next !== 'failed' && next !== 'void') return this.#change(text, values);
    return guard(() =>
      this.#database.transact(async (sql) => {
        const [row] = await sql(text, values);
        if (row) await release(sql, movement);
        return row && movementSchema.parse(row);
      }),
    );
  }

  /** Writes that the balance has risen; undefined: somebody else has written it already. */
  see({ id }: Movement, after: number): Promise<Movement | undefined> {
    return this.#change(
      `update top_up set seen_at = (select now from clock), after_balance = ?
       where id = ? and seen_at is null returning ${COLUMNS}`,
      [after, id],
    );
  }

  /** The open movements, of one member or of all, oldest first. */
  async open(memberNo?: string): Promise<readonly OpenMovement[]> {
    const rows = await this.#read(
      `select ${COLUMNS}, now - changed_at as age, now - lease as overdue from top_up, clock
       where state in ('claimed', 'sent', 'unknown') and lower(member) = coalesce(?, lower(member)) order by claimed_at`,
      memberNo && scopeOf(memberNo),
    );
    return rows.map((row) => openMovementSchema.parse(row));
  }

  /** Payments within the cool-down that have not been seen to arrive. */
  unseen(): Promise<readonly Movement[]> {
    const text = `where state = 'settled' and seen_at is null and changed_at > (select now from clock) - ?`;
    return this.history(text, this.timing.coolDownMs);
  }

  /** The movements, oldest first; or those of another `where`, `order by` and `limit`. */
  async history(where = 'order by claimed_at, id', ...values: Value[]): Promise<readonly Movement[]> {
    const rows = await this.#read(`select ${COLUMNS} from top_up ${where}`, ...values);
    return rows.map((row) => movementSchema.parse(row));
  }

  /** Throws where a full disk or a database that only reads would stop the next payment. */
  async checkWritable(): Promise<void> {
    await guard(() => this.#database.write('update schema_version set version = version'));
  }

  /** Where `budget` is not the sum of the movements; empty: nowhere. */
  async mismatches(): Promise<readonly string[]> {
    const yesterday = dayOf(Date.now() - DAY_MS);
    const counted = `from top_up where state in ${CONSUMING} and beyond_limits = 0 and day >= ?`;
    // One statement sees one moment.
    const rows = await this.#read(
      `select scope, day, sum(used) as difference from (
         select scope, day, used from budget where day >= ?
         union all select lower(member), day, -amount ${counted}
         union all select '${ALL_MEMBERS}', day, -amount ${counted}
       ) as entry group by scope, day having sum(used) <> 0 order by day, scope`,
      yesterday,
      yesterday,
      yesterday,
    );
    return rows.map(
      ({ scope, day, difference }) =>
        `${String(scope)} on ${String(day)}: the budget differs by ${Number(difference)} VND from the movements`,
    );
  }

  async #insert(
    sql: Sql,
    { memberNo, amount, reason: why, isBeyondLimits = false }: Claim,
  ): Promise<Movement> {
    const [clock] = await sql('select now from clock');
    const now = Number(clock?.['now']);
    const lease = now + this.timing.leaseMs;
    const beyond = Number(isBeyondLimits);
    const [row] = await sql(
      `insert into top_up (id, member, amount, reason, day, state, owner, lease, claimed_at, changed_at, beyond_limits)
       values (?, ?, ?, ?, ?, 'claimed', ?, ?, ?, ?, ?) on conflict do nothing returning ${COLUMNS}`,
      [randomUUID(), memberNo, amount, why, dayOf(now), this.#owner, lease, now, now, beyond],
    );
    if (!row) throw new Refused('open');
    return movementSchema.parse(row);
  }

  /** Reasons in the past not to pay the member now. */
  async #readPast(sql: Sql, { memberNo, day, claimedAt }: Movement) {
    const { coolDownMs, retryMs, quarantineMs } = this.timing;
    const scope = scopeOf(memberNo);
    const ofMember = 'from top_up where lower(member) = ?';
    const later = 'coalesce((select sum(used) from budget where scope = ? and day > ?), 0)';
    const [row] = await sql(
      `select
         (select count(*) ${ofMember} and state = 'settled' and seen_at is null and changed_at > ?) as unseen,
         count(*) as refusals, max(changed_at) as latest,
         ${later} as "laterOfMember", ${later} as "laterOfAll"
       ${ofMember} and day = ?
         and (state = 'failed' or (state = 'void' and coalesce(before_balance, 0) <= 0 and coalesce(note, '') <> ?))
         and changed_at > (select coalesce(max(changed_at), 0) ${ofMember} and day = ? and state = 'settled')`,
      [scope, claimedAt - coolDownMs, scope, day, ALL_MEMBERS, day, scope, day, NEVER_SENT, scope, day],
    );
    const refusals = Number(row?.['refusals']);
    // Computed from the day's rows, so that it holds for all companions and after a restart.
    const pause = Math.min(retryMs * 2 ** (refusals - 1), quarantineMs);
    return {
      // After a payment, a balance of 0 may be an old one. It proves nothing until the balance has been seen to rise.
      isUnseen: Number(row?.['unseen']) > 0,
      notBefore: refusals === 0 ? -Infinity : Number(row?.['latest']) + pause,
      // Days in the future were written by a wrong clock. They count too, so that no limit can be used twice.
      laterOfMember: Number(row?.['laterOfMember']),
      laterOfAll: Number(row?.['laterOfAll']),
    };
  }

  #read(text: string, ...values: Value[]) {
    return guard(() => this.#database.read(text, values));
  }

  #change(text: string, values: readonly Value[]): Promise<Movement | undefined> {
    return guard(async () => {
      const [row] = await this.#database.write(text, values);
      return row && movementSchema.parse(row);
    });
  }
}

/** The day in Vietnam, to which limits apply: `2026-11-21`. */
export function dayOf(time: number): string {
  return new Date(time + VIETNAM_OFFSET_MS).toISOString().slice(0, 10);
}

/** To the vendor, two spellings of a number may be the same member. */
export function scopeOf(memberNo: string): string {
  return memberNo.toLowerCase();
}

/** One statement, so that two payments cannot both take the last of a limit. */
async function reserve(
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
async function release(sql: Sql, { memberNo, amount, day, isBeyondLimits }: Movement): Promise<void> {
  if (isBeyondLimits) return;
  for (const scope of [scopeOf(memberNo), ALL_MEMBERS]) {
    await sql('update budget set used = used - ? where scope = ? and day = ?', [amount, scope, day]);
  }
}

/** Every failure but a refusal becomes a LedgerError. */
async function guard<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new LedgerError('The ledger cannot be used; no money is moved.', { cause: error });
  }
}
