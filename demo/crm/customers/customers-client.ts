/** The companion's routes for the vendor's customers. */
import * as z from 'zod/mini';
import { ask } from '../companion.ts';

const rowSchema = z.object({
  code: z.string(),
  name: z.string(),
  number: z.string(),
  cells: z.array(z.object({ text: z.string(), color: z.nullable(z.string()) })),
});
const pageSchema = z.object({
  customers: z.array(rowSchema),
  total: z.number(),
  columns: z.array(z.string()),
});
const fieldSchema = z.object({
  code: z.string(),
  name: z.string(),
  type: z.string(),
  values: z.array(z.string()),
});
const interactionSchema = z.object({
  at: z.iso.datetime(),
  type: z.string(),
  kind: z.string(),
  memberNo: z.string(),
  content: z.string(),
});
const detailSchema = z.object({
  fields: z.array(fieldSchema),
  interactions: z.nullable(z.array(interactionSchema)),
});

export type Row = z.infer<typeof rowSchema>;
export type CustomerPage = z.infer<typeof pageSchema>;
export type Interaction = z.infer<typeof interactionSchema>;
/** A customer with all fields, and their history, the newest first; null: it cannot be read. */
export type Detail = z.infer<typeof detailSchema>;

/** Customers in one answer, unless there are no more. */
export const PAGE_SIZE = 10;

/** @throws {CompanionError} */
export function readPage(search: string, page: number, signal: AbortSignal): Promise<CustomerPage> {
  const query = new URLSearchParams({ search, page: String(page) });
  return ask(`/app/customers?${query.toString()}`, pageSchema, { signal });
}

/** @throws {CompanionError} */
export function readCustomer(code: string, signal: AbortSignal): Promise<Detail> {
  return ask(`/app/customers/${encodeURIComponent(code)}`, detailSchema, { signal });
}
