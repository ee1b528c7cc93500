CREATE VIEW clock as select cast((julianday('now') - 2440587.5) * 86400000 as integer) as now;;
CREATE TABLE account (one integer primary key check (one = 1), vendor text not null, key text not null);;
CREATE TABLE top_up (
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
  );;
CREATE UNIQUE INDEX top_up_open on top_up (lower(member)) where state in ('claimed', 'sent', 'unknown');;
CREATE INDEX top_up_member on top_up (lower(member), day);;
CREATE INDEX top_up_day on top_up (day);;
CREATE TABLE top_up_history (
  top_up text not null references top_up (id),
  state text not null,
  at bigint not null,
  owner text not null,
  before_balance numeric,
  after_balance numeric,
  note text,
  primary key (top_up, state)
  );;
CREATE TRIGGER first_state after insert on top_up begin insert into top_up_history (top_up, state, at, owner, before_balance, after_balance, note)
    values (new.id, new.state, new.changed_at, new.owner, new.before_balance, new.after_balance, new.note); end;;
CREATE TRIGGER next_state after update of state on top_up begin insert into top_up_history (top_up, state, at, owner, before_balance, after_balance, note)
    values (new.id, new.state, new.changed_at, new.owner, new.before_balance, new.after_balance, new.note); end;;
CREATE TABLE budget (
  scope text not null,
  day text not null,
  used bigint not null check (used >= 0),
  cap bigint not null,
  primary key (scope, day),
  check (used <= cap)
  );;
CREATE TRIGGER no_update_of_top_up_history
     before update on top_up_history
     begin select raise(abort, 'update of top_up_history is forbidden'); end;;
CREATE TRIGGER no_delete_of_top_up_history
     before delete on top_up_history
     begin select raise(abort, 'delete of top_up_history is forbidden'); end;;
CREATE TRIGGER no_delete_of_top_up
     before delete on top_up
     begin select raise(abort, 'delete of top_up is forbidden'); end;;
CREATE TRIGGER no_change_of_top_up
     before update of id, member, amount, reason, day, claimed_at, beyond_limits on top_up
     begin select raise(abort, 'update of top_up is forbidden'); end;;
CREATE TRIGGER no_delete_of_budget
     before delete on budget
     begin select raise(abort, 'delete of budget is forbidden'); end;;
CREATE TRIGGER no_change_of_budget
     before update of scope, day on budget
     begin select raise(abort, 'update of budget is forbidden'); end;;
CREATE TABLE admin_balance (day text primary key, asked bigint not null, answered bigint not null, balance numeric not null);;
CREATE TABLE assignment (member text not null, number text not null, primary key (member, number));;
CREATE TABLE ended_session (id text primary key, until bigint not null, at bigint not null);;
CREATE INDEX ended_session_at on ended_session (at);;
CREATE TABLE call_event (
  trans_id text not null,
  kind text not null,
  member text,
  disposition text,
  payload text not null,
  times bigint not null,
  told bigint,
  external_call_id text,
  at bigint not null,
  primary key (trans_id, kind)
  );;
CREATE INDEX call_event_told on call_event (told);;
CREATE INDEX call_event_page on call_event (member, told);;
CREATE INDEX call_event_at on call_event (at);;
CREATE TABLE call_sequence (last bigint not null);;
CREATE TABLE expected_call (external_call_id text primary key, member text not null, at bigint not null);;
CREATE INDEX expected_call_member on expected_call (lower(member), at);;
CREATE TABLE rate_limit (key text primary key, points integer not null default 0, expire bigint);;
CREATE TABLE schema_version (version integer primary key);;
insert into call_sequence (last) values (0);;
insert into schema_version (version) values (1);;
