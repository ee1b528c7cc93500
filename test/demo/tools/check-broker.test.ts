/** `npm run check-broker` passes good brokers, ours among them, and names what is wrong with others. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkBroker, type Verdict } from '../../../demo/tools/broker-checks.ts';
import { run } from '../../../demo/tools/check-broker.ts';
import { runProgram } from '../../../demo/companion/test/process.ts';
import { runHere } from '../program.ts';
import { serve, startSandbox } from '../../../demo/sandbox/test/servers.ts';
import { signIn, startApp } from '../../../demo/companion/test/app.ts';

const COMMAND = fileURLToPath(new URL('../../../demo/tools/check-broker.ts', import.meta.url));
const COOKIE = 'session=of-agent001';

function failures(verdicts: readonly Verdict[]): string[] {
  return verdicts.filter(({ result }) => result === 'fail').map(({ name, detail }) => `${name}: ${detail}`);
}

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

const page = (status: number) =>
  new Response('<!doctype html><h1>Error</h1>', { status, headers: { 'Content-Type': 'text/html' } });
const isStranger = ({ headers }: Request) => headers.get('Cookie') !== COOKIE;

const FLAWS: Readonly<Record<string, readonly [Flaw, readonly RegExp[]]>> = {
  'sends who is not signed in to a page for signing in': [
    (request) => (isStranger(request) ? Response.redirect('http://127.0.0.1/login') : undefined),
    [/^A request without sign-in gets no token:/],
  ],
  'answers in a shape of its own': [
    (_, path, good) => (path === '/session' && good().ok ? Response.json({ jwt: 'a.b.c' }) : undefined),
    [/^A signed-in agent gets a session that the dialer understands:/],
  ],
  'shows pages where something is refused': [
    (_, __, good) => (good().ok ? undefined : page(401)),
    [/^An error response is problem\+json with a code:/],
  ],
  'shows where it broke': [
    (_, __, good) => (good().ok ? undefined : refuse(500, 'at Broker.answer (/srv/broker.js:12)')),
    [/^An error response reveals no internals:/],
  ],
  'tops up for any page': [
    (request, path) =>
      path === '/top-up' && !isStranger(request) ? Response.json(READY, { headers: HEADERS }) : undefined,
    [/^A page from an unknown origin can use no link:/, /^A form on another site has no effect:/],
  ],
  'has a link that leads nowhere': [
    (_, path, good) => (path === '/hotline' && good().ok ? page(404) : undefined),
    [/^Every link responds as the dialer expects/],
  ],
};

for (const [what, [flaw, checks]] of Object.entries(FLAWS)) {
  test(`a broker that ${what} is told so`, async (t) => {
    const url = `${await serveBroker(t, flaw)}/session`;
    const found = failures(await checkBroker({ url, signedIn: { Cookie: COOKIE }, origin: undefined }));
    for (const check of checks)
      assert.ok(
        found.some((line) => check.test(line)),
        found.join('\n'),
      );
  });
}

test('a broker without any of these flaws passes every check it can be given', async (t) => {
  const url = `${await serveBroker(t, () => undefined)}/session`;
  const { exit, out } = await runHere(t, () => run([url, '--header', `Cookie: ${COOKIE}`, '--json']));
  const others = (JSON.parse(out) as Verdict[]).filter(({ result }) => result !== 'pass');
  assert.equal(exit, 0);
  assert.deepEqual(
    others.map(({ name, result }) => [name.slice(0, 25), result]),
    [
      ['A page from the allowed o', 'skip'],
      ['The customers link, if pr', 'skip'],
    ],
  );
});

test('a broker that anybody may ask from anywhere fails, point by point', async (t) => {
  const url = await serve(t, async (request) => {
    const body = (await request.json().catch(() => ({}))) as { memberNo?: string };
    const answer = {
      token: 'a.b.c',
      member: { memberNo: body.memberNo ?? 'agent001' },
      blockers: [],
      api_key: 'x',
    };
    const headers = {
      'Access-Control-Allow-Origin': request.headers.get('Origin') ?? '*',
      'Access-Control-Allow-Credentials': 'true',
      'Cache-Control': 'max-age=60',
    };
    return Response.json({ ...answer, links: { status: 'status' } }, { headers });
  });
  const broken = failures(await checkBroker({ url, signedIn: {}, origin: 'https://crm.example' }));
  for (const word of [
    /response is not cached/,
    /Browsers do not guess/,
    /API key is not exposed/,
    /A request without sign-in gets no token: it returned a token/,
    /GET never returns a token/,
    /whatever the body says: it returned a session for somebodyElse/,
    /unknown origin .*: https:\/\/stranger\.invalid may read/,
    /form on another site/,
    /allowed origin can send requests.*Vary/,
    /without a token: status: it holds a token/,
    /no link works: status: it returned HTTP 200/,
    /unknown origin can use no link: status: it may read the response/,
    /far too large/,
  ]) {
    assert.ok(
      broken.some((line) => word.test(line)),
      `${String(word)} in ${broken.join('\n')}`,
    );
  }
});

test('our own companion passes, and the command repeats neither token nor cookie', async (t) => {
  const origin = 'https://crm.example';
  const companion = (await startApp(t, await startSandbox(t), { ALLOWED_ORIGINS: origin })).origin;
  const cookie = await signIn(companion, 'agent001');
  const url = `${companion}/dialer/session`;
  const { exit, out } = await runProgram(COMMAND, [url, '--header', `Cookie: ${cookie}`, '--origin', origin]);
  assert.equal(exit, 0);
  assert.match(out, /^✔/m);
  assert.doesNotMatch(out, /✖|–|eyJ/);
  assert.equal(out.includes(cookie.split('=')[1] ?? cookie), false);
});

test('an address where nothing answers ends with 4 and with why, bad input with 2', async (t) => {
  const nowhere = 'http://127.0.0.1:9/session';
  const { exit, err } = await runHere(t, () => run([nowhere]));
  assert.equal(exit, 4);
  assert.match(err, /127\.0\.0\.1:9\/session cannot be reached: fetch failed, \S+/);
  for (const args of [[], ['ftp://broker.example'], [nowhere, '--header', 'no colon']])
    assert.equal((await runHere(t, () => run(args))).exit, 2, args.join(' '));
});

test('a minimal broker in another language passes with what it has', async (t) => {
  const url = await serve(t, (request) => {
    const headers = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
    if (request.headers.has('Origin')) return refuse(403, 'origin-not-allowed');
    if (request.method !== 'POST') return refuse(405, 'invalid-request');
    if (!request.headers.has('Authorization')) return refuse(401, 'broker-unauthorized');
    if (Number(request.headers.get('Content-Length')) > 10_000) return refuse(413, 'invalid-request');
    return Response.json('a.b.c', { headers });
  });
  const verdicts = await checkBroker({ url, signedIn: { Authorization: 'Bearer x' }, origin: undefined });
  assert.deepEqual(failures(verdicts), []);
  assert.equal(verdicts.filter(({ result }) => result === 'skip').length, 6);
});

test('a broker that gives no session fails, and the rest is skipped', async (t) => {
  const url = await serve(t, () => new Response('<html>', { status: 200 }));
  const verdicts = await checkBroker({ url, signedIn: {}, origin: undefined });
  assert.equal(verdicts[0]?.result, 'fail');
  assert.equal(verdicts.at(-1)?.result, 'skip');
});

test('a broker that sends the agent to a page for signing in is told so, with the page', async (t) => {
  const url = await serve(t, () => Response.redirect('http://127.0.0.1/login'));
  const [first] = await checkBroker({ url, signedIn: {}, origin: undefined });
  assert.match(first?.detail ?? '', /redirects to http:\/\/127\.0\.0\.1\/login \(HTTP 302\).*return 401/);
});

test('a link of customers that is out of order is a warning: the agent calls all the same', async (t) => {
  const session = { token: 'a.b.c', blockers: [], links: { customers: '/customers' } };
  const url = await serve(t, (request) =>
    new URL(request.url).pathname === '/customers' ? page(502) : Response.json(session),
  );
  const verdicts = await checkBroker({ url, signedIn: {}, origin: undefined });
  const verdict = verdicts.find(({ name }) => name.startsWith('The customers link'));
  assert.deepEqual(
    [verdict?.result, verdict?.detail],
    ['warn', 'it returns HTTP 502: the dialer shows only the number'],
  );
});

test('a link of customers that answers anybody, or not as the dialer expects, is named', async (t) => {
  const session = { token: 'a.b.c', blockers: [], links: { customers: '/customers' } };
  const readDetail = async (customers: unknown) => {
    const url = await serve(t, (request) =>
      Response.json(new URL(request.url).pathname === '/customers' ? customers : session),
    );
    const verdicts = await checkBroker({ url, signedIn: {}, origin: undefined });
    return verdicts.find(({ name }) => name.startsWith('The customers link'))?.detail;
  };
  assert.match((await readDetail({ customers: [{ name: 'An' }] })) ?? '', /a body other than/);
  assert.match((await readDetail({ customers: [] })) ?? '', /for an invalid number/);
});

test('parts that the dialer leaves out are a warning: the agent calls all the same', async (t) => {
  const member = { memberNo: 'agent001', balance: '1000' };
  const url = await serveBroker(t, (_, path, good) => {
    if (!good().ok || (path !== '/session' && path !== '/status')) return undefined;
    const links = { ...READY.links, topUp: 'https://elsewhere.example/' };
    return Response.json(
      { ...(path === '/session' && { token: 'a.b.c' }), ...READY, member, links },
      { headers: HEADERS },
    );
  });
  const verdicts = await checkBroker({
    url: `${url}/session`,
    signedIn: { Cookie: COOKIE },
    origin: undefined,
  });
  assert.deepEqual(failures(verdicts), []);
  const warned = verdicts.filter(({ result }) => result === 'warn').map(({ detail }) => detail);
  assert.match(warned.join('\n'), /member\.balance, links\.topUp/);
  const { exit, out } = await runHere(t, () => run([`${url}/session`, '--header', `Cookie: ${COOKIE}`]));
  assert.equal(exit, 0);
  assert.match(out, /^⚠ .*member\.balance/m);
});
