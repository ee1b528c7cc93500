/**
 * Rate limits, each counted alone: anonymous requests and wrong passwords by address, signed-in requests by member,
 * requests to a partner's own routes, webhooks. The ledger limits money.
 */
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { expandIPv6 } from 'hono/utils/ipaddr';
import type { Pool } from 'pg';
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import type { Config } from '../config.ts';
import { Problem } from '../problem.ts';
import { memberKey } from '../vbot/api.ts';

const MINUTE_SECONDS = 60;
/** For pages that search while somebody types. */
const RATE_OF_OWN_ROUTES = 600;
/** Wrong passwords of the operator. */
const RATE_OF_GUESSES = 20;
/** A campaign makes many calls, and we assume that the vendor repeats webhooks. */
const RATE_OF_WEBHOOKS = 6000;

/** Each key may take `points` in `duration` seconds. */
export class RateLimit {
  readonly #alone: RateLimiterAbstract;
  readonly #shared: Promise<RateLimiterAbstract> | undefined;
  readonly #warn: ((error: unknown) => void) | undefined;

  /** @param pool of the PostgreSQL that companions share; without it, or during an outage, each counts alone */
  constructor(
    name: string,
    points: number,
    duration = MINUTE_SECONDS,
    pool?: Promise<Pool>,
    warn?: (error: unknown) => void,
  ) {
    this.#alone = new RateLimiterMemory({ points, duration });
    this.#warn = warn;
    // Its table is made by store/migrations.ts.
    const table = { tableName: 'rate_limit', tableCreated: true, keyPrefix: name };
    const rate = { points, duration, inMemoryBlockOnConsumed: points + 1 };
    this.#shared = pool?.then((storeClient) => new RateLimiterPostgres({ storeClient, ...table, ...rate }));
  }

  /** @throws {Problem} when there were too many */
  async take(key: string): Promise<void> {
    try {
      await this.#with((limiter) => consume(limiter, key));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new Problem('too-many-requests', { retryAfter: Math.ceil(refusal.msBeforeNext / 1000) });
    }
  }

  async giveBack(key: string): Promise<void> {
    await this.#with((limiter) => limiter.reward(key));
  }

  async #with(count: (limiter: RateLimiterAbstract) => Promise<unknown>): Promise<void> {
    try {
      await count((await this.#shared) ?? this.#alone);
    } catch (error) {
      if (!this.#shared || error instanceof RateLimiterRes) throw error;
      this.#warn?.(error);
      await count(this.#alone);
    }
  }
}

/** A window that ends later than any can was written by a clock that was ahead: it is over. */
async function consume(limiter: RateLimiterAbstract, key: string): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes) || refusal.msBeforeNext <= limiter.duration * 1000)
      throw refusal;
    await limiter.delete(key);
    return limiter.consume(key);
  }
}

type Rates = Pick<Config, 'ratePerMember' | 'ratePerAddress' | 'proxyHops'>;

export class Limits {
  readonly #pool: Promise<Pool> | undefined;
  readonly #warn: ((error: unknown) => void) | undefined;
  readonly #members: RateLimit;
  readonly #addresses: RateLimit;
  readonly #webhooks = new RateLimit('webhooks', RATE_OF_WEBHOOKS);
  readonly #guesses = new RateLimit('guesses', RATE_OF_GUESSES);
  readonly #ownRoutes = new RateLimit('own routes', RATE_OF_OWN_ROUTES);
  readonly #proxyHops: number;

  /** @param pool of a PostgreSQL that companions share @param warn called when its limits cannot be used */
  constructor(
    { ratePerMember, ratePerAddress, proxyHops }: Rates,
    pool?: Promise<Pool>,
    warn?: (error: unknown) => void,
  ) {
    this.#pool = pool;
    this.#warn = warn;
    this.#members = this.shared('member', ratePerMember);
    this.#addresses = new RateLimit('address', ratePerAddress);
    this.#proxyHops = proxyHops;
  }

  /** A budget that all companions on one PostgreSQL share. */
  shared(name: string, points: number, seconds?: number): RateLimit {
    return new RateLimit(name, points, seconds, this.#pool, this.#warn);
  }

  readonly anonymous = (request: IncomingMessage) => this.#addresses.take(this.#networkOf(request));
  readonly member = (memberNo: string) => this.#members.take(memberKey(memberNo));
  /** Apart from the dialer's requests, so that a partner's page cannot block a member's session. */
  readonly ownRoutes = (memberNo: string) => this.#ownRoutes.take(memberKey(memberNo));
  /** A wrong password. */
  readonly guess = (request: IncomingMessage) => this.#guesses.take(this.#networkOf(request));
  readonly webhook = (request: IncomingMessage) => this.#webhooks.take(this.#networkOf(request));

  #networkOf(request: IncomingMessage): string {
    return clientNetwork(clientAddress(request, this.#proxyHops));
  }
}

/** Believes only the entries of `X-Forwarded-For` that our own proxies added. */
export function clientAddress({ headers, socket }: IncomingMessage, proxyHops: number): string {
  if (proxyHops === 0) return socket.remoteAddress ?? 'unknown';
  const reported = String(headers['x-forwarded-for'] ?? '').split(',');
  return withoutPort(reported.at(-proxyHops)?.trim() ?? '') || 'unknown';
}

/** Some proxies add the port: `192.0.2.7:50123`, `[2001:db8::1]:50123`. */
function withoutPort(address: string): string {
  return (/^\[([^\]]*)\](?::\d+)?$/.exec(address) ?? /^([\d.]+):\d+$/.exec(address))?.[1] ?? address;
}

/** An IPv6 subscriber has a whole /64, so it counts as one address. */
export function clientNetwork(address: string): string {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const groups = expandIPv6(address.toLowerCase().replace(/%.*/, '')).split(':');
  return `${groups.slice(0, 4).join(':')}::/64`;
}
