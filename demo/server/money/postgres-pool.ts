/** Connections to PostgreSQL on which nothing waits for ever, a server that is frozen included. */
import type { Pool } from 'pg';

/** How long to wait for a connection, and for what is asked on it; a lock that another companion holds included. */
const CONNECT_MS = 2000;
const QUERY_MS = 3000;
/** A companion that stands still in the middle of a transaction must not stop all others. */
const STANDSTILL_MS = 2000;

export async function openPool(connectionString: string, max: number): Promise<Pool> {
  const { default: pg } = await import('pg');
  const { builtins, getTypeParser } = pg.types;
  const numbers: readonly number[] = [builtins.INT8, builtins.NUMERIC];
  const pool = new pg.Pool({
    connectionString,
    max,
    connectionTimeoutMillis: CONNECT_MS,
    lock_timeout: QUERY_MS,
    statement_timeout: QUERY_MS,
    // Measured here, as a frozen server measures nothing.
    query_timeout: QUERY_MS,
    idle_in_transaction_session_timeout: STANDSTILL_MS,
    application_name: 'companion',
    // Whole VND and milliseconds stay far below 2^53.
    types: {
      getTypeParser: (id, format) => (numbers.includes(id) ? Number : getTypeParser(id, format)),
    },
  });
  // A connection that breaks is replaced; whoever was using it is told by their own query.
  pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
