/** Who is calling: for signed-in members, at `/dialer`. */
import { Hono } from 'hono';
import type { SignedIn } from '../http/context.ts';
import { problem } from '../http/problem.ts';
import { code } from './endpoints.ts';
import type { CustomerLookup } from './lookup.ts';
import { readPhone } from './phone.ts';

export function createCustomerRoutes(lookup: CustomerLookup): Hono<SignedIn> {
  const app = new Hono<SignedIn>();

  app.get('/customers', async (c) => {
    const [asked = '', ...more] = c.req.queries('phone') ?? [];
    const phone = more.length === 0 ? readPhone(asked) : undefined;
    if (phone === undefined) return problem('invalid-request', 'phone: one telephone number.');
    return c.json({ customers: await lookup.byPhone(phone) });
  });

  app.get('/customers/:code', async (c) => {
    const asked = code.safeParse(c.req.param('code'));
    if (!asked.success) return problem('invalid-request', 'A code is letters, digits, _ and -.');
    const customer = await lookup.byCode(asked.data);
    return customer ? c.json(customer) : problem('not-found', 'There is no such customer.');
  });

  return app;
}
