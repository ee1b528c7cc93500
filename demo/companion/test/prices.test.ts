/** What a minute costs a member, as their finished calls tell. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { pricePerMinute, Prices } from '../features/prices.ts';
import { memberNoSchema } from '../vbot/api.ts';
import { post, signIn, startAgent, startApp, until } from './app.ts';
import { createPostgresDatabase, openTestDatabase, sqliteUrl, STORES } from './stores.ts';
import { startVendor } from './vendor.ts';

const HISTORY = '/m-cdr/api/call/get-all';

/** @param calls VND and seconds of each */
const priceOf = (...calls: (readonly [cost: number | undefined, talkSeconds: number | undefined])[]) =>
  pricePerMinute(calls.map(([cost, talkSeconds]) => ({ cost, talkSeconds })));

test('a minute costs what each started minute has cost, or what sixty seconds have', () => {
  assert.equal(priceOf([300, 10], [600, 61], [900, 150]), 300, 'started minutes');
  assert.equal(priceOf([105, 10], [640.5, 61], [1575, 150]), 630, 'seconds');
  assert.equal(priceOf([300, 10]), 300, 'one call alone: started minutes');
  assert.equal(priceOf([300, 20], [300, 40], [500, 30]), 300, 'a call to another network');
});

test('one dear call abroad among twenty moves the price by a tenth at most, however calls are charged', () => {
  const seconds = Array.from({ length: 19 }, (_, n) => 12 + ((n * 37) % 200));
  const charges = {
    'by started minutes': (talk: number) => Math.ceil(talk / 60) * 800,
    'by seconds': (talk: number) => Math.round((talk / 60) * 800),
  };
  for (const [how, charge] of Object.entries(charges)) {
    for (const dear of [1600, 9000, 60_000]) {
      for (const talk of [20, 61, 400]) {
        const calls = seconds.map((one) => [charge(one), one] as const);
        const price = priceOf(...calls, [(dear * talk) / 60, talk]) ?? 0;
        assert.ok(Math.abs(price - 800) <= 80, `${how}, ${dear} VND a minute for ${talk} s: ${price}`);
      }
    }
  }
});

test('while others lock the prices, 30 new members are paid', async (t) => {
  const url = await createPostgresDatabase();
  const vendor = await startVendor(t);
  const { origin } = await startApp(t, vendor, { DATABASE_URL: url });
  const lock = new Client({ connectionString: url });
  await lock.connect();
  t.after(() => lock.end());
  await until(async () => (await (await fetch(`${origin}/readyz`)).text()).includes('"topUps":"ok"'));
  await lock.query('begin');
  await lock.query('lock table call_price in access exclusive mode');
  const members = Array.from({ length: 30 }, (_, n) => `agent${100 + n}`);
  const cookies = await Promise.all(members.map((one) => signIn(origin, one)));
  for (const one of members) vendor.add(one);
  const answers = await Promise.all(
    cookies.map((Cookie) => post(`${origin}/dialer/session`, undefined, { Cookie })),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  await until(() => vendor.paid.length === members.length);
  await lock.query('commit');
});

test('calls without a charge or with an absurd one do not change the price', () => {
  assert.equal(priceOf(), undefined);
  assert.equal(priceOf([0, 30], [0, 0], [300, 0], [undefined, 60], [300, undefined]), undefined);
  assert.equal(priceOf([-300, 30], [300, -30], [1e12, 30], [300, 1e9], [Number.NaN, 30]), undefined);
  assert.equal(priceOf([0, 30], [1e12, 30], [300, 30]), 300);
});

test('learning a price while it is read does not fail a session', async (t) => {
  const database = openTestDatabase(t, await sqliteUrl(t));
  const { read } = database;
  t.mock.method(database, 'read', (...query: Parameters<typeof read>) =>
    delay(20).then(() => read(...query)),
  );
  const prices = new Prices(database);
  const member = memberNoSchema.parse('agent001');
  assert.equal(prices.of(member), undefined);
  prices.learn(member, [{ cost: 300, talkSeconds: 30 }]);
  assert.equal(prices.of(member), 300);
  await delay(50);
  assert.equal(prices.of(member), 300);
});

const call = (fields: Record<string, unknown>) => ({
  trans_id: 'c1',
  type_call: 2,
  time_call: 45,
  postage: 300,
  external_call_id: 'crm42',
  ...fields,
});

async function setUp(t: TestContext, rows: readonly unknown[], env: Record<string, string> = {}) {
  const agent = await startAgent(t, env);
  agent.vendor.add('agent001', { balance: 12_500 });
  agent.vendor.routes.set(HISTORY, () => rows);
  const price = async (path = 'session') =>
    ((await agent.json(path))['member'] as { pricePerMinute?: number }).pricePerMinute;
  return { ...agent, price };
}

test('an agent whose finished calls were read is told what a minute costs; before that nobody guesses', async (t) => {
  const { price, json } = await setUp(t, [call({})]);
  assert.equal(await price(), undefined);
  assert.equal('pricePerMinute' in ((await json('status'))['member'] as object), false);
  const { calls } = (await json('calls')) as { calls: { cost: number }[] };
  assert.equal(calls[0]?.cost, 300);
  for (const path of ['session', 'status', 'top-up', 'hotline']) assert.equal(await price(path), 300, path);
});

test('calls of a script, incoming calls and unreadable charges are no price of the agent’s own calls', async (t) => {
  const { price, json } = await setUp(t, [
    call({ external_call_id: `me${'0'.repeat(24)}` }),
    call({ type_call: 1 }),
    call({ postage: -1 }),
    call({ postage: 'much' }),
    call({ time_call: null }),
  ]);
  const { calls } = (await json('calls')) as { calls: { cost?: number }[] };
  assert.deepEqual(
    calls.map(({ cost }) => cost),
    [300, 300, undefined, undefined, 300],
  );
  assert.equal(await price(), undefined);
});

for (const [store, create] of Object.entries(STORES)) {
  test(`another companion on ${store} knows the price, in whatever capitals the member signs in`, async (t) => {
    const env = { DATABASE_URL: await create(t), TOP_UP_MODE: 'off' };
    const { json, vendor } = await setUp(t, [call({ postage: 787.5 })], env);
    await json('calls');
    vendor.add('Agent001', { balance: 12_500 });
    const { origin } = await startApp(t, vendor, env);
    const headers = { Cookie: await signIn(origin, 'Agent001') };
    await until(async () => {
      const answer = await fetch(`${origin}/dialer/status`, { headers });
      const { member } = (await answer.json()) as { member: { pricePerMinute?: number } };
      return member.pricePerMinute === 787.5;
    });
  });
}
