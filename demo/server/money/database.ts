/** The companion's one store: a SQLite file for one host, PostgreSQL for many. The same SQL text runs on both. */
import { PostgresDatabase } from './postgres.ts';
import { SqliteDatabase } from './sqlite.ts';

export { OtherVendorError } from './schema.ts';

export type Value = string | number | null | undefined;
export type Row = Readonly<Record<string, unknown>>;

/** Each `?` takes the next value. Gives the rows of `select` and `returning`; bigint and numeric come as numbers. */
export type Sql = (text: string, values?: readonly Value[]) => Promise<readonly Row[]>;

/** Opens itself, and brings its tables up to date, when it is first used; after a failure, when it is used again. */
export interface Database {
  readonly all: Sql;
  /**
   * All of the work or none of it, on disk when the promise resolves. The work asks through the `sql` it is given, and
   * for nothing else: everybody waits meanwhile.
   */
  transact<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * @param url `file:PATH` or `postgres://…`
 * @param vendor whose members and money it keeps: from the first use on, every use for another vendor throws an
 *   OtherVendorError. Absent: for whoever only looks.
 */
export function openDatabase(url: string, vendor?: string): Database {
  return url.startsWith('file:')
    ? new SqliteDatabase(url.slice('file:'.length), vendor)
    : new PostgresDatabase(url, vendor);
}
