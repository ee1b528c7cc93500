/**
 * Sessions that were ended before their time, as all companions of the store know them. Requests ask memory only; the
 * store is read every other second, and what could not be written is written then.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from './store/database.ts';
import { within } from './wait.ts';

const REFRESH_MS = 2000;
const WRITE_MS = 2000;
/** A row that was committed late may have an earlier time than one that was read before. */
const OVERLAP_MS = 10_000;

export class EndedSessions {
  readonly #database: Database;
  readonly #untilOf = new Map<string, number>();
  readonly #unwritten = new Map<string, number>();
  readonly #listeners = new Set<(sessionId: string) => void>();
  #newest = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  has(sessionId: string): boolean {
    return this.#untilOf.has(sessionId);
  }

  /** Ends it here at once, and elsewhere as soon as the store allows. */
  async add(sessionId: string, until: number): Promise<void> {
    this.#end(sessionId, until);
    this.#unwritten.set(sessionId, until);
    await within(WRITE_MS, this.#write()).catch(() => undefined);
  }

  onEnd(listener: (sessionId: string) => void): void {
    this.#listeners.add(listener);
  }

  /** Keeps up with the other companions until the signal ends it. */
  async follow(signal: AbortSignal): Promise<void> {
    do await this.#refresh().catch(() => undefined);
    while (await delay(REFRESH_MS, true, { signal }).catch(() => false));
  }

  async #refresh(): Promise<void> {
    await this.#write();
    const now = Date.now();
    for (const [sessionId, until] of this.#untilOf) if (until < now) this.#untilOf.delete(sessionId);
    // A clock that was put back gives new rows an earlier time than known ones have: then all are read.
    const rows = await this.#database.read(
      `select id, until, at from ended_session, clock
       where until > ? and (at > ? or clock.now < ?)`,
      [now, this.#newest - OVERLAP_MS, this.#newest],
    );
    for (const { id, until, at } of rows) {
      this.#newest = Math.max(this.#newest, Number(at));
      this.#end(String(id), Number(until));
    }
  }

  async #write(): Promise<void> {
    for (const [id, until] of this.#unwritten) {
      await this.#database.write(
        'insert into ended_session (id, until, at) select ?, ?, now from clock where true on conflict do nothing',
        [id, until],
      );
      this.#unwritten.delete(id);
    }
  }

  #end(sessionId: string, until: number): void {
    if (this.#untilOf.has(sessionId)) return;
    this.#untilOf.set(sessionId, until);
    for (const listener of this.#listeners) listener(sessionId);
  }
}

/** Those that could not be used any more anyhow. */
export async function removeEndedSessions(database: Database): Promise<void> {
  await database.write('delete from ended_session where until < (select now from clock)');
}
