/**
 * A rate limiter in PostgreSQL, so that asking another companion is no way around it. Whoever asks as seldom as agents do is
 * counted in memory alone, and so is everybody while PostgreSQL is away.
 */
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Pool } from 'pg';
import type { SpareStore } from './spare-store.ts';

const MINUTE_SECONDS = 60;
/** This part of the limit is not counted together. */
const SELDOM = 1 / 6;

export class SharedLimiter {
  readonly #store: SpareStore;
  readonly #points: number;
  readonly #memory: RateLimiterMemory;
  #shared: RateLimiterPostgres | undefined;

  /** @param points requests a minute */
  constructor(store: SpareStore, points: number) {
    this.#store = store;
    this.#points = points;
    this.#memory = new RateLimiterMemory({ points, duration: MINUTE_SECONDS });
  }

  /** @throws {RateLimiterRes} when there were too many */
  async consume(key: string): Promise<unknown> {
    const { consumedPoints } = await this.#memory.consume(key);
    const seldom = Math.floor(this.#points * SELDOM);
    if (consumedPoints <= seldom) return undefined;
    // The first one that is counted together brings along those before it.
    const points = consumedPoints === seldom + 1 ? consumedPoints : 1;
    const refusal = await this.#store.attempt((pool) => this.#consume(pool, key, points));
    if (refusal) throw refusal;
    return undefined;
  }

  /** A refusal is an answer of the store's, too. */
  async #consume(pool: Pool, key: string, points: number): Promise<RateLimiterRes | undefined> {
    this.#shared ??= createLimiter(pool, this.#points);
    try {
      await this.#shared.consume(key, points);
      return undefined;
    } catch (error) {
      if (error instanceof RateLimiterRes) return error;
      throw error;
    }
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
