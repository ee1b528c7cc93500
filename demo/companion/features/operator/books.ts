/** What the operator's page shows of the ledger. */
import type { Ledger } from '../../money/ledger.ts';
import { dayOf, scopeOf, type Movement, type OpenMovement } from '../../money/movement.ts';
import type { Reconciliation } from '../../money/reconcile.ts';
import type { Database } from '../../store/database.ts';

export interface Books {
  /** Why nothing can be paid now; undefined: it can. */
  readonly trouble: string | undefined;
  /** The last one; undefined: there was none yet. */
  readonly reconciliation: Pick<Reconciliation, 'result' | 'to' | 'unexplained'> | undefined;
  readonly open: readonly OpenMovement[];
  /** Of the last days: nobody could prove whether the money arrived. */
  readonly givenUp: readonly Movement[];
  /** One page, newest first: of today, or of one member over all days. */
  readonly movements: readonly Movement[];
  readonly member: string | undefined;
  /** From 0. */
  readonly page: number;
  readonly pages: number;
  readonly sums: Sums;
}

/** Of today, in VND. */
export interface Sums {
  readonly count: number;
  readonly paid: number;
  /** Of what was paid, ordered with `--beyond-limits`. */
  readonly beyond: number;
  /** Of the day's limit: money that may have moved counts, like in the ledger; what was ordered beyond does not. */
  readonly used: number;
}

interface Sources {
  readonly database: Database;
  readonly ledger: Ledger;
  readonly topUp: { trouble(): Promise<string | undefined> };
}

/** For how many days an abandoned movement is shown. */
const DAYS_BACK = 7;
const DAY_MS = 24 * 3_600_000;
/** Rows of a table. */
export const PAGE_SIZE = 100;

export async function readBooks(
  { database, ledger, topUp }: Sources,
  now: number,
  page: number,
  member: string | undefined,
): Promise<Books> {
  const day = dayOf(now);
  const since = dayOf(now - (DAYS_BACK - 1) * DAY_MS);
  const [where, value] = member === undefined ? ['day = ?', day] : ['lower(member) = ?', scopeOf(member)];
  const [trouble, [reconciled], open, movements, givenUp, rows] = await Promise.all([
    topUp.trouble(),
    database.read('select result, at, unexplained from reconciliation order by at desc limit 1'),
    ledger.open(),
    ledger.history(
      `where ${where} order by claimed_at desc, id limit ? offset ?`,
      value,
      PAGE_SIZE,
      member === undefined ? PAGE_SIZE * page : 0,
    ),
    ledger.history(
      `where state = 'abandoned' and day >= ? order by claimed_at desc limit ?`,
      since,
      PAGE_SIZE,
    ),
    database.read(
      `select state, beyond_limits as beyond, count(*) as count, sum(amount) as amount
       from top_up where day = ? group by state, beyond_limits`,
      [day],
    ),
  ]);
  const totals = rows.map(({ state, beyond, count, amount }) => ({
    isPaid: state === 'settled',
    isUsed: state !== 'failed' && state !== 'void' && Number(beyond) === 0,
    isBeyond: Number(beyond) === 1,
    count: Number(count),
    amount: Number(amount),
  }));
  type Total = (typeof totals)[number];
  const sum = (is: (total: Total) => boolean, of: 'amount' | 'count' = 'amount') =>
    totals.filter(is).reduce((all, total) => all + total[of], 0);
  return {
    trouble,
    reconciliation: reconciled && {
      result: reconciled['result'] as Reconciliation['result'],
      to: Number(reconciled['at']),
      unexplained: Number(reconciled['unexplained']),
    },
    open: open.slice(0, PAGE_SIZE),
    givenUp,
    movements,
    member,
    page,
    pages: Math.ceil(sum(() => true, 'count') / PAGE_SIZE),
    sums: {
      count: sum(({ isPaid }) => isPaid, 'count'),
      paid: sum(({ isPaid }) => isPaid),
      beyond: sum(({ isPaid, isBeyond }) => isPaid && isBeyond),
      used: sum(({ isUsed }) => isUsed),
    },
  };
}
