/** Who has a number: asks the page's function, else the broker. */
import * as z from 'zod/mini';
import type { BrokerClient } from './client.ts';
import { textOrNumber, type Customer, type CustomerLookup } from './contract.ts';

/** Nobody reads more names than that while a telephone rings. */
const MOST = 20;
const LONGEST = 200;

/** A late name is still useful during the call. */
const TIMEOUT_MS = 25_000;

/** On one line. */
const line = z.string().check(
  z.overwrite((text) =>
    text
      .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .trim()
      .slice(0, LONGEST),
  ),
  z.minLength(1),
);
const optionalLine = z.catch(z.optional(line), undefined);

/** Whatever else the page tells of a customer is kept. */
const customerSchema = z.looseObject({
  code: z.pipe(textOrNumber, line),
  name: line,
  number: optionalLine,
  context: optionalLine,
});
const rowsSchema = z.array(z.unknown());
const answerSchema = z.object({ customers: rowsSchema });

/** A customer that cannot be read is left out. */
function parseCustomers(rows: unknown): readonly Customer[] {
  return (z.safeParse(rowsSchema, rows).data ?? [])
    .map((row) => z.safeParse(customerSchema, row).data)
    .filter((customer) => customer !== undefined)
    .slice(0, MOST);
}

/**
 * @param lookup the page's function, which replaces the broker's link
 * @returns empty: nobody is known, or it could not be found out
 * @throws whatever the page's function throws, or the request
 */
export async function findCustomers(
  number: string,
  lookup: CustomerLookup | undefined,
  broker: BrokerClient | undefined,
  signal: AbortSignal,
): Promise<readonly Customer[]> {
  if (lookup) return parseCustomers(await lookup(number));
  if (!broker?.has('customers')) return [];
  const { status, body } = await broker.customers(number, TIMEOUT_MS, signal);
  return status === 200 ? parseCustomers(z.safeParse(answerSchema, JSON.parse(body)).data?.customers) : [];
}
