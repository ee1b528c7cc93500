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
const changeBody = z.strictObject({ fields: z.record(codeSchema, z.string()) });

const PROBLEMS = {
  'invalid-value': { status: 400, title: 'A value is not as its field wants it.' },
  'read-only': { status: 403, title: 'The customers are read-only here.' },
  taken: { status: 409, title: 'Another customer has this already.' },
} as const;
type OwnCode = keyof typeof PROBLEMS;

/** What the vendor's codes mean for one customer. */
const MEANINGS: ReadonlyMap<number | undefined, OwnCode> = new Map([
  [-1, 'invalid-value'],
  [409, 'taken'],
]);

/** @param canEdit whether customers may be added, changed and removed; with a real vendor only if somebody says so */
export function createCrmRoutes(records: CustomerRecords, canEdit: boolean): Hono<SignedIn> {
  const app = new Hono<SignedIn>();
  app.use(async (c, next) => {
    if (!isOwnPage(c)) throw new Problem('origin-not-allowed');
    return c.req.method === 'GET' || canEdit ? next() : answer(c, 'read-only');
  });
  app.onError((error, c) => {
    const code = error instanceof VendorError ? codeOf(error) : undefined;
    // The companion has an answer to everything else.
    if (!code) throw error;
    return answer(c, code);
  });

  app.get('/customers', async (c) => {
    const query = listQuery.safeParse(c.req.query()).data;
    if (!query) throw new Problem('invalid-request', { detail: 'search: text; page: a number from 0.' });
    const page = await records.list(query.search.trim(), query.page);
    return c.json({ ...page, canEdit });
  });

  app.get('/form', async (c) => c.json({ fields: await records.form() }));

  app.get('/customers/:code', async (c) => {
    const customer = await records.read(readCode(c));
    if (!customer) throw notFound();
    return c.json(customer);
  });

  app.post('/customers', async (c) => {
    await records.insert(readFields(c));
    return c.body(null, 204);
  });

  app.post('/customers/:code', async (c) => {
    await records.update(readCode(c), readFields(c));
    return c.body(null, 204);
  });

  app.delete('/customers/:code', async (c) => {
    await records.remove(readCode(c));
    return c.body(null, 204);
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
    throw new Problem('invalid-request', { detail: 'A code is letters, digits, _ and -.' });
  return data;
}

function readFields(c: Context<SignedIn>): Record<string, string> {
  const { data } = changeBody.safeParse(c.get('body'));
  if (!data) throw new Problem('invalid-request', { detail: 'fields: texts by the code of their field.' });
  return data.fields;
}

function notFound(): Problem {
  return new Problem('not-found', { detail: 'There is no such customer.' });
}

/** What the vendor has against it, in the words of HTTP. */
function codeOf({ code: why, vendorCode }: VendorError): OwnCode | undefined {
  if (why === 'not-sent') return 'invalid-value';
  if (why !== 'refused') return undefined;
  if (vendorCode === 404) throw notFound();
  return MEANINGS.get(vendorCode);
}

function answer(c: Context, code: OwnCode): Response {
  const { status, title } = PROBLEMS[code];
  c.header('Content-Type', 'application/problem+json');
  return c.body(JSON.stringify({ type: 'about:blank', code, title, status }), status);
}
