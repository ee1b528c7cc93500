/**
 * The endpoints of the vendor's that tell who a number belongs to. Not stated on its pages, and therefore accepted in every
 * form: whether the first page is 0 or 1, whether a value is text or a number, what an empty list looks like, and in which
 * of its spellings a telephone number is kept.
 */
import * as z from 'zod/mini';
import { ints, pagesFrom, rowsOf, text } from '../calls/vendor-calls.ts';
import { get, read } from '../vendor/response.ts';

/** Of a customer, a field or an option. */
export const code = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,128}$/));

/** Text that may be missing; control characters would steer terminals and logs. */
export const words = z.pipe(
  z.nullish(z.string()),
  z.transform((given) => (given ?? '').replaceAll(/\p{Cc}+/gu, ' ').trim()),
);
/** Milliseconds since 1970, within what a date can hold. */
export const time = z.number().check(z.gte(0), z.lte(8_640_000_000_000_000));
/** The place in a list. */
export const place = z.nullish(z.union([z.number(), z.pipe(z.string(), z.coerce.number())]));
export const flag = z.nullish(z.boolean());
/** The value of a field, whatever its type. */
const value = z.pipe(
  z.nullish(z.union([z.string(), z.number()])),
  z.transform((given) => String(given ?? '')),
);

const comparison = z.enum(['EQUAL', 'CONTAIN', 'RANGER']);
/**
 * `EQUAL` is for every field but those of type TEXT, `CONTAIN` for STRING, `RANGER` (`min|max`) for NUMBER, DATE and
 * `create_at`. With `is_search: false` nothing is compared, and the field is put into the answer.
 */
export const fieldSearch = z.strictObject({
  customer_field_code: code,
  value: z.string(),
  type: comparison,
  is_search: z.boolean(),
});
export const search = { field_search: z.optional(z.array(fieldSearch)) };
export type FieldSearch = z.infer<typeof fieldSearch>;

const chosen = z.object({ code: text, color: words, text_color: words, number: place, value: words });
const listedField = z.object({
  code: text,
  name: words,
  type: text,
  value,
  number: place,
  value_option: rowsOf(chosen),
});
const customerRow = z.object({ create_at: time, customer_field_items: z.array(listedField) });

const fieldOption = z.object({
  code: text,
  is_select: flag,
  name: words,
  color: words,
  text_color: words,
  number: place,
  type: words,
  customer_field_option_code: words,
});
const formField = z.object({
  code: text,
  name: words,
  type: text,
  color: words,
  text_color: words,
  is_required: flag,
  value,
  number: place,
  is_unique: flag,
  value_options: rowsOf(fieldOption),
});
const customerDetail = z.object({ customer_code: z.nullish(z.string()), fields: z.array(formField) });

export const INTERACTION_TYPES = ['CUSTOMER', 'NOTE', 'HISTORY_CALL', 'TICKET', 'TODO'] as const;
const interactionRow = z.object({
  create_at: time,
  member_no: words,
  type: text,
  type_sub: words,
  content: words,
  customer_code: z.nullish(z.string()),
});
/** -1: no limit. */
const since = ints('from', 'to');
export const interactionFilter = {
  customer_code: code,
  type: z.optional(z.enum(INTERACTION_TYPES)),
  ...since,
  ...pagesFrom(0),
};

export type CustomerRow = z.infer<typeof customerRow>;
export type CustomerDetail = z.infer<typeof customerDetail>;
export type FormField = z.infer<typeof formField>;
export type InteractionRow = z.infer<typeof interactionRow>;

export const CUSTOMER_ENDPOINTS = {
  listCustomers: read('api/customer/get-all', { ...search, ...pagesFrom(0) }, rowsOf(customerRow)),
  /** With an empty code: the blank form, with all fields. */
  readCustomer: get(
    'api/customer/get-detail',
    { customer_code: z.union([z.literal(''), code]) },
    z.nullish(customerDetail),
  ),
  /** The newest first. */
  listInteractions: get('api/ActionTimeline/get-all', interactionFilter, rowsOf(interactionRow)),
};
