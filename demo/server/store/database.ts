/** The companion's one store, as everything but its two implementations knows it: the same SQL text runs on both. */

export type Value = string | number | null | undefined;
export type Row = Readonly<Record<string, unknown>>;

/** Each `?` takes the next value. Gives the rows of `select` and `returning`; bigint and numeric come as numbers. */
export type Sql = (text: string, values?: readonly Value[]) => Promise<readonly Row[]>;

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

/** Play money and real money, or the money of two accounts, must never meet in one database. */
export class OtherAccountError extends Error {
  override readonly name = 'OtherAccountError';
}

/** The file that was opened has been deleted or replaced: what is written now is lost. */
export class StoreReplacedError extends Error {
  override readonly name = 'StoreReplacedError';
}

export class StoreClosedError extends Error {
  override readonly name = 'StoreClosedError';
}
