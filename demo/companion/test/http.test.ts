/** What every request passes: names, origins, bodies, headers; and how a refusal looks. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { countRequests, post, problemOf, signIn, startAgent, startApp, statusOf, until } from './app.ts';
import { Ledger } from '../money/ledger.ts';
import { sqliteUrl } from './stores.ts';
import { PATHS, startVendor } from './vendor.ts';

const ERROR = 50;

test('requests to other host names are refused; the default port may be in Host', async (t) => {
  const { origin } = await startApp(t, await startVendor(t), {
    PUBLIC_ORIGIN: 'https://crm.example',
    ALLOWED_ORIGINS: 'https://two.example:8443 http://three.example',
  });
  const { port } = new URL(origin);
  const hosts = {
    [`localhost:${port}`]: 404,
    'crm.example': 404,
    'CRM.example:443': 404,
    'crm.example:80': 421,
    'crm.example:8443': 421,
    'two.example:8443': 404,
    'two.example': 421,
    'three.example:80': 404,
    'three.example:443': 421,
    '[::1]:9': 404,
    'evil.example': 421,
    'crm.example.evil.example': 421,
    '127.0.0.1.evil.example': 421,
    'localhost@evil.example': 400,
  };
  for (const [host, status] of Object.entries(hosts))
    assert.equal(await statusOf(`${origin}/nothing`, { Host: host }), status, host);
  assert.equal(await statusOf(`${origin}/healthz`, { Host: '10.0.0.7:8787' }), 200, 'probes know no name');
});

test('the log says what to set when a host or an origin is refused, once an hour', async (t) => {
  const { origin, log } = await startApp(t, await startVendor(t));
  for (const host of ['companions', 'crm.example']) await statusOf(`${origin}/dialer/status`, { Host: host });
  await statusOf(`${origin}/dialer/status`, { Origin: `https://${'crm'.repeat(100)}.example` });
  const warnings = log.filter(({ level }) => level === 40);
  assert.deepEqual(
    warnings.map(({ msg, host }) => [host, /PUBLIC_ORIGIN|ALLOWED_ORIGINS/.exec(String(msg))?.[0]]),
    [
      ['companions', 'PUBLIC_ORIGIN'],
      [undefined, 'ALLOWED_ORIGINS'],
    ],
  );
  assert.equal(String(warnings[1]?.['origin']).length, 100, 'strangers write it');
});

const HOSTILE = [
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
  const { ask, vendor } = await startAgent(t, { ALLOWED_ORIGINS: 'https://crm.example' });
  for (const origin of HOSTILE) {
    for (const path of ['session', 'top-up', 'status']) {
      const answer = await ask(path, { Origin: origin });
      assert.equal(answer.headers.has('access-control-allow-origin'), false, origin);
      assert.deepEqual(await problemOf(answer), [403, 'origin-not-allowed'], origin);
    }
  }
  for (const site of ['cross-site', 'same-site'])
    assert.equal((await ask('session', { 'Sec-Fetch-Site': site })).status, 403, site);
  assert.equal(vendor.requests.length, 0);
});

test('behind https a page of the same name but another scheme is another origin', async (t) => {
  const { origin } = await startApp(t, await startVendor(t), {
    PUBLIC_ORIGIN: 'https://crm.example',
    ALLOWED_ORIGINS: 'https://two.example:8443',
  });
  const of = (page: string, site = 'same-origin') =>
    statusOf(`${origin}/logout`, { Host: 'crm.example', Origin: page, 'Sec-Fetch-Site': site }, 'POST');
  assert.equal(await of('https://crm.example'), 204);
  assert.equal(await of('http://crm.example'), 403);
  assert.equal(await of('https://crm.example', 'cross-site'), 403);
  assert.equal(await of('https://two.example:8443', 'cross-site'), 204);
});

test('a page of an allowed origin may ask with credentials and its own headers', async (t) => {
  const { ask, origin } = await startAgent(t, {
    ALLOWED_ORIGINS: 'https://crm.example, https://two.example',
  });
  const headers = { Origin: 'https://crm.example', 'Sec-Fetch-Site': 'cross-site' };
  for (const path of ['session', 'status', 'nothing-here']) {
    const answer = await ask(path, headers);
    assert.equal(answer.headers.get('access-control-allow-origin'), 'https://crm.example', path);
    assert.equal(answer.headers.get('access-control-allow-credentials'), 'true', path);
    assert.equal(answer.headers.get('access-control-expose-headers'), 'Date,Retry-After,X-Request-Id', path);
    assert.match(answer.headers.get('vary') ?? '', /Origin/, path);
  }
  const preflight = await fetch(`${origin}/dialer/session`, {
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
  const { origin, cookie } = await startAgent(t);
  const send = async (body: string, type: string) => {
    const headers = { Cookie: cookie, 'Content-Type': type };
    return problemOf(await fetch(`${origin}/dialer/session`, { method: 'POST', headers, body }));
  };
  assert.deepEqual(await send('a=1', 'application/x-www-form-urlencoded'), [415, 'invalid-request']);
  assert.deepEqual(await send('{}', 'text/plain'), [415, 'invalid-request']);
  assert.deepEqual(await send('{', 'application/json'), [400, 'invalid-request']);
  const large = JSON.stringify('x'.repeat(5000));
  assert.deepEqual(await send(large, 'application/json'), [413, 'invalid-request']);
});

test('a large body of unknown length is refused too', async (t) => {
  const { origin, cookie } = await startAgent(t);
  const status = await new Promise((resolve, reject) => {
    const headers = { Cookie: cookie, 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };
    const outgoing = request(`${origin}/dialer/session`, { method: 'POST', headers }, (answer) => {
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

for (const chunked of [false, true]) {
  test(`whoever hangs up in mid-body (${chunked ? 'of unknown length' : 'of known length'}) is not logged as an error`, async (t) => {
    const { app, origin, log } = await startApp(t, await startVendor(t));
    const arrived = countRequests(app);
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    const length = chunked ? 'Transfer-Encoding: chunked' : 'Content-Length: 40';
    socket.write(
      `POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${length}\r\n\r\n`,
    );
    socket.write(chunked ? '1\r\n{\r\n' : '{');
    await until(() => arrived() > 0);
    await delay(50);
    socket.destroy();
    await until(() => log.some(({ msg }) => msg === 'request'));
    assert.deepEqual(
      log.filter(({ level }) => level === ERROR),
      [],
    );
    assert.equal((await fetch(`${origin}/healthz`)).status, 200);
  });
}

test('every answer says how it may be used, and which request it belongs to', async (t) => {
  const { origin, log } = await startApp(t, await startVendor(t));
  for (const path of ['/healthz', '/nothing', '/dialer/status', '/login', '/operator']) {
    const answer = await fetch(`${origin}${path}`);
    assert.equal(answer.headers.get('cache-control'), 'no-store', path);
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff', path);
    assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/, path);
    assert.match(answer.headers.get('x-request-id') ?? '', /^[\w-]{8,64}$/, path);
    assert.equal(answer.headers.has('strict-transport-security'), false, "the partner's site is not ours");
  }
  const own = await fetch(`${origin}/nothing`, { headers: { 'X-Request-Id': 'from-the-proxy-1' } });
  assert.equal(((await own.json()) as { requestId: string }).requestId, 'from-the-proxy-1');
  assert.equal(log.at(-1)?.['requestId'], 'from-the-proxy-1');
  const odd = await fetch(`${origin}/nothing`, { headers: { 'X-Request-Id': '<script>' } });
  assert.doesNotMatch(odd.headers.get('x-request-id') ?? '', /</);
});

test('every line that a request causes has its id and its member, the vendor’s trouble and the payment too', async (t) => {
  const { ask, vendor, log } = await startAgent(t);
  vendor.faults.set(PATHS.hotlines, { kind: 'status', value: 503, times: 1 });
  await ask('session', { 'X-Request-Id': 'request-of-the-proxy' });
  const lines = log.filter(({ requestId }) => requestId === 'request-of-the-proxy');
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    ['top-up', 'session', 'request'],
  );
  vendor.add('agent001', { balance: 5 });
  vendor.faults.set(PATHS.token, { kind: 'error', value: 1, message: 'no' });
  await ask('session', { 'X-Request-Id': 'the-second' });
  const second = log.filter(({ requestId }) => requestId === 'the-second');
  assert.deepEqual(
    second.map(({ msg, memberNo }) => [msg, memberNo]),
    [
      ['vendor request failed', 'agent001'],
      ['provisioning step failed', 'agent001'],
      ['request', 'agent001'],
    ],
  );
  assert.equal(log.filter(({ msg }) => msg === 'request').length, 3, 'the sign-in was the first');
});

test('who got a token is a line, with what still keeps them from calling', async (t) => {
  const { json, log } = await startAgent(t, { TOP_UP_MODE: 'off' });
  await json('session');
  const line = log.find(({ msg }) => msg === 'session');
  assert.deepEqual(
    [line?.['kind'], line?.['memberNo'], line?.['blockers']],
    ['security', 'agent001', ['insufficient-funds']],
  );
});

test('while the database is away, /readyz never says that top-ups work', async (t) => {
  const url = await sqliteUrl(t);
  const { origin } = await startAgent(t, { DATABASE_URL: url });
  const read = async () => (await (await fetch(`${origin}/readyz`)).json()) as Record<string, string>;
  assert.equal((await read())['topUps'], 'ok');
  for (const end of ['', '-wal', '-shm']) rmSync(url.slice('file:'.length) + end);
  const { store, topUps } = await read();
  assert.deepEqual([store, topUps], ['away', 'The ledger cannot be used; no money is moved']);
});

test('a companion that retires says so, and ends its streams', async (t) => {
  const { origin, app } = await startApp(t, await startVendor(t));
  const ready = await fetch(`${origin}/readyz`);
  assert.deepEqual([ready.status, await ready.json()], [200, { status: 'ready', store: 'ok', topUps: 'ok' }]);
  const stream = await fetch(`${origin}/dialer/events`, {
    headers: { Cookie: await signIn(origin, 'agent001') },
  });
  app.retire();
  await stream.text();
  assert.deepEqual(await problemOf(await fetch(`${origin}/readyz`)), [503, 'not-ready']);
  assert.equal((await fetch(`${origin}/healthz`)).status, 200);
});

test('a slow database delays neither /readyz nor /metrics', async (t) => {
  const { origin } = await startApp(t, await startVendor(t));
  await until(async () => (await (await fetch(`${origin}/readyz`)).text()).includes('"store":"ok"'));
  const { standing } = Ledger.prototype;
  t.mock.method(Ledger.prototype, 'standing', async function slow(this: Ledger) {
    await delay(15_000, undefined, { ref: false });
    return standing.call(this);
  });
  const [metrics, ready] = await Promise.all(
    ['/metrics', '/readyz'].map(async (path) => (await fetch(origin + path)).text()),
  );
  assert.match(metrics ?? '', /^companion_stopped\{why="ledger"\} 1$/m);
  assert.match(ready ?? '', /"store":"away"/);
});

test('each response of a retired companion closes its connection, also to earlier requests', async (t) => {
  const vendor = await startVendor(t);
  const { origin, app } = await startApp(t, vendor);
  const headers = { Cookie: await signIn(origin, 'agent001') };
  vendor.add('agent001', { balance: 1 });
  const ask = (path: string, init?: RequestInit) => fetch(origin + path, { headers, ...init });
  assert.equal((await ask('/dialer/status')).headers.get('connection'), 'keep-alive');
  const release = new AbortController();
  vendor.before = ({ path }) => path === PATHS.token && once(release.signal, 'abort');
  const early = ask('/dialer/session', { method: 'POST' });
  await until(() => vendor.asked(PATHS.token) > 0);
  app.retire();
  release.abort();
  const late = ['/dialer/status', '/', '/readyz'].map((path) => ask(path));
  for (const answer of await Promise.all([early, ...late]))
    assert.equal(answer.headers.get('connection'), 'close', answer.url);
});

test('with its store away a companion serves sessions, and says so in body, metrics and log', async (t) => {
  const vendor = await startVendor(t);
  vendor.add('agent001', { balance: 500 });
  const { origin, log } = await startApp(t, vendor, {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:9/nothing',
  });
  const ready = await fetch(`${origin}/readyz`);
  const body = (await ready.json()) as Record<string, string>;
  assert.deepEqual([ready.status, body['status'], body['store']], [200, 'ready', 'away']);
  assert.match(body['topUps'] ?? '', /no money is moved/);
  const session = await post(`${origin}/dialer/session`, undefined, {
    Cookie: await signIn(origin, 'agent001'),
  });
  assert.equal(session.status, 200);
  assert.match(await (await fetch(`${origin}/metrics`)).text(), /^companion_stopped\{why="ledger"\} 1$/m);
  assert.equal(log.filter(({ msg, level }) => msg === 'Top-ups are stopped.' && level === ERROR).length, 1);
});

test('while the ledger refuses everybody each refusal counts, and who has money is told that they can call', async (t) => {
  const agent = await startAgent(t, { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/nothing' });
  const member = agent.vendor.add('agent001');
  assert.deepEqual(await problemOf(await agent.ask('top-up')), [503, 'top-up-later']);
  assert.equal((await agent.ask('session')).status, 200);
  const metrics = await (await fetch(`${agent.origin}/metrics`)).text();
  assert.match(metrics, /^companion_ledger_failures_total 2$/m);
  member.balance = 500;
  assert.deepEqual((await agent.json('top-up'))['blockers'], []);
});

test('whatever is asked for, the metrics keep their few labels', async (t) => {
  const { origin, cookie } = await startAgent(t);
  for (const path of [
    '/dialer/calls',
    '/dialer',
    '/webhooks',
    '',
    '/operator',
    '/login',
    '/dialer/session',
  ]) {
    for (let n = 0; n < 5; n += 1) {
      await fetch(`${origin}${path}/strange-${n}/%2e%2e?x=${n}`, { headers: { Cookie: cookie } });
      await fetch(`${origin}${path}?page=${n}`, { method: 'DELETE', headers: { Cookie: cookie } });
    }
  }
  const text = await (await fetch(`${origin}/metrics`)).text();
  const seen = new Set([...text.matchAll(/route="([^"]*)"/g)].map(([, route = '']) => route));
  assert.deepEqual(
    [...seen].filter((route) => /strange|\?|%/.test(route)),
    [],
  );
  assert.ok(seen.has('none') && seen.size < 15, [...seen].join(' '));
});

test('routes of a partner’s own are for signed-in members, with a budget of their own', async (t) => {
  const { Hono } = await import('hono');
  const own = new Hono<import('../guards/auth.ts').SignedIn>().post('/hello', (c) =>
    c.json({ memberNo: c.get('memberNo'), body: c.get('body') }),
  );
  const { origin } = await startApp(
    t,
    await startVendor(t),
    { RATE_LIMIT_PER_MEMBER: '2' },
    { routes: [own] },
  );
  const Cookie = await signIn(origin, 'agent001');
  assert.deepEqual(await problemOf(await post(`${origin}/app/hello`, {})), [401, 'broker-unauthorized']);
  for (let n = 0; n < 5; n += 1) {
    const answer = await post(`${origin}/app/hello`, { n }, { Cookie });
    assert.deepEqual(await answer.json(), { memberNo: 'agent001', body: { n } });
  }
  assert.equal((await fetch(`${origin}/dialer/status`, { headers: { Cookie } })).status, 502);
});
