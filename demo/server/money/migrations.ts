/** The tables, in SQL that both stores understand, or nearly; each start applies what is new. */

/** What each store says in its own way. */
export interface Dialect {
  /** Milliseconds since 1970 by the store's own clock. */
  readonly now: string;
  /** Has the store refuse this, whoever asks. */
  forbid(action: 'update' | 'delete', table: string): readonly string[];
  /** Likewise for a change of these columns. */
  forbidChange(table: string, columns: readonly string[]): readonly string[];
  /** What is in it may be lost in a crash, so that writing it costs less. */
  takeLightly(table: string): readonly string[];
}

type Step = string | ((dialect: Dialect) => readonly string[]);

/** Append to this list, and never change what has been released. */
export const MIGRATIONS: readonly (readonly Step[])[] = [
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
  [
    // When the member's balance was seen to have risen by it; until then nobody can tell a need from an old balance.
    'alter table top_up add column seen_at bigint',
    `update top_up set seen_at = changed_at where state = 'settled'`,
    // 1: a person has paid it beside the limits, so that it uses up none.
    'alter table top_up add column beyond_limits integer not null default 0',
    ({ forbidChange }) =>
      forbidChange('top_up', ['id', 'member', 'amount', 'reason', 'day', 'claimed_at', 'beyond_limits']),
    ({ forbidChange }) => forbidChange('budget', ['scope', 'day']),
    ({ forbid }) => forbid('delete', 'budget'),
    // The partner account as it was when a day began.
    'create table admin_balance (day text primary key, at bigint not null, balance numeric not null)',
  ],
  [
    // Sessions that were signed out before their time.
    'create table ended_session (id text primary key, until bigint not null, at bigint not null)',
    'create index ended_session_at on ended_session (at)',
    // Answers to requests with a key of the caller's; null: the request is under way.
    `create table idempotency (
      scope text not null,
      key text not null,
      status integer,
      type text,
      body text,
      at bigint not null,
      primary key (scope, key)
    )`,
    // What is written to find out whether one can write.
    'create table heartbeat (one integer primary key check (one = 1), at bigint not null)',
  ],
  [
    'alter table call_event add column at bigint not null default 0',
    'update call_event set at = (select now from clock)',
    'create index call_event_at on call_event (at)',
    'alter table expected_call add column at bigint not null default 0',
    'update expected_call set at = (select now from clock)',
    'create index expected_call_member on expected_call (lower(member), at)',
  ],
  [
    ({ takeLightly }) => takeLightly('rate_limit'),
    // Sign-ins under way, for companions that are asked for the same member; the result is sealed.
    `create table sign_in (
      member text primary key,
      run text not null,
      until bigint not null,
      waiting bigint not null,
      result text
    )`,
    ({ takeLightly }) => takeLightly('sign_in'),
    // A hash of its body: a key belongs to one request.
    `alter table idempotency add column request text not null default ''`,
  ],
];
