/**
 * The tables, as numbered steps. A new database takes all of them, an older one those that it lacks. A step that was once
 * released never changes: whatever is new is a further step, at the end of the list. While companions restart one after the
 * other, those of the step before still use the database, so a step adds and takes nothing away that they need.
 */

/** Where the two stores' SQL differs. */
export interface Dialect {
  /** Selects the `name` of every table and view that is there. */
  readonly tables: string;
  /** Milliseconds since 1970 by the store's own clock. */
  readonly now: string;
  /** A trigger that refuses `action` on the table, or on these columns. */
  forbid(action: 'update' | 'delete', table: string, columns?: readonly string[]): readonly string[];
  /** A trigger that writes every state of a row of `top_up` to its history. */
  keepHistory(insert: (row: string) => string): readonly string[];
  /** A crash may lose this table's rows, so that writing costs less. */
  allowLoss(table: string): readonly string[];
}

export type Migration = (dialect: Dialect) => readonly string[];

const tables: Migration = ({ now, forbid, keepHistory, allowLoss }) => [
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

  // Sessions that were ended before their time.
  'create table ended_session (id text primary key, until bigint not null, at bigint not null)',
  'create index ended_session_at on ended_session (at)',

  // In the form that rate-limiter-flexible needs.
  'create table rate_limit (key text primary key, points integer not null default 0, expire bigint)',
  ...allowLoss('rate_limit'),

  // Events of calls, each once. `told`: the event's number in the streams; null until its member is known.
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

  // VND, as learned from the member's calls.
  'create table call_price (member text primary key, per_minute numeric not null)',

  // Every comparison with the partner account, in VND: `at`, `since` and `lost` are `to`, `from` and `left` of `Reconciliation`.
  `create table reconciliation (
    at bigint primary key,
    since bigint not null,
    result text not null check (result in ('agrees', 'missing', 'filled')),
    lost numeric not null,
    settled numeric not null,
    doubtful numeric not null,
    unexplained numeric not null
  )`,

  'create table schema_version (version integer primary key)',
];

/**
 * A settlement belongs to the comparison that found the money missing. Before, a settlement was a row below 0, and the last comparison with a
 * balance counted: it repeated what the others had found.
 */
const settlements: Migration = () => [
  'alter table reconciliation add column explained_at bigint',
  `update reconciliation set explained_at = at
   where at not in (select max(at) from reconciliation where result <> 'filled' group by since)
     or at <= coalesce((select max(at) from reconciliation where result = 'missing' and unexplained < 0), 0)`,
];

/** The version that the first step makes. Versions 1 and 2 were never released. */
export const FIRST_VERSION = 3;
export const MIGRATIONS: readonly Migration[] = [tables, settlements];
