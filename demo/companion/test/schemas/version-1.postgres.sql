create view clock as select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now;;
create table account (one integer primary key check (one = 1), vendor text not null, key text not null);;
create table top_up (
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
create unique index top_up_open on top_up (lower(member)) where state in ('claimed', 'sent', 'unknown');;
create index top_up_member on top_up (lower(member), day);;
create index top_up_day on top_up (day);;
create table top_up_history (
  top_up text not null references top_up (id),
  state text not null,
  at bigint not null,
  owner text not null,
  before_balance numeric,
  after_balance numeric,
  note text,
  primary key (top_up, state)
  );;
create function keep_state() returns trigger language plpgsql as $$ begin insert into top_up_history (top_up, state, at, owner, before_balance, after_balance, note)
    values (new.id, new.state, new.changed_at, new.owner, new.before_balance, new.after_balance, new.note); return null; end $$;;
create trigger first_state after insert on top_up for each row execute function keep_state();;
create trigger next_state after update of state on top_up for each row execute function keep_state();;
create table budget (
  scope text not null,
  day text not null,
  used bigint not null check (used >= 0),
  cap bigint not null,
  primary key (scope, day),
  check (used <= cap)
  );;
create or replace function refuse() returns trigger language plpgsql
  as $$ begin raise exception '% of % is forbidden', tg_op, tg_table_name; end $$;;
create trigger no_update_of_top_up_history
     before update on top_up_history
     for each statement execute function refuse();;
create or replace function refuse() returns trigger language plpgsql
  as $$ begin raise exception '% of % is forbidden', tg_op, tg_table_name; end $$;;
create trigger no_delete_of_top_up_history
     before delete or truncate on top_up_history
     for each statement execute function refuse();;
create or replace function refuse() returns trigger language plpgsql
  as $$ begin raise exception '% of % is forbidden', tg_op, tg_table_name; end $$;;
create trigger no_delete_of_top_up
     before delete or truncate on top_up
     for each statement execute function refuse();;
create or replace function refuse() returns trigger language plpgsql
  as $$ begin raise exception '% of % is forbidden', tg_op, tg_table_name; end $$;;
create trigger no_change_of_top_up
     before update of id, member, amount, reason, day, claimed_at, beyond_limits on top_up
     for each statement execute function refuse();;
create or replace function refuse() returns trigger language plpgsql
  as $$ begin raise exception '% of % is forbidden', tg_op, tg_table_name; end $$;;
create trigger no_delete_of_budget
     before delete or truncate on budget
     for each statement execute function refuse();;
create or replace function refuse() returns trigger language plpgsql
  as $$ begin raise exception '% of % is forbidden', tg_op, tg_table_name; end $$;;
create trigger no_change_of_budget
     before update of scope, day on budget
     for each statement execute function refuse();;
create table admin_balance (day text primary key, asked bigint not null, answered bigint not null, balance numeric not null);;
create table assignment (member text not null, number text not null, primary key (member, number));;
create table ended_session (id text primary key, until bigint not null, at bigint not null);;
create index ended_session_at on ended_session (at);;
create table call_event (
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
create index call_event_told on call_event (told);;
create index call_event_page on call_event (member, told);;
create index call_event_at on call_event (at);;
create table call_sequence (last bigint not null);;
insert into call_sequence (last) values (0);;
create table expected_call (external_call_id text primary key, member text not null, at bigint not null);;
create index expected_call_member on expected_call (lower(member), at);;
create table rate_limit (key text primary key, points integer not null default 0, expire bigint);;
alter table rate_limit set unlogged;;
create table schema_version (version integer primary key);;
insert into schema_version (version) values (1);;
