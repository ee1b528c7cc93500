/** How much one member, and one address, may ask in a minute. What money may be spent is the ledger's business. */
import type { Context, MiddlewareHandler } from 'hono';
import { Pool } from 'pg';
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import type { FromNode } from './from-node.ts';
import { problem } from './problem.ts';

const MINUTE_SECONDS = 60;

export interface Rates {
  /** `postgres://…`, or anything else to count in memory. */
  readonly databaseUrl: string;
  /** Requests a minute. */
  readonly ratePerMember: number;
  readonly ratePerAddress: number;
  /** Reverse proxies in front of this server, each of which adds to `X-Forwarded-For`. */
  readonly proxyHops: number;
}

/** Counts in memory; in PostgreSQL when companions share one, so that asking another of them is no way around. */
export class Limits {
  readonly #pool: Pool | undefined;
  readonly #members: RateLimiterAbstract;
  readonly #addresses: RateLimiterAbstract;
  readonly #proxyHops: number;

  constructor({ databaseUrl, ratePerMember, ratePerAddress, proxyHops }: Rates) {
    this.#pool = databaseUrl.startsWith('file:')
      ? undefined
      : new Pool({ connectionString: databaseUrl, max: 2 });
    // A connection that breaks while nobody uses it is replaced by the pool.
    this.#pool?.on('error', () => undefined);
    this.#members = this.#limiter('member', ratePerMember);
    this.#addresses = this.#limiter('address', ratePerAddress);
    this.#proxyHops = proxyHops;
  }

  readonly address: MiddlewareHandler<FromNode> = async (c, next) => {
    const address = this.#addressOf(c);
    return (address && (await take(this.#addresses, address))) || next();
  };

  member(memberNo: string): Promise<Response | undefined> {
    return take(this.#members, memberNo);
  }

  async close(): Promise<void> {
    await this.#pool?.end();
  }

  #limiter(keyPrefix: string, points: number): RateLimiterAbstract {
    const memory = new RateLimiterMemory({ keyPrefix, points, duration: MINUTE_SECONDS });
    if (!this.#pool) return memory;
    return new RateLimiterPostgres({
      storeClient: this.#pool,
      tableName: 'rate_limit',
      // By our own migrations; until they have run, as whenever the database cannot be used, memory counts.
      tableCreated: true,
      keyPrefix,
      points,
      duration: MINUTE_SECONDS,
      inMemoryBlockOnConsumed: points,
      // Telephones matter more than exact limits.
      insuranceLimiter: memory,
    });
  }

  /** Of what proxies report only the part that our own have written can be believed. */
  #addressOf(c: Context<FromNode>): string | undefined {
    if (this.#proxyHops === 0) return c.env.incoming.socket.remoteAddress;
    const reported = c.req.header('X-Forwarded-For')?.split(',') ?? [];
    return reported.at(-this.#proxyHops)?.trim();
  }
}

async function take(limiter: RateLimiterAbstract, key: string): Promise<Response | undefined> {
  try {
    await limiter.consume(key);
    return undefined;
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const answer = problem('too-many-requests');
    answer.headers.set('Retry-After', String(Math.ceil(refusal.msBeforeNext / 1000)));
    return answer;
  }
}
