/** Once a day: does what has left the partner account agree with what the ledger says was paid? */
import type { Database } from './database.ts';
import { dayOf } from './movement.ts';
import type { MoneyApi } from './payment.ts';

export interface Reconciliation {
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** VND that the partner account has lost meanwhile; negative: it was filled. */
  readonly left: number;
  /** VND of the movements that were settled meanwhile. */
  readonly settled: number;
  /** VND of those whose outcome nobody can prove. */
  readonly doubtful: number;
  /** VND that neither explains; 0: all is well. */
  readonly unexplained: number;
}

/** @returns undefined when there is no earlier balance to compare with */
export async function reconcile(database: Database, vendor: MoneyApi): Promise<Reconciliation | undefined> {
  const balance = await vendor.adminBalance();
  return database.transact(async (sql) => {
    const [clock] = await sql('select now from clock');
    const to = Number(clock?.['now']);
    const [earlier] = await sql('select at, balance from admin_balance order by at desc limit 1');
    await sql('insert into admin_balance (day, at, balance) values (?, ?, ?) on conflict do nothing', [
      dayOf(to),
      to,
      balance,
    ]);
    if (!earlier) return undefined;
    const from = Number(earlier['at']);
    const sumOf = async (states: string) => {
      const text = `select coalesce(sum(amount), 0) as vnd from top_up
        where state in (${states}) and changed_at > ? and changed_at <= ?`;
      return Number((await sql(text, [from, to]))[0]?.['vnd']);
    };
    const left = Number(earlier['balance']) - balance;
    const settled = await sumOf(`'settled'`);
    const doubtful = await sumOf(`'sent', 'unknown', 'abandoned'`);
    // What is in doubt explains any part of itself.
    const rest = left - settled;
    const unexplained = rest > 0 ? Math.max(0, rest - doubtful) : rest;
    return { from, to, left, settled, doubtful, unexplained };
  });
}

/** Whether this day's balance is still to be taken. */
export async function isDue(database: Database): Promise<boolean> {
  const [row] = await database.read('select now, (select max(at) from admin_balance) as at from clock');
  return dayOf(Number(row?.['at'] ?? 0)) < dayOf(Number(row?.['now']));
}

export function describe({ left, settled, doubtful, unexplained }: Reconciliation): string {
  const doubt = doubtful === 0 ? '' : `, ${doubtful} VND in doubt`;
  return `The partner account lost ${left} VND, the ledger settled ${settled} VND${doubt}; unexplained: ${unexplained} VND.`;
}
