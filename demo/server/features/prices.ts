/** What a minute costs a member. The vendor has no endpoint for it, so it is learned from the calls that the vendor lists. */
import { timeout, TimeoutStrategy } from 'cockatiel';
import { LRUCache } from 'lru-cache';
import type { Database } from '../store/database.ts';
import type { MemberNo } from '../vbot/api.ts';

/** An outgoing call as the vendor lists it; either number may be missing or absurd. */
export interface ChargedCall {
  /** VND. */
  readonly cost: number | undefined;
  readonly talkSeconds: number | undefined;
}

/** VND a minute; above that the row is wrong. */
const HIGHEST = 100_000;
const LONGEST_SECONDS = 24 * 3600;
const MEMBERS = 10_000;
/** Another companion may have learned a new price. */
const FRESH_MS = 60_000;
/** A session waits no longer than this for a price. */
const inTime = timeout(500, TimeoutStrategy.Aggressive);
const NOT_KNOWN = 0;

export class Prices {
  readonly #database: Database;
  readonly #known: LRUCache<string, number>;

  constructor(database: Database) {
    this.#database = database;
    this.#known = new LRUCache({
      max: MEMBERS,
      ttl: FRESH_MS,
      allowStale: true,
      // A price may be learned while it is read.
      ignoreFetchAbort: true,
      fetchMethod: (member, stale) =>
        inTime.execute(() => this.#read(member)).catch(() => stale ?? NOT_KNOWN),
    });
  }

  /** VND; undefined: not known. Usually without asking the store. */
  async of(memberNo: MemberNo): Promise<number | undefined> {
    return (await this.#known.fetch(memberNo.toLowerCase())) || undefined;
  }

  async learn(memberNo: MemberNo, calls: readonly ChargedCall[]): Promise<void> {
    const member = memberNo.toLowerCase();
    const price = pricePerMinute(calls);
    if (price === undefined || price === this.#known.get(member)) return;
    this.#known.set(member, price);
    const text = `insert into call_price (member, per_minute) values (?, ?)
      on conflict (member) do update set per_minute = excluded.per_minute`;
    await inTime.execute(() => this.#database.write(text, [member, price])).catch(() => undefined);
  }

  async #read(member: string): Promise<number> {
    const [row] = await this.#database.read('select per_minute as price from call_price where member = ?', [
      member,
    ]);
    return Number(row?.['price'] ?? NOT_KNOWN);
  }
}

/**
 * The vendor does not say whether it charges started minutes or seconds. The right way gives nearly the same price for all
 * calls, the wrong one does not. One call alone counts by started minutes.
 */
export function pricePerMinute(calls: readonly ChargedCall[]): number | undefined {
  const pricesBy = (minutesOf: (seconds: number) => number) =>
    calls
      .map(({ cost = 0, talkSeconds = 0 }) =>
        talkSeconds > 0 && talkSeconds <= LONGEST_SECONDS ? cost / minutesOf(talkSeconds / 60) : 0,
      )
      .filter((price) => price > 0 && price <= HIGHEST)
      .toSorted((a, b) => a - b);
  const [byStarted, bySecond] = [pricesBy(Math.ceil), pricesBy((minutes) => minutes)];
  const prices = spreadOf(bySecond) < spreadOf(byStarted) ? bySecond : byStarted;
  const median = prices[Math.floor(prices.length / 2)];
  return median === undefined ? undefined : Math.round(median * 100) / 100;
}

/** How many times the lowest the highest is. */
function spreadOf(sorted: readonly number[]): number {
  return (sorted.at(-1) ?? 1) / (sorted[0] ?? 1);
}
