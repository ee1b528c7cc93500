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

const PROBLEMS = {
  'invalid-value': { status: 400, title: 'A value is not as its field wants it.' },
  'read-only': { status: 403, title: 'The customers are read-only here.' },
  taken: { status: 409, title: 'Another customer has this already.' },
} as const;

/** What the vendor's codes mean for one customer. */
const MEANINGS: ReadonlyMap<number | undefined, () => Response> = new Map([
  [-1, () => ownProblem('invalid-value')],
  [404, () => problem('not-found', 'There is no such customer.')],
  [409, () => ownProblem('taken')],
]);

/** @param canEdit whether customers may be added, changed and removed; with a real vendor only if somebody says so */
export function createCrmRoutes(records: CustomerRecords, canEdit: boolean): Hono<SignedIn> {
  const app = new Hono<SignedIn>();
  app.use(async (c, next) => {
    if (!isOwnPage(c)) return problem('origin-not-allowed');
    return c.req.method === 'GET' || canEdit ? next() : ownProblem('read-only');
  });
  app.onError((error) => {
    const answer = error instanceof VendorError ? answerTo(error) : undefined;
    // The companion has an answer to everything else.
    if (!answer) throw error;
    return answer;
  });

  app.get('/customers', async (c) => {
    const query = listQuery.safeParse(c.req.query()).data;
    if (!query) return problem('invalid-request', 'search: text; page: a number from 0.');
    const page = await records.list(query.search.trim(), query.page);
    return c.json({ ...page, canEdit });
  });

  app.get('/form', async (c) => c.json({ fields: await records.form() }));

  app.get('/customers/:code', async (c) => {
    const asked = code.safeParse(c.req.param('code')).data;
    if (asked === undefined) return invalidCode();
    const customer = await records.read(asked);
    return customer ? c.json(customer) : problem('not-found', 'There is no such customer.');
  });

  app.post('/customers', async (c) => {
    const fields = await readFields(c);
    if (!fields) return invalidFields();
    await records.insert(fields);
    return c.body(null, 204);
  });

  app.post('/customers/:code', async (c) => {
    const asked = code.safeParse(c.req.param('code')).data;
    if (asked === undefined) return invalidCode();
    const fields = await readFields(c);
    if (!fields) return invalidFields();
    await records.update(asked, fields);
    return c.body(null, 204);
  });

  app.delete('/customers/:code', async (c) => {
    const asked = code.safeParse(c.req.param('code')).data;
    if (asked === undefined) return invalidCode();
    await records.remove(asked);
    return c.body(null, 204);
  });

  return app;
}

/** Other origins may have a telephone, but not the customers. */
function isOwnPage({ env }: Context<SignedIn>): boolean {
  const { origin, host } = env.incoming.headers;
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}

async function readFields({ req }: Context): Promise<Record<string, string> | undefined> {
  return changeBody.safeParse(await req.json().catch(() => undefined)).data?.fields;
}

function invalidCode(): Response {
  return problem('invalid-request', 'A code is letters, digits, _ and -.');
}

function invalidFields(): Response {
  return problem('invalid-request', 'fields: texts by the code of their field.');
}

/** What the vendor has against it, in the words of HTTP. */
function answerTo({ code: why, vendorCode }: VendorError): Response | undefined {
  if (why === 'not-sent') return ownProblem('invalid-value');
  return why === 'refused' ? MEANINGS.get(vendorCode)?.() : undefined;
}

function ownProblem(reason: keyof typeof PROBLEMS): Response {
  const { status, title } = PROBLEMS[reason];
  const body = { type: 'about:blank', code: reason, title, status };
  return Response.json(body, { status, headers: { 'Content-Type': 'application/problem+json' } });
}
