/** Empty databases of each kind, the clock that companions take from them, and a lock on a file. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Libsql from 'libsql';
import { openDatabase, type Database } from '../store/database.ts';
import type { Account } from '../store/schema.ts';
import { createDatabase, startPostgres } from './postgres.ts';
import type { Ending } from './vendor.ts';

export async function makeFolder(t: Ending): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'companion-'));
  // A companion that is still running may write into it meanwhile.
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

/** Of a file that does not exist yet. */
export async function sqliteUrl(t: Ending): Promise<string> {
  return `file:${await makeFolder(t)}/companion.db`;
}

/** Closed when the test ends. */
export function openTestDatabase(t: Ending, url: string, account?: Account): Database {
  const database = openDatabase(url, account);
  t.after(() => database.close());
  return database;
}

/** From now on the store's clock stands still, at this moment: an ISO date. */
export async function stopClock(databaseUrl: string, at: string): Promise<void> {
  const database = openDatabase(databaseUrl);
  await database.transact(async (sql) => {
    await sql('drop view clock');
    await sql(`create view clock as select ${Date.parse(at)} as now`);
  });
  await database.close();
}

/** As a backup does: until it is released, no other process can write. */
export async function lockFile(path: string): Promise<() => void> {
  const file = new Libsql(path);
  for (;;) {
    try {
      file.exec('begin immediate');
      break;
    } catch {
      await delay(1);
    }
  }
  return () => {
    file.exec('commit');
    file.close();
  };
}

let server: Promise<string> | undefined;

/** An empty database in the PostgreSQL of `TEST_POSTGRES`, else in one that runs until the file has run. */
export async function createPostgresDatabase(): Promise<string> {
  return createDatabase(await findServer());
}

/** Each makes an empty database, and resolves to its address. */
export const STORES: Readonly<Record<string, (t: Ending) => Promise<string>>> = {
  SQLite: sqliteUrl,
  PostgreSQL: createPostgresDatabase,
};

/** In it, lower('I') is ı. */
export async function createTurkishDatabase(): Promise<string> {
  return createDatabase(
    await findServer(),
    "template template0 locale 'C' locale_provider icu icu_locale 'tr-TR'",
  );
}

function findServer(): Promise<string> {
  server ??= Promise.resolve(process.env['TEST_POSTGRES'] ?? startPostgres().then(({ address }) => address));
  return server;
}
