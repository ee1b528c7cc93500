/** What the routes of customers, their fields and their histories share: pages and order. */
import type { World } from '../world/world.ts';

/** The vendor's document does not say whether the first page is 0 or 1: a setting says it. */
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
