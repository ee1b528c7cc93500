/**
 * The store as one SQLite file, for any number of processes on one host. Never put it on a network file system: locks
 * and syncs do not mean there what they mean here.
 */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Libsql from 'libsql';
import type { Database, Row, Sql, Value } from './database.ts';
import { prepare, type Dialect } from './schema.ts';

/** How long to wait for another process that writes, and how often to look. */
const BUSY_MS = 5000;
const LOOK_MS = 5;
const DIALECT: Dialect = {
  now: `cast((julianday('now') - 2440587.5) * 86400000 as integer)`,
  forbid: (action, table) => [
    `create trigger no_${action}_of_${table} before ${action} on ${table}
       begin select raise(abort, '${action} of ${table} is forbidden'); end`,
  ],
};

export class SqliteDatabase implements Database {
  readonly #path: string;
  readonly #vendor: string | undefined;
  #file: Libsql.Database | undefined;
  /** The end of the line: one connection can be in one transaction at a time. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(path: string, vendor: string | undefined) {
    this.#path = path;
    this.#vendor = vendor;
  }

  readonly all: Sql = (text, values) => this.#alone((file) => whenFree(() => run(file, text, values)));

  transact<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#alone((file) => transact(file, work));
  }

  async close(): Promise<void> {
    await this.#turn;
    this.#file?.close();
    this.#file = undefined;
  }

  #alone<T>(work: (file: Libsql.Database) => Promise<T>): Promise<T> {
    const turn = this.#turn.then(async () => work((this.#file ??= await open(this.#path, this.#vendor))));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}

async function open(path: string, vendor: string | undefined): Promise<Libsql.Database> {
  mkdirSync(dirname(path), { recursive: true });
  const file = new Libsql(path);
  try {
    await whenFree(() => file.exec('pragma journal_mode = wal'));
    // What is committed has reached the disk: a movement that a power cut forgets would be paid again.
    file.exec('pragma synchronous = full');
    file.exec('pragma foreign_keys = on');
    await transact(file, (sql) => prepare(sql, DIALECT, vendor));
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

/** `immediate`, since a reader that turns writer halfway would be refused instead of waiting its turn. */
async function transact<T>(file: Libsql.Database, work: (sql: Sql) => Promise<T>): Promise<T> {
  await whenFree(() => file.exec('begin immediate'));
  try {
    const result = await work(async (text, values) => run(file, text, values));
    file.exec('commit');
    return result;
  } catch (error) {
    if (file.inTransaction) file.exec('rollback');
    throw error;
  }
}

function run(file: Libsql.Database, text: string, values: readonly Value[] = []): Row[] {
  return file.prepare(text).all(values.map((value) => value ?? null)) as Row[];
}

/** SQLite's own way of waiting for a lock would hold up everything else in this process, the lock's holder included. */
async function whenFree<T>(attempt: () => T): Promise<T> {
  const giveUp = performance.now() + BUSY_MS;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      const busy = error instanceof Libsql.SqliteError && error.code.startsWith('SQLITE_BUSY');
      if (!busy || performance.now() > giveUp) throw error;
      await delay(LOOK_MS * Math.random());
    }
  }
}
