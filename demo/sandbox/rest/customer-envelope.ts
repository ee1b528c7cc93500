/** What the routes of customers, their fields and their histories share: pages, order, and the codes of a refusal. */
import type { Context } from 'hono';
import type { Change, Refusal } from '../world/customer-data.ts';
import type { World } from '../world/world.ts';
import { CODE, fail, succeed } from './envelope.ts';

const CODES: Readonly<Record<Refusal, number>> = {
  invalid: CODE.badRequest,
  'not-found': CODE.notFound,
  exists: CODE.exists,
};

/** Takes the change over and answers with `data`, or answers with the code of its refusal. */
export function applyChange(c: Context, world: World, change: Change, data: unknown): Response {
  if (typeof change === 'string') return fail(c, world, CODES[change]);
  world.setCustomerData(change);
  return succeed(c, 'success', data);
}

/** Whether the first page is 0 or 1 is not stated, so the sandbox has a setting for it. */
export function pageOf<T>(
  { settings: { firstCustomerPage } }: World,
  rows: readonly T[],
  { page = firstCustomerPage, size }: { readonly page?: number | undefined; readonly size: number },
): readonly T[] {
  const begin = Math.max(0, page - firstCustomerPage) * size;
  return rows.slice(begin, begin + size);
}

export function byNumber<T extends { readonly number: number }>(items: readonly T[]): readonly T[] {
  return items.toSorted((a, b) => a.number - b.number);
}
