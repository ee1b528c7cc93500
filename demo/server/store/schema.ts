/** What both stores share: how SQL is asked, and all tables. */

export type Value = string | number | null | undefined;
export type Row = Readonly<Record<string, unknown>>;

/** Each `?` takes the next value. Gives the rows of `select` and `returning`; bigint and numeric come as numbers. */
export type Sql = (text: string, values?: readonly Value[]) => Promise<readonly Row[]>;

/** Play money and real money, or the money of two accounts, must never meet in one database. */
export class OtherAccountError extends Error {
  override readonly name = 'OtherAccountError';
}

/** The file that was opened has been deleted or replaced: what is written now is lost. */
export class StoreReplacedError extends Error {
  override readonly name = 'StoreReplacedError';
}

export class StoreClosedError extends Error {
  override readonly name = 'StoreClosedError';
}

/** The version of the tables below. A later one gets a migration, here. */
const VERSION = 1;

/** What each store says in its own way. */
export interface Dialect {
  /** Milliseconds since 1970 by the store's own clock. */
  readonly now: string;
  /** Creates a trigger: `action` on the table, whoever asks, is refused. */
  forbid(action: 'update' | 'delete', table: string, columns?: readonly string[]): readonly string[];
  /** Creates a trigger: after a row of `top_up` was inserted or got another state, that state is written to the history. */
  keepHistory(insert: (row: string) => string): readonly string[];
  /** What is in it may be lost in a crash, so that writing it costs less. */
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

  // Money: one row for each movement; what happened to it can be added to, but not made undone.
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
  // No member ever has two open ones, whoever asks, however often and in whatever spelling.
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
  // What a day's movements have used of a limit, doubtful ones included: the store itself refuses to go over.
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
  // The partner account as it was at some moment of a day, between the request and the answer.
  'create table admin_balance (day text primary key, asked bigint not null, answered bigint not null, balance numeric not null)',

  'create table assignment (member text not null, number text not null, primary key (member, number))',

  // Sessions that were ended before their time.
  'create table ended_session (id text primary key, until bigint not null, at bigint not null)',
  'create index ended_session_at on ended_session (at)',

  // Calls: what the vendor told of them, each event once. `told` numbers what pages are told; null: nobody knows yet whose
  // it is.
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
  // The last of those numbers. Whoever takes one holds the row until it is committed, so none comes out of order.
  'create table call_sequence (last bigint not null)',
  'insert into call_sequence (last) values (0)',
  // Whom an automatic call went to, which its events do not tell.
  'create table expected_call (external_call_id text primary key, member text not null, at bigint not null)',

  // As the rate limiter wants it.
  'create table rate_limit (key text primary key, points integer not null default 0, expire bigint)',
  ...takeLightly('rate_limit'),

  // Last: whoever finds it finds all the others.
  'create table schema_version (version integer primary key)',
  `insert into schema_version (version) values (${VERSION})`,
];

/** Runs in a transaction that nobody else can be in; @throws {OtherAccountError} */
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

/** Whether there is nothing left to write for `prepare`; @throws {OtherAccountError} */
export async function isPrepared(read: Sql, account: Account | undefined): Promise<boolean> {
  const [row] = await read('select version from schema_version');
  if (Number(row?.['version']) !== VERSION) {
    throw new Error(`The database has tables of version ${String(row?.['version'])}, not of ${VERSION}.`);
  }
  return account === undefined || (await belongsTo(read, account));
}

/** False: to nobody yet, or to this account's previous key. */
async function belongsTo(sql: Sql, account: Account): Promise<boolean> {
  const [row] = await sql('select vendor, key from account');
  if (!row) return false;
  if (row['vendor'] !== account.vendor) {
    throw new OtherAccountError(
      `The database belongs to ${String(row['vendor'])}, not to ${account.vendor}.`,
    );
  }
  if (row['key'] === account.key) return true;
  if (row['key'] === account.previousKey) return false;
  throw new OtherAccountError(
    'The database belongs to another key of the vendor. If the account is the same and its key is new, set ' +
      'VENDOR_API_KEY_PREVIOUS to the old key once.',
  );
}
