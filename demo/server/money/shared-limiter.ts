/** A rate limiter in PostgreSQL, so that asking another companion is no way around it; memory counts while that is away. */
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Pool } from 'pg';
import { within } from '../vendor/timeout.ts';
import { openPool } from './postgres-pool.ts';

const MINUTE_SECONDS = 60;
const CONNECTIONS = 2;
/** Telephones matter more than exact limits: an agent waits no longer than this, and not again for a while. */
const TIMEOUT_MS = 1000;
const AWAY_MS = 3000;
const CLOSE_MS = 2000;

export class SharedLimiter {
  readonly #pool: Promise<Pool>;
  readonly #memory: RateLimiterMemory;
  readonly #shared: Promise<RateLimiterPostgres>;
  #awayUntil = 0;

  /** @param points requests a minute */
  constructor(databaseUrl: string, points: number) {
    this.#pool = openPool(databaseUrl, CONNECTIONS);
    this.#memory = new RateLimiterMemory({ points, duration: MINUTE_SECONDS });
    this.#shared = this.#pool.then((pool) => createLimiter(pool, points));
  }

  /** @throws {RateLimiterRes} when there were too many */
  async consume(key: string): Promise<unknown> {
    if (performance.now() < this.#awayUntil) return this.#memory.consume(key);
    const shared = await this.#shared;
    try {
      return await within(TIMEOUT_MS, shared.consume(key));
    } catch (error) {
      if (error instanceof RateLimiterRes) throw error;
      this.#awayUntil = performance.now() + AWAY_MS;
      return this.#memory.consume(key);
    }
  }

  async close(): Promise<void> {
    const pool = await this.#pool;
    await within(CLOSE_MS, pool.end()).catch(() => undefined);
  }
}

function createLimiter(pool: Pool, points: number): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: pool,
    tableName: 'rate_limit',
    // By our own migrations.
    tableCreated: true,
    keyPrefix: 'member',
    points,
    duration: MINUTE_SECONDS,
    inMemoryBlockOnConsumed: points,
  });
}
