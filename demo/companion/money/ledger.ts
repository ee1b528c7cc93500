/**
 * The ledger: reserves money before it is sent, for one payment of a member at a time, within the day's limits. The store
 * itself enforces the rules: a unique index, the caps of `budget`, and triggers that keep the history.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Database, Value } from '../store/database.ts';
import { memberKey } from '../vbot/api.ts';
import {
  COLUMNS,
  CONSUMING,
  DAY_MS,
  dayOf,
  movementSchema,
  openMovementSchema,
  type Movement,
  type MovementState,
  type OpenMovement,
} from './movement.ts';
import { readClock, readStanding, redate, type Standing } from './standing.ts';
import {
  ALL_MEMBERS,
  Refused,
  release,
  reserve,
  TIMING,
  type Claim,
  type Refusal,
  type Timing,
} from './reserve.ts';

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
  /** The vendor said so: that counts after the movement was given up, too. A balance does not: it may have risen by the next payment. */
  readonly isConfirmed?: boolean;
}

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
    try {
      return await guard(() =>
        this.#database.transact((sql) => reserve(sql, claim, this.timing, this.#owner)),
      );
    } catch (error) {
      if (error instanceof Refused) return error.why;
      throw error;
    }
  }

  /** The fence: only the caller who gets the movement back may send its money, once. Undefined: others counted us as dead. */
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
    { before, after, note, isSeen = false, isConfirmed = false }: Facts = {},
  ): Promise<Movement | undefined> {
    const { id, state: known } = movement;
    // Others may have written a doubt before the owner got its answer. What was given up counts in the limits as what is settled.
    const doubtful = next === 'settled' || next === 'failed' ? 'unknown' : known;
    const givenUp = isConfirmed ? 'abandoned' : known;
    const text = `update top_up set state = ?, owner = ?, changed_at = (select now from clock),
        before_balance = coalesce(?, before_balance), after_balance = coalesce(?, after_balance),
        note = coalesce(?, note), seen_at = case when ? = 1 then (select now from clock) else seen_at end
      where id = ? and state in (?, ?, ?) returning ${COLUMNS}`;
    const values = [next, this.#owner, before, after, note, Number(isSeen), id, known, doubtful, givenUp];
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

  /** A clock that was ahead wrote movements later than now: from here on, they happened now, and open ones are overdue. */
  async redate(): Promise<void> {
    await guard(async () => redate(this.#database.write, await readClock(this.#database.read)));
  }

  /** The open movements, of one member or of all, oldest first. */
  async open(memberNo?: string): Promise<readonly OpenMovement[]> {
    const rows = await this.#read(
      `select ${COLUMNS}, now - changed_at as age, now - lease as overdue from top_up, clock
       where state in ('claimed', 'sent', 'unknown') and lower(member) = coalesce(?, lower(member)) order by claimed_at`,
      memberNo && memberKey(memberNo),
    );
    return rows.map((row) => openMovementSchema.parse(row));
  }

  /** Payments within the cool-down that have not been seen to arrive. */
  unseen(): Promise<readonly Movement[]> {
    const text = `where state = 'settled' and seen_at is null and changed_at > (select now from clock) - ?`;
    return this.history(text, this.timing.coolDownMs);
  }

  /** The movements, oldest first; or those of other SQL clauses: `where`, `order by`, `limit`. */
  async history(clauses = 'order by claimed_at, id', ...values: Value[]): Promise<readonly Movement[]> {
    const rows = await this.#read(`select ${COLUMNS} from top_up ${clauses}`, ...values);
    return rows.map((row) => movementSchema.parse(row));
  }

  standing(): Promise<Standing> {
    return guard(() => readStanding(this.#database));
  }

  /** Throws if the next payment could not be written: the disk is full, or the database is read-only. */
  async checkWritable(): Promise<void> {
    await guard(() => this.#database.write('update schema_version set version = version'));
  }

  /** Where `budget` is not the sum of the movements; empty: nowhere. */
  async mismatches(): Promise<readonly string[]> {
    const yesterday = dayOf((await guard(() => readClock(this.#database.read))) - DAY_MS);
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
        `${String(scope)} on ${String(day)}: the table budget differs by ${Number(difference)} VND from the sum of top_up`,
    );
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

/** Every failure but a refusal becomes a LedgerError. */
async function guard<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new LedgerError('The ledger cannot be used; no money is moved.', { cause: error });
  }
}
