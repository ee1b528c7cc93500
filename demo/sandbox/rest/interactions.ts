/** What happened with a customer: `/api/ActionTimeline/`. */
import { Hono, type Context } from 'hono';
import * as z from 'zod/mini';
import { findCustomer, type Interaction } from '../world/customer-data.ts';
import type { World } from '../world/world.ts';
import { pageOf } from './customer-envelope.ts';
import { CODE, fail, numberText, readQuery, succeed, vendorMiddleware } from './envelope.ts';
import type { VendorEnv } from './faults.ts';

const NO_LIMIT = -1;
const listQuery = z.object({
  customer_code: z.string().check(z.minLength(1)),
  type: z._default(z.string(), ''),
  from: numberText(NO_LIMIT),
  to: numberText(NO_LIMIT),
  page: z.optional(z.coerce.number()),
  size: numberText(20),
});
type Query = z.infer<typeof listQuery>;

/** The app to mount at the version segment of the base address. */
export function createInteractionApi(world: World): Hono<VendorEnv> {
  const app = new Hono<VendorEnv>();
  const middleware = vendorMiddleware(world, CODE.badKey);

  const list = (c: Context, answer: (found: readonly Interaction[], query: Query) => unknown) => {
    const query = readQuery(c, listQuery);
    if (!query) return fail(c, CODE.badRequest);
    if (!findCustomer(world.customerData, query.customer_code)) return fail(c, CODE.notFound);
    const found = world.customerData.interactions.filter((one) => matches(one, query));
    return succeed(c, 'Success', answer(found, query));
  };
  app.get('/api/ActionTimeline/get-all', ...middleware, (c) =>
    list(c, (found, query) => pageOf(world, found, query).map(describe)),
  );
  app.get('/api/ActionTimeline/count-all', ...middleware, (c) => list(c, ({ length }) => length));

  return app;
}

function matches({ customerCode, type, createdAt }: Interaction, query: Query): boolean {
  return (
    customerCode === query.customer_code &&
    (query.type === '' || type === query.type) &&
    (query.from === NO_LIMIT || createdAt >= query.from) &&
    (query.to === NO_LIMIT || createdAt <= query.to)
  );
}

function describe({ createdAt, memberNo, type, kind, content, customerCode }: Interaction) {
  return {
    create_at: createdAt,
    member_no: memberNo,
    type,
    type_sub: kind,
    content,
    customer_code: customerCode,
  };
}
