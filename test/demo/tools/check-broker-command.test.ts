/** `npm run check-broker`, run as a person runs it: against ours, and against brokers that are good but for one thing. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Verdict } from '../../../demo/tools/broker-checks.ts';
import { runBundled, runFromSource } from '../program.ts';
import { serve, signIn, startCompanion, startSandbox } from '../servers.ts';

const COMMAND = fileURLToPath(new URL('../../../demo/tools/check-broker.ts', import.meta.url));
const COOKIE = 'session=of-agent001';

const run = (...args: readonly string[]) => runBundled(COMMAND, args);

/** Answers as a broker should, unless the flaw has an answer of its own. */
type Flaw = (request: Request, path: string, good: () => Response) => Response | undefined;

function serveBroker(t: TestContext, flaw: Flaw): Promise<string> {
  return serve(t, (request) => {
    const { pathname } = new URL(request.url);
    const good = () => answerWell(request, pathname);
    return flaw(request, pathname, good) ?? good();
  });
}

function answerWell(request: Request, path: string): Response {
  if (request.headers.has('Origin')) return refuse(403, 'origin-not-allowed');
  if (request.headers.get('Cookie') !== COOKIE) return refuse(401, 'broker-unauthorized');
  if (request.method !== (path === '/status' ? 'GET' : 'POST')) return refuse(405, 'invalid-request');
  if (Number(request.headers.get('Content-Length')) > 10_000) return refuse(413, 'invalid-request');
  return Response.json(path === '/session' ? { token: 'a.b.c', ...READY } : READY, { headers: HEADERS });
}

const HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
const READY = {
  member: { memberNo: 'agent001', balance: 1000 },
  blockers: [],
  links: { status: 'status', topUp: 'top-up', hotline: 'hotline' },
};

function refuse(status: number, code: string): Response {
  const headers = { ...HEADERS, 'Content-Type': 'application/problem+json' };
  return new Response(JSON.stringify({ code }), { status, headers });
}

function withHeaders(answer: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
  return answer;
}

const page = (status: number) =>
  new Response('<!doctype html><h1>Error</h1>', { status, headers: { 'Content-Type': 'text/html' } });
const isStranger = ({ headers }: Request) => headers.get('Cookie') !== COOKIE;

const FLAWS: Readonly<Record<string, readonly [Flaw, readonly RegExp[]]>> = {
  'gives a token to whoever asks': [
    (request, path) =>
      path === '/session' && isStranger(request) && request.method === 'POST'
        ? Response.json({ token: 'a.b.c' }, { headers: HEADERS })
        : undefined,
    [/^Who is not signed in gets no token$/],
  ],
  'sends who is not signed in to a page for signing in': [
    (request) => (isStranger(request) ? Response.redirect('http://127.0.0.1/login') : undefined),
    [/^Who is not signed in gets no token$/],
  ],
  'lets caches keep the token': [
    (_, path, good) =>
      path === '/session' ? withHeaders(good(), { 'Cache-Control': 'private, max-age=60' }) : undefined,
    [/^No cache keeps the token$/],
  ],
  'answers in a shape of its own': [
    (_, path, good) => (path === '/session' && good().ok ? Response.json({ jwt: 'a.b.c' }) : undefined),
    [/^A signed-in agent gets a session that the dialer understands$/],
  ],
  'writes the balance as text': [
    (_, path, good) =>
      path === '/session' && good().ok
        ? Response.json({ token: 'a.b.c', member: { memberNo: 'agent001', balance: '1000 VND' } })
        : undefined,
    [/^A signed-in agent gets a session that the dialer understands$/],
  ],
  'lets every origin read, with credentials': [
    (_, __, good) =>
      withHeaders(good(), {
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Allow-Credentials': 'true',
      }),
    [/^A page of a strange origin can neither ask nor read$/, /^A page of a strange origin can use no link$/],
  ],
  'shows pages where something is refused': [
    (_, __, good) => (good().ok ? undefined : page(401)),
    [/^A refusal is problem\+json with a code$/],
  ],
  'shows where it broke': [
    (_, __, good) => (good().ok ? undefined : refuse(500, 'at Broker.answer (/srv/broker.js:12)')),
    [/^A refusal shows no inner workings$/],
  ],
  'guards the session, but not the top-up': [
    (request, path) =>
      path === '/top-up' && isStranger(request) ? Response.json(READY, { headers: HEADERS }) : undefined,
    [/^Who is not signed in can use no link$/],
  ],
  'tops up for any page': [
    (request, path) =>
      path === '/top-up' && !isStranger(request) ? Response.json(READY, { headers: HEADERS }) : undefined,
    [/^A page of a strange origin can use no link$/, /^A form on another site moves nothing$/],
  ],
  'has a link that leads nowhere': [
    (_, path, good) => (path === '/hotline' && good().ok ? page(404) : undefined),
    [/^Every link answers as the dialer expects/],
  ],
};

for (const [what, [flaw, checks]] of Object.entries(FLAWS)) {
  test(`a broker that ${what} is told so, and the command fails`, async (t) => {
    const url = `${await serveBroker(t, flaw)}/session`;
    const { exit, out, err } = await run(url, '--header', `Cookie: ${COOKIE}`, '--json');
    assert.deepEqual([exit, err], [1, '']);
    const failed = (JSON.parse(out) as Verdict[]).filter(({ result }) => result === 'fail');
    for (const check of checks)
      assert.ok(
        failed.some(({ name }) => check.test(name)),
        `${check} in ${out}`,
      );
  });
}

test('a broker without any of these flaws passes every check it can be given', async (t) => {
  const url = `${await serveBroker(t, () => undefined)}/session`;
  const { exit, out } = await run(url, '--header', `Cookie: ${COOKIE}`, '--json');
  const results = (JSON.parse(out) as Verdict[]).filter(({ result }) => result !== 'pass');
  assert.deepEqual(
    [exit, results.map(({ name }) => name)],
    [
      0,
      [
        'A page of the allowed origin may ask, with credentials',
        // This broker has no such link.
        'The link of customers, if there is one, tells signed-in agents whose number it is, and nobody else',
      ],
    ],
  );
});

test('our own companion passes, and the command repeats neither token nor cookie', async (t) => {
  const origin = 'https://crm.example';
  const companion = await startCompanion(t, await startSandbox(t), { ALLOWED_ORIGINS: origin });
  const cookie = await signIn(companion, 'agent001');
  const url = `${companion}/dialer/session`;
  const { exit, out } = await runFromSource(COMMAND, [
    url,
    '--header',
    `Cookie: ${cookie}`,
    '--origin',
    origin,
  ]);
  assert.equal(exit, 0);
  assert.match(out, /^✔/m);
  assert.doesNotMatch(out, /✖|–|eyJ/);
  assert.equal(out.includes(cookie.split('=')[1] ?? cookie), false);
});

test('an address where nothing answers ends with 4, and bad input with 2', async () => {
  const outcomes = await Promise.all([
    run('http://127.0.0.1:9/session'),
    run(),
    run('ftp://broker.example'),
    run('http://127.0.0.1:9/session', '--header', 'no colon'),
  ]);
  assert.deepEqual(
    outcomes.map(({ exit }) => exit),
    [4, 2, 2, 2],
  );
});
