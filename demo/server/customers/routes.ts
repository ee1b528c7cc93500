/** Who a number belongs to, and what happened with a customer so far: at most three calls of the vendor each time. */
import { Hono } from 'hono';
import { LRUCache } from 'lru-cache';
import type { SignedIn } from '../auth.ts';
import { Problem } from '../http.ts';
import { VendorClient, type Vendor, type VendorOptions } from '../vendor/client.ts';
import { VendorError } from '../vendor/response.ts';
import {
  codeSchema,
  CUSTOMER_ENDPOINTS,
  readDetail,
  readInteractions,
  readPhone,
  readRows,
  spellingsOf,
  type Customer,
  type FieldSearch,
  type Interaction,
  type InteractionRow,
} from './customer.ts';

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

interface Parts {
  readonly config: {
    readonly customerContextField: string | undefined;
    readonly vendorConcurrency: number | undefined;
  };
  readonly vendor: Vendor;
  readonly telemetry: { readonly vendorCall: VendorOptions['observe'] };
  /** Aborts when all requests are answered. */
  readonly closed: AbortSignal;
}

/** For signed-in members, below `/dialer`. */
export function createCustomerRoutes({ config, vendor, telemetry, closed }: Parts): Hono<SignedIn> {
  const app = new Hono<SignedIn>();
  const client = new VendorClient(vendor, {
    concurrency: Math.min(config.vendorConcurrency ?? CONCURRENCY, CONCURRENCY),
    deadlineMs: DEADLINE_MS,
    // Whoever waits for a name would rather have none than a late one.
    attempts: 1,
    // The calls of one lookup go out together, of which an opened circuit would let one through.
    openMs: 0,
    observe: telemetry.vendorCall,
  });
  closed.addEventListener('abort', () => void client.close());
  const lookup = new CustomerLookup(client, config.customerContextField);

  app.get('/customers', async (c) => {
    const [asked = '', ...more] = c.req.queries('phone') ?? [];
    const phone = more.length === 0 ? readPhone(asked) : undefined;
    if (phone === undefined) throw new Problem('invalid-request', { detail: 'phone: one telephone number.' });
    return c.json({ customers: await lookup.byPhone(phone) });
  });

  app.get('/customers/:code', async (c) => {
    const asked = codeSchema.safeParse(c.req.param('code'));
    if (!asked.success) {
      throw new Problem('invalid-request', { detail: 'A code is letters, digits, _ and -.' });
    }
    const customer = await lookup.byCode(asked.data);
    if (!customer) throw new Problem('not-found', { detail: 'There is no such customer.' });
    return c.json(customer);
  });

  return app;
}

class CustomerLookup {
  readonly #client: VendorClient;
  readonly #contextField: string | undefined;
  /** By number; a failed lookup does not stay. */
  readonly #found = new LRUCache<string, readonly Customer[]>({
    max: CACHED,
    ttl: CACHE_MS,
    fetchMethod: (phone) => this.#search(phone),
  });
  #contextFrom = 0;

  constructor(client: VendorClient, contextField: string | undefined) {
    this.#client = client;
    this.#contextField = contextField;
  }

  /**
   * Every customer with this number, however it is kept.
   *
   * @param phone as `readPhone` returns it
   * @throws {VendorError}
   */
  async byPhone(phone: string): Promise<readonly Customer[]> {
    return (await this.#found.fetch(phone)) ?? [];
  }

  /** One customer and the newest of their history, first; undefined: there is no such customer. @throws {VendorError} */
  async byCode(
    code: string,
  ): Promise<(Customer & { readonly interactions: readonly Interaction[] }) | undefined> {
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
