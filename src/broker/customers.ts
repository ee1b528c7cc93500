/** Who has a number: asked of the page's own function, else of the broker's link. It is loaded with the first call. */
import * as z from 'zod/mini';
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

/** Names are shown on one line, whatever stands in them. */
const line = z.pipe(
  z.string(),
  z.transform((text) =>
    text
      .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .trim()
      .slice(0, LONGEST),
  ),
);
const words = z.pipe(line, z.string().check(z.minLength(1)));
const maybe = z.catch(z.optional(line), undefined);
const customerSchema = z.looseObject({
  code: z.pipe(z.union([words, z.pipe(z.number(), z.transform(String))]), words),
  name: words,
  number: maybe,
  context: maybe,
});
/** One that cannot be read is left out. */
const customersSchema = z.pipe(
  z.array(z.catch(z.nullable(customerSchema), null)),
  z.transform((rows): readonly Customer[] => rows.filter((row) => row !== null).slice(0, MOST)),
);
const answerSchema = z.object({ customers: customersSchema });

/** Empty: nobody is known, or it could not be found out. @throws whatever the page's function does, or the request */
export async function findCustomers(
  number: string,
  { lookup, broker, link }: CustomerSource,
  signal: AbortSignal,
): Promise<readonly Customer[]> {
  if (lookup) return customersSchema.safeParse(await lookup(number)).data ?? [];
  if (!broker || link === undefined) return [];
  const address = new URL(resolveLink(link, broker.url));
  address.searchParams.set('phone', number);
  const { status, body } = await readLink({ ...broker, timeout: TIMEOUT_MS }, address.href, signal);
  return status === 200 ? (answerSchema.safeParse(JSON.parse(body)).data?.customers ?? []) : [];
}
