/** The broker's routes, as a dialer, a foreign page and a forger meet them. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test, type TestContext } from 'node:test';
import { parse } from 'zod/v4/core';
import { readinessSchema, sessionSchema } from '../../../src/broker/contract.ts';
import {
  post,
  postJson,
  serve,
  signIn,
  startCompanion,
  startSandbox,
  type RunningSandbox,
} from '../servers.ts';

interface Setup {
  readonly sandbox: RunningSandbox;
  readonly companion: string;
  readonly cookie: string;
  ask(path: string, headers?: Record<string, string>): Promise<Response>;
}

async function setUp(t: TestContext, env: Record<string, string> = {}): Promise<Setup> {
  const sandbox = await startSandbox(t);
  const companion = await startCompanion(t, sandbox, env);
  const cookie = await signIn(companion, 'agent001');
  const ask = (path: string, headers: Record<string, string> = {}) =>
    path === 'status'
      ? fetch(`${companion}/dialer/status`, { headers: { Cookie: cookie, ...headers } })
      : post(`${companion}/dialer/${path}`, { Cookie: cookie, ...headers });
  return { sandbox, companion, cookie, ask };
}

async function problemCode(answer: Response): Promise<string> {
  assert.equal(answer.headers.get('content-type'), 'application/problem+json');
  const body = (await answer.json()) as Record<string, unknown>;
  assert.equal(body['status'], answer.status);
  return String(body['code']);
}

test('a new agent signs in and gets a session they can call with', async (t) => {
  const { ask } = await setUp(t);
  const answer = await ask('session');
  assert.deepEqual([answer.status, answer.headers.get('cache-control')], [200, 'no-store']);
  const session = parse(sessionSchema, await answer.json());
  assert.match(session.token, /^eyJ/);
  assert.deepEqual(session.blockers, []);
  assert.deepEqual(session.links, {
    status: 'status',
    topUp: 'top-up',
    hotline: 'hotline',
    customers: 'customers',
  });
  const { memberNo, name, extension, balance, currency } = session.member ?? {};
  assert.deepEqual(
    [memberNo, name, extension, balance, currency],
    ['agent001', 'Nguyễn Thị An', '101', 1000, 'VND'],
  );
  assert.deepEqual(session.hotlines, [
    { name: 'Sales', number: '842899990001', code: 'HL_SALES', type: 'HOTLINE' },
  ]);
});

test('the second session pays nothing and assigns nothing', async (t) => {
  const { ask, sandbox } = await setUp(t);
  await ask('session');
  sandbox.world.requests.length = 0;
  await ask('session');
  assert.deepEqual(sandbox.world.requests.map(({ path }) => path).toSorted(), [
    '/api/member/getByMemberNo',
    '/api/sdk/tokenSdk',
  ]);
});

test('two tabs that open at once share one run', async (t) => {
  const { ask, sandbox } = await setUp(t);
  const [first, second] = await Promise.all([ask('session'), ask('session')]);
  assert.equal(await first.text(), await second.text());
  assert.equal(sandbox.world.topUps.length, 1);
  assert.equal(sandbox.world.requests.filter(({ path }) => path === '/api/sdk/tokenSdk').length, 1);
});

test('the status is the same answer without the token', async (t) => {
  const { ask } = await setUp(t);
  await ask('session');
  const status: unknown = await (await ask('status')).json();
  assert.equal('token' in (status as object), false);
  assert.deepEqual(parse(readinessSchema, status).blockers, []);
});

test('a member who cannot call still gets a token, and the reasons', async (t) => {
  const { ask, sandbox } = await setUp(t, { TOP_UP_MODE: 'off', HOTLINE_CODE: 'HL_GONE' });
  const answer = await ask('session');
  const session = parse(sessionSchema, await answer.json());
  assert.equal(answer.status, 200);
  assert.deepEqual(session.blockers, ['insufficient-funds', 'no-hotline']);
  assert.equal(sandbox.world.members.get('agent001')?.assignments.length, 0, 'no other hotline instead');
});

test('an agent without money asks for a top-up and can call', async (t) => {
  const { ask } = await setUp(t, { TOP_UP_MODE: 'request' });
  const session = parse(sessionSchema, await (await ask('session')).json());
  assert.deepEqual(session.blockers, ['insufficient-funds']);
  const readiness = parse(readinessSchema, await (await ask('top-up')).json());
  assert.deepEqual([readiness.blockers, readiness.member?.balance], [[], 1000]);
});

test('a second top-up on the same day is refused with top-up-limit', async (t) => {
  const { ask, sandbox } = await setUp(t);
  await ask('session');
  const member = sandbox.world.members.get('agent001');
  assert.ok(member, 'there is no member');
  sandbox.world.setBalance(member, 0);
  const answer = await ask('top-up');
  assert.deepEqual([answer.status, await problemCode(answer)], [429, 'top-up-limit']);
});

test('topping up that is switched off says so', async (t) => {
  const { ask } = await setUp(t, { TOP_UP_MODE: 'off' });
  await ask('session');
  const answer = await ask('top-up');
  assert.deepEqual([answer.status, await problemCode(answer)], [403, 'top-up-off']);
});

for (const [vendorCode, status, code] of [
  [-1, 503, 'top-up-later'],
  [402, 402, 'top-up-refused'],
] as const) {
  test(`an agent whose top-up the vendor refuses with ${vendorCode} hears ${code}, and then to wait`, async (t) => {
    const { ask, sandbox } = await setUp(t, { TOP_UP_MODE: 'request' });
    await ask('session');
    sandbox.world.faults.set('/api/member/addMoney', { kind: 'error', value: vendorCode });
    const first = await ask('top-up');
    assert.deepEqual([first.status, await problemCode(first)], [status, code]);
    assert.equal(await problemCode(await ask('top-up')), 'top-up-later');
  });
}

test('a short admin account is told apart from a broken vendor', async (t) => {
  const { ask, sandbox } = await setUp(t);
  sandbox.world.setAdminBalance(0);
  assert.equal((await ask('session')).status, 200);
  const answer = await ask('top-up');
  assert.deepEqual([answer.status, await problemCode(answer)], [402, 'top-up-admin-short']);
});

for (const hotlineList of ['absent', 'hotlines', 'hotline_numbers'] as const) {
  test(`an agent whose hotline was taken away asks for one and gets it (list: ${hotlineList})`, async (t) => {
    const { ask, sandbox } = await setUp(t);
    await ask('session');
    sandbox.world.setSettings({ ...sandbox.world.settings, hotlineList });
    const member = sandbox.world.members.get('agent001');
    assert.ok(member, 'there is no member');
    sandbox.world.setAssignments(member, []);
    const status = parse(readinessSchema, await (await ask('status')).json());
    assert.deepEqual(status.blockers, hotlineList === 'absent' ? [] : ['no-hotline']);
    const readiness = parse(readinessSchema, await (await ask('hotline')).json());
    assert.deepEqual([readiness.blockers, readiness.hotlines?.length], [[], 1]);
    assert.equal(member.assignments[0]?.number, '842899990001');
  });
}

test('no hotline at all is told as no-hotline', async (t) => {
  const { ask, sandbox } = await setUp(t);
  sandbox.world.setHotlines([]);
  await ask('session');
  const answer = await ask('hotline');
  assert.deepEqual([answer.status, await problemCode(answer)], [409, 'no-hotline']);
});

test('a member whom somebody gave a hotline already is not given ours', async (t) => {
  const { ask, sandbox } = await setUp(t);
  const member = sandbox.world.createMember('agent001', ['HL_CARE']);
  sandbox.world.setSettings({ ...sandbox.world.settings, hotlineList: 'hotline_numbers' });
  const session = parse(sessionSchema, await (await ask('session')).json());
  assert.deepEqual(
    session.hotlines?.map(({ code }) => code),
    ['HL_CARE'],
  );
  assert.equal(member.assignments.length, 1);
});

test('nobody gets anything without signing in, and no vendor is asked', async (t) => {
  const { companion, sandbox } = await setUp(t);
  const forged = 'dialer_session=agent002.99999999999999.7t4v3oiL5hDiK5awZcbLfalVBf8kCjGRW04cqDjEjCY%3D';
  for (const headers of [{}, { Cookie: 'dialer_session=agent001' }, { Cookie: forged }]) {
    for (const path of ['session', 'top-up', 'hotline']) {
      const answer = await post(`${companion}/dialer/${path}`, headers);
      assert.deepEqual([answer.status, await problemCode(answer)], [401, 'broker-unauthorized']);
    }
    assert.equal((await fetch(`${companion}/dialer/status`, { headers })).status, 401);
  }
  assert.equal(sandbox.world.requests.length, 0);
});

test('a session cookie cannot be turned into another agent, and ends', async (t) => {
  const { companion, cookie } = await setUp(t);
  const other = await post(`${companion}/dialer/session`, { Cookie: cookie.replace('agent001', 'agent002') });
  assert.equal(other.status, 401);
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 13 * 3_600_000 });
  assert.equal((await post(`${companion}/dialer/session`, { Cookie: cookie })).status, 401);
});

test('the member comes from the cookie, whatever the body says', async (t) => {
  const { companion, cookie, sandbox } = await setUp(t);
  const body = { memberNo: 'agent002', member_no: 'agent002' };
  const answer = await postJson(`${companion}/dialer/session`, body, { Cookie: cookie });
  assert.equal(parse(sessionSchema, await answer.json()).member?.memberNo, 'agent001');
  assert.deepEqual([...sandbox.world.members.keys()], ['agent001']);
});

test('the cookie is out of reach of scripts and other sites', async (t) => {
  const { companion } = await setUp(t);
  const answer = await postJson(`${companion}/login`, { memberNo: 'agent002' });
  assert.match(answer.headers.get('set-cookie') ?? '', /; HttpOnly; SameSite=Lax/);
});

test('the sign-in offers agents with names, and takes no ill-formed number', async (t) => {
  const { companion } = await setUp(t);
  const agents = (await (await fetch(`${companion}/login`)).json()) as { memberNo: string; name: string }[];
  assert.deepEqual([agents.length, agents[0]?.name], [5, 'Nguyễn Thị An']);
  for (const body of [{ memberNo: 'agent_001' }, { memberNo: 7 }, {}, []]) {
    assert.equal(await problemCode(await postJson(`${companion}/login`, body)), 'invalid-request');
  }
});

test('signing out ends the session in the browser', async (t) => {
  const { companion, cookie } = await setUp(t);
  const answer = await post(`${companion}/logout`, { Cookie: cookie });
  assert.match(answer.headers.get('set-cookie') ?? '', /dialer_session=; Max-Age=0/);
});

test('without the demo sign-in nobody can sign in', async (t) => {
  const sandbox = await startSandbox(t);
  const companion = await startCompanion(t, sandbox, { DEMO_LOGIN: 'off' });
  assert.equal((await postJson(`${companion}/login`, { memberNo: 'agent001' })).status, 404);
});

const hostile = [
  'https://evil.example',
  'https://crm.example.evil.example',
  'https://evil-crm.example',
  'http://crm.example',
  'https://crm.example:8443',
  'https://CRM.example.',
  'null',
  '*',
];
test('a page of another origin gets nothing and moves nothing', async (t) => {
  const { ask, sandbox } = await setUp(t, { ALLOWED_ORIGINS: 'https://crm.example' });
  for (const origin of hostile) {
    for (const path of ['session', 'top-up', 'status']) {
      const answer = await ask(path, { Origin: origin });
      assert.deepEqual([answer.status, await problemCode(answer)], [403, 'origin-not-allowed'], origin);
      assert.equal(answer.headers.has('access-control-allow-origin'), false, origin);
    }
  }
  assert.equal((await ask('session', { 'Sec-Fetch-Site': 'cross-site' })).status, 403);
  assert.equal((await ask('session', { 'Sec-Fetch-Site': 'same-site' })).status, 403);
  assert.equal(sandbox.world.requests.length, 0);
});

test('a page of an allowed origin may ask with credentials and its own headers', async (t) => {
  const { ask, companion } = await setUp(t, {
    ALLOWED_ORIGINS: 'https://crm.example, https://two.example',
  });
  const headers = { Origin: 'https://crm.example', 'Sec-Fetch-Site': 'cross-site' };
  for (const path of ['session', 'status', 'nothing-here']) {
    const answer = await ask(path, headers);
    assert.equal(answer.headers.get('access-control-allow-origin'), 'https://crm.example', path);
    assert.equal(answer.headers.get('access-control-allow-credentials'), 'true');
    assert.equal(answer.headers.get('access-control-expose-headers'), 'Retry-After, X-Request-Id');
    assert.match(answer.headers.get('vary') ?? '', /Origin/);
  }
  const preflight = await fetch(`${companion}/dialer/session`, {
    method: 'OPTIONS',
    headers: {
      ...headers,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'x-crm',
    },
  });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get('access-control-allow-headers'), 'x-crm');
  assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /POST/);
});

test('bodies are JSON and small, or refused', async (t) => {
  const { companion, cookie } = await setUp(t);
  const send = async (body: string, type: string) => {
    const headers = { Cookie: cookie, 'Content-Type': type };
    const answer = await fetch(`${companion}/dialer/session`, { method: 'POST', headers, body });
    return [answer.status, await problemCode(answer)];
  };
  assert.deepEqual(await send('a=1', 'application/x-www-form-urlencoded'), [415, 'invalid-request']);
  assert.deepEqual(await send('{}', 'text/plain'), [415, 'invalid-request']);
  assert.deepEqual(await send('{', 'application/json'), [400, 'invalid-request']);
  assert.deepEqual(await send(JSON.stringify('x'.repeat(5000)), 'application/json'), [
    413,
    'invalid-request',
  ]);
});

test('a large body of unknown length is refused too', async (t) => {
  const { companion, cookie } = await setUp(t);
  const status = await new Promise((resolve, reject) => {
    const headers = { Cookie: cookie, 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };
    const outgoing = request(`${companion}/dialer/session`, { method: 'POST', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    outgoing.on('error', reject);
    outgoing.write('"');
    for (let n = 0; n < 10; n += 1) outgoing.write('x'.repeat(1000));
    outgoing.end('"');
  });
  assert.equal(status, 413);
});

const broken = [
  [{ kind: 'status', value: 503 }, 503, 'vendor-unreachable'],
  [{ kind: 'drop' }, 503, 'vendor-unreachable'],
  [{ kind: 'garbage' }, 502, 'vendor-invalid-answer'],
  [{ kind: 'cut' }, 502, 'vendor-invalid-answer'],
  [{ kind: 'error', value: 401 }, 502, 'vendor-refused'],
] as const;
for (const [fault, status, code] of broken) {
  test(`a vendor with the fault ${fault.kind} is told as ${code}, and forgotten once it is gone`, async (t) => {
    const { ask, sandbox } = await setUp(t);
    sandbox.world.faults.set('/api/sdk/tokenSdk', fault);
    const answer = await ask('session');
    assert.deepEqual([answer.status, await problemCode(answer)], [status, code]);
    sandbox.world.faults.clear();
    assert.equal((await ask('session')).status, 200);
  });
}

test('a member who is not readable right after creation is waited for, not taken for poor', async (t) => {
  const { ask, sandbox } = await setUp(t);
  sandbox.world.faults.set('/api/member/getByMemberNo', { kind: 'error', value: 404, times: 2 });
  const session = parse(sessionSchema, await (await ask('session')).json());
  assert.deepEqual([session.blockers, sandbox.world.topUps.length], [[], 1]);
});

test('a session is given even when the top-up is in doubt', async (t) => {
  const { ask, sandbox } = await setUp(t);
  sandbox.world.faults.set('/api/member/addMoney', { kind: 'drop', times: 1 });
  const session = parse(sessionSchema, await (await ask('session')).json());
  assert.deepEqual(session.blockers, ['insufficient-funds']);
  const readiness = parse(readinessSchema, await (await ask('top-up')).json());
  assert.deepEqual([readiness.blockers, sandbox.world.topUps.length], [['insufficient-funds'], 0]);
});

test('a balance that is missing is an error, and costs nothing', async (t) => {
  const { companion, posts } = await companionOf(t, { member_no: 'agent001' });
  const answer = await post(`${companion}/dialer/session`, { Cookie: await signIn(companion, 'agent001') });
  assert.equal(await problemCode(answer), 'vendor-invalid-answer');
  assert.deepEqual(posts, ['/api/sdk/tokenSdk']);
});

test('no answer and no log line holds the key, and problems hold no token', async (t) => {
  const logged: unknown[] = [];
  for (const method of ['log', 'warn', 'error', 'info'] as const) {
    t.mock.method(console, method, (...parts: unknown[]) => logged.push(...parts));
  }
  const { ask, sandbox } = await setUp(t);
  const session = parse(sessionSchema, await (await ask('session')).json());
  const bodies: string[] = [];
  for (const place of [
    '/api/hotline/getAll',
    '/api/sdk/tokenSdk',
    '/api/member/getByMemberNo',
    '/api/member/addMoney',
  ]) {
    for (const kind of ['drop', 'garbage', 'cut', 'error'] as const) {
      sandbox.world.faults.set(place, { kind, times: 1 });
      for (const path of ['session', 'top-up', 'hotline', 'status']) {
        const text = await (await ask(path)).text();
        if (!text.includes('"token"')) bodies.push(text);
      }
    }
  }
  const everything = `${bodies.join('\n')} ${JSON.stringify(logged)}`;
  assert.equal(everything.includes(sandbox.apiKey), false);
  assert.equal(everything.includes(session.token), false);
  assert.equal(/eyJ/.test(everything), false);
});

/** A companion whose vendor gives this member data. */
async function companionOf(t: TestContext, data: object): Promise<{ companion: string; posts: string[] }> {
  const posts: string[] = [];
  const origin = await serve(t, (incoming) => {
    const { pathname } = new URL(incoming.url);
    if (incoming.method === 'POST') posts.push(pathname);
    if (pathname.endsWith('getByMemberNo')) return Response.json({ error: 0, data });
    return Response.json({ error: 0, data: pathname.endsWith('getAll') ? [] : 'a.b.c' });
  });
  return { companion: await startCompanion(t, { baseUrl: origin, apiKey: 'key' }), posts };
}
