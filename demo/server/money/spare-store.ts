/**
 * PostgreSQL for what an agent can do without: nobody waits for it longer than a moment, and after a failure it is not asked
 * again for a while. Its connections are its own, so that money never waits for them.
 */
import type { Pool } from 'pg';
import { within } from '../vendor/timeout.ts';
import { openPool } from './postgres-pool.ts';

const CONNECTIONS = 4;
const TIMEOUT_MS = 1000;
const AWAY_MS = 3000;
const CLOSE_MS = 2000;

export class SpareStore {
  readonly #pool: Promise<Pool>;
  #awayUntil = 0;

  constructor(databaseUrl: string) {
    this.#pool = openPool(databaseUrl, CONNECTIONS);
  }

  /** What the work gives; undefined: the store is away. */
  async attempt<T>(work: (pool: Pool) => Promise<T>): Promise<T | undefined> {
    if (performance.now() < this.#awayUntil) return undefined;
    try {
      return await within(TIMEOUT_MS, this.#pool.then(work));
    } catch {
      this.#awayUntil = performance.now() + AWAY_MS;
      return undefined;
    }
  }

  async close(): Promise<void> {
    const pool = await this.#pool;
    await within(CLOSE_MS, pool.end()).catch(() => undefined);
  }
}
