/**
 * How much may be asked in a minute, in budgets that do not touch each other: anonymous requests by address, signed-in ones
 * by member, those to routes of a partner's own, the vendor's webhooks. What money may be spent is the ledger's business.
 */
import type { IncomingMessage } from 'node:http';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { addressOf, networkOf } from './address.ts';
import { tooMany } from './problem.ts';

const MINUTE_SECONDS = 60;
/** Of a page that searches while somebody types. */
const RATE_OF_OWN_ROUTES = 600;
/** Wrong guesses at the operator's password, and how long they are remembered. */
const GUESSES = 5;
const GUESSES_SECONDS = 600;

export interface Rates {
  /** Requests a minute. */
  readonly ratePerMember: number;
  readonly ratePerAddress: number;
  readonly rateOfWebhooks: number;
  /** Reverse proxies in front of this server, each of which adds to `X-Forwarded-For`. */
  readonly proxyHops: number;
}

/** Rejects with a RateLimiterRes when there were too many. */
export interface Limiter {
  consume(key: string): Promise<unknown>;
}

export class Limits {
  readonly #members: Limiter;
  readonly #addresses: Limiter;
  readonly #webhooks: Limiter;
  readonly #ownRoutes = inMemory(RATE_OF_OWN_ROUTES);
  readonly #guesses = new RateLimiterMemory({ points: GUESSES, duration: GUESSES_SECONDS });
  readonly #proxyHops: number;

  /** @param members a limiter that companions share; absent: each counts for itself */
  constructor({ ratePerMember, ratePerAddress, rateOfWebhooks, proxyHops }: Rates, members?: Limiter) {
    this.#members = members ?? inMemory(ratePerMember);
    this.#addresses = inMemory(ratePerAddress);
    this.#webhooks = inMemory(rateOfWebhooks);
    this.#proxyHops = proxyHops;
  }

  anonymous(request: IncomingMessage): Promise<Response | undefined> {
    return take(this.#addresses, this.#networkOf(request));
  }

  member(memberNo: string): Promise<Response | undefined> {
    return take(this.#members, memberNo.toLowerCase());
  }

  /** Apart from what the dialer asks: no page of a partner's can cost a member their session. */
  ownRoutes(memberNo: string): Promise<Response | undefined> {
    return take(this.#ownRoutes, memberNo.toLowerCase());
  }

  webhook(): Promise<Response | undefined> {
    return take(this.#webhooks, 'webhooks');
  }

  /** After a few wrong guesses from one address even a right one is refused: else guessing could go on. */
  async guess(request: IncomingMessage, isRight: boolean): Promise<Response | undefined> {
    const network = this.#networkOf(request);
    const known = await this.#guesses.get(network);
    if (known && known.consumedPoints >= GUESSES) return tooMany(known.msBeforeNext);
    if (!isRight) await this.#guesses.consume(network).catch(() => undefined);
    return undefined;
  }

  #networkOf(request: IncomingMessage): string {
    return networkOf(addressOf(request, this.#proxyHops));
  }
}

function inMemory(points: number): RateLimiterMemory {
  return new RateLimiterMemory({ points, duration: MINUTE_SECONDS });
}

async function take(limiter: Limiter, key: string): Promise<Response | undefined> {
  try {
    await limiter.consume(key);
    return undefined;
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return tooMany(refusal.msBeforeNext);
  }
}
