/** The tables, in SQL that both stores understand, or nearly; each start applies what is new. */
import type { Sql } from './database.ts';

/** What each store says in its own way. */
export interface Dialect {
  /** Milliseconds since 1970 by the store's own clock. */
  readonly now: string;
  /** Has the store refuse this, whoever asks. */
  forbid(action: 'update' | 'delete', table: string): readonly string[];
}

type Step = string | ((dialect: Dialect) => readonly string[]);

/** Append to this list, and never change what has been released. */
const MIGRATIONS: readonly (readonly Step[])[] = [
  [
    // One clock for all companions, whatever their hosts believe.
    ({ now }) => [`create view clock as select ${now} as now`],

    // One row for each movement of money; `top_up_history` keeps every state it went through.
    `create table top_up (
      id text primary key,
      member text not null,
      amount bigint not null check (amount > 0),
      reason text not null,
      day text not null,
      state text not null
        check (state in ('claimed', 'sent', 'settled', 'failed', 'void', 'unknown', 'abandoned')),
      before_balance numeric,
      after_balance numeric,
      note text,
      lease bigint not null,
      claimed_at bigint not null,
      changed_at bigint not null
    )`,
    // No member ever has two open ones, whoever asks and however often.
    `create unique index top_up_open on top_up (member) where state in ('claimed', 'sent', 'unknown')`,
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

    // What a day's movements have used of a limit, doubtful ones included: the store itself refuses to go over.
    `create table budget (
      scope text not null,
      day text not null,
      used bigint not null check (used >= 0),
      cap bigint not null,
      primary key (scope, day),
      check (used <= cap)
    )`,

    'create table assignment (member text not null, number text not null, primary key (member, number))',
  ],
  [
    // What the vendor told of calls, each once; `times` counts how often it came.
    `create table call_event (
      trans_id text not null,
      kind text not null,
      member text,
      disposition text,
      payload text not null,
      times bigint not null,
      primary key (trans_id, kind)
    )`,
    // Whom an automatic call went to, which its events do not tell.
    'create table expected_call (external_call_id text primary key, member text not null)',
  ],
  // As the rate limiter wants it.
  ['create table rate_limit (key text primary key, points integer not null default 0, expire bigint)'],
  // Whose members and money are in the other tables.
  ['create table vendor (one integer primary key check (one = 1), name text not null)'],
  [
    // The number under which pages are told of it; null: not told yet, as nobody knows whose it is.
    'alter table call_event add column told bigint',
    'alter table call_event add column external_call_id text',
    'update call_event set told = 0 where member is not null',
    'create index call_event_told on call_event (told)',
    'create index call_event_page on call_event (member, told)',
    // The last of those numbers. Whoever takes one holds the row until it is committed, so none comes out of order.
    'create table call_sequence (last bigint not null)',
    'insert into call_sequence (last) values (0)',
  ],
  // What the vendor has refused this member today.
  ['create index top_up_member on top_up (member, day)'],
  // What has happened to money can be added to, but not made undone.
  [
    ({ forbid }) => forbid('update', 'top_up_history'),
    ({ forbid }) => forbid('delete', 'top_up_history'),
    ({ forbid }) => forbid('delete', 'top_up'),
  ],
  // To the vendor `Agent001` and `agent001` may be one member, so they share what a member may have.
  [
    'drop index top_up_open',
    `create unique index top_up_open on top_up (lower(member)) where state in ('claimed', 'sent', 'unknown')`,
    'drop index top_up_member',
    'create index top_up_member on top_up (lower(member), day)',
    'update budget set scope = lower(scope) where lower(scope) not in (select scope from budget)',
  ],
];

/** Play money and real money, or that of two vendors, must never meet in one database. */
export class OtherVendorError extends Error {
  override readonly name = 'OtherVendorError';
}

/** Runs in a transaction that nobody else can be in; @throws {OtherVendorError} */
export async function prepare(sql: Sql, dialect: Dialect, vendor: string | undefined): Promise<void> {
  await migrate(sql, dialect);
  if (vendor === undefined) return;
  await sql('insert into vendor (one, name) values (1, ?) on conflict do nothing', [vendor]);
  const [row] = await sql('select name from vendor');
  if (row?.['name'] === vendor) return;
  throw new OtherVendorError(`The database belongs to ${String(row?.['name'])}, not to ${vendor}.`);
}

async function migrate(sql: Sql, dialect: Dialect): Promise<void> {
  await sql('create table if not exists migration (version integer primary key)');
  const [newest] = await sql('select coalesce(max(version), 0) as version from migration');
  for (const [index, steps] of MIGRATIONS.entries()) {
    if (index < Number(newest?.['version'])) continue;
    const statements = steps.flatMap((step) => (typeof step === 'string' ? step : step(dialect)));
    for (const statement of statements) await sql(statement);
    await sql('insert into migration (version) values (?)', [index + 1]);
  }
}
