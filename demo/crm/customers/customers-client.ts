/** The companion's routes for the vendor's customers. */
import * as z from 'zod/mini';
import { ask, CompanionError, type CompanionErrorCode } from '../companion.ts';

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
  canEdit: z.boolean(),
});
const fieldSchema = z.object({
  code: z.string(),
  name: z.string(),
  type: z.string(),
  isRequired: z.boolean(),
  isUnique: z.boolean(),
  value: z.string(),
  choices: z.array(z.object({ code: z.string(), name: z.string(), group: z.string() })),
  chosen: z.array(z.string()),
});
const formSchema = z.object({ fields: z.array(fieldSchema) });
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
export type Field = z.infer<typeof fieldSchema>;
export type Interaction = z.infer<typeof interactionSchema>;
/** A customer with all fields, and their history, the newest first; null: it cannot be read. */
export type Detail = z.infer<typeof detailSchema>;
/** By the code of the field. */
export type Values = Readonly<Record<string, string>>;

/** Customers in one answer, unless there are no more. */
export const PAGE_SIZE = 10;

/** After these nobody knows whether the vendor has done it. */
const UNSURE: readonly CompanionErrorCode[] = ['no-answer', 'vendor-unreachable', 'vendor-invalid-answer'];

/** @throws {CompanionError} */
export function readPage(search: string, page: number, signal: AbortSignal): Promise<CustomerPage> {
  const query = new URLSearchParams({ search, page: String(page) });
  return ask(`/app/customers?${query.toString()}`, pageSchema, { signal });
}

/** @throws {CompanionError} */
export function readCustomer(code: string, signal: AbortSignal): Promise<Detail> {
  return ask(pathOf(code), detailSchema, { signal });
}

/** The fields of a new customer. @throws {CompanionError} */
export async function readForm(signal: AbortSignal): Promise<readonly Field[]> {
  return (await ask('/app/form', formSchema, { signal })).fields;
}

/** @throws {CompanionError} */
export function insertCustomer(fields: Values, signal: AbortSignal): Promise<void> {
  return change('/app/customers', { method: 'POST', body: JSON.stringify({ fields }) }, signal);
}

/** @param fields only what changes @throws {CompanionError} */
export function updateCustomer(code: string, fields: Values, signal: AbortSignal): Promise<void> {
  return change(pathOf(code), { method: 'POST', body: JSON.stringify({ fields }) }, signal);
}

/** @throws {CompanionError} */
export function removeCustomer(code: string, signal: AbortSignal): Promise<void> {
  return change(pathOf(code), { method: 'DELETE' }, signal);
}

function pathOf(code: string): string {
  return `/app/customers/${encodeURIComponent(code)}`;
}

async function change(path: string, init: RequestInit, signal: AbortSignal): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  await ask(path, z.unknown(), { ...init, headers, signal }).catch((cause: unknown) => {
    const isUnsure = cause instanceof CompanionError && UNSURE.includes(cause.code);
    throw isUnsure ? new CompanionError('unsure', { cause }) : cause;
  });
}
