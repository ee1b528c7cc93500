/** Who a number belongs to, and what happened with a customer so far: at most three calls of the vendor each time. */
import { VendorClient, type Vendor, type VendorOptions } from '../vendor/client.ts';
import { VendorError } from '../vendor/response.ts';
import {
  readDetail,
  readInteractions,
  readRows,
  type Customer,
  type CustomerWithHistory,
} from './customer.ts';
import { CUSTOMER_ENDPOINTS, type FieldSearch, type InteractionRow } from './endpoints.ts';
import { spellingsOf } from './phone.ts';

/** Requests under way at once: lookups have connections of their own, so that sessions never wait behind them. */
const CONCURRENCY = 12;
const DEADLINE_MS = 4000;
/** How long an answer is given again; long enough for all tabs that ring at once. */
const CACHE_MS = 10_000;
const CACHED = 1000;
/** How long a context field that the vendor has refused is left out. */
const WITHOUT_CONTEXT_MS = 600_000;
const PAGE_SIZE = 50;
const INVALID = -1;
const UNKNOWN = 404;

export class CustomerLookup {
  readonly #client: VendorClient;
  readonly #contextField: string | undefined;
  /** By number; a failed lookup does not stay. */
  readonly #found = new Map<string, { readonly customers: Promise<readonly Customer[]>; until: number }>();
  #contextFrom = 0;

  constructor(
    vendor: Vendor,
    contextField: string | undefined,
    { concurrency = CONCURRENCY, observe }: Pick<VendorOptions, 'concurrency' | 'observe'> = {},
  ) {
    this.#client = new VendorClient(vendor, {
      concurrency: Math.min(concurrency, CONCURRENCY),
      deadline: DEADLINE_MS,
      // Whoever waits for a name would rather have none than a late one.
      attempts: 1,
      // The calls of one lookup go out together, of which an opened circuit would let one through.
      openMs: 0,
      observe,
    });
    this.#contextField = contextField;
  }

  /**
   * Every customer with this number, however it is kept.
   *
   * @param phone as `readPhone` returns it
   * @throws {VendorError}
   */
  byPhone(phone: string): Promise<readonly Customer[]> {
    const now = performance.now();
    const known = this.#found.get(phone);
    if (known && known.until > now) return known.customers;
    const customers = this.#search(phone);
    const entry = { customers, until: now + DEADLINE_MS + CACHE_MS };
    this.#found.delete(phone);
    this.#found.set(phone, entry);
    for (const [oldest] of this.#found) {
      if (this.#found.size <= CACHED) break;
      this.#found.delete(oldest);
    }
    customers.then(
      () => (entry.until = performance.now() + CACHE_MS),
      () => (entry.until = 0),
    );
    return customers;
  }

  /** One customer and the newest of their history; undefined: there is no such customer. @throws {VendorError} */
  async byCode(code: string): Promise<CustomerWithHistory | undefined> {
    const asked = { customer_code: code };
    const [detail, rows] = await Promise.all([
      this.#client.call(CUSTOMER_ENDPOINTS.readCustomer, asked).catch(unknownAs(null)),
      this.#client
        .call(CUSTOMER_ENDPOINTS.listInteractions, { ...asked, size: PAGE_SIZE })
        .catch(unknownAs<InteractionRow[]>([])),
    ]);
    const customer = detail && readDetail(detail, code, this.#contextField);
    if (!customer) return undefined;
    return { ...customer, interactions: readInteractions(rows, code) };
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async #search(phone: string): Promise<readonly Customer[]> {
    const contextField = performance.now() < this.#contextFrom ? undefined : this.#contextField;
    const search = (spelling: string) =>
      this.#client.call(CUSTOMER_ENDPOINTS.listCustomers, {
        // Which page is the first one is not stated; without a number it is what comes.
        size: PAGE_SIZE,
        field_search: searchFor(spelling, contextField),
      });
    try {
      const rows = await Promise.all(spellingsOf(phone).map(search));
      return readRows(rows.flat(), phone, contextField);
    } catch (error) {
      // A field that the vendor does not know would cost every caller their name.
      if (contextField !== undefined && isRefused(error, INVALID)) {
        this.#contextFrom = performance.now() + WITHOUT_CONTEXT_MS;
      }
      throw error;
    }
  }
}

function searchFor(spelling: string, contextField: string | undefined): FieldSearch[] {
  const shown = new Set(['customer_code', 'name', ...(contextField === undefined ? [] : [contextField])]);
  shown.delete('phone');
  const show = { value: '', type: 'EQUAL', is_search: false } as const;
  return [
    { customer_field_code: 'phone', value: spelling, type: 'EQUAL', is_search: true },
    ...[...shown].map((code) => ({ customer_field_code: code, ...show })),
  ];
}

function isRefused(error: unknown, vendorCode: number): boolean {
  return error instanceof VendorError && error.code === 'refused' && error.vendorCode === vendorCode;
}

function unknownAs<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (isRefused(error, UNKNOWN)) return value;
    throw error;
  };
}
