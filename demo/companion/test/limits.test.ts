/** How much may be asked, by whom, and where a request comes from. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { RateLimit, clientNetwork } from '../guards/limits.ts';
import { openPool } from '../store/postgres.ts';
import { post, signIn, startApp } from './app.ts';
import { createPostgresDatabase, openTestDatabase } from './stores.ts';
import { startVendor } from './vendor.ts';

async function strangersOf(t: TestContext, env: Record<string, string>) {
  const { origin } = await startApp(t, await startVendor(t), env);
  return async (reported: string) =>
    (await post(`${origin}/dialer/session`, undefined, { 'X-Forwarded-For': reported })).status;
}

test('an address that asks too often is refused before anything is looked at', async (t) => {
  const { origin } = await startApp(t, await startVendor(t), { RATE_LIMIT_PER_ADDRESS: '3' });
  const statuses = [];
  for (let n = 0; n < 5; n += 1) statuses.push((await post(`${origin}/dialer/session`)).status);
  assert.deepEqual(statuses, [401, 401, 401, 429, 429]);
  assert.equal((await fetch(`${origin}/nothing`)).status, 429);
  assert.equal((await fetch(`${origin}/healthz`)).status, 200);
});

test('of the addresses that proxies report, only our own proxy is believed', async (t) => {
  const ask = await strangersOf(t, { RATE_LIMIT_PER_ADDRESS: '1', PROXY_HOPS: '1' });
  assert.equal(await ask('10.0.0.1'), 401);
  assert.equal(await ask('10.0.0.2'), 401);
  // What stands to the left of it was written by the caller.
  assert.equal(await ask('10.0.0.3, 10.0.0.1'), 429);
});

test('an address counts without the port that a proxy reports', async (t) => {
  const ask = await strangersOf(t, { RATE_LIMIT_PER_ADDRESS: '1', PROXY_HOPS: '1' });
  assert.equal(await ask('192.0.2.7:50123'), 401);
  assert.equal(await ask('192.0.2.7:50124'), 429);
  assert.equal(await ask('192.0.2.7'), 429);
  assert.equal(await ask('[2001:db8::1]:50123'), 401);
  assert.equal(await ask('[2001:db8::1]:50124'), 429);
  assert.equal(await ask('2001:db8::2'), 429);
});

test('one subscriber is one network, however their address is written', () => {
  const same = ['2001:db8::1', '2001:DB8:0:0:ffff::', '2001:db8:0:0:1:2:3:4', '2001:db8::9%eth0'];
  assert.equal(new Set(same.map(clientNetwork)).size, 1);
  assert.notEqual(clientNetwork('2001:db8:0:1::1'), clientNetwork('2001:db8::1'));
  assert.equal(clientNetwork('::ffff:192.0.2.7'), '192.0.2.7');
});

test('X-Forwarded-For without PROXY_HOPS is warned of once, and not repeated', async (t) => {
  const { origin, log } = await startApp(t, await startVendor(t));
  for (let n = 0; n < 3; n += 1)
    await fetch(`${origin}/healthz`, { headers: { 'X-Forwarded-For': '203.0.113.77' } });
  assert.equal(log.filter(({ msg }) => /PROXY_HOPS/.test(String(msg))).length, 1);
  assert.doesNotMatch(JSON.stringify(log), /203\.0\.113/);
});

test('a flood of anonymous requests refuses nobody who is signed in', async (t) => {
  const vendor = await startVendor(t);
  vendor.add('agent001');
  const { origin } = await startApp(t, vendor, { RATE_LIMIT_PER_ADDRESS: '30' });
  const cookie = await signIn(origin, 'agent001');
  const flood = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      post(`${origin}/dialer/session`, undefined, n % 2 === 0 ? { Cookie: `${cookie}x` } : {}),
    ),
  );
  assert.ok(flood.filter(({ status }) => status === 429).length >= 30, 'the flood ends in 429');
  assert.ok(flood.find(({ status }) => status === 429)?.headers.get('Retry-After'), 'it is told when');
  assert.equal((await fetch(`${origin}/dialer/status`, { headers: { Cookie: cookie } })).status, 200);
});

async function openShared(t: TestContext) {
  const url = await createPostgresDatabase();
  await openTestDatabase(t, url).read('select 1 as one');
  const open = () => {
    const pool = openPool(url, 2, 500);
    t.after(async () => (await pool).end().catch(() => undefined));
    return pool;
  };
  return { one: open(), other: open() };
}

const outcomeOf = (work: Promise<void>) =>
  work.then(
    () => 'taken',
    () => 'refused',
  );

for (const store of ['memory', 'PostgreSQL'] as const)
  test(`a clock that was ahead refuses nobody once it is set back (${store})`, async (t) => {
    const pool = store === 'memory' ? undefined : (await openShared(t)).one;
    const limit = new RateLimit('test', 2, 60, pool);
    const now = Date.now.bind(Date);
    const clock = t.mock.method(Date, 'now', () => now() + 7 * 3_600_000);
    for (let n = 0; n < 2; n += 1) await limit.take('agent001');
    await assert.rejects(limit.take('agent001'));
    clock.mock.restore();
    for (let n = 0; n < 2; n += 1) await limit.take('agent001');
    await assert.rejects(limit.take('agent001'));
  });

test('companions on one PostgreSQL share the rate limits', async (t) => {
  const pools = await openShared(t);
  const budgets = [pools.one, pools.other].map((pool) => new RateLimit('member', 6, 60, pool));
  const outcomes = [];
  for (let n = 0; n < 8; n += 1)
    outcomes.push(await outcomeOf(budgets[n % 2]?.take('agent001') ?? Promise.resolve()));
  assert.deepEqual(outcomes, [...Array.from({ length: 6 }, () => 'taken'), 'refused', 'refused']);
  assert.equal(await outcomeOf(budgets[0]?.take('agent002') ?? Promise.resolve()), 'taken');
});

test('while PostgreSQL is away each companion counts for itself', async (t) => {
  const pools = await openShared(t);
  const warnings: unknown[] = [];
  const budget = new RateLimit('member', 3, 60, pools.one, (error) => warnings.push(error));
  assert.equal(await outcomeOf(budget.take('agent001')), 'taken');
  await (await pools.one).end();
  const outcomes = [];
  for (let n = 0; n < 4; n += 1) outcomes.push(await outcomeOf(budget.take('agent001')));
  assert.deepEqual(outcomes, ['taken', 'taken', 'taken', 'refused']);
  assert.equal(warnings.length, 4);
});
