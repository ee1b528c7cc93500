/** Every route under random requests and a random vendor: it never fails, and never tells a secret, to callers or to logs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Fault } from '../../demo/sandbox/world/world.ts';
import { startCompanionProcess } from '../demo/companion-process.ts';
import { makeFolder, serve, startSandbox } from '../../demo/sandbox/test/servers.ts';
import { signIn, startApp } from '../../demo/companion/test/app.ts';

const SESSION_SECRET = 'canary-session-secret-0123456789';
const WEBHOOK_AUTH = 'canary-webhook-secret';
const OPERATOR_PASSWORD = 'canary-operator-password';
const PHONE = '0987654321';
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 250);

/** Its log lines are part of what is tested. */
const ENV = {
  LOG_LEVEL: 'debug',
  SESSION_SECRET,
  CALL_ME_SCRIPT: 'SCRIPT_ALERT',
  CALL_ME_PER_MINUTE: '100000',
  CALL_ME_PER_DAY: '100000',
  WEBHOOK_AUTH,
  OPERATOR_PASSWORD,
  RATE_LIMIT_PER_MEMBER: '1000000',
  ALLOWED_ORIGINS: 'https://crm.example',
};

const paths = fc.oneof(
  { weight: 4, arbitrary: fc.constant('/dialer/session') },
  {
    weight: 8,
    arbitrary: fc.constantFrom('/dialer/session', '/dialer/status', '/dialer/top-up', '/dialer/hotline'),
  },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      '/dialer/calls',
      '/dialer/calls/c1/quality',
      '/dialer/customers?phone=101',
      '/dialer/call-me',
      '/webhooks/calls',
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom('/login', '/logout', '/healthz', '/readyz', '/metrics', '/operator'),
  },
  { weight: 2, arbitrary: fc.webPath().map((path) => `/dialer${path}`) },
  { weight: 1, arbitrary: fc.webPath().map((path) => `/${path}`) },
  { weight: 1, arbitrary: fc.webQueryParameters().map((query) => `/dialer/calls?page=${query}`) },
);
const bodies = fc.oneof(
  fc.constant(undefined),
  fc.json(),
  fc.constantFrom('{"memberNo":"agent001"}', '{"memberNo":"agent_1"}', '{"__proto__":{"x":1}}'),
  fc
    .record({ transId: fc.string(), disposition: fc.anything(), callerMemberNo: fc.constant('agent001') })
    .map(textOf),
  fc.constant(JSON.stringify({ transId: 't1', disposition: 'ANSWER', caller: PHONE, phone: PHONE })),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constant('x'.repeat(6000)),
);
const headers = fc.record(
  {
    'Content-Type': fc.constantFrom('application/json', 'text/plain', 'application/json; charset=utf-8', 'x'),
    Origin: fc.constantFrom('https://crm.example', 'https://evil.example', 'null'),
    'Sec-Fetch-Site': fc.constantFrom('same-origin', 'cross-site', 'same-site', 'none'),
    'X-Request-Id': fc.constantFrom('<script>', 'a'.repeat(500), 'request-0001'),
    'X-Forwarded-For': fc.ipV4(),
    Authorization: fc.constantFrom(
      WEBHOOK_AUTH,
      'Basic OmNhbmFyeQ==',
      `Basic ${btoa(`:${OPERATOR_PASSWORD}`)}`,
      '',
    ),
    Accept: fc.constantFrom('text/html', '*/*'),
  },
  { requiredKeys: [] },
);
type Bend = (cookie: string) => string;
const cookies: fc.Arbitrary<Bend> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Bend>((cookie) => cookie) },
  {
    weight: 1,
    arbitrary: fc.constant<Bend>((cookie) => cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))),
  },
  {
    weight: 1,
    arbitrary: fc.nat(60).map(
      (at): Bend =>
        (cookie) =>
          cookie.slice(0, at),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Bend>(() => 'dialer_session=%E0%A4%A; other=1') },
);
const faults = fc.option(
  fc.record({
    place: fc.constantFrom(
      'api/hotline/getAll',
      'api/sdk/tokenSdk',
      'api/member/getByMemberNo',
      'api/member/addMoney',
      'api/account/balance',
      'm-cdr/api/call/get-all',
      'm-auto-call/api/call/create-list-member',
    ),
    kind: fc.constantFrom('status', 'error', 'cut', 'garbage', 'drop', 'drop-after') as fc.Arbitrary<
      Fault['kind']
    >,
    value: fc.constantFrom(-1, 401, 402, 404, 409, 500, 503, 803),
  }),
  { freq: 2 },
);
const requests = fc.record({
  method: fc.constantFrom('GET', 'POST', 'POST', 'POST', 'PUT', 'DELETE', 'OPTIONS'),
  path: paths,
  body: bodies,
  headers,
  bend: cookies,
  fault: faults,
});

type Shot = typeof requests extends fc.Arbitrary<infer T> ? T : never;

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one));
}

test('no request makes the companion fail, or tell a secret', { timeout: 120_000 }, async (t) => {
  const sandbox = await startSandbox(t);
  const databaseUrl = `file:${await makeFolder(t)}/companion.db`;
  const { origin, output } = await startCompanionProcess(t, sandbox, databaseUrl, ENV);
  const cookie = await signIn(origin, 'agent001');
  const tokens: string[] = [];
  const secrets = [sandbox.apiKey, SESSION_SECRET, WEBHOOK_AUTH, OPERATOR_PASSWORD];
  const check = async ({ method, path, body, headers: given, bend, fault }: Shot) => {
    sandbox.world.faults.clear();
    if (fault) sandbox.world.faults.set(`/${fault.place}`, { ...httpStatus(fault), times: 1 });
    const answer = await fetch(origin + path, {
      method,
      headers: { ...given, Cookie: bend(cookie) },
      ...(method === 'GET' || body === undefined ? {} : { body }),
    });
    const text = await answer.text();
    assert.notEqual(answer.status, 500, text);
    assert.doesNotMatch(text, /\n\s+at |node_modules|\.ts:\d/);
    for (const secret of secrets) assert.equal(text.includes(secret), false, 'a secret in an answer');
    if (answer.status >= 400) assert.equal(answer.headers.get('content-type'), 'application/problem+json');
    if (!/"token":/.test(text)) return;
    assert.deepEqual([method, path], ['POST', '/dialer/session']);
    assert.match(text, /"memberNo":"agent001"/);
    tokens.push((JSON.parse(text) as { token: string }).token);
  };
  // Chance alone may never hit upon a session, and then there would be no token to look for.
  const honest: Shot = {
    method: 'POST',
    path: '/dialer/session',
    body: undefined,
    headers: {},
    bend: (one) => one,
    fault: null,
  };
  const examples: [Shot][] = [[honest]];
  await fc.assert(fc.asyncProperty(requests, check), { numRuns: RUNS, examples });

  assert.equal((await fetch(`${origin}/healthz`)).status, 200);
  assert.ok(tokens.length > 0, 'no session was ever given');
  const lines = output();
  assert.match(lines, /"route":"\/dialer\/session"/);
  const value = cookie.split('=')[1] ?? cookie;
  for (const secret of [...secrets, ...tokens, PHONE, value]) {
    assert.equal(lines.includes(secret), false, 'a secret in a log line');
  }
});

/** A status the sandbox can answer with. */
function httpStatus(fault: { kind: Fault['kind']; value: number }): Fault {
  const value = fault.kind === 'status' ? Math.max(400, Math.min(fault.value, 599)) : fault.value;
  return { kind: fault.kind, value };
}

const envelopes = fc.record(
  {
    error: fc.oneof(fc.integer({ min: -2, max: 3 }), fc.constantFrom(0, 0, 401, 402, 409, '0', null, 1e300)),
    errorCode: fc.constantFrom(0, 403, null),
    data: fc.oneof(
      fc.anything({ withNullPrototype: false, maxDepth: 3 }),
      fc.constantFrom('eyJhbGciOi.J9.x', [], '', -1),
      fc.record(
        { member_no: fc.constantFrom('agent001', 1), member_money: fc.oneof(fc.double(), fc.string()) },
        { requiredKeys: [] },
      ),
    ),
  },
  { requiredKeys: [] },
);

test('whatever the vendor answers becomes a session or a problem', { timeout: 120_000 }, async (t) => {
  let reply: { status: number; text: string } = { status: 200, text: '' };
  const vendor = await serve(t, () => new Response(reply.text, { status: reply.status }));
  const companion = (await startApp(t, { baseUrl: `${vendor}/v3.0`, apiKey: 'key' })).origin;
  const cookie = await signIn(companion, 'agent001');
  const replies = fc.record({
    text: fc.oneof({ weight: 4, arbitrary: envelopes.map(textOf) }, fc.string(), fc.constant('<html>')),
    status: fc.constantFrom(200, 200, 200, 400, 404),
  });
  const routes = fc.constantFrom('session', 'status', 'top-up', 'hotline', 'calls', 'call-me');
  await fc.assert(
    fc.asyncProperty(replies, routes, async (next, route) => {
      reply = next;
      const method = route === 'status' || route === 'calls' ? 'GET' : 'POST';
      const answer = await fetch(`${companion}/dialer/${route}`, { method, headers: { Cookie: cookie } });
      const text = await answer.text();
      assert.notEqual(answer.status, 500, text);
      if (answer.status >= 400) assert.match(text, /"code":/);
    }),
    { numRuns: RUNS / 2 },
  );
});
