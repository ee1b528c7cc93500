/**
 * Customers, their custom fields with options, and their histories. A field's type
 * never changes; the fields `name`, `customer_code`, `phone` and `member_no` can be neither changed nor removed. A write
 * that answers with anything but its own success has failed.
 */
import * as z from 'zod/mini';
import { get, post, read } from '../../server/vendor/response.ts';
import { ints, pagesFrom, rowsOf, text } from './calls.ts';

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

const FIELD_TYPES = ['STRING', 'TEXT', 'NUMBER', 'DATE', 'PHONE', 'SELECT', 'CHECKBOX', 'RADIO'] as const;
const fieldType = z.enum(FIELD_TYPES);
const optionType = z.enum(['OPTION', 'OPTGROUP']);
const codeOrNone = z.union([z.literal(''), code]);
const taken = z.boolean();
const count = z.int().check(z.nonnegative());
const done = z.literal(true, 'true was expected: it is not done');
const filter = { key: z.optional(z.string()), ...pagesFrom(0) };

/**
 * By the code of a field, and always as text: NUMBER in digits (18 at most, 6 decimals), DATE as `dd/MM/yyyy`, SELECT, RADIO
 * and CHECKBOX the code of an option. How several checked boxes are written is not stated. Empty: no value.
 */
const values = z.record(code, z.string());
const newValues = values.check(
  z.refine((fields) => Boolean(fields['customer_code'] && fields['name']), 'needs customer_code and name'),
);

const ofField = { customer_field_code: code };
const ofOption = { ...ofField, customer_field_option_code: code };
const fieldRow = z.object({
  create_at: time,
  number: place,
  code: text,
  name: text,
  color: words,
  text_color: words,
  description: words,
  type: fieldType,
  is_required: flag,
  is_unique: flag,
  is_default: flag,
});
const fieldFilter = { ...filter, ...ints('from', 'to') };
const appearance = { name: text, color: text, text_color: text };
const fieldBody = {
  ...ofField,
  ...appearance,
  type: fieldType,
  description: z.optional(z.string()),
  is_required: z.optional(z.boolean()),
  is_unique: z.optional(z.boolean()),
  number: z.optional(z.int()),
};
const optionRow = z.object({
  create_at: time,
  code: text,
  customer_field_option_group_code: words,
  number: place,
  name: text,
  color: words,
  text_color: words,
  type: optionType,
});
const group = { customer_field_option_group_code: z.optional(codeOrNone) };
const optionFilter = { ...ofField, ...group, type: z.optional(optionType), ...filter };
const optionBody = { ...ofOption, ...appearance, ...group, number: z.optional(z.int()) };
const newOptionCode = { customer_field_option_code_new: code };

export const ALL_CUSTOMER_ENDPOINTS = {
  ...CUSTOMER_ENDPOINTS,
  countCustomers: read('api/customer/count-all', search, count),
  /** Only for fields that are unique; `customer_code` is empty for a new customer. */
  isCustomerValueTaken: get(
    'api/customer/check-exist-field-value',
    { ...ofField, value: z.string(), customer_code: z.optional(codeOrNone) },
    taken,
  ),
  insertCustomer: post('api/customer/insert', { fields: newValues }, done),
  /** Only what is given changes; `customer_code` among the fields renames the customer. */
  updateCustomer: post('api/customer/update', { customer_code: code, fields: values }, done),
  deleteCustomer: post('api/customer/delete', { customer_code: code }, done),

  listCustomerFields: get('api/customerfield/get-all', fieldFilter, rowsOf(fieldRow)),
  countCustomerFields: get('api/customerfield/count-all', fieldFilter, count),
  readCustomerField: get('api/customerfield/get-detail', ofField, z.nullish(fieldRow)),
  isCustomerFieldCodeTaken: get('api/customerfield/check-exist-code', ofField, taken),
  insertCustomerField: post('api/customerfield/insert', fieldBody, text),
  updateCustomerField: post('api/customerfield/update', fieldBody, text),
  renameCustomerField: post(
    'api/customerfield/update-code',
    { ...ofField, customer_field_code_new: code },
    done,
  ),
  deleteCustomerField: post('api/customerfield/delete', ofField, done),

  listFieldOptions: get('api/customerfield/option/get-all', optionFilter, rowsOf(optionRow)),
  countFieldOptions: get('api/customerfield/option/count-all', optionFilter, count),
  readFieldOption: get('api/customerfield/option/get-detail', ofOption, z.nullish(optionRow)),
  isFieldOptionCodeTaken: get('api/customerfield/option/check-exist-code', ofOption, taken),
  /** A group (OPTGROUP) stands under a SELECT only. */
  insertFieldOption: post('api/customerfield/option/insert', { ...optionBody, type: optionType }, text),
  updateFieldOption: post('api/customerfield/option/update', optionBody, text),
  renameFieldOption: post('api/customerfield/option/update-code', { ...ofOption, ...newOptionCode }, done),
  deleteFieldOption: post('api/customerfield/option/delete', ofOption, done),

  countInteractions: get('api/ActionTimeline/count-all', interactionFilter, count),
};
