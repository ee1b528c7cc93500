/** The ledger: money is reserved before it is sent, once at a time per member, within the day's limits, never forgotten. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Database, Row, Sql } from './database.ts';
import {
  COLUMNS,
  dayOf,
  movementSchema,
  openMovementSchema,
  type Movement,
  type MovementState,
  type OpenMovement,
} from './movement.ts';
import {
  ALL_MEMBERS,
  backOff,
  Refused,
  release,
  reserve,
  scopeOf,
  type Refusal,
  type Wish,
} from './rules.ts';

export interface Facts {
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  readonly note?: string | undefined;
}

/** The store cannot be trusted now: nobody may pay. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
}

/** Every method throws a LedgerError, and nothing else, when the store fails. */
export class Ledger {
  readonly #database: Database;
  readonly #leaseMs: number;
  readonly #owner = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;

  /** @param leaseMs how long a movement may stay claimed, and then sent, until others take its owner for dead */
  constructor(database: Database, leaseMs: number) {
    this.#database = database;
    this.#leaseMs = leaseMs;
  }

  /** Reserves the money, durably, or says what is in the way. */
  async claim(wish: Wish): Promise<Movement | Refusal> {
    const { memberNo, amount, reason, dailyLimit, dailyLimitPerMember } = wish;
    try {
      return await this.#write(async (sql, now) => {
        const [row] = await sql(
          `insert into top_up (id, member, amount, reason, day, state, lease, claimed_at, changed_at)
           values (?, ?, ?, ?, ?, 'claimed', ?, ?, ?) on conflict do nothing returning ${COLUMNS}`,
          [randomUUID(), memberNo, amount, reason, dayOf(now), now + this.#leaseMs, now, now],
        );
        if (!row) throw new Refused('open');
        const movement = movementSchema.parse(row);
        await backOff(sql, movement, wish);
        await reserve(sql, movement, scopeOf(memberNo), dailyLimitPerMember, 'member-limit');
        await reserve(sql, movement, ALL_MEMBERS, dailyLimit, 'daily-limit');
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
    { before, after, note }: Facts = {},
  ): Promise<Movement | undefined> {
    // Others may have noted the doubt before the owner heard how it ended.
    const doubtful = state === 'settled' || state === 'failed' ? 'unknown' : known;
    return this.#write(async (sql, now) => {
      const [row] = await sql(
        `update top_up set state = ?, changed_at = ?, before_balance = coalesce(?, before_balance),
           after_balance = coalesce(?, after_balance), note = coalesce(?, note)
         where id = ? and state in (?, ?) returning ${COLUMNS}`,
        [state, now, before, after, note, id, known, doubtful],
      );
      if (!row) return undefined;
      const movement = movementSchema.parse(row);
      if (state === 'failed' || state === 'void') await release(sql, movement);
      return this.#remember(sql, movement);
    });
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

  /** The movements of one day, or of all days, oldest first. */
  async history(day?: string): Promise<readonly Movement[]> {
    const rows = await this.#read(
      `select ${COLUMNS} from top_up where day = coalesce(?, day) order by claimed_at, id`,
      day,
    );
    return rows.map((row) => movementSchema.parse(row));
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

  #read(text: string, value: string | undefined): Promise<readonly Row[]> {
    return guard(() => this.#database.all(text, [value]));
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

async function guard<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new LedgerError('The ledger cannot be used; no money is moved.', { cause: error });
  }
}
