/** The vendor's customers, `/api/customer/`, and the list of their fields. */
import { Hono } from 'hono';
import * as z from 'zod/mini';
import {
  findCustomer,
  type Customer,
  type CustomerData,
  type CustomerField,
} from '../world/customer-data.ts';
import { searchCustomers } from '../world/customer-search.ts';
import { selectedOptions } from '../world/customer-values.ts';
import { insertCustomer } from '../world/customers.ts';
import type { World } from '../world/world.ts';
import { byNumber, pageOf } from './customer-envelope.ts';
import { CODE, fail, numberText, readJson, readQuery, succeed, vendorMiddleware } from './envelope.ts';
import type { VendorEnv } from './faults.ts';

const text = z._default(z.string(), '');
const searches = z.nullish(
  z.array(
    z.object({
      customer_field_code: z.string(),
      value: text,
      type: z._default(z.enum(['EQUAL', 'CONTAIN']), 'EQUAL'),
      is_search: z._default(z.boolean(), true),
    }),
  ),
);
const countBody = z.object({ field_search: searches });
const listBody = z.object({
  page: z.optional(z.int()),
  size: z._default(z.int().check(z.positive()), 20),
  field_search: searches,
});
const fieldsQuery = z.object({ page: z.optional(z.coerce.number()), size: numberText(20) });
const values = z.record(z.string(), z.string());
const insertBody = z.object({ fields: values });

type Search = z.infer<typeof countBody>['field_search'];

/** The app to mount at the version segment of the base address. */
export function createCustomerApi(world: World): Hono<VendorEnv> {
  const app = new Hono<VendorEnv>();
  const middleware = vendorMiddleware(world, CODE.badKey);

  const search = (field_search: Search) =>
    searchCustomers(
      world.customerData,
      (field_search ?? []).map((one) => ({
        code: one.customer_field_code,
        value: one.value,
        type: one.type,
        isSearch: one.is_search,
      })),
    );

  app.post('/api/customer/get-all', ...middleware, async (c) => {
    const body = listBody.safeParse(await readJson(c)).data;
    const found = body && search(body.field_search);
    if (!found) return fail(c, CODE.badRequest);
    const shown = shownFields(world.customerData, body.field_search);
    const rows = pageOf(world, found, body).map((customer) => describeCustomer(customer, shown));
    return succeed(c, 'Success', rows);
  });

  app.post('/api/customer/count-all', ...middleware, async (c) => {
    const body = countBody.safeParse(await readJson(c)).data;
    const found = body && search(body.field_search);
    return found ? succeed(c, 'SUCCESS', found.length) : fail(c, CODE.badRequest);
  });

  // An empty code asks for the blank form of a new customer.
  app.get('/api/customer/get-detail', ...middleware, (c) => {
    const code = c.req.query('customer_code') ?? '';
    const customer = findCustomer(world.customerData, code);
    if (!customer && code !== '') return fail(c, CODE.notFound);
    const fields = byNumber(world.customerData.fields).map((field) => describeDetail(field, customer));
    return succeed(c, 'success', { customer_code: code, fields });
  });

  app.get('/api/customerfield/get-all', ...middleware, (c) => {
    const query = readQuery(c, fieldsQuery);
    if (!query) return fail(c, CODE.badRequest);
    const fields = pageOf(world, byNumber(world.customerData.fields), query);
    return succeed(c, 'Success', fields.map(describeField));
  });

  app.post('/api/customer/insert', ...middleware, async (c) => {
    const body = insertBody.safeParse(await readJson(c)).data;
    const data = body ? insertCustomer(world.customerData, body.fields, Date.now()) : 'invalid';
    if (data === 'invalid') return fail(c, CODE.badRequest);
    if (data === 'exists') return fail(c, CODE.exists);
    world.setCustomerData(data);
    return succeed(c, 'success', true);
  });

  return app;
}

function describeField(field: CustomerField): Record<string, unknown> {
  return {
    create_at: field.createdAt,
    number: field.number,
    code: field.code,
    name: field.name,
    color: field.color,
    text_color: field.textColor,
    description: field.description,
    type: field.type,
    is_required: field.isRequired,
    is_unique: field.isUnique,
    is_default: field.isDefault,
  };
}

/** The vendor's document names the fields of a row only for `is_search: false`; here a row has those of the search and the default ones. */
function shownFields({ fields }: CustomerData, asked: Search): readonly CustomerField[] {
  const codes = new Set((asked ?? []).map(({ customer_field_code }) => customer_field_code));
  return byNumber(fields).filter(({ code, isDefault }) => isDefault || codes.has(code));
}

function describeCustomer(customer: Customer, fields: readonly CustomerField[]): Record<string, unknown> {
  const items = fields.map((field) => {
    const value = customer.values[field.code] ?? '';
    const selected = selectedOptions(field, value);
    return {
      code: field.code,
      name: field.name,
      type: field.type,
      value,
      number: field.number,
      // The vendor's document does not say what `value` is here: the sandbox gives the name that people read.
      value_option: byNumber(field.options)
        .filter(({ code }) => selected.includes(code))
        .map(({ code, color, textColor, number, name }) => ({
          code,
          color,
          text_color: textColor,
          number,
          value: name,
        })),
    };
  });
  return { create_at: customer.createdAt, customer_field_items: items };
}

function describeDetail(field: CustomerField, customer: Customer | undefined): Record<string, unknown> {
  const value = customer?.values[field.code] ?? '';
  const selected = selectedOptions(field, value);
  return {
    code: field.code,
    name: field.name,
    type: field.type,
    color: field.color,
    text_color: field.textColor,
    is_required: field.isRequired,
    value,
    number: field.number,
    is_unique: field.isUnique,
    value_options: byNumber(field.options).map((option) => ({
      code: option.code,
      is_select: selected.includes(option.code),
      name: option.name,
      color: option.color,
      text_color: option.textColor,
      number: option.number,
      type: option.type,
      // The vendor's document does not explain it: here, the group of the option.
      customer_field_option_code: option.groupCode,
    })),
  };
}
