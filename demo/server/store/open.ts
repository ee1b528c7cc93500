/** Chooses the store by its address: a SQLite file for one host, PostgreSQL for many. */
import type { Database } from './database.ts';
import { PostgresDatabase } from './postgres.ts';
import type { Account } from './schema.ts';
import { SqliteDatabase } from './sqlite.ts';

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
