/** Who has a number: asked of the page's own function, else of the broker's link. It is loaded with the first call. */
import * as z from '../schema.ts';
import { readLink, type BrokerOptions } from './client.ts';
import type { Customer, CustomerLookup } from './contract.ts';
import { resolveLink } from './links.ts';

export interface CustomerSource {
  /** The page's function, which replaces the link. */
  readonly lookup: CustomerLookup | undefined;
  readonly broker: BrokerOptions | undefined;
  readonly link: string | undefined;
}

/** Nobody reads more names than that while a telephone rings. */
const MOST = 20;
const LONGEST = 200;

/** A late name is of use, as long as the call goes on. */
const TIMEOUT_MS = 25_000;

const words = z.custom<string>(isText, onOneLine);
const customerSchema = z.object({
  code: z.custom<string>(
    (value) => isText(value) || Number.isFinite(value),
    (value) => onOneLine(String(value)),
  ),
  name: words,
  number: z.lenient(words),
  context: z.lenient(words),
});
const rowsSchema = z.array(z.custom<object>());
const answerSchema = z.object({ customers: rowsSchema });

/** What else the page tells of them is kept; one that cannot be read is left out. */
function parseCustomers(rows: unknown): readonly Customer[] {
  const known = (z.safeParse(rowsSchema, rows).data ?? []).map((row) => {
    const { data } = z.safeParse(customerSchema, row);
    return data && { ...row, ...data };
  });
  return known.filter((row) => row !== undefined).slice(0, MOST);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && onOneLine(value) !== '';
}

/** Names are shown so, whatever stands in them. */
function onOneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST);
}

/** Empty: nobody is known, or it could not be found out. @throws whatever the page's function does, or the request */
export async function findCustomers(
  number: string,
  { lookup, broker, link }: CustomerSource,
  signal: AbortSignal,
): Promise<readonly Customer[]> {
  if (lookup) return parseCustomers(await lookup(number));
  if (!broker || link === undefined) return [];
  const address = new URL(resolveLink(link, broker.url));
  address.searchParams.set('phone', number);
  const { status, body } = await readLink({ ...broker, timeout: TIMEOUT_MS }, address.href, signal);
  return status === 200 ? parseCustomers(z.safeParse(answerSchema, JSON.parse(body)).data?.customers) : [];
}
