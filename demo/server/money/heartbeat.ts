/** Finds out whether the store can be written, at most once a second however often that is asked. */
import { within } from '../vendor/timeout.ts';
import type { Database } from './database.ts';

const TIMEOUT_MS = 2000;
const FRESH_MS = 1000;

export class Heartbeat {
  readonly #database: Database;
  #checkedAt = -Infinity;
  #check: Promise<void> = Promise.resolve();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Rejects when nothing could be written in time. */
  check(): Promise<void> {
    if (performance.now() - this.#checkedAt < FRESH_MS) return this.#check;
    this.#checkedAt = performance.now();
    this.#check = within(TIMEOUT_MS, this.#write());
    return this.#check;
  }

  async #write(): Promise<void> {
    await this.#database.transact((sql) =>
      sql(`insert into heartbeat (one, at) select 1, now from clock where true
           on conflict (one) do update set at = excluded.at`),
    );
  }
}
