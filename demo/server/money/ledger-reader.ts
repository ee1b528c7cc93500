/** What the ledger holds, for whoever only looks. */
import type { Database, Row, Value } from './database.ts';
import {
  COLUMNS,
  CONSUMING,
  dayOf,
  movementSchema,
  openMovementSchema,
  totalSchema,
  type Movement,
  type OpenMovement,
  type Total,
} from './movement.ts';
import { ALL_MEMBERS, Refused } from './rules.ts';

/** The store cannot be trusted now: nobody may pay. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
}

const DAY_MS = 24 * 3_600_000;

/** Every method throws a LedgerError, and nothing else, when the store fails. */
export class LedgerReader {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The open movements, of one member or of all, oldest first. */
  async open(memberNo?: string): Promise<readonly OpenMovement[]> {
    const rows = await this.#read(
      `select ${COLUMNS}, now - changed_at as age, now - lease as overdue from top_up, clock
       where state in ('claimed', 'sent', 'unknown') and lower(member) = lower(coalesce(?, member)) order by claimed_at`,
      memberNo,
    );
    return rows.map((row) => openMovementSchema.parse(row));
  }

  /** What was paid in so many milliseconds and has not been seen to arrive, of one member or of all. */
  async unseen(ms: number, memberNo?: string): Promise<readonly Movement[]> {
    const rows = await this.#read(
      `select ${COLUMNS} from top_up where state = 'settled' and seen_at is null
         and changed_at > (select now from clock) - ? and lower(member) = lower(coalesce(?, member))`,
      ms,
      memberNo,
    );
    return rows.map((row) => movementSchema.parse(row));
  }

  /** The movements of one day, or of all days, oldest first. */
  async history(day?: string): Promise<readonly Movement[]> {
    const rows = await this.#read(
      `select ${COLUMNS} from top_up where day = coalesce(?, day) order by claimed_at, id`,
      day,
    );
    return rows.map((row) => movementSchema.parse(row));
  }

  /** A page of one day's movements, newest first. */
  async page(day: string, size: number, page: number): Promise<readonly Movement[]> {
    const rows = await this.#read(
      `select ${COLUMNS} from top_up where day = ? order by claimed_at desc, id limit ? offset ?`,
      day,
      size,
      size * page,
    );
    return rows.map((row) => movementSchema.parse(row));
  }

  /** How many movements of one day are in each state, and their VND. */
  async totals(day: string): Promise<readonly Total[]> {
    const rows = await this.#read(
      'select state, count(*) as count, sum(amount) as amount from top_up where day = ? group by state',
      day,
    );
    return rows.map((row) => totalSchema.parse(row));
  }

  /** Those since a day of which nobody could prove whether the money arrived, newest first. */
  async abandoned(since: string, most: number): Promise<readonly Movement[]> {
    const rows = await this.#read(
      `select ${COLUMNS} from top_up where state = 'abandoned' and day >= ? order by claimed_at desc limit ?`,
      since,
      most,
    );
    return rows.map((row) => movementSchema.parse(row));
  }

  /** Where what a day has used of its limits is not the sum of its movements; empty: nowhere. */
  async mismatches(): Promise<readonly string[]> {
    const yesterday = dayOf(Date.now() - DAY_MS);
    const counted = `from top_up where state in ${CONSUMING} and beyond_limits = 0 and day >= ?`;
    // One statement, so that it sees one moment.
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

  #read(text: string, ...values: Value[]): Promise<readonly Row[]> {
    return guard(() => this.#database.read(text, values));
  }
}

/** Whatever fails is a LedgerError; a refusal is none. */
export async function guard<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new LedgerError('The ledger cannot be used; no money is moved.', { cause: error });
  }
}
