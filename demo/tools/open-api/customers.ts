/**
 * Customers, their custom fields with options, and their histories: what the companion does not use itself. A field's type
 * never changes; the fields `name`, `customer_code`, `phone` and `member_no` can be neither changed nor removed. A write
 * that answers with anything but its own success has failed.
 */
import * as z from 'zod/mini';
import { ints, pagesFrom, rowsOf, text } from '../../server/calls/vendor-calls.ts';
import {
  code,
  CUSTOMER_ENDPOINTS,
  flag,
  interactionFilter,
  place,
  search,
  time,
  words,
} from '../../server/customers/endpoints.ts';
import { get, post, read } from '../../server/vendor/response.ts';

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
