/** Compares, once a day, what has left the partner account with what the ledger says was paid. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Database, Row, Sql } from '../store/database.ts';
import { dayOf, rounded } from './movement.ts';
import type { MoneyApi, MoneyLog } from './result.ts';
import { readClock, redate, UNSETTLED, type Reconciliation } from './standing.ts';
import type { Outlook, TopUp } from './top-up.ts';

const SWEEP_MS = 30_000;

/**
 * A balance is true for some moment between its request and its answer. A payment that was under way then may be included
 * or not, so it counts as doubtful both before and after.
 *
 * @returns undefined when there is no earlier balance to compare with
 */
export async function reconcile(database: Database, vendor: MoneyApi): Promise<Reconciliation | undefined> {
  const asked = await readClock(database.read);
  const balance = await vendor.adminBalance();
  return database.transact(async (sql) => {
    // One comparison at a time: two of them would count the same loss.
    await sql('update schema_version set version = version');
    const answered = await readClock(sql);
    await redate(sql, answered);
    // A balance with a time in the future comes from a wrong clock.
    await sql('delete from admin_balance where answered > ?', [answered]);
    const [earlier] = await sql(
      'select asked, answered, balance from admin_balance where answered <= ? order by answered desc limit 1',
      [asked],
    );
    const keep = (onConflict: string) =>
      sql(
        `insert into admin_balance (day, asked, answered, balance) values (?, ?, ?, ?) on conflict ${onConflict}`,
        [dayOf(answered), asked, answered, balance],
      );
    await keep('do nothing');
    if (!earlier) return undefined;
    const first = { asked: Number(earlier['asked']), answered: Number(earlier['answered']) };
    // The money left between `sent` and `ended`; open movements have not ended.
    const rows = await sql(
      `select amount, top_up.state as state, sent.at as sent,
         case when top_up.state in ('sent', 'unknown') then null else changed_at end as ended
       from top_up join top_up_history sent on sent.top_up = top_up.id and sent.state = 'sent'
       where top_up.state in ('sent', 'unknown', 'settled', 'abandoned')
         and (sent.at <= ? or sent.at > changed_at) and (top_up.state in ('sent', 'unknown') or changed_at >= ?)`,
      [answered, first.asked],
    );
    // If it ended before it was sent, a clock that was ahead has sent it: nobody knows when.
    const isCertain = ({ state, sent, ended }: Row) =>
      state === 'settled' &&
      Number(sent) > first.answered &&
      Number(sent) <= Number(ended) &&
      Number(ended) < asked;
    const left = rounded(Number(earlier['balance']) - balance);
    const settled = sum(rows.filter(isCertain));
    const doubtful = sum(rows.filter((row) => !isCertain(row)));
    const before = await readBefore(sql, first.asked, answered);
    // Doubtful payments explain any difference up to their sum.
    const rest = rounded(left - settled);
    const level = moveInto(before.level, rest, doubtful);
    const found = rounded(Math.max(0, level - before.level));
    const open = rounded(before.open + found);
    if (rest < 0) {
      const newer = 'asked = excluded.asked, answered = excluded.answered, balance = excluded.balance';
      await keep(`(day) do update set ${newer}`);
    }
    const result = rest < 0 ? 'filled' : level > 0 && open > 0 ? 'missing' : 'agrees';
    await sql(
      `insert into reconciliation (at, since, result, lost, settled, doubtful, unexplained) values (?, ?, ?, ?, ?, ?, ?)`,
      [
        Math.max(answered, before.next),
        first.asked,
        result,
        left,
        settled,
        doubtful,
        rest < 0 ? rest : found,
      ],
    );
    const unexplained = rest < 0 ? rest : Math.min(level, open);
    const explained = rest < 0 ? 0 : rounded(level - unexplained);
    return { result, from: first.asked, to: answered, left, settled, doubtful, unexplained, explained };
  });
}

/**
 * What the comparisons with the same balance have found: VND that are certainly gone from it, and VND of losses that nobody has
 * settled. Money that is put back lowers the first, so that the next loss is found. Only a person settles the second.
 */
async function readBefore(sql: Sql, since: number, now: number) {
  const rows = await sql(
    `select lost, settled, doubtful, case when ${UNSETTLED} then unexplained else 0 end as amount
     from reconciliation where since = ? and result <> 'filled' and unexplained >= 0 order by at`,
    [since],
  );
  const level = rows.reduce(
    (last, { lost, settled, doubtful }) =>
      moveInto(last, rounded(Number(lost) - Number(settled)), Number(doubtful)),
    0,
  );
  // After the others, also where a clock was ahead.
  const [last] = await sql('select max(at) as at from reconciliation where at <= ? or since = ?', [
    now,
    since,
  ]);
  return { level, open: sum(rows), next: Number(last?.['at'] ?? 0) + 1 };
}

/** The money that is gone lies between the difference without and with the doubtful payments: moves only as far as it must. */
function moveInto(level: number, most: number, doubtful: number): number {
  return Math.min(Math.max(level, rounded(most - doubtful)), most);
}

export function describe(found: Reconciliation): string {
  const { result, left, settled, doubtful, unexplained, explained } = found;
  const doubt = doubtful === 0 ? '' : `, ${doubtful} VND are in doubt`;
  const known = explained === 0 ? '' : `, ${explained} VND were found missing before and are settled`;
  const account = left < 0 ? `gained ${-left}` : `lost ${left}`;
  const facts = `The partner account ${account} VND, the ledger settled ${settled} VND${doubt}${known}`;
  if (result === 'agrees') return `${facts}: the amounts match.`;
  if (result === 'missing')
    return `${facts}: ${unexplained} VND are missing (left the account without a top-up).`;
  return `${facts}: at least ${-unexplained} VND was added to the account, so no conclusion is possible. The next comparison starts from this balance.`;
}

export interface Money {
  readonly database: Database;
  readonly vendor: MoneyApi;
  readonly topUp: Pick<TopUp, 'outlook' | 'sweep' | 'account'>;
  readonly log: MoneyLog & {
    reconciled(found: Reconciliation): void;
    outlook(outlook: Outlook): void;
  };
}

/** Until the signal aborts: settles open movements, checks the budget, and reconciles once a day. */
export async function watchMoney(
  { database, vendor, topUp, log }: Money,
  signal: AbortSignal,
): Promise<void> {
  /** The failures already logged, by task. */
  const told = new Map<string, string>();
  const attempt = async (what: string, work: () => Promise<unknown>) => {
    try {
      await work();
      told.delete(what);
    } catch (error) {
      const text = `${what} failed: ${error instanceof Error ? error.message : ''}`;
      if (told.get(what) !== text) log.alert(text);
      told.set(what, text);
    }
  };
  for (let round = 0; !signal.aborted; round += 1) {
    await attempt('The budget check', async () => log.outlook(await topUp.outlook()));
    await attempt('Settling open top-ups', () => topUp.sweep(undefined, signal));
    // Not in the first round: agents sign in while a companion starts.
    await attempt('The reconciliation', async () => {
      if (round === 0 || (await topUp.account.read()) === undefined || !(await isDue(database))) return;
      const found = await reconcile(database, vendor);
      if (found) log.reconciled(found);
    });
    await delay(SWEEP_MS, undefined, { signal }).catch(() => undefined);
  }
}

function sum(rows: readonly Row[]): number {
  return rows.reduce((total, { amount }) => total + Number(amount), 0);
}

/** True until today's balance has been read. */
async function isDue(database: Database): Promise<boolean> {
  const [row] = await database.read(
    'select now, (select max(answered) from admin_balance where answered <= now) as at from clock',
  );
  return dayOf(Number(row?.['at'] ?? 0)) < dayOf(Number(row?.['now']));
}
