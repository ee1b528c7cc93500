/** What a minute costs a member. The vendor has no endpoint for it, so it is learned from the calls that the vendor lists. */
import { bulkhead } from 'cockatiel';
import { LRUCache } from 'lru-cache';
import type { Database } from '../store/database.ts';
import { memberKey, type MemberNo } from '../vbot/api.ts';

/** An outgoing call as the vendor lists it; either number may be missing or absurd. */
interface ChargedCall {
  /** VND. */
  readonly cost: number | undefined;
  readonly talkSeconds: number | undefined;
}

/** VND per minute. A higher price comes from a wrong row. */
const HIGHEST = 100_000;
const LONGEST_SECONDS = 24 * 3600;
const MEMBERS = 10_000;
/** Another companion may have learned a new price. */
const FRESH_MS = 60_000;
/** At most so many prices wait to be read or written; the others wait for the member's next request. */
const QUEUE = 100;
const NOT_KNOWN = 0;

/** No request waits for a price, and prices take no more than one connection to the store from those that move money. */
export class Prices {
  readonly #database: Database;
  readonly #known: LRUCache<string, number>;
  readonly #oneByOne = bulkhead(1, QUEUE);

  constructor(database: Database) {
    this.#database = database;
    this.#known = new LRUCache({
      max: MEMBERS,
      ttl: FRESH_MS,
      allowStale: true,
      noDeleteOnStaleGet: true,
      // A price may be learned while it is read.
      ignoreFetchAbort: true,
      fetchMethod: (member, stale) => this.#oneByOne.execute(() => this.#read(member)).catch(() => stale),
    });
  }

  /** VND; undefined: not known yet. Also starts to read the stored price, for the next call. */
  of(memberNo: MemberNo): number | undefined {
    const member = memberKey(memberNo);
    void this.#known.fetch(member);
    return this.#known.get(member) || undefined;
  }

  /** Notes it in the background. */
  learn(memberNo: MemberNo, calls: readonly ChargedCall[]): void {
    const member = memberKey(memberNo);
    const price = pricePerMinute(calls);
    if (price === undefined || price === this.#known.get(member)) return;
    this.#known.set(member, price);
    const text = `insert into call_price (member, per_minute) values (?, ?)
      on conflict (member) do update set per_minute = excluded.per_minute`;
    this.#oneByOne.execute(() => this.#database.write(text, [member, price])).catch(() => undefined);
  }

  async #read(member: string): Promise<number> {
    const [row] = await this.#database.read('select per_minute as price from call_price where member = ?', [
      member,
    ]);
    return Number(row?.['price'] ?? NOT_KNOWN);
  }
}

/**
 * The vendor does not say whether it charges started minutes or seconds. The right way gives nearly the same price for most
 * calls, the wrong one does not; a few expensive ones, e.g. abroad, do not change the result. For a single call, started
 * minutes are assumed.
 */
export function pricePerMinute(calls: readonly ChargedCall[]): number | undefined {
  const pricesBy = (minutesOf: (seconds: number) => number) =>
    calls
      .map(({ cost = 0, talkSeconds = 0 }) =>
        talkSeconds > 0 && talkSeconds <= LONGEST_SECONDS ? cost / minutesOf(talkSeconds / 60) : 0,
      )
      .filter((price) => price > 0 && price <= HIGHEST);
  const [byStarted, bySecond] = [pricesBy(Math.ceil), pricesBy((minutes) => minutes)];
  const median = medianOf(deviation(bySecond) < deviation(byStarted) ? bySecond : byStarted);
  return median === undefined ? undefined : Math.round(median * 100) / 100;
}

/** The median distance of the prices from their median, relative to it. */
function deviation(prices: readonly number[]): number {
  const middle = medianOf(prices);
  return middle === undefined ? 0 : (medianOf(prices.map((price) => Math.abs(price / middle - 1))) ?? 0);
}

function medianOf(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
