/** Who is signed in, for how long, and how it ends: session cookies of ours, and bearer tokens of the partner's. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT, type JWK, type JWTPayload } from 'jose';
import { memberNoSchema } from '../vbot/api.ts';
import { cookieIn, post, problemOf, signIn, startApp, until, type RunningApp } from './app.ts';
import { startServer } from './free-port.ts';
import { listen } from './event-page.ts';
import { lockFile, openTestDatabase, sqliteUrl, STORES } from './stores.ts';
import { startVendor } from './vendor.ts';

const SECRETS = { old: 'o'.repeat(32), new: 'n'.repeat(32) };
const WARNING = 40;

async function startTwo(t: TestContext, env: Record<string, string> = {}) {
  const vendor = await startVendor(t);
  vendor.add('agent001', { balance: 1 });
  vendor.add('agent002', { balance: 1 });
  const all = {
    DATABASE_URL: await sqliteUrl(t),
    SESSION_SECRET: SECRETS.new,
    ...env,
  };
  const [one, other] = [await startApp(t, vendor, all), await startApp(t, vendor, all)];
  return { vendor, one, other };
}

const statusOf = async ({ origin }: RunningApp, cookie: string) =>
  (await fetch(`${origin}/dialer/status`, { headers: { Cookie: cookie } })).status;

test('nobody gets anything without signing in, and no vendor is asked', async (t) => {
  const { one, vendor } = await startTwo(t);
  const unsigned = `${btoa('{"alg":"none"}')}.${btoa('{"sub":"agent001","exp":9999999999}')}.`;
  for (const headers of [
    {},
    { Cookie: 'dialer_session=agent001' },
    { Cookie: `dialer_session=${unsigned}` },
  ]) {
    for (const path of ['session', 'top-up', 'hotline', 'call-me'])
      assert.deepEqual(await problemOf(await post(`${one.origin}/dialer/${path}`, undefined, headers)), [
        401,
        'broker-unauthorized',
      ]);
    for (const path of ['status', 'calls', 'events', 'customers?phone=101'])
      assert.equal((await fetch(`${one.origin}/dialer/${path}`, { headers })).status, 401, path);
  }
  assert.equal(vendor.requests.length, 0);
});

test('a session cookie is out of reach of scripts and other sites, and cannot be turned into another agent', async (t) => {
  const { one } = await startTwo(t);
  const answer = await post(`${one.origin}/login`, { memberNo: 'agent001' });
  assert.match(answer.headers.get('set-cookie') ?? '', /; HttpOnly; SameSite=Lax/);
  const [head, body = '', signature] = cookieIn(answer).split('.');
  const other = Buffer.from(JSON.stringify({ ...decodeJwt(`a.${body}.c`), sub: 'agent002' }));
  assert.equal(await statusOf(one, `${head}.${other.toString('base64url')}.${signature}`), 401);
});

test('a session ends after twelve hours', async (t) => {
  const { one } = await startTwo(t, { SESSION_IDLE_MINUTES: '900' });
  const cookie = await signIn(one.origin, 'agent001');
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 11.9 * 3_600_000 });
  const answer = await fetch(`${one.origin}/dialer/status`, { headers: { Cookie: cookie } });
  assert.equal(answer.status, 200);
  t.mock.timers.setTime(Date.now() + 0.2 * 3_600_000);
  assert.equal(await statusOf(one, cookieIn(answer) || cookie), 401);
});

test('a session ends when nobody has used it for a while, and goes on while somebody does', async (t) => {
  const { one } = await startTwo(t, { SESSION_IDLE_MINUTES: '30' });
  let cookie = await signIn(one.origin, 'agent001');
  const first = cookie;
  let now = Date.now();
  t.mock.timers.enable({ apis: ['Date'], now });
  for (let minutes = 20; minutes <= 60; minutes += 20) {
    t.mock.timers.setTime((now += 20 * 60_000));
    const answer = await fetch(`${one.origin}/dialer/status`, { headers: { Cookie: cookie } });
    assert.equal(answer.status, 200, `after ${minutes} minutes`);
    cookie = cookieIn(answer);
  }
  assert.equal(await statusOf(one, first), 401, 'a copy that nobody renewed');
  t.mock.timers.setTime((now += 31 * 60_000));
  assert.equal(await statusOf(one, cookie), 401);
});

for (const [store, create] of Object.entries(STORES)) {
  test(`logging out ends the session in all companions on ${store} within seconds, with its streams; others stay in`, async (t) => {
    const { one, other } = await startTwo(t, { DATABASE_URL: await create(t) });
    const cookie = await signIn(one.origin, 'agent001');
    const second = await signIn(one.origin, 'agent001');
    const colleague = await signIn(one.origin, 'agent002');
    const page = await listen(t, other.origin, { Cookie: cookie });
    assert.equal(await statusOf(other, cookie), 200);
    const answer = await post(`${one.origin}/logout`, undefined, { Cookie: `a=b; ${cookie}; c=d` });
    assert.equal(answer.status, 204);
    assert.match(answer.headers.get('set-cookie') ?? '', /dialer_session=; Max-Age=0/);
    assert.equal(await statusOf(one, cookie), 401, 'at once where it was asked for');
    await until(async () => (await statusOf(other, cookie)) === 401);
    await assert.rejects(page.next(), 'the stream has ended');
    assert.deepEqual([await statusOf(other, second), await statusOf(one, colleague)], [200, 200]);
  });
}

test('a companion that has just started believes older sessions once it knows which ones were ended', async (t) => {
  const DATABASE_URL = await sqliteUrl(t);
  const { one, vendor } = await startTwo(t, { DATABASE_URL });
  const [ended, older] = [await signIn(one.origin, 'agent001'), await signIn(one.origin, 'agent002')];
  const release = await lockFile(DATABASE_URL.slice('file:'.length));
  const isOut = post(`${one.origin}/logout`, undefined, { Cookie: ended });
  const start = (url: string) => startApp(t, vendor, { DATABASE_URL: url, SESSION_SECRET: SECRETS.new });
  const alone = await start('postgres://postgres@127.0.0.1:1/away');
  const session = (Cookie: string) => post(`${alone.origin}/dialer/session`, undefined, { Cookie });
  for (const answer of await Promise.all([session(ended), session(older)]))
    assert.deepEqual(await problemOf(answer), [503, 'sign-in-unavailable']);
  assert.ok(
    alone.log.some(({ why }) => /ended sessions could not be read/.test(String(why))),
    'the log says why',
  );
  assert.equal(
    await statusOf(alone, await signIn(alone.origin, 'agent002')),
    200,
    'a new session is believed',
  );
  assert.equal((await isOut).status, 204);
  assert.ok(
    one.log.some(({ msg }) => /sign-out is not in the store yet/.test(String(msg))),
    'other companions do not know it',
  );
  release();
  await until(async () => (await statusOf(await start(DATABASE_URL), ended)) === 401);
  assert.equal(await statusOf(await start(DATABASE_URL), older), 200);
});

test('after the session has ended, its cookie is refused in any spelling', async (t) => {
  const { one } = await startTwo(t);
  const cookie = await signIn(one.origin, 'agent001');
  await post(`${one.origin}/logout`, undefined, { Cookie: cookie });
  const [name = '', value = ''] = cookie.split('=');
  for (const spelled of [
    cookie,
    `${name}=x; ${cookie}`,
    `${cookie}; ${cookie}`,
    `${name}="${value}"`,
    `${name}=${encodeURIComponent(value)}`,
    `${name}=${value}=`,
    ` ${name}=${value} `,
  ]) {
    assert.equal(await statusOf(one, spelled), 401, spelled);
  }
});

test('a session stays ended after a clock that was ahead is set back', async (t) => {
  const DATABASE_URL = await sqliteUrl(t);
  const { one } = await startTwo(t, { DATABASE_URL });
  const cookies = [await signIn(one.origin, 'agent001'), await signIn(one.origin, 'agent002')];
  const store = openTestDatabase(t, DATABASE_URL);
  for (const cookie of cookies) {
    await store.write('update ended_session set at = at - 60000');
    await post(`${one.origin}/logout`, undefined, { Cookie: cookie });
  }
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  t.mock.timers.setTime(Date.now() + 13 * 3_600_000);
  // Meanwhile, it reads what others have ended.
  await delay(100);
  t.mock.timers.setTime(Date.now() - 13 * 3_600_000);
  await delay(100);
  for (const cookie of cookies) assert.equal(await statusOf(one, cookie), 401);
});

test('a flood of strangers keeps nobody from signing out', async (t) => {
  const { one } = await startTwo(t, { RATE_LIMIT_PER_ADDRESS: '5' });
  const cookie = await signIn(one.origin, 'agent001');
  for (let n = 0; n < 10; n += 1) await post(`${one.origin}/dialer/session`);
  assert.equal((await post(`${one.origin}/logout`)).status, 429, 'the strangers are refused');
  assert.equal((await post(`${one.origin}/logout`, undefined, { Cookie: cookie })).status, 204);
  assert.equal(
    (await post(`${one.origin}/logout`, undefined, { Cookie: cookie })).status,
    429,
    'it is nobody’s now',
  );
});

test('a secret is changed without signing anybody out', async (t) => {
  const vendor = await startVendor(t);
  vendor.add('agent001');
  const env = { DATABASE_URL: await sqliteUrl(t) };
  const before = await startApp(t, vendor, { ...env, SESSION_SECRET: SECRETS.old });
  const both = { SESSION_SECRET: SECRETS.new, SESSION_SECRET_PREVIOUS: SECRETS.old };
  const between = await startApp(t, vendor, { ...env, ...both });
  const after = await startApp(t, vendor, { ...env, SESSION_SECRET: SECRETS.new });
  const cookie = await signIn(before.origin, 'agent001');
  assert.deepEqual([await statusOf(between, cookie), await statusOf(after, cookie)], [200, 401]);
  assert.equal(await statusOf(after, await signIn(between.origin, 'agent001')), 200);
});

test('the cookie is bound to the host where the outside is https, whatever a header claims', async (t) => {
  const { one } = await startTwo(t, { PUBLIC_ORIGIN: 'https://crm.example' });
  const answer = await post(`${one.origin}/login`, { memberNo: 'agent001' });
  assert.match(
    answer.headers.get('set-cookie') ?? '',
    /^__Host-dialer_session=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  assert.equal(await statusOf(one, cookieIn(answer)), 200);
  const { one: plain } = await startTwo(t);
  const claimed = await post(
    `${plain.origin}/login`,
    { memberNo: 'agent001' },
    { 'X-Forwarded-Proto': 'https' },
  );
  assert.doesNotMatch(claimed.headers.get('set-cookie') ?? '', /Secure/);
});

test('a sign-out sets the cookie once, also when the session was due for renewal', async (t) => {
  const { one } = await startTwo(t);
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const cookie = await signIn(one.origin, 'agent001');
  t.mock.timers.setTime(Date.now() + 3_600_000);
  const answer = await post(`${one.origin}/logout`, undefined, { Cookie: cookie });
  const set = answer.headers.getSetCookie();
  assert.equal(set.length, 1, set.join('\n'));
  assert.match(set[0] ?? '', /^dialer_session=; Max-Age=0/);
});

for (const [what, path, body] of [
  ['the sign-out', 'logout', undefined],
  ['the next sign-in', 'login', { memberNo: 'agent002' }],
] as const)
  test(`an answer that comes after ${what} does not replace the cookie of the next agent`, async (t) => {
    const { one, vendor } = await startTwo(t);
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    const cookie = await signIn(one.origin, 'agent001');
    const answering = new AbortController();
    vendor.before = () => (answering.signal.aborted ? undefined : once(answering.signal, 'abort'));
    t.mock.timers.setTime(Date.now() + 3_600_000);
    const asked = fetch(`${one.origin}/dialer/status`, { headers: { Cookie: cookie } });
    await until(() => vendor.requests.length > 0);
    await post(`${one.origin}/${path}`, body, { Cookie: cookie });
    answering.abort();
    const late = await asked;
    assert.deepEqual([late.status, late.headers.getSetCookie()], [200, []]);
  });

test('a sign-in of the partner’s own starts a session, without the demo’s', async (t) => {
  const vendor = await startVendor(t);
  vendor.add('agent001', { balance: 500 });
  const { app, origin } = await startApp(t, vendor, { DEMO_LOGIN: 'off' });
  assert.equal((await post(`${origin}/login`, { memberNo: 'agent001' })).status, 404);
  const cookie = await app.startSession(memberNoSchema.parse('agent001'));
  const answer = await post(`${origin}/dialer/session`, undefined, { Cookie: cookie.split(';')[0] ?? '' });
  const { member } = (await answer.json()) as { member?: { memberNo: string } };
  assert.deepEqual([answer.status, member?.memberNo], [200, 'agent001']);
  await post(`${origin}/logout`, undefined, { Cookie: cookie.split(';')[0] ?? '' });
  assert.equal(await statusOf({ origin } as RunningApp, cookie.split(';')[0] ?? ''), 401);
});

test('the demo sign-in refuses an invalid member number', async (t) => {
  const { one } = await startTwo(t);
  for (const body of [{ memberNo: 'agent_001' }, { memberNo: 7 }, {}, []])
    assert.deepEqual(await problemOf(await post(`${one.origin}/login`, body)), [400, 'invalid-request']);
});

const [ISSUER, AUDIENCE] = ['https://crm.example', 'dialer'];
const SECRET = 'a-shared-secret-of-32-characters';
const NAMES = { AUTH_ISSUER: ISSUER, AUTH_AUDIENCE: AUDIENCE, DEMO_LOGIN: 'off' };
const CLAIMS = { member_no: 'agent001', iss: ISSUER, aud: AUDIENCE };
const KEY = new TextEncoder().encode(SECRET);

type Key = Parameters<SignJWT['sign']>[0];

function sign(key: Key, alg: string, claims: JWTPayload = CLAIMS, end = '5m', kid?: string): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg, ...(kid !== undefined && { kid }) })
    .setExpirationTime(end)
    .sign(key);
}

async function startBearer(t: TestContext, env: Record<string, string>) {
  const vendor = await startVendor(t);
  const running = await startApp(t, vendor, { ...NAMES, ...env });
  const session = async (token: string) => {
    const answer = await post(`${running.origin}/dialer/session`, undefined, {
      Authorization: `Bearer ${token}`,
    });
    const { member, code } = (await answer.json()) as {
      member?: { memberNo: string };
      code?: string;
    };
    return [answer.status, member?.memberNo ?? code];
  };
  return { ...running, vendor, session };
}

/** A key server that can be away. */
async function startKeyServer(t: TestContext, keys: () => readonly JWK[]) {
  const state = { isAway: false, asked: 0 };
  const server = createServer((_, response) => {
    state.asked += 1;
    if (state.isAway) response.writeHead(503).end();
    else response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ keys: keys() }));
  });
  return { state, url: `${await startServer(server, t)}/jwks.json` };
}

async function makeKey(alg: string, kid?: string) {
  const { publicKey, privateKey } = await generateKeyPair(alg);
  const jwk: JWK = { ...(await exportJWK(publicKey)), alg, use: 'sig', ...(kid !== undefined && { kid }) };
  return { jwk, privateKey };
}

test('a token of the shared secret is a session of the member it names', async (t) => {
  const { session } = await startBearer(t, { AUTH_JWT_SECRET: SECRET });
  assert.deepEqual(await session(await sign(KEY, 'HS256')), [200, 'agent001']);
});

test('the member may be in another claim', async (t) => {
  const { session } = await startBearer(t, { AUTH_JWT_SECRET: SECRET, AUTH_MEMBER_CLAIM: 'sub' });
  const claims = { iss: ISSUER, aud: AUDIENCE, sub: 'agent002' };
  assert.deepEqual(await session(await sign(KEY, 'HS256', claims)), [200, 'agent002']);
});

test('a token that is expired, forged or for another audience is refused, and the refusal is logged', async (t) => {
  const { session, log } = await startBearer(t, { AUTH_JWT_SECRET: SECRET });
  const good = await sign(KEY, 'HS256');
  const [head = '', body = '', signature = ''] = good.split('.');
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  const endless = await new SignJWT(CLAIMS).setProtectedHeader({ alg: 'HS256' }).sign(KEY);
  const { aud: _, ...withoutAudience } = CLAIMS;
  const refused = {
    late: await sign(KEY, 'HS256', CLAIMS, '1 minute ago'),
    endless,
    'another issuer': await sign(KEY, 'HS256', { ...CLAIMS, iss: 'https://evil.example' }),
    'another audience': await sign(KEY, 'HS256', { ...CLAIMS, aud: 'mail' }),
    'no audience': await sign(KEY, 'HS256', withoutAudience),
    'another secret': await sign(new TextEncoder().encode('x'.repeat(32)), 'HS256'),
    'another algorithm': await sign(KEY, 'HS512'),
    'no signature': `${none}.${body}.`,
    'another member': `${head}.${Buffer.from(JSON.stringify({ ...CLAIMS, member_no: 'agent002' })).toString('base64url')}.${signature}`,
    'no member': await sign(KEY, 'HS256', { iss: ISSUER, aud: AUDIENCE }),
    'a member that cannot be': await sign(KEY, 'HS256', { ...CLAIMS, member_no: 'agent_001' }),
    'no token': 'x',
  };
  for (const [what, token] of Object.entries(refused)) {
    log.length = 0;
    assert.deepEqual(await session(token), [401, 'broker-unauthorized'], what);
    assert.equal(log.filter(({ msg }) => msg === 'token rejected').length, 1, what);
    assert.equal(JSON.stringify(log).includes(token), false, 'no token in a log');
  }
  log.length = 0;
  await session(refused.late);
  const line = log.find(({ msg }) => msg === 'token rejected');
  assert.deepEqual(
    [line?.['kind'], line?.['why'], line?.['claimed']],
    ['security', 'ERR_JWT_EXPIRED', 'agent001'],
  );
});

test('a session cookie is not accepted as a bearer token, nor a bearer token as a cookie', async (t) => {
  const env = {
    AUTH_JWT_SECRET: SECRET,
    SESSION_SECRET: SECRET,
    AUTH_AUDIENCE: 'dialer',
    AUTH_MEMBER_CLAIM: 'sub',
  };
  const { session, app, origin } = await startBearer(t, env);
  const cookie = (await app.startSession(memberNoSchema.parse('agent001'))).split(';')[0] ?? '';
  assert.deepEqual(await session(cookie.split('=')[1] ?? ''), [401, 'broker-unauthorized']);
  const bearer = await sign(KEY, 'HS256', { sub: 'agent001', aud: AUDIENCE, iss: ISSUER });
  assert.equal(await statusOf({ origin } as RunningApp, `dialer_session=${bearer}`), 401);
});

for (const alg of ['RS256', 'ES256'] as const) {
  test(`a token of a key pair (${alg}) is checked against the keys of the server`, async (t) => {
    const key = await makeKey(alg, 'k1');
    const { url } = await startKeyServer(t, () => [key.jwk]);
    const { session } = await startBearer(t, { AUTH_JWKS_URL: url });
    assert.deepEqual(await session(await sign(key.privateKey, alg, CLAIMS, '5m', 'k1')), [200, 'agent001']);
    const stranger = await makeKey(alg);
    const forged = await sign(stranger.privateKey, alg, CLAIMS, '5m', 'k1');
    assert.deepEqual(await session(forged), [401, 'broker-unauthorized']);
    // The public key is known to everybody, so it must never be taken for a shared secret.
    const confused = new TextEncoder().encode(JSON.stringify(key.jwk));
    assert.deepEqual(await session(await sign(confused, 'HS256')), [401, 'broker-unauthorized']);
  });
}

test('keys without an id are tried one by one, also those that came after a rotation', async (t) => {
  const [first, second, third] = [await makeKey('ES256'), await makeKey('ES256'), await makeKey('ES256')];
  let keys = [first.jwk, second.jwk];
  const { url } = await startKeyServer(t, () => keys);
  const { session } = await startBearer(t, { AUTH_JWKS_URL: url });
  const tokens = [first, second, third].map(({ privateKey }) => sign(privateKey, 'ES256'));
  assert.deepEqual(await session((await tokens[0]) ?? ''), [200, 'agent001']);
  assert.deepEqual(await session((await tokens[1]) ?? ''), [200, 'agent001']);
  keys = [second.jwk, third.jwk];
  assert.deepEqual(await session((await tokens[2]) ?? ''), [503, 'sign-in-unavailable'], 'fetched just now');
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 5000 });
  assert.deepEqual(await session((await tokens[2]) ?? ''), [200, 'agent001']);
  const stranger = await makeKey('ES256');
  t.mock.timers.setTime(Date.now() + 5000);
  assert.deepEqual(await session(await sign(stranger.privateKey, 'ES256')), [401, 'broker-unauthorized']);
});

test('a key that changes a moment after the keys were fetched costs a retry, not a sign-in', async (t) => {
  const [first, second, stranger] = await Promise.all(['k1', 'k2', 'k3'].map((id) => makeKey('ES256', id)));
  assert.ok(first && second && stranger, 'there are no keys');
  let keys = [first.jwk];
  const { state, url } = await startKeyServer(t, () => keys);
  const { origin, session, log } = await startBearer(t, { AUTH_JWKS_URL: url });
  assert.deepEqual(await session(await sign(first.privateKey, 'ES256', CLAIMS, '5m', 'k1')), [
    200,
    'agent001',
  ]);
  keys = [second.jwk];
  const token = await sign(second.privateKey, 'ES256', CLAIMS, '5m', 'k2');
  const answer = await post(`${origin}/dialer/session`, undefined, { Authorization: `Bearer ${token}` });
  assert.deepEqual(await problemOf(answer), [503, 'sign-in-unavailable']);
  assert.match(String(log.find(({ msg }) => msg === 'token rejected')?.['why']), /fetched a moment ago/);
  const seconds = Number(answer.headers.get('retry-after'));
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + seconds * 1000 });
  assert.deepEqual([seconds, await session(token)], [5, [200, 'agent001']]);
  t.mock.timers.setTime(Date.now() + 5000);
  const forged = await sign(stranger.privateKey, 'ES256', CLAIMS, '5m', 'k3');
  assert.deepEqual(await session(forged), [401, 'broker-unauthorized'], 'its key is none, as was just seen');
  assert.equal(state.asked, 3);
});

test('keys that were fetched by a clock that was ahead are fetched again once it is set back', async (t) => {
  const [first, second] = [await makeKey('ES256', 'k1'), await makeKey('ES256', 'k2')];
  let keys = [first.jwk];
  const { url } = await startKeyServer(t, () => keys);
  const now = Date.now();
  t.mock.timers.enable({ apis: ['Date'], now: now + 7 * 3_600_000 });
  const { session } = await startBearer(t, { AUTH_JWKS_URL: url });
  const ofFirst = () => sign(first.privateKey, 'ES256', CLAIMS, '5m', 'k1').then(session);
  assert.deepEqual(await ofFirst(), [200, 'agent001']);
  keys = [second.jwk];
  t.mock.timers.setTime(now);
  const ofSecond = () => sign(second.privateKey, 'ES256', CLAIMS, '5m', 'k2').then(session);
  await ofSecond();
  assert.deepEqual(await ofSecond(), [200, 'agent001']);
  assert.equal((await ofFirst())[0], 503, 'withdrawn');
});

test('while the key server is away, sign-ins get 503 and a log line; they work again when it is back', async (t) => {
  const key = await makeKey('ES256', 'k1');
  const { state, url } = await startKeyServer(t, () => [key.jwk]);
  const { session, origin, log } = await startBearer(t, { AUTH_JWKS_URL: url });
  state.isAway = true;
  const token = await sign(key.privateKey, 'ES256', CLAIMS, '5m', 'k1');
  assert.deepEqual(await session(token), [503, 'sign-in-unavailable']);
  const answer = await post(`${origin}/dialer/session`, undefined, { Authorization: `Bearer ${token}` });
  assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/);
  assert.ok(
    log.some(
      ({ msg, level }) =>
        /keys that verify tokens \(AUTH_JWKS_URL\) cannot be fetched/.test(String(msg)) &&
        Number(level) > WARNING,
    ),
  );
  state.isAway = false;
  assert.deepEqual(await session(token), [200, 'agent001']);
});

test('while the key server is away, a flood of forged tokens writes its error once', async (t) => {
  const key = await makeKey('ES256', 'k1');
  const { state, url } = await startKeyServer(t, () => [key.jwk]);
  const { session, log } = await startBearer(t, { AUTH_JWKS_URL: url });
  state.isAway = true;
  const token = await sign(key.privateKey, 'ES256', CLAIMS, '5m', 'k1');
  const errors = () => log.filter(({ msg }) => /AUTH_JWKS_URL/.test(String(msg))).length;
  for (let n = 0; n < 20; n += 1) assert.deepEqual(await session(token), [503, 'sign-in-unavailable']);
  assert.equal(errors(), 1);
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 6000 });
  assert.deepEqual(await session(token), [503, 'sign-in-unavailable']);
  assert.equal(errors(), 2, 'it is still away');
  t.mock.timers.setTime(Date.now() - 3_600_000);
  assert.deepEqual(await session(token), [503, 'sign-in-unavailable']);
  assert.equal(errors(), 3, 'the clock was set back by an hour');
});

test('known keys stay valid while their server is away for eleven minutes and more, and the outage is logged', async (t) => {
  const key = await makeKey('ES256', 'k1');
  const { state, url } = await startKeyServer(t, () => [key.jwk]);
  const { session, log } = await startBearer(t, { AUTH_JWKS_URL: url });
  assert.deepEqual(await session(await sign(key.privateKey, 'ES256', CLAIMS, '2h', 'k1')), [200, 'agent001']);
  state.isAway = true;
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 11 * 60_000 });
  assert.deepEqual(await session(await sign(key.privateKey, 'ES256', CLAIMS, '3h', 'k1')), [200, 'agent001']);
  await until(() => log.some(({ msg }) => /AUTH_JWKS_URL/.test(String(msg))));
});

test('requests with one token fetch the keys once, and an expired token is refused', async (t) => {
  const key = await makeKey('ES256', 'k1');
  const { state, url } = await startKeyServer(t, () => [key.jwk]);
  const { session } = await startBearer(t, { AUTH_JWKS_URL: url });
  const token = await sign(key.privateKey, 'ES256', CLAIMS, '10s', 'k1');
  for (let n = 0; n < 3; n += 1) assert.deepEqual(await session(token), [200, 'agent001']);
  assert.equal(state.asked, 1);
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 41_000 });
  assert.deepEqual(await session(token), [401, 'broker-unauthorized']);
});
