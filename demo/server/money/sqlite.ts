/**
 * The store as one SQLite file, for any number of processes on one host. Never put it on a network file system: locks
 * and syncs do not mean there what they mean here.
 *
 * Writes happen inside `begin immediate` only: with libsql, any other statement that meets a lock stays half-open, and its
 * connection holds a lock of its own from then on. Reads have a connection of their own, which no lock delays.
 */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type Libsql from 'libsql';
import type { Database, Row, Sql, Value } from './database.ts';
import type { Dialect } from './migrations.ts';
import { isPrepared, prepare } from './schema.ts';

/** How long to wait for another process that writes, the queue of this one included, and how often to look. */
const WAIT_MS = 4000;
const LOOK_MS = 5;
const DIALECT: Dialect = {
  now: `cast((julianday('now') - 2440587.5) * 86400000 as integer)`,
  forbid: (action, table) => [
    `create trigger no_${action}_of_${table} before ${action} on ${table}
       begin select raise(abort, '${action} of ${table} is forbidden'); end`,
  ],
  forbidChange: (table, columns) => [
    `create trigger no_change_of_${table} before update of ${columns.join(', ')} on ${table}
       begin select raise(abort, 'change of ${table} is forbidden'); end`,
  ],
  takeLightly: () => [],
};

interface Connections {
  readonly writer: Libsql.Database;
  /** Opened anew after every failure, as that may have left a statement half-open. */
  reader: Libsql.Database;
  openReader(): Libsql.Database;
}

export class SqliteDatabase implements Database {
  readonly #path: string;
  readonly #vendor: string | undefined;
  #opening: Promise<Connections> | undefined;
  /** The end of the queue: one connection can be in one transaction at a time. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(path: string, vendor: string | undefined) {
    this.#path = path;
    this.#vendor = vendor;
  }

  readonly read: Sql = async (text, values) => {
    const deadline = performance.now() + WAIT_MS;
    for (;;) {
      const connections = await this.#connections();
      try {
        return run(connections.reader, text, values);
      } catch (error) {
        connections.reader.close();
        connections.reader = connections.openReader();
        if (!isBusy(error) || performance.now() > deadline) throw error;
        await delay(LOOK_MS);
      }
    }
  };

  transact<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const deadline = performance.now() + WAIT_MS;
    const turn = this.#turn.then(async () => {
      const { writer } = await this.#connections();
      try {
        return await transact(writer, work, deadline);
      } catch (error) {
        if (isBroken(error, writer)) await this.#discard();
        throw error;
      }
    });
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async close(): Promise<void> {
    await this.#turn;
    await this.#discard();
  }

  #connections(): Promise<Connections> {
    this.#opening ??= open(this.#path, this.#vendor).catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  /** The next use opens anew. */
  async #discard(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    const connections = await opening?.catch(() => undefined);
    connections?.writer.close();
    connections?.reader.close();
  }
}

async function open(path: string, vendor: string | undefined): Promise<Connections> {
  const { default: Connection } = await import('libsql');
  makePrivate(path);
  const openReader = () => {
    const connection = new Connection(path);
    connection.exec('pragma query_only = on');
    return connection;
  };
  const writer = new Connection(path);
  const reader = new Connection(path);
  try {
    const deadline = performance.now() + WAIT_MS;
    await whenFree(deadline, () => writer.exec('pragma journal_mode = wal'));
    // What is committed has reached the disk: a movement that a power cut forgets would be paid again.
    writer.exec('pragma synchronous = full');
    writer.exec('pragma foreign_keys = on');
    reader.exec('pragma query_only = on');
    // Usually nothing is to be written, so that a lock held elsewhere does not keep this process from starting.
    if (!(await isPrepared(async (text, values) => run(reader, text, values), vendor))) {
      await transact(writer, (sql) => prepare(sql, DIALECT, vendor), deadline);
    }
    return { writer, reader, openReader };
  } catch (error) {
    writer.close();
    reader.close();
    throw error;
  }
}

/**
 * For this user only, from its first byte on; SQLite gives its other files the same mode. A file that is there is not
 * opened: closing it would take this process's locks on it away from other connections.
 */
function makePrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (existsSync(path)) chmodSync(path, 0o600);
  else closeSync(openSync(path, 'a', 0o600));
}

async function transact<T>(
  writer: Libsql.Database,
  work: (sql: Sql) => Promise<T>,
  deadline: number,
): Promise<T> {
  await whenFree(deadline, () => writer.exec('begin immediate'));
  try {
    const result = await work(async (text, values) => run(writer, text, values));
    writer.exec('commit');
    return result;
  } catch (error) {
    if (writer.inTransaction) writer.exec('rollback');
    throw error;
  }
}

function run(connection: Libsql.Database, text: string, values: readonly Value[] = []): Row[] {
  return connection.prepare(text).all(values.map((value) => value ?? null)) as Row[];
}

/** SQLite's own way of waiting for a lock would hold up everything else in this process, the lock's holder included. */
async function whenFree<T>(deadline: number, attempt: () => T): Promise<T> {
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await delay(LOOK_MS * Math.random());
    }
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY');
}

/** Not by a lock that was never taken, nor by what the work itself threw. */
function isBroken(error: unknown, writer: Libsql.Database): boolean {
  const code = codeOf(error);
  return writer.inTransaction || (code.startsWith('SQLITE_') && !/^SQLITE_(?:BUSY|CONSTRAINT)/.test(code));
}
