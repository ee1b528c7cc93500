/** What both stores share: the form of a query, and all tables. */

export type Value = string | number | null | undefined;
export type Row = Readonly<Record<string, unknown>>;

/** Each `?` takes the next value. Gives the rows of `select` and `returning`; bigint and numeric come as numbers. */
export type Sql = (text: string, values?: readonly Value[]) => Promise<readonly Row[]>;

/** The code of a database's, the system's or a library's error; else empty. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Of another account, whose money must never mix with this one's, or with tables of another version. */
export class WrongDatabaseError extends Error {
  override readonly name = 'WrongDatabaseError';
}

/** The file that was opened has been deleted or replaced: what is written now is lost. */
export class StoreReplacedError extends Error {
  override readonly name = 'StoreReplacedError';
}

export class StoreClosedError extends Error {
  override readonly name = 'StoreClosedError';
}

/** The version of the tables below. A later one gets a migration, here. */
const VERSION = 2;

/** Where the two stores' SQL differs. */
export interface Dialect {
  /** Milliseconds since 1970 by the store's own clock. */
  readonly now: string;
  /** A trigger that refuses `action` on the table, or on these columns. */
  forbid(action: 'update' | 'delete', table: string, columns?: readonly string[]): readonly string[];
  /** A trigger that writes every state of a row of `top_up` to its history. */
  keepHistory(insert: (row: string) => string): readonly string[];
  /** A crash may lose this table's rows, so that writing costs less. */
  takeLightly(table: string): readonly string[];
}

/** Whose members and money a database keeps. */
export interface Account {
  /** The vendor's address, or the sandbox. */
  readonly vendor: string;
  /** Fingerprint of the key, which names the project at the vendor. */
  readonly key: string;
  /** Fingerprint of the key before this one, while keys are being changed. */
  readonly previousKey?: string | undefined;
}

const tables = ({ now, forbid, keepHistory, takeLightly }: Dialect): string[] => [
  // One clock for all companions, whatever their hosts believe.
  `create view clock as select ${now} as now`,
  `create table account (one integer primary key check (one = 1), vendor text not null, key text not null)`,

  // Money: one row for each movement. Its history can grow, but not change.
  `create table top_up (
    id text primary key,
    member text not null,
    amount bigint not null check (amount > 0),
    reason text not null,
    day text not null,
    state text not null
      check (state in ('claimed', 'sent', 'settled', 'failed', 'void', 'unknown', 'abandoned')),
    owner text not null,
    before_balance numeric,
    after_balance numeric,
    note text,
    lease bigint not null,
    claimed_at bigint not null,
    changed_at bigint not null,
    seen_at bigint,
    beyond_limits integer not null default 0
  )`,
  // A member has at most one open movement, however the number is spelled.
  `create unique index top_up_open on top_up (lower(member)) where state in ('claimed', 'sent', 'unknown')`,
  'create index top_up_member on top_up (lower(member), day)',
  'create index top_up_day on top_up (day)',
  `create table top_up_history (
    top_up text not null references top_up (id),
    state text not null,
    at bigint not null,
    owner text not null,
    before_balance numeric,
    after_balance numeric,
    note text,
    primary key (top_up, state)
  )`,
  ...keepHistory(
    (row) => `insert into top_up_history (top_up, state, at, owner, before_balance, after_balance, note)
      values (${['id', 'state', 'changed_at', 'owner', 'before_balance', 'after_balance', 'note']
        .map((column) => `${row}.${column}`)
        .join(', ')})`,
  ),
  // What a day's movements have used of a limit, doubtful ones included. The store itself refuses to exceed it.
  `create table budget (
    scope text not null,
    day text not null,
    used bigint not null check (used >= 0),
    cap bigint not null,
    primary key (scope, day),
    check (used <= cap)
  )`,
  ...forbid('update', 'top_up_history'),
  ...forbid('delete', 'top_up_history'),
  ...forbid('delete', 'top_up'),
  ...forbid('update', 'top_up', ['id', 'member', 'amount', 'reason', 'day', 'claimed_at', 'beyond_limits']),
  ...forbid('delete', 'budget'),
  ...forbid('update', 'budget', ['scope', 'day']),
  // The balance of the partner account, once a day, with the times of request and answer.
  'create table admin_balance (day text primary key, asked bigint not null, answered bigint not null, balance numeric not null)',

  'create table assignment (member text not null, number text not null, primary key (member, number))',
  // VND, as learned from the member's calls.
  'create table call_price (member text primary key, per_minute numeric not null)',

  // Sessions that were ended before their time.
  'create table ended_session (id text primary key, until bigint not null, at bigint not null)',
  'create index ended_session_at on ended_session (at)',

  // Events of calls, each once. `told` numbers those for pages; null: the member is not known yet.
  `create table call_event (
    trans_id text not null,
    kind text not null,
    member text,
    disposition text,
    external_call_id text,
    told bigint,
    at bigint not null,
    primary key (trans_id, kind)
  )`,
  'create index call_event_told on call_event (told)',
  // The last of those numbers. A transaction that takes one locks the row, so that numbers are committed in order.
  'create table call_sequence (last bigint not null)',
  'insert into call_sequence (last) values (0)',
  // The member of an automatic call, whom its events do not name.
  'create table expected_call (external_call_id text primary key, member text not null, at bigint not null)',

  // For the operator's page. A day is counted from 1970 on, in Vietnam.
  `create table call_count (
    day bigint not null,
    outcome text not null check (outcome in ('answered', 'not-reached', 'no-money', 'failed')),
    calls bigint not null,
    primary key (day, outcome)
  )`,

  // In the form that rate-limiter-flexible needs.
  'create table rate_limit (key text primary key, points integer not null default 0, expire bigint)',
  ...takeLightly('rate_limit'),

  // Last: where this table exists, all others do.
  'create table schema_version (version integer primary key)',
  `insert into schema_version (version) values (${VERSION})`,
];

/** Creates the tables and notes the owner, in an exclusive transaction. @throws {WrongDatabaseError} */
export async function prepare(
  sql: Sql,
  dialect: Dialect,
  account: Account | undefined,
  isEmpty: boolean,
): Promise<void> {
  if (isEmpty) for (const statement of tables(dialect)) await sql(statement);
  if (account === undefined) return;
  await sql('insert into account (one, vendor, key) values (1, ?, ?) on conflict do nothing', [
    account.vendor,
    account.key,
  ]);
  await sql('update account set key = ? where key = ? and vendor = ?', [
    account.key,
    account.previousKey,
    account.vendor,
  ]);
  await belongsTo(sql, account);
}

/** Whether `prepare` has nothing left to do. @throws {WrongDatabaseError} */
export async function isPrepared(read: Sql, account: Account | undefined): Promise<boolean> {
  const [row] = await read('select version from schema_version');
  if (Number(row?.['version']) !== VERSION) {
    throw new WrongDatabaseError(
      `The database has tables of version ${String(row?.['version'])}, not of ${VERSION}: another version of the companion ` +
        'made them. Start that one; an empty database would pay again today.',
    );
  }
  return account === undefined || (await belongsTo(read, account));
}

/** False: no owner yet, or this account's previous key. @throws {WrongDatabaseError} */
async function belongsTo(sql: Sql, account: Account): Promise<boolean> {
  const [row] = await sql('select vendor, key from account');
  if (!row) return false;
  if (row['vendor'] !== account.vendor) {
    throw new WrongDatabaseError(
      `The database belongs to ${String(row['vendor'])}, not to ${account.vendor}: set another DATABASE_URL.`,
    );
  }
  if (row['key'] === account.key) return true;
  if (row['key'] === account.previousKey) return false;
  throw new WrongDatabaseError(
    'The database belongs to another key of the vendor. If the account is the same and its key is new, set ' +
      'VENDOR_API_KEY_PREVIOUS to the old key once; else set another DATABASE_URL.',
  );
}
