/** The store in PostgreSQL, for companions on any number of hosts. */
import { Pool, types, type PoolClient } from 'pg';
import type { Database, Row, Sql, Value } from './database.ts';
import { prepare, type Dialect } from './schema.ts';

const CONNECTIONS = 10;
/** How long to wait for a connection, or for a row that another companion works on. */
const WAIT_MS = 5000;
/** A companion that stands still in the middle of a transaction must not stop all others. */
const STANDSTILL_MS = 2000;
const DIALECT: Dialect = {
  now: `cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`,
  forbid: (action, table) => [
    `create or replace function refuse() returns trigger language plpgsql
       as $$ begin raise exception '% of % is forbidden', tg_op, tg_table_name; end $$`,
    `create trigger no_${action}_of_${table} before ${action === 'delete' ? 'delete or truncate' : action} on ${table}
       for each statement execute function refuse()`,
  ],
};
/** Whoever holds this advisory lock may change tables; any number does, as long as all use the same. */
const SCHEMA_LOCK = 727_001;
const NUMBERS: readonly number[] = [types.builtins.INT8, types.builtins.NUMERIC];

export class PostgresDatabase implements Database {
  readonly #pool: Pool;
  readonly #vendor: string | undefined;
  #ready: Promise<void> | undefined;

  constructor(url: string, vendor: string | undefined) {
    this.#vendor = vendor;
    this.#pool = new Pool({
      connectionString: url,
      max: CONNECTIONS,
      connectionTimeoutMillis: WAIT_MS,
      statement_timeout: WAIT_MS,
      query_timeout: 2 * WAIT_MS,
      idle_in_transaction_session_timeout: STANDSTILL_MS,
      application_name: 'companion',
      // Whole VND and milliseconds stay far below 2^53.
      types: {
        getTypeParser: (id, format) => (NUMBERS.includes(id) ? Number : types.getTypeParser(id, format)),
      },
    });
    // A connection that breaks is replaced; whoever was using it hears of it from their own query.
    this.#pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined));
  }

  readonly all: Sql = async (text, values) => {
    await this.#prepared();
    return run(this.#pool, text, values);
  };

  async transact<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    await this.#prepared();
    return this.#transact(work);
  }

  close(): Promise<void> {
    return this.#pool.end();
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
    const client = await this.#pool.connect();
    let broken = false;
    try {
      await client.query('begin');
      const result = await work((text, values) => run(client, text, values));
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch(() => (broken = true));
      throw error;
    } finally {
      client.release(broken);
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
