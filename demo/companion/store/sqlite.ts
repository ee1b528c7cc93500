/**
 * The store as one SQLite file, on one host: for one companion and the commands beside it. (Several companions would pay
 * correctly, but share no rate limits.) Never put it on a network file system: locks and syncs do not work there.
 *
 * Writes happen inside `begin immediate` only: with libsql, any other statement that meets a lock stays half-open, and its
 * connection holds a lock of its own from then on. Reads have a connection of their own, which no lock delays.
 */
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate as immediate, setTimeout as delay } from 'node:timers/promises';
import type Libsql from 'libsql';
import type { Dialect } from './migrations.ts';
import {
  errorCode,
  isPrepared,
  prepare,
  StoreClosedError,
  StoreReplacedError,
  WrongDatabaseError,
  type Account,
  type Row,
  type Sql,
  type Value,
} from './schema.ts';

/** How long to wait for a lock, with the queue of this process, and how often to try. */
const WAIT_MS = 4000;
const LOOK_MS = 5;
const DIALECT: Dialect = {
  tables: `select name from sqlite_master where type in ('table', 'view') and name not like 'sqlite%' order by name`,
  now: `cast((julianday('now') - 2440587.5) * 86400000 as integer)`,
  forbid: (action, table, columns) => [
    `create trigger no_${columns ? 'change' : action}_of_${table}
       before ${action}${columns ? ` of ${columns.join(', ')}` : ''} on ${table}
       begin select raise(abort, '${action} of ${table} is forbidden'); end`,
  ],
  keepHistory: (insert) => [
    `create trigger first_state after insert on top_up begin ${insert('new')}; end`,
    `create trigger next_state after update of state on top_up begin ${insert('new')}; end`,
  ],
  allowLoss: () => [],
};

interface Connections {
  readonly writer: Libsql.Database;
  /** Opened anew after every failure, as that may have left a statement half-open. */
  reader: Libsql.Database;
  openReader(): Libsql.Database;
  /** Of the files that were opened. */
  readonly inodes: string;
}

export class SqliteDatabase {
  readonly #path: string;
  readonly #account: Account | undefined;
  #opening: Promise<Connections> | undefined;
  #isClosed = false;
  /** Set once the file was deleted or replaced: a new file does not know what was paid. */
  #replaced: StoreReplacedError | undefined;
  /** The end of the queue of transactions: the writer can run one at a time. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(path: string, account: Account | undefined) {
    this.#path = path;
    this.#account = account;
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

  readonly write: Sql = (text, values) => this.transact((sql) => sql(text, values));

  transact<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const deadline = performance.now() + WAIT_MS;
    const turn = this.#turn.then(async () => {
      // Statements run synchronously: between two transactions, everything else has its turn.
      await immediate();
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
    this.#isClosed = true;
    await this.#discard();
  }

  async #connections(): Promise<Connections> {
    if (this.#isClosed) throw new StoreClosedError('The store is closed.');
    if (this.#replaced) throw this.#replaced;
    this.#opening ??= open(this.#path, this.#account).catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    const connections = await this.#opening;
    if (readInodes(this.#path) !== connections.inodes) {
      this.#replaced = new StoreReplacedError(
        `${this.#path} or its -wal was deleted or replaced while in use, so payments are missing from it. ` +
          'Restore the file, and restart the companion.',
      );
      throw this.#replaced;
    }
    return connections;
  }

  /** The next use opens anew. */
  async #discard(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    const connections = await opening?.catch(() => undefined);
    if (!connections) return;
    connections.reader.close();
    try {
      // After this the file alone, without its -wal, is the whole ledger.
      connections.writer.pragma('wal_checkpoint(truncate)');
    } catch {
      // Nothing is lost: the next one to open the file reads the -wal.
    }
    connections.writer.close();
  }
}

async function open(path: string, account: Account | undefined): Promise<Connections> {
  const { default: Connection } = await import('libsql');
  makePrivate(path);
  const openReader = () => {
    const connection = new Connection(path);
    connection.exec('pragma query_only = on');
    return connection;
  };
  const writer = new Connection(path);
  const reader = openReader();
  try {
    const deadline = performance.now() + WAIT_MS;
    await whenFree(deadline, () => writer.exec('pragma journal_mode = wal'));
    // A commit waits for the disk: a movement lost in a power cut would be paid again.
    writer.exec('pragma synchronous = full');
    writer.exec('pragma foreign_keys = on');
    const read: Sql = async (text, values) => run(reader, text, values);
    // Usually there is nothing to write, so that another process's lock does not delay the start.
    if (!(await isPrepared(read, DIALECT, account))) {
      await transact(writer, (sql) => prepare(sql, DIALECT, account), deadline);
    }
    return { writer, reader, openReader, inodes: readInodes(path) };
  } catch (error) {
    writer.close();
    reader.close();
    throw error;
  }
}

/** Identifies the files themselves, not their names. The `-wal` holds the last payments, and is there while we are. */
function readInodes(path: string): string {
  const found = [path, `${path}-wal`].map((file) => statSync(file, { throwIfNoEntry: false }));
  return found.map((file) => (file ? `${file.dev}:${file.ino}` : 'none')).join(' ');
}

/**
 * The file is for this user only; SQLite gives its other files the same mode. An existing file is not opened here: closing
 * it would drop the locks that other connections of this process hold on it.
 */
function makePrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return closeSync(openSync(path, 'a', 0o600));
  // Mode 600 would lock everybody out of a folder.
  if (!found.isFile()) throw new WrongDatabaseError(`DATABASE_URL names ${path}, which is not a file.`);
  chmodSync(path, 0o600);
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

/** SQLite's own wait for a lock would block this whole process, which may hold the lock itself. */
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

function isBusy(error: unknown): boolean {
  return errorCode(error).startsWith('SQLITE_BUSY');
}

/** A busy lock, a violated constraint or an error of the work itself does not break the connection. */
function isBroken(error: unknown, writer: Libsql.Database): boolean {
  const code = errorCode(error);
  return writer.inTransaction || (code.startsWith('SQLITE_') && !/^SQLITE_(?:BUSY|CONSTRAINT)/.test(code));
}
