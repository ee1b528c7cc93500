/** The store in PostgreSQL, for companions on any number of hosts. Every wait has a limit, also for a frozen server. */
import { timeout, TimeoutStrategy } from 'cockatiel';
import type { Pool, PoolClient } from 'pg';
import type { Dialect } from './migrations.ts';
import {
  errorCode,
  isPrepared,
  prepare,
  StoreClosedError,
  type Account,
  type Row,
  type Sql,
  type Value,
} from './schema.ts';

const CONNECTIONS = 10;
/** How long to wait for a connection, and for a query, with the locks it waits for. */
const CONNECT_MS = 2000;
const QUERY_MS = 3000;
/** A companion that stops in the middle of a transaction must not block the others. */
const STANDSTILL_MS = 2000;
/**
 * A transaction sets what it needs itself, whatever server, role, address or pooler have set: a commit that does not wait
 * for the disk loses payments in a crash, and they are made again.
 */
const BEGIN = `begin isolation level read committed; set local synchronous_commit = on;
  set local lock_timeout = ${QUERY_MS}; set local statement_timeout = ${QUERY_MS};
  set local idle_in_transaction_session_timeout = ${STANDSTILL_MS}`;
/** A frozen server does not answer the end of a connection. */
const CLOSE_MS = 2000;
/** The advisory lock for making the tables: any number that all companions share. */
const SCHEMA_LOCK = 727_001;
/** Deadlock and serialization failure: the same work may succeed when it runs again. */
const MAY_RUN_AGAIN = /^40(?:001|P01)$/;
const ATTEMPTS = 4;

const REFUSE = `create or replace function refuse() returns trigger language plpgsql
  as $$ begin raise exception '% of % is forbidden', tg_op, tg_table_name; end $$`;
const DIALECT: Dialect = {
  // Our tables may be anywhere on the search path. Other tables matter only in the schema in which ours would be created.
  tables: `select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'p', 'v', 'm', 'f') and nspname = any (current_schemas(false))
      and (nspname = current_schema() or to_regclass('schema_version') is not null)
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e') order by relname`,
  now: `cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`,
  forbid: (action, table, columns) => [
    REFUSE,
    `create trigger no_${columns ? 'change' : action}_of_${table}
       before ${action === 'delete' ? 'delete or truncate' : action}${columns ? ` of ${columns.join(', ')}` : ''} on ${table}
       for each statement execute function refuse()`,
  ],
  keepHistory: (insert) => [
    `create function keep_state() returns trigger language plpgsql as $$ begin ${insert('new')}; return null; end $$`,
    'create trigger first_state after insert on top_up for each row execute function keep_state()',
    'create trigger next_state after update of state on top_up for each row execute function keep_state()',
  ],
  allowLoss: (table) => [`alter table ${table} set unlogged`],
};

/** @param timeoutMs for one query */
export async function openPool(
  connectionString: string,
  connections: number,
  timeoutMs: number,
): Promise<Pool> {
  const { default: pg } = await import('pg');
  const { builtins, getTypeParser } = pg.types;
  const numbers: readonly number[] = [builtins.INT8, builtins.NUMERIC];
  const pool = new pg.Pool({
    connectionString,
    max: connections,
    connectionTimeoutMillis: Math.min(CONNECT_MS, timeoutMs),
    statement_timeout: timeoutMs,
    // Measured by the client, because a frozen server measures nothing.
    query_timeout: timeoutMs,
    application_name: 'companion',
    // Whatever the server's default is: statements outside a transaction lock the rows that they write, and need no more.
    options: '-c default_transaction_isolation=read\\ committed',
    // Whole VND and milliseconds stay far below 2^53.
    types: {
      getTypeParser: (id, format) => (numbers.includes(id) ? Number : getTypeParser(id, format)),
    },
  });
  // The pool replaces a broken connection; its query rejects.
  pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

export class PostgresDatabase {
  readonly #url: string;
  readonly #account: Account | undefined;
  #isClosed = false;
  #pool: Promise<Pool> | undefined;
  #ready: Promise<void> | undefined;

  constructor(url: string, account: Account | undefined) {
    this.#url = url;
    this.#account = account;
  }

  readonly read: Sql = async (text, values) => {
    await this.#prepared();
    return run(await this.#connections(), text, values);
  };

  readonly write: Sql = (text, values) => this.transact((sql) => sql(text, values));

  async transact<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    await this.#prepared();
    return this.#transact(work);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const pool = await this.#pool;
    const inTime = timeout(CLOSE_MS, TimeoutStrategy.Aggressive);
    if (pool) await inTime.execute(() => pool.end()).catch(() => undefined);
  }

  #connections(): Promise<Pool> {
    if (this.#isClosed) throw new StoreClosedError('The store is closed.');
    this.#pool ??= openPool(this.#url, CONNECTIONS, QUERY_MS);
    return this.#pool;
  }

  async #prepared(): Promise<void> {
    this.#ready ??= this.#transact(async (sql) => {
      await sql('select pg_advisory_xact_lock(?)', [SCHEMA_LOCK]);
      if (!(await isPrepared(sql, DIALECT, this.#account))) await prepare(sql, DIALECT, this.#account);
    });
    try {
      await this.#ready;
    } catch (error) {
      this.#ready = undefined;
      throw error;
    }
  }

  async #transact<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(work);
      } catch (error) {
        if (attempt === ATTEMPTS || !MAY_RUN_AGAIN.test(errorCode(error))) throw error;
      }
    }
  }

  async #attempt<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const pool = await this.#connections();
    const client = await pool.connect();
    let isBroken = false;
    const ask: Sql = (text, values) =>
      run(client, text, values).catch((error: unknown) => {
        // An error without `severity` is not from the server: the connection is broken.
        isBroken ||= !(error instanceof Error && 'severity' in error);
        throw error;
      });
    try {
      await ask(BEGIN);
      const result = await work(ask);
      await ask('commit');
      return result;
    } catch (error) {
      if (!isBroken) await ask('rollback').catch(() => undefined);
      throw error;
    } finally {
      client.release(isBroken);
    }
  }
}

async function run(
  client: Pool | PoolClient,
  text: string,
  values: readonly Value[] = [],
): Promise<readonly Row[]> {
  let index = 0;
  const numbered = text.replaceAll('?', () => `$${(index += 1)}`);
  return (await client.query<Row>(numbered, [...values])).rows;
}
