/** Chooses the store by its address: a SQLite file for one host, PostgreSQL for many. */
import type { Database } from './database.ts';
import { PostgresDatabase } from './postgres.ts';
import { SqliteDatabase } from './sqlite.ts';

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
