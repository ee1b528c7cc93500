/** The ledger: money is reserved before it is sent, once at a time per member, within the day's limits, never forgotten. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Database, Sql } from './database.ts';
import { guard, LedgerReader } from './ledger-reader.ts';
import { COLUMNS, dayOf, movementSchema, type Movement, type MovementState } from './movement.ts';
import {
  ALL_MEMBERS,
  awaitRise,
  backOff,
  Refused,
  release,
  reserve,
  scopeOf,
  type Refusal,
  type TopUpRequest,
} from './rules.ts';

export interface Facts {
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  readonly note?: string | undefined;
  /** The balance was seen to have risen. */
  readonly isSeen?: boolean;
}

/** Every method throws a LedgerError, and nothing else, when the store fails. */
export class Ledger extends LedgerReader {
  readonly #database: Database;
  readonly #leaseMs: number;
  readonly #owner = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;

  /** @param leaseMs how long a movement may stay claimed, and then sent, until others take its owner for dead */
  constructor(database: Database, leaseMs: number) {
    super(database);
    this.#database = database;
    this.#leaseMs = leaseMs;
  }

  /** Reserves the money, durably, or says what is in the way. */
  async claim(request: TopUpRequest): Promise<Movement | Refusal> {
    const { memberNo, amount, reason, dailyLimit, dailyLimitPerMember, isBeyondLimits = false } = request;
    try {
      return await this.#write(async (sql, now) => {
        const day = await latestDay(sql, now);
        const [row] = await sql(
          `insert into top_up (id, member, amount, reason, day, state, lease, claimed_at, changed_at, beyond_limits)
           values (?, ?, ?, ?, ?, 'claimed', ?, ?, ?, ?) on conflict do nothing returning ${COLUMNS}`,
          [
            randomUUID(),
            memberNo,
            amount,
            reason,
            day,
            now + this.#leaseMs,
            now,
            now,
            Number(isBeyondLimits),
          ],
        );
        if (!row) throw new Refused('open');
        const movement = movementSchema.parse(row);
        await awaitRise(sql, movement, request);
        await backOff(sql, movement, request);
        if (!isBeyondLimits) {
          await reserve(sql, movement, scopeOf(memberNo), dailyLimitPerMember, 'member-limit');
          await reserve(sql, movement, ALL_MEMBERS, dailyLimit, 'daily-limit');
        }
        return this.#remember(sql, movement);
      });
    } catch (error) {
      if (error instanceof Refused) return error.why;
      throw error;
    }
  }

  /** The fence: only who gets the movement back may send its money, once. Undefined: others took us for dead. */
  send({ id }: Movement, before: number): Promise<Movement | undefined> {
    return this.#write(async (sql, now) => {
      const [row] = await sql(
        `update top_up set state = 'sent', before_balance = ?, lease = ?, changed_at = ?
         where id = ? and state = 'claimed' and lease > (select now from clock) returning ${COLUMNS}`,
        [before, now + this.#leaseMs, now, id],
      );
      return row && this.#remember(sql, movementSchema.parse(row));
    });
  }

  /** Writes what became of it, durably; undefined when somebody else has brought it on since it was read. */
  advance(
    { id, state: known }: Movement,
    state: MovementState,
    { before, after, note, isSeen = false }: Facts = {},
  ): Promise<Movement | undefined> {
    // Others may have noted the doubt before the owner was told how it ended.
    const doubtful = state === 'settled' || state === 'failed' ? 'unknown' : known;
    return this.#write(async (sql, now) => {
      const [row] = await sql(
        `update top_up set state = ?, changed_at = ?, before_balance = coalesce(?, before_balance),
           after_balance = coalesce(?, after_balance), note = coalesce(?, note), seen_at = coalesce(?, seen_at)
         where id = ? and state in (?, ?) returning ${COLUMNS}`,
        [state, now, before, after, note, isSeen ? now : undefined, id, known, doubtful],
      );
      if (!row) return undefined;
      const movement = movementSchema.parse(row);
      if (state === 'failed' || state === 'void') await release(sql, movement);
      return this.#remember(sql, movement);
    });
  }

  /** The balance has been seen to rise by it; undefined: somebody else has seen that already. */
  see({ id }: Movement, after: number): Promise<Movement | undefined> {
    return this.#write(async (sql, now) => {
      const [row] = await sql(
        `update top_up set seen_at = ?, after_balance = ? where id = ? and seen_at is null returning ${COLUMNS}`,
        [now, after, id],
      );
      return row && movementSchema.parse(row);
    });
  }

  /** Every state that a movement was in stays on record. */
  async #remember(sql: Sql, movement: Movement): Promise<Movement> {
    const { id, state, changedAt, before, after, note } = movement;
    await sql(
      `insert into top_up_history (top_up, state, at, owner, before_balance, after_balance, note)
       values (?, ?, ?, ?, ?, ?, ?)`,
      [id, state, changedAt, this.#owner, before, after, note],
    );
    return movement;
  }

  #write<T>(work: (sql: Sql, now: number) => Promise<T>): Promise<T> {
    return guard(() =>
      this.#database.transact(async (sql) => {
        const [clock] = await sql('select now from clock');
        return work(sql, Number(clock?.['now']));
      }),
    );
  }
}

/** A day that has begun does not end again, even if the store's clock is put back: its limits would be free twice. */
async function latestDay(sql: Sql, now: number): Promise<string> {
  const [row] = await sql('select max(day) as day from budget where scope = ?', [ALL_MEMBERS]);
  const known = String(row?.['day'] ?? '');
  const today = dayOf(now);
  return known > today ? known : today;
}
