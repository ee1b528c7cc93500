/** The companion's one store: the same SQL text runs on a SQLite file, for one host, and on PostgreSQL, for many. */
import { PostgresDatabase } from './postgres.ts';
import type { Account, Sql } from './schema.ts';
import { SqliteDatabase } from './sqlite.ts';

export { OtherAccountError, StoreClosedError, StoreReplacedError } from './schema.ts';
export type { Row, Sql, Value } from './schema.ts';

/**
 * Opens itself, and makes its tables, when it is first used; after a failure, when it is used again. Once closed it stays
 * closed. Whatever the store does, no promise takes longer than some seconds.
 */
export interface Database {
  /** One `select`. A lock that somebody holds does not delay it. */
  readonly read: Sql;
  /** One statement that writes, on disk when the promise resolves. */
  readonly write: Sql;
  /**
   * All of the work or none of it, on disk when the promise resolves. The work asks through the `sql` it is given, and
   * for nothing else: everybody waits meanwhile. Where the store cannot serialize it, it runs again from its beginning.
   */
  transact<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * @param url `file:PATH` or `postgres://…`
 * @param account whose members and money it keeps: from the first use on, every use for another account throws an
 *   OtherAccountError. Absent: for whoever only looks.
 */
export function openDatabase(url: string, account?: Account): Database {
  return url.startsWith('file:')
    ? new SqliteDatabase(url.slice('file:'.length), account)
    : new PostgresDatabase(url, account);
}
