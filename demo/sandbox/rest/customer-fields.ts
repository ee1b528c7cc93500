/** The fields of the vendor's customers: `/api/customerfield/`. */
import { Hono } from 'hono';
import * as z from 'zod/mini';
import { FIELD_TYPES, findField, type CustomerField } from '../world/customer-data.ts';
import {
  insertField,
  removeField,
  renameField,
  updateField,
  type FieldFacts,
} from '../world/customer-fields.ts';
import type { World } from '../world/world.ts';
import { applyChange, byNumber, pageOf } from './customer-envelope.ts';
import { CODE, fail, numberText, readJson, readQuery, succeed, vendorMiddleware } from './envelope.ts';
import type { VendorEnv } from './faults.ts';

const text = z._default(z.string(), '');
const required = z.string().check(z.minLength(1));
const NO_LIMIT = -1;
const listQuery = z.object({
  key: text,
  from: numberText(NO_LIMIT),
  to: numberText(NO_LIMIT),
  page: z.optional(z.coerce.number()),
  size: numberText(20),
});
const fieldBody = z.object({
  customer_field_code: required,
  name: required,
  type: z.enum(FIELD_TYPES),
  color: required,
  text_color: required,
  description: text,
  is_required: z._default(z.boolean(), false),
  is_unique: z._default(z.boolean(), false),
  number: z._default(z.number(), 0),
});
const renameBody = z.object({ customer_field_code: z.string(), customer_field_code_new: z.string() });
const deleteBody = z.object({ customer_field_code: z.string() });

/** The app to mount at the version segment of the base address. */
export function createCustomerFieldApi(world: World): Hono<VendorEnv> {
  const app = new Hono<VendorEnv>();
  const middleware = vendorMiddleware(world, CODE.badKey);
  const find = (code: string | undefined) => findField(world.customerData, code ?? '');

  app.get('/api/customerfield/get-all', ...middleware, (c) => {
    const query = readQuery(c, listQuery);
    if (!query) return fail(c, world, CODE.badRequest);
    const found = byNumber(world.customerData.fields).filter((field) => matches(field, query));
    return succeed(c, 'Success', pageOf(world, found, query).map(describeField));
  });

  app.get('/api/customerfield/count-all', ...middleware, (c) => {
    const query = readQuery(c, listQuery);
    if (!query) return fail(c, world, CODE.badRequest);
    const found = world.customerData.fields.filter((field) => matches(field, query));
    return succeed(c, 'SUCCESS', found.length);
  });

  app.get('/api/customerfield/get-detail', ...middleware, (c) => {
    const field = find(c.req.query('customer_field_code'));
    return field ? succeed(c, 'success', describeField(field)) : fail(c, world, CODE.notFound);
  });

  app.get('/api/customerfield/check-exist-code', ...middleware, (c) =>
    succeed(c, 'success', find(c.req.query('customer_field_code')) !== undefined),
  );

  app.post('/api/customerfield/insert', ...middleware, async (c) => {
    const body = fieldBody.safeParse(await readJson(c)).data;
    if (!body) return fail(c, world, CODE.badRequest);
    const code = body.customer_field_code;
    return applyChange(c, world, insertField(world.customerData, code, factsOf(body), Date.now()), code);
  });

  app.post('/api/customerfield/update', ...middleware, async (c) => {
    const body = fieldBody.safeParse(await readJson(c)).data;
    if (!body) return fail(c, world, CODE.badRequest);
    const code = body.customer_field_code;
    return applyChange(c, world, updateField(world.customerData, code, factsOf(body)), code);
  });

  app.post('/api/customerfield/update-code', ...middleware, async (c) => {
    const body = renameBody.safeParse(await readJson(c)).data;
    if (!body) return fail(c, world, CODE.badRequest);
    const { customer_field_code, customer_field_code_new } = body;
    const change = renameField(world.customerData, customer_field_code, customer_field_code_new);
    return applyChange(c, world, change, true);
  });

  app.post('/api/customerfield/delete', ...middleware, async (c) => {
    const body = deleteBody.safeParse(await readJson(c)).data;
    if (!body) return fail(c, world, CODE.badRequest);
    return applyChange(c, world, removeField(world.customerData, body.customer_field_code), true);
  });

  return app;
}

function factsOf(body: z.infer<typeof fieldBody>): FieldFacts {
  const { name, type, color, text_color, description, is_required, is_unique, number } = body;
  return {
    name,
    type,
    color,
    textColor: text_color,
    description,
    isRequired: is_required,
    isUnique: is_unique,
    number,
  };
}

/** What `key` is compared with is not stated; here with code and name. */
function matches({ code, name, createdAt }: CustomerField, query: z.infer<typeof listQuery>): boolean {
  const key = query.key.toLowerCase();
  return (
    (code.toLowerCase().includes(key) || name.toLowerCase().includes(key)) &&
    (query.from === NO_LIMIT || createdAt >= query.from) &&
    (query.to === NO_LIMIT || createdAt <= query.to)
  );
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
