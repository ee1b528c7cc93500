/** Who has a number: asks the page's function, else the broker. */
import * as z from 'zod/mini';
import { warnLeftOut } from '../page/console.ts';
import { filledLine, oneLine, textOrNumber, type Customer, type CustomerLookup } from './contract.ts';
import { parseLeniently } from './lenient.ts';
import type { BrokerSession } from './session.ts';

/** Nobody reads more names than that while a telephone rings. */
const MOST = 20;

/** Long, because a late name is still useful during the call. */
const TIMEOUT_MS = 25_000;

const optionalLine = z.pipe(
  z.nullish(oneLine),
  z.transform((text) => text || undefined),
);

/** Whatever else the page tells of a customer is kept. */
const customerSchema = z.looseObject({
  code: z.pipe(textOrNumber, filledLine),
  name: filledLine,
  number: optionalLine,
  context: optionalLine,
});
const answerSchema = z.object({ customers: z.array(customerSchema) });

/** @param whose the source, which the warning names if a customer cannot be read */
function parseCustomers(whose: string, answer: unknown): readonly Customer[] {
  const { data, leftOut } = parseLeniently(answerSchema, answer);
  warnLeftOut(whose, leftOut);
  return data?.customers.slice(0, MOST) ?? [];
}

/**
 * @param lookup the page's function, which replaces the broker's link
 * @returns empty: nobody is known, or it could not be found out
 * @throws whatever the page's function throws, or the request
 */
export async function findCustomers(
  number: string,
  lookup: CustomerLookup | undefined,
  session: BrokerSession | undefined,
  signal: AbortSignal,
): Promise<readonly Customer[]> {
  if (lookup)
    return parseCustomers("the result of the page's lookup", { customers: (await lookup(number)) ?? [] });
  if (!session?.has('customers')) return [];
  const { status, body } = await session.customers(number, TIMEOUT_MS, signal);
  return status === 200 ? parseCustomers("the broker's response", JSON.parse(body)) : [];
}
