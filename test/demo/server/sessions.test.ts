/** Sessions and the outside: who is signed in, for how long, from where, and what a flood of others does to them. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { makeFolder, post, postJson, signIn, startCompanion, startSandbox as start } from '../servers.ts';
import { listen } from './calls/page.ts';

const SECRETS = { old: 'o'.repeat(32), new: 'n'.repeat(32) };
const ENDED_WITHIN_MS = 5000;

async function startSandbox(t: TestContext) {
  const sandbox = await start(t);
  for (const memberNo of ['agent001', 'agent002']) sandbox.world.createMember(memberNo, []);
  return sandbox;
}

async function openTwo(t: TestContext, env: Record<string, string> = {}) {
  const sandbox = await startSandbox(t);
  const all = {
    DATABASE_URL: `file:${await makeFolder(t)}/companion.db`,
    SESSION_SECRET: SECRETS.new,
    ...env,
  };
  const [one, other] = [await startCompanion(t, sandbox, all), await startCompanion(t, sandbox, all)];
  return { sandbox, one, other };
}

const statusOf = async (companion: string, cookie: string) =>
  (await fetch(`${companion}/dialer/status`, { headers: { Cookie: cookie } })).status;

/** A request with headers that `fetch` would not send. */
function ask(url: string, headers: Record<string, string>, method = 'GET'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    outgoing.on('error', reject).end();
  });
}

test(
  'logging out ends the session everywhere within seconds, with its streams; others stay in',
  { timeout: 60_000 },
  async (t) => {
    const { one, other } = await openTwo(t);
    const [cookie, second, colleague] = [
      await signIn(one, 'agent001'),
      await signIn(one, 'agent001'),
      await signIn(one, 'agent002'),
    ];
    const page = await listen(t, other, { Cookie: cookie });
    assert.equal(await statusOf(other, cookie), 200);
    assert.equal((await post(`${one}/logout`, { Cookie: `a=b; ${cookie}; c=d` })).status, 204);
    assert.equal(await statusOf(one, cookie), 401, 'at once where it was asked for');
    const giveUp = Date.now() + ENDED_WITHIN_MS;
    while ((await statusOf(other, cookie)) !== 401 && Date.now() < giveUp) await delay(100);
    assert.equal(await statusOf(other, cookie), 401);
    await assert.rejects(page.next(), 'the stream has ended');
    assert.deepEqual([await statusOf(other, second), await statusOf(one, colleague)], [200, 200]);
    assert.equal(await statusOf(other, await signIn(one, 'agent001')), 200, 'signing in again works at once');
  },
);

test('no spelling of a cookie outlives its session', { timeout: 30_000 }, async (t) => {
  const { one } = await openTwo(t);
  const cookie = await signIn(one, 'agent001');
  await post(`${one}/logout`, { Cookie: cookie });
  const [name = '', value = ''] = cookie.split('=');
  for (const spelled of [
    cookie,
    `${name}=x; ${cookie}`,
    `${cookie}; ${cookie}`,
    `${name}="${value}"`,
    `${name}=${encodeURIComponent(value)}`,
    `${name}=${value}=`,
    ` ${name}=${value} `,
    `${name}=${value.replace('agent001', 'Agent001')}`,
  ]) {
    assert.equal(await statusOf(one, spelled), 401, spelled);
  }
});

test(
  'a session ends when nobody has used it for a while, and goes on while somebody does',
  { timeout: 30_000 },
  async (t) => {
    const { one } = await openTwo(t, { SESSION_IDLE_MINUTES: '30' });
    let cookie = await signIn(one, 'agent001');
    const first = cookie;
    let now = Date.now();
    t.mock.timers.enable({ apis: ['Date'], now });
    for (let minutes = 20; minutes <= 60; minutes += 20) {
      t.mock.timers.setTime((now += 20 * 60_000));
      const answer = await fetch(`${one}/dialer/status`, { headers: { Cookie: cookie } });
      assert.equal(answer.status, 200, `after ${minutes} minutes`);
      cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    }
    assert.equal(await statusOf(one, first), 401, 'a copy that nobody renewed');
    t.mock.timers.setTime((now += 31 * 60_000));
    assert.equal(await statusOf(one, cookie), 401);
  },
);

test('a secret is changed without signing anybody out', { timeout: 30_000 }, async (t) => {
  const sandbox = await startSandbox(t);
  const env = { DATABASE_URL: `file:${await makeFolder(t)}/companion.db` };
  const before = await startCompanion(t, sandbox, { ...env, SESSION_SECRET: SECRETS.old });
  const both = { SESSION_SECRET: SECRETS.new, SESSION_SECRET_PREVIOUS: SECRETS.old };
  const between = await startCompanion(t, sandbox, { ...env, ...both });
  const after = await startCompanion(t, sandbox, { ...env, SESSION_SECRET: SECRETS.new });
  const cookie = await signIn(before, 'agent001');
  assert.deepEqual([await statusOf(between, cookie), await statusOf(after, cookie)], [200, 401]);
  assert.equal(await statusOf(after, await signIn(between, 'agent001')), 200);
});

test(
  'the cookie is bound to the host where the outside is https, whatever a header claims',
  { timeout: 30_000 },
  async (t) => {
    const { one } = await openTwo(t, { PUBLIC_ORIGIN: 'https://crm.example' });
    const answer = await postJson(`${one}/login`, { memberNo: 'agent001' });
    assert.match(
      answer.headers.get('set-cookie') ?? '',
      /^__Host-dialer_session=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    assert.equal(await statusOf(one, await signIn(one, 'agent001')), 200);
    const { one: plain } = await openTwo(t);
    const claimed = await postJson(
      `${plain}/login`,
      { memberNo: 'agent001' },
      { 'X-Forwarded-Proto': 'https' },
    );
    assert.doesNotMatch(claimed.headers.get('set-cookie') ?? '', /Secure/);
  },
);

test(
  'only names of this server are answered, and only pages of its own origin, scheme included',
  { timeout: 30_000 },
  async (t) => {
    const { one } = await openTwo(t, {
      PUBLIC_ORIGIN: 'https://crm.example',
      ALLOWED_ORIGINS: 'https://two.example:8443',
    });
    const { port } = new URL(one);
    const hosts = {
      [`localhost:${port}`]: 200,
      'crm.example': 200,
      'two.example:8443': 200,
      '[::1]:9': 200,
      'evil.example': 421,
      'crm.example.evil.example': 421,
      '127.0.0.1.evil.example': 421,
      'localhost@evil.example': 400,
      'two.example': 421,
    };
    for (const [host, status] of Object.entries(hosts))
      assert.equal(await ask(`${one}/login`, { Host: host }), status, host);
    assert.equal(await ask(`${one}/healthz`, { Host: '10.0.0.7:8787' }), 200, 'probes know no name');
    const of = (origin: string, site = 'same-origin') =>
      ask(`${one}/logout`, { Host: 'crm.example', Origin: origin, 'Sec-Fetch-Site': site }, 'POST');
    assert.equal(await of('https://crm.example'), 204);
    assert.equal(await of('http://crm.example'), 403, 'another scheme is another origin');
    assert.equal(await of('https://crm.example', 'cross-site'), 403);
    assert.equal(await of('https://two.example:8443', 'cross-site'), 204);
  },
);

test(
  'a flood of anonymous requests refuses nobody who is signed in, nor the vendor',
  { timeout: 60_000 },
  async (t) => {
    const auth = 'a-shared-webhook-secret';
    const { one } = await openTwo(t, { RATE_LIMIT_PER_ADDRESS: '30', WEBHOOK_AUTH: auth });
    const cookie = await signIn(one, 'agent001');
    const forged = cookie.replace('agent001', 'agent002');
    const flood = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        post(`${one}/dialer/session`, n % 2 === 0 ? { Cookie: forged } : {}),
      ),
    );
    assert.ok(flood.filter(({ status }) => status === 429).length >= 30, 'the flood ends in 429');
    assert.ok(flood.find(({ status }) => status === 429)?.headers.get('Retry-After'), 'it is told when');
    assert.equal(await statusOf(one, cookie), 200);
    const told = await postJson(
      `${one}/webhooks/calls`,
      { transId: 't1', disposition: 'ANSWER' },
      { Authorization: auth },
    );
    assert.equal(told.status, 204);
    const stranger = await postJson(`${one}/webhooks/calls`, {}, { Authorization: 'wrong' });
    assert.equal(stranger.status, 429);
  },
);

test('a member has five streams, and the oldest ends for a sixth', { timeout: 30_000 }, async (t) => {
  const { one } = await openTwo(t);
  const cookie = await signIn(one, 'agent001');
  const pages = [];
  for (let n = 0; n < 6; n += 1) pages.push(await listen(t, one, { Cookie: cookie }));
  await assert.rejects(pages[0]?.next() ?? Promise.resolve(), 'the oldest has ended');
});

test(
  'a few wrong guesses at the operator lock an address out, one slip does not',
  { timeout: 30_000 },
  async (t) => {
    const password = 'a-long-operator-password';
    const { one } = await openTwo(t, { OPERATOR_PASSWORD: password, PROXY_HOPS: '1' });
    const guess = async (word: string, from: string) => {
      const Authorization = `Basic ${Buffer.from(`op:${word}`).toString('base64')}`;
      return (await fetch(`${one}/metrics`, { headers: { Authorization, 'X-Forwarded-For': from } })).status;
    };
    assert.deepEqual(
      [await guess('a slip', '2001:db8::1'), await guess(password, '2001:db8::1')],
      [401, 200],
    );
    for (let n = 0; n < 4; n += 1) await guess(`guess ${n}`, `2001:db8::${n + 2}`);
    assert.equal(await guess(password, '2001:db8::9'), 429, 'one /64 is one address');
    assert.equal(await guess(password, '2001:db8:0:1::1'), 200);
  },
);
