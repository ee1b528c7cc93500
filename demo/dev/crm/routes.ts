/** The demo's CRM behind the companion's sign-in. It belongs to the demo and not to the folder that a partner takes. */
import { Hono, type Context } from 'hono';
import * as z from 'zod/mini';
import type { SignedIn } from '../../companion/guards/auth.ts';
import { codeSchema } from '../../companion/features/customers.ts';
import { Problem } from '../../companion/problem.ts';
import { VendorError } from '../../companion/vbot/errors.ts';
import type { CustomerRecords } from './records.ts';

const listQuery = z.object({
  search: z._default(z.string().check(z.maxLength(100)), ''),
  page: z._default(z.pipe(z.string().check(z.regex(/^\d{1,5}$/)), z.transform(Number)), 0),
});
export function createCrmRoutes(records: CustomerRecords): Hono<SignedIn> {
  const app = new Hono<SignedIn>();
  app.use(async (c, next) => {
    if (!isOwnPage(c)) throw new Problem('origin-not-allowed');
    await next();
  });
  app.onError((error) => {
    const isMissing = error instanceof VendorError && error.code === 'refused' && error.vendorCode === 404;
    // The companion has an answer to everything else.
    throw isMissing ? notFound() : error;
  });

  app.get('/customers', async (c) => {
    const query = listQuery.safeParse(c.req.query()).data;
    if (!query)
      throw new Problem('invalid-request', {
        detail: 'search must be at most 100 characters, page a whole number, 0 or above.',
      });
    return c.json(await records.list(query.search.trim(), query.page));
  });

  app.get('/customers/:code', async (c) => {
    const customer = await records.read(readCode(c));
    if (!customer) throw notFound();
    return c.json(customer);
  });

  return app;
}

/** Other origins may have a telephone, but not the customers. */
function isOwnPage({ env }: Context<SignedIn>): boolean {
  const { origin, host } = env.incoming.headers;
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}

function readCode(c: Context): string {
  const { data } = codeSchema.safeParse(c.req.param('code'));
  if (data === undefined)
    throw new Problem('invalid-request', { detail: 'A code may contain only letters, digits, _ and -.' });
  return data;
}

function notFound(): Problem {
  return new Problem('not-found', { detail: 'This customer does not exist.' });
}
