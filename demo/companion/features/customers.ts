/**
 * Whose number it is, in at most three requests to the vendor. The vendor's document leaves much open, so every form is
 * accepted: values as text or number, any form of an empty list, any spelling of a telephone number.
 */
import { Hono } from 'hono';
import { LRUCache } from 'lru-cache';
import * as z from 'zod/mini';
import type { SignedIn } from '../guards/auth.ts';
import type { Config } from '../config.ts';
import { Problem } from '../problem.ts';
import { VendorClient, type Vendor, type VendorOptions } from '../vbot/client.ts';
import { repeatablePost, rowsOf } from '../vbot/endpoint.ts';
import { VendorError } from '../vbot/errors.ts';

/** Lookups have connections of their own, so that sessions never wait behind them. */
const CONCURRENCY = 12;
const TIMEOUT_MS = 4000;
/** Long enough for all tabs that ring at the same time. */
const CACHE_MS = 10_000;
const CACHED = 1000;
/** How long a context field is left out after the vendor refused it. */
const WITHOUT_CONTEXT_MS = 600_000;
const PAGE_SIZE = 50;
const INVALID = -1;

interface Parts {
  readonly config: Pick<Config, 'customerContextField' | 'vendorConcurrency' | 'vendorFormat'>;
  readonly vendor: Vendor;
  readonly telemetry: { readonly vendorCall: VendorOptions['observe'] };
  /** Aborts when all requests are answered. */
  readonly closed: AbortSignal;
  /** Milliseconds for one search. */
  readonly lookupTimeoutMs?: number | undefined;
}

/** For signed-in members, below `/dialer`. */
export function createCustomerRoutes(parts: Parts): Hono<SignedIn> {
  const { config, vendor, telemetry, closed, lookupTimeoutMs = TIMEOUT_MS } = parts;
  const app = new Hono<SignedIn>();
  const client = new VendorClient(vendor, {
    concurrency: Math.min(config.vendorConcurrency ?? CONCURRENCY, CONCURRENCY),
    deadlineMs: lookupTimeoutMs,
    // A late name is of no use.
    attempts: 1,
    // A half-open circuit would let only one of a lookup's requests through.
    openMs: 0,
    format: config.vendorFormat,
    observe: telemetry.vendorCall,
  });
  closed.addEventListener('abort', () => void client.close());
  let contextFrom = 0;
  /** The customers with a number, as `readPhone` returns it; a failed lookup does not stay. */
  const byPhone = new LRUCache<string, readonly Customer[]>({
    max: CACHED,
    ttl: CACHE_MS,
    fetchMethod: async (phone) => {
      const field = performance.now() < contextFrom ? undefined : config.customerContextField;
      // The first page's number is not documented, so none is sent.
      const search = (spelling: string) =>
        client.call(listCustomers, { size: PAGE_SIZE, field_search: searchFor(spelling, field) });
      try {
        const rows = await Promise.all(listSpellings(phone).map(search));
        return readRows(rows.flat(), phone, field);
      } catch (error) {
        // With an unknown field the vendor refuses every search.
        const isInvalid =
          error instanceof VendorError && error.code === 'refused' && error.vendorCode === INVALID;
        if (field !== undefined && isInvalid) contextFrom = performance.now() + WITHOUT_CONTEXT_MS;
        throw error;
      }
    },
  });

  app.get('/customers', async (c) => {
    const [asked = '', ...more] = c.req.queries('phone') ?? [];
    const phone = more.length === 0 ? readPhone(asked) : undefined;
    if (phone === undefined)
      throw new Problem('invalid-request', { detail: 'phone must be exactly one telephone number.' });
    return c.json({ customers: await byPhone.fetch(phone) });
  });

  return app;
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

/** Of a customer, a field or an option. */
export const codeSchema = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,128}$/));

/** Text that may be missing; control characters would steer terminals and logs. */
export const words = z.pipe(
  z.nullish(z.union([z.string(), z.number()])),
  z.transform((given) =>
    String(given ?? '')
      .replaceAll(/\p{Cc}+/gu, ' ')
      .trim(),
  ),
);
const text = z.string().check(z.minLength(1));

/**
 * `EQUAL` is for every field but those of type TEXT, `CONTAIN` for STRING, `RANGER` (`min|max`) for NUMBER, DATE and
 * `create_at`. With `is_search: false` nothing is compared, and the field is put into the answer.
 */
export const fieldSearch = z.strictObject({
  customer_field_code: codeSchema,
  value: z.string(),
  type: z.enum(['EQUAL', 'CONTAIN', 'RANGER']),
  is_search: z.boolean(),
});

const chosen = z.object({ code: text, text_color: words, value: words });
const listedField = z.object({ code: text, value: words, value_option: rowsOf(chosen) });
const customerRow = z.object({ customer_field_items: z.array(listedField) });

export type FieldSearch = z.infer<typeof fieldSearch>;
export type CustomerRow = z.infer<typeof customerRow>;

export const listCustomers = repeatablePost(
  'api/customer/get-all',
  {
    field_search: z.optional(z.array(fieldSearch)),
    page: z.optional(z.int()),
    size: z.optional(z.int()),
  },
  z.pipe(
    z.nullish(z.array(customerRow)),
    z.transform((rows) => rows ?? []),
  ),
);

/** Of all the vendor keeps, the name, the number and one field of the partner's choice. */
export interface Customer {
  readonly code: string;
  readonly name: string;
  /** As the vendor keeps it. */
  readonly number: string;
  /** What the field of CUSTOMER_CONTEXT_FIELD says, if anything. */
  readonly context?: string;
}

/**
 * The customers of these rows, each once; a row of another number is left out, as nobody asked for it.
 *
 * @throws {VendorError} when no row says whose it is
 */
function readRows(
  rows: readonly CustomerRow[],
  phone: string,
  contextField: string | undefined,
): readonly Customer[] {
  const found = rows.map((row): Customer => {
    const textOf = readTexts(row);
    const code = textOf('customer_code');
    const context = textOf(contextField);
    return {
      code,
      name: textOf('name') || code,
      number: textOf('phone') || phone,
      ...(context && { context }),
    };
  });
  if (found.length > 0 && found.every(({ code }) => code === '')) {
    throw new VendorError('invalid-answer', 'The vendor returned customers without a code.');
  }
  const wanted = found.filter(({ code, number }) => code !== '' && readPhone(number) === phone);
  return [...new Map(wanted.map((customer) => [customer.code, customer])).values()];
}

/** Returns the text of a customer's field, as people read it; empty if there is none. */
export function readTexts({
  customer_field_items: items,
}: CustomerRow): (field: string | undefined) => string {
  return (wanted) => {
    const item = items.find(({ code }) => code === wanted);
    const names = item?.value_option.map(({ value, code }) => value || code).join(', ');
    return names || (item?.value ?? '');
  };
}

/** Marks between digits. */
const MARKS = /[\s\p{Cf}\p{Pd}./()\u2212\u00b7]/gu;
const DIGITS = /^\+?\d{3,17}$/;
/** Behind Vietnam's calling code: a subscriber's number, with or without its zero, or a service number such as 1900… */
const VIETNAMESE = /^84(?:0?(?<subscriber>[2-9]\d{8,9})|(?<service>1[89]00\d{4,6}))$/;
const NATIONAL = /^(?:0\d{9,10}|1[89]00\d{4,6})$/;
/** Shorter ones are dialled as they are and have no calling code. */
const INTERNATIONAL_DIGITS = 8;

/** The one form to compare by: national in Vietnam, else all digits from the calling code on; undefined: no number. */
export function readPhone(written: string): string | undefined {
  const stripped = written.replaceAll(MARKS, '');
  if (!DIGITS.test(stripped)) return undefined;
  const digits = stripped.replace(/^(?:\+|00)/, '');
  const { subscriber, service } = VIETNAMESE.exec(digits)?.groups ?? {};
  return service ?? (subscriber === undefined ? digits : `0${subscriber}`);
}

/** The ways in which somebody may have written this number down, at most three. */
export function listSpellings(phone: string): readonly string[] {
  if (NATIONAL.test(phone)) {
    const abroad = `84${phone.replace(/^0/, '')}`;
    return [phone, abroad, `+${abroad}`];
  }
  return phone.length < INTERNATIONAL_DIGITS ? [phone] : [phone, `+${phone}`, `00${phone}`];
}
