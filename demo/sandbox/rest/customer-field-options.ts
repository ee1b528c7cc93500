/** The options of a customer's field: `/api/customerfield/option/`. */
import { Hono, type Context } from 'hono';
import * as z from 'zod/mini';
import { findField, type FieldOption } from '../world/customer-data.ts';
import { insertOption, removeOption, renameOption, updateOption } from '../world/customer-fields.ts';
import type { World } from '../world/world.ts';
import { applyChange, byNumber, pageOf } from './customer-envelope.ts';
import { CODE, fail, numberText, readJson, readQuery, succeed, vendorMiddleware } from './envelope.ts';
import type { VendorEnv } from './faults.ts';

const text = z._default(z.string(), '');
const required = z.string().check(z.minLength(1));
const types = z.enum(['OPTION', 'OPTGROUP']);
const listQuery = z.object({
  customer_field_code: z.string(),
  customer_field_option_group_code: text,
  key: text,
  type: z.optional(types),
  page: z.optional(z.coerce.number()),
  size: numberText(20),
});
const codes = { customer_field_code: z.string(), customer_field_option_code: z.string() };
const facts = {
  ...codes,
  name: required,
  color: required,
  text_color: required,
  customer_field_option_group_code: text,
  number: z._default(z.number(), 0),
};
const codesBody = z.object(codes);
const insertBody = z.object({ ...facts, type: types });
const updateBody = z.object(facts);
const renameBody = z.object({ ...codes, customer_field_option_code_new: z.string() });

/** The app to mount at the version segment of the base address. */
export function createCustomerFieldOptionApi(world: World): Hono<VendorEnv> {
  const app = new Hono<VendorEnv>();
  const middleware = vendorMiddleware(world, CODE.badKey);
  const optionsOf = (code: string) => findField(world.customerData, code)?.options;
  const find = (c: Context) => {
    const query = readQuery(c, codesBody);
    return (
      query &&
      optionsOf(query.customer_field_code)?.find(({ code }) => code === query.customer_field_option_code)
    );
  };

  app.get('/api/customerfield/option/get-all', ...middleware, (c) => {
    const query = readQuery(c, listQuery);
    if (!query) return fail(c, world, CODE.badRequest);
    const options = optionsOf(query.customer_field_code);
    if (!options) return fail(c, world, CODE.notFound);
    const found = byNumber(options).filter((option) => matches(option, query));
    return succeed(c, 'Success', pageOf(world, found, query).map(describeOption));
  });

  app.get('/api/customerfield/option/count-all', ...middleware, (c) => {
    const query = readQuery(c, listQuery);
    if (!query) return fail(c, world, CODE.badRequest);
    const options = optionsOf(query.customer_field_code);
    if (!options) return fail(c, world, CODE.notFound);
    return succeed(c, 'SUCCESS', options.filter((option) => matches(option, query)).length);
  });

  app.get('/api/customerfield/option/get-detail', ...middleware, (c) => {
    const option = find(c);
    return option ? succeed(c, 'success', describeOption(option)) : fail(c, world, CODE.notFound);
  });

  app.get('/api/customerfield/option/check-exist-code', ...middleware, (c) =>
    succeed(c, 'success', find(c) !== undefined),
  );

  app.post('/api/customerfield/option/insert', ...middleware, async (c) => {
    const body = insertBody.safeParse(await readJson(c)).data;
    if (!body) return fail(c, world, CODE.badRequest);
    const code = body.customer_field_option_code;
    const option = { ...factsOf(body), code, type: body.type, createdAt: Date.now() };
    return applyChange(c, world, insertOption(world.customerData, body.customer_field_code, option), code);
  });

  app.post('/api/customerfield/option/update', ...middleware, async (c) => {
    const body = updateBody.safeParse(await readJson(c)).data;
    if (!body) return fail(c, world, CODE.badRequest);
    const code = body.customer_field_option_code;
    const change = updateOption(world.customerData, body.customer_field_code, code, factsOf(body));
    return applyChange(c, world, change, code);
  });

  app.post('/api/customerfield/option/update-code', ...middleware, async (c) => {
    const body = renameBody.safeParse(await readJson(c)).data;
    if (!body) return fail(c, world, CODE.badRequest);
    const { customer_field_code, customer_field_option_code, customer_field_option_code_new } = body;
    const change = renameOption(
      world.customerData,
      customer_field_code,
      customer_field_option_code,
      customer_field_option_code_new,
    );
    return applyChange(c, world, change, true);
  });

  app.post('/api/customerfield/option/delete', ...middleware, async (c) => {
    const body = codesBody.safeParse(await readJson(c)).data;
    if (!body) return fail(c, world, CODE.badRequest);
    const { customer_field_code, customer_field_option_code } = body;
    const change = removeOption(world.customerData, customer_field_code, customer_field_option_code);
    return applyChange(c, world, change, true);
  });

  return app;
}

function factsOf(body: z.infer<typeof updateBody>) {
  const { name, color, text_color, number, customer_field_option_group_code } = body;
  return { name, color, textColor: text_color, number, groupCode: customer_field_option_group_code };
}

function matches(option: FieldOption, query: z.infer<typeof listQuery>): boolean {
  const group = query.customer_field_option_group_code;
  const key = query.key.toLowerCase();
  return (
    (option.code.toLowerCase().includes(key) || option.name.toLowerCase().includes(key)) &&
    (group === '' || option.groupCode === group) &&
    (query.type === undefined || option.type === query.type)
  );
}

function describeOption(option: FieldOption): Record<string, unknown> {
  return {
    create_at: option.createdAt,
    code: option.code,
    customer_field_option_group_code: option.groupCode,
    number: option.number,
    name: option.name,
    color: option.color,
    text_color: option.textColor,
    type: option.type,
  };
}
