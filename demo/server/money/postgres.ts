/** The store in PostgreSQL, for companions on any number of hosts. */
import type { Pool, PoolClient } from 'pg';
import { within } from '../vendor/timeout.ts';
import type { Database, Row, Sql, Value } from './database.ts';
import { openPool } from './postgres-pool.ts';
import type { Dialect } from './migrations.ts';
import { prepare } from './schema.ts';

const CONNECTIONS = 10;
/** A server that has stopped says nothing to whoever says goodbye. */
const CLOSE_MS = 2000;
const DIALECT: Dialect = {
  now: `cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`,
  forbid: (action, table) => [
    REFUSE,
    `create trigger no_${action}_of_${table} before ${action === 'delete' ? 'delete or truncate' : action} on ${table}
       for each statement execute function refuse()`,
  ],
  forbidChange: (table, columns) => [
    REFUSE,
    `create trigger no_change_of_${table} before update of ${columns.join(', ')} on ${table}
       for each statement execute function refuse()`,
  ],
  takeLightly: (table) => [`alter table ${table} set unlogged`],
};
const REFUSE = `create or replace function refuse() returns trigger language plpgsql
  as $$ begin raise exception '% of % is forbidden', tg_op, tg_table_name; end $$`;
/** Whoever holds this advisory lock may change tables; any number does, as long as all use the same. */
const SCHEMA_LOCK = 727_001;

export class PostgresDatabase implements Database {
  readonly #url: string;
  readonly #vendor: string | undefined;
  #pool: Promise<Pool> | undefined;
  #ready: Promise<void> | undefined;

  constructor(url: string, vendor: string | undefined) {
    this.#url = url;
    this.#vendor = vendor;
  }

  readonly read: Sql = async (text, values) => {
    await this.#prepared();
    return run(await this.#connections(), text, values);
  };

  async transact<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    await this.#prepared();
    return this.#transact(work);
  }

  async close(): Promise<void> {
    const pool = await this.#pool;
    if (pool) await within(CLOSE_MS, pool.end()).catch(() => undefined);
  }

  #connections(): Promise<Pool> {
    this.#pool ??= openPool(this.#url, CONNECTIONS);
    return this.#pool;
  }

  async #prepared(): Promise<void> {
    this.#ready ??= this.#transact(async (sql) => {
      await sql('select pg_advisory_xact_lock(?)', [SCHEMA_LOCK]);
      await prepare(sql, DIALECT, this.#vendor);
    });
    try {
      await this.#ready;
    } catch (error) {
      this.#ready = undefined;
      throw error;
    }
  }

  async #transact<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const pool = await this.#connections();
    const client = await pool.connect();
    let isBroken = false;
    const ask: Sql = (text, values) =>
      run(client, text, values).catch((error: unknown) => {
        // What the server did not say itself was said about the connection: nothing more is heard on it in time.
        isBroken ||= !(error instanceof Error && 'severity' in error);
        throw error;
      });
    try {
      await ask('begin');
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
