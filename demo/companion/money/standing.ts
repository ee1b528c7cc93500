/** The state of the money, from the ledger alone. Page, gauges, `/readyz` and alerts all use it. */
import type { Database, Row, Sql } from '../store/database.ts';
import { CONSUMING, DAY_MS, dayOf, FROM_LATER_DAYS, laterThan, rounded } from './movement.ts';

/** A comparison with the partner account. */
export interface Reconciliation {
  /** `missing`: more has left than top-ups explain; `filled`: money came in, so that nothing can be said. */
  readonly result: 'agrees' | 'missing' | 'filled';
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** VND that the partner account has lost; negative: it was filled up. */
  readonly left: number;
  /** VND of movements that were sent and settled in this time. */
  readonly settled: number;
  /** VND that may have left in this time, or before, or not at all. */
  readonly doubtful: number;
  /** VND that neither explains, without what is settled. */
  readonly unexplained: number;
  /** VND that comparisons with the same balance found before, and that are settled. */
  readonly explained: number;
}

export type Standing = Awaited<ReturnType<typeof readStanding>>;

/** For how many days an abandoned movement is shown. */
const DAYS_BACK = 7;

/** In SQL: the comparisons that found money missing which nobody has settled. Each holds only what no earlier one found. */
export const UNSETTLED = `result = 'missing' and unexplained > 0 and explained_at is null`;
export const GIVEN_UP = `state = 'abandoned' and day >= ?`;
/** The first day whose abandoned movements are shown. */
export const givenUpSince = (now: number) => dayOf(now - (DAYS_BACK - 1) * DAY_MS);

export async function readStanding({ read }: Pick<Database, 'read'>) {
  const now = await readClock(read);
  const day = dayOf(now);
  const sums = `count(*) as count, coalesce(sum(amount), 0) as amount from top_up`;
  // One statement sees one moment.
  const [[row], [compared]] = await Promise.all([
    read(
      `select movements.count as movements, paid.count as "paidCount", paid.amount as paid, beyond.amount as beyond,
         used.amount as used, later.amount as later, doubt.count as "doubtCount", doubt.amount as doubt, given_up.count as "givenUpCount",
         given_up.amount as "givenUp",
         (select coalesce(sum(unexplained), 0) from reconciliation where ${UNSETTLED}) as missing
       from (select ${sums} where day = ?) movements,
         (select ${sums} where day = ? and state = 'settled') paid,
         (select ${sums} where day = ? and state = 'settled' and beyond_limits = 1) beyond,
         (select ${sums} where day = ? and state in ${CONSUMING} and beyond_limits = 0) used,
         (select coalesce(sum(amount), 0) as amount ${FROM_LATER_DAYS}) later,
         (select ${sums} where state = 'unknown' or (state in ('claimed', 'sent') and lease < ?)) doubt,
         (select ${sums} where ${GIVEN_UP}) given_up`,
      [day, day, day, day, ...laterThan(day), now, givenUpSince(now)],
    ),
    // In tables of version 3, a settlement was a row below 0.
    read(
      `select result, at, unexplained from reconciliation
       where since <= ? and (result = 'filled' or unexplained >= 0) order by since desc, at desc limit 1`,
      [now],
    ),
  ]);
  const numberOf = (name: string) => Number(row?.[name]);
  const sumOf = (name: string) => ({ count: numberOf(`${name}Count`), amount: numberOf(name) });
  return {
    /** Milliseconds since 1970, by the store's clock. */
    now,
    today: {
      /** In whatever state. */
      movements: numberOf('movements'),
      paid: sumOf('paid'),
      /** Of what was paid, ordered with `--beyond-limits`. */
      beyond: numberOf('beyond'),
      /** VND of the day's limit that are used: all money that may have moved. */
      used: numberOf('used') + numberOf('later'),
      /** Of these, VND of later days: the store's clock was ahead. */
      later: numberOf('later'),
    },
    /** Open, and no companion is working on it. */
    inDoubt: sumOf('doubt'),
    /** Of the last days: nobody could prove whether the money arrived. */
    givenUp: sumOf('givenUp'),
    /** VND that reconciliations found missing and nobody has settled yet. */
    missing: rounded(numberOf('missing')),
    /** The last comparison; undefined: there was none yet. `unexplained` is what it found first. */
    compared: compared && {
      result: compared['result'] as Reconciliation['result'],
      to: Math.min(Number(compared['at']), now),
      unexplained: Number(compared['unexplained']),
    },
  };
}

/** Marks what the comparisons found missing as explained. @returns the amount in VND */
export async function settleMissing(database: Database): Promise<number> {
  const rows = await database.write(
    `update reconciliation set explained_at = (select now from clock) where ${UNSETTLED} returning unexplained`,
  );
  return rounded(rows.reduce((sum: number, row: Row) => sum + Number(row['unexplained']), 0));
}

/** The index on `day` finds the movements that are later than now. */
export async function redate(sql: Sql, now: number): Promise<void> {
  const clock = '(select now from clock)';
  await sql(
    `update top_up set changed_at = ${clock}, lease = ${clock} - 1 where day >= ? and changed_at > ${clock}`,
    [dayOf(now)],
  );
}

export async function readClock(read: Sql): Promise<number> {
  const [clock] = await read('select now from clock');
  return Number(clock?.['now']);
}
