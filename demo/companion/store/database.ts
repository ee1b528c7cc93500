/** The companion's one store: the same SQL text runs on a SQLite file, for one host, and on PostgreSQL, for many. */
import { PostgresDatabase } from './postgres.ts';
import type { Account, Sql } from './schema.ts';
import { SqliteDatabase } from './sqlite.ts';

export { errorCode, StoreClosedError, StoreReplacedError, WrongDatabaseError } from './schema.ts';
export type { Row, Sql, Value } from './schema.ts';

/**
 * Opens itself and creates its tables at the first use; after a failure, at the next use. Once closed it stays closed. No
 * promise takes longer than some seconds.
 */
export interface Database {
  /** One `select`. Locks do not delay it. */
  readonly read: Sql;
  /** One statement that writes, on disk when the promise resolves. */
  readonly write: Sql;
  /**
   * All of the work or none of it, on disk when the promise resolves. The work uses the `sql` it is given and waits for
   * nothing else, because others wait for it. After a deadlock the work runs again from its beginning.
   */
  transact<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * @param url `file:PATH` or `postgres://…`
 * @param account the owner: any use for another account throws a WrongDatabaseError. Absent: not checked.
 */
export function openDatabase(url: string, account?: Account): Database {
  return url.startsWith('file:')
    ? new SqliteDatabase(url.slice('file:'.length), account)
    : new PostgresDatabase(url, account);
}
