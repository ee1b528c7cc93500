/** The demo's CRM behind the companion's sign-in. It belongs to the demo and not to the folder that a partner takes. */
import { Hono, type Context } from 'hono';
import * as z from 'zod/mini';
import { code } from '../../server/customers/endpoints.ts';
import type { SignedIn } from '../../server/http/context.ts';
import { problem } from '../../server/http/problem.ts';
import { VendorError } from '../../server/vendor/response.ts';
import type { CustomerRecords } from './records.ts';

const listQuery = z.object({
  search: z._default(z.string().check(z.maxLength(100)), ''),
  page: z._default(z.pipe(z.string().check(z.regex(/^\d{1,5}$/)), z.transform(Number)), 0),
});
const changeBody = z.strictObject({ fields: z.record(code, z.string()) });

/** @param canEdit whether customers may be added, changed and removed; with a real vendor only if somebody says so */
export function createCrmRoutes(records: CustomerRecords, canEdit: boolean): Hono<SignedIn> {
  const app = new Hono<SignedIn>();
  app.use('/crm/*', (c, next) => {
    if (c.req.method === 'GET') return next();
    if (!isOwnPage(c)) return Promise.resolve(problem('origin-not-allowed'));
    return canEdit
      ? next()
      : Promise.resolve(problem('invalid-request', 'The customers are read-only here.', 403));
  });
  app.onError((error) => {
    const answer = error instanceof VendorError ? answerTo(error) : undefined;
    // The companion has an answer to everything else.
    if (!answer) throw error;
    return answer;
  });

  app.get('/crm/customers', async (c) => {
    const query = listQuery.safeParse(c.req.query()).data;
    if (!query) return problem('invalid-request', 'search: text; page: a number from 0.');
    const page = await records.list(query.search.trim(), query.page);
    return c.json({ ...page, canEdit });
  });

  app.get('/crm/form', async (c) => c.json({ fields: await records.form() }));

  app.get('/crm/customers/:code', async (c) => {
    const asked = code.safeParse(c.req.param('code')).data;
    if (asked === undefined) return invalidCode();
    const customer = await records.read(asked);
    return customer ? c.json(customer) : problem('not-found');
  });

  app.post('/crm/customers', async (c) => {
    const body = changeBody.safeParse(await c.req.json().catch(() => undefined)).data;
    if (!body) return problem('invalid-request', 'fields: texts by the code of their field.');
    await records.insert(body.fields);
    return c.body(null, 204);
  });

  app.post('/crm/customers/:code', async (c) => {
    const asked = code.safeParse(c.req.param('code')).data;
    if (asked === undefined) return invalidCode();
    const body = changeBody.safeParse(await c.req.json().catch(() => undefined)).data;
    if (!body) return problem('invalid-request', 'fields: texts by the code of their field.');
    await records.update(asked, body.fields);
    return c.body(null, 204);
  });

  app.delete('/crm/customers/:code', async (c) => {
    const asked = code.safeParse(c.req.param('code')).data;
    if (asked === undefined) return invalidCode();
    await records.remove(asked);
    return c.body(null, 204);
  });

  return app;
}

function invalidCode(): Response {
  return problem('invalid-request', 'A code is letters, digits, _ and -.');
}

/** Other origins may have a telephone, but not the customers. */
function isOwnPage({ env }: Context<SignedIn>): boolean {
  const { origin, host } = env.incoming.headers;
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}

/** What the vendor has against it, in the words of HTTP. */
function answerTo({ code: why, vendorCode, message }: VendorError): Response | undefined {
  if (why === 'not-sent') return problem('invalid-request', message);
  if (why !== 'refused') return undefined;
  if (vendorCode === 404) return problem('not-found', message);
  if (vendorCode === 409) return problem('invalid-request', 'Another customer has this already.', 409);
  return vendorCode === -1 ? problem('invalid-request', 'A value is not as its field wants it.') : undefined;
}
