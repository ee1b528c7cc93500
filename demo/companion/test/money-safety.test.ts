/** Money rules for what a vendor and a store should not do, but may: old balances, changed tables, clocks put back. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { PartnerAccount } from '../money/account.ts';
import { Ledger } from '../money/ledger.ts';
import type { TopUpPolicy } from '../money/result.ts';
import { TopUp } from '../money/top-up.ts';
import { OpenApi } from '../vbot/api.ts';
import { VendorError } from '../vbot/errors.ts';
import { agent, POLICY, setUp } from './money.ts';
import { stopClock } from './stores.ts';
import { PATHS, type Fault } from './vendor.ts';

const TIME_LIMIT = { timeout: 30_000 };

async function open(t: TestContext, policy: Partial<TopUpPolicy> = {}) {
  const setup = await setUp(t);
  const member = setup.stub.members.get('agent001')!;
  const start = () => setup.open({ dailyLimitPerMember: 90_000, dailyLimit: 900_000, ...policy });
  const tools = start();
  return {
    ...setup,
    ...tools,
    member,
    /** What the vendor shows instead of the balance; undefined: the balance. */
    show: (vnd?: number) => (member.fields = vnd === undefined ? {} : { member_money: vnd }),
    start,
    ensure: async ({ topUp, vendor } = tools) =>
      (await topUp.ensure(agent, await vendor.readMember(agent), 'session')).why,
  };
}

test(
  'a balance that is shown late brings one credit for one need, however high the limits are',
  TIME_LIMIT,
  async (t) => {
    const { show, paid, ensure, start, alerts } = await open(t);
    show(0);
    assert.equal(await ensure(), 'paid');
    for (let n = 0; n < 6; n += 1) assert.equal(await ensure(n % 2 === 0 ? undefined : start()), 'pending');
    assert.equal(paid(), 1);
    assert.match(alerts[0] ?? '', /took 1000 VND for agent001 but still shows 0 VND/);
  },
);

test(
  'a vendor that shows money late causes one alert, not a "second ledger" at each payment',
  TIME_LIMIT,
  async (t) => {
    const { member, show, ensure, topUp, alerts } = await open(t);
    for (let payment = 0; payment < 3; payment += 1) {
      member.balance = 0;
      show(0);
      assert.equal(await ensure(), 'paid');
      show();
      await topUp.sweep();
    }
    assert.equal(alerts.length, 1, alerts.join('; '));
    assert.doesNotMatch(alerts[0] ?? '', /second ledger/);
  },
);

test('a balance that was seen to rise and was spent is topped up again at once', TIME_LIMIT, async (t) => {
  const { member, show, paid, ensure, topUp } = await open(t);
  assert.equal(await ensure(), 'paid');
  member.balance = 0;
  assert.equal(await ensure(), 'paid');
  // Shown late this time, and seen by a sweep.
  member.balance = 0;
  show(0);
  assert.equal(await ensure(), 'paid');
  show();
  await topUp.sweep();
  member.balance = 0;
  assert.equal(await ensure(), 'paid');
  assert.equal(paid(), 4);
});

test('a sign-in that sees the balance rise ends the wait, too', TIME_LIMIT, async (t) => {
  const { member, show, ensure, openStore } = await open(t);
  show(0);
  assert.equal(await ensure(), 'paid');
  show();
  assert.equal(await ensure(), 'enough');
  const database = openStore();
  const unseen = () => database.read('select id from top_up where seen_at is null');
  while ((await unseen()).length > 0) await new Promise((resolve) => setImmediate(resolve));
  member.balance = 0;
  assert.equal(await ensure(), 'paid');
});

test('once the cool-down is over, a balance of 0 is believed', TIME_LIMIT, async (t) => {
  const { url, show, ensure, start } = await open(t);
  await stopClock(url, '2026-11-21T03:00:00Z');
  show(0);
  assert.equal(await ensure(), 'paid');
  await stopClock(url, '2026-11-21T03:09:59Z');
  assert.equal(await ensure(start()), 'pending');
  await stopClock(url, '2026-11-21T03:10:01Z');
  assert.equal(await ensure(start()), 'paid');
});

test('two ledgers for one account cause an alert', TIME_LIMIT, async (t) => {
  const { stub, member, ensure, alerts } = await open(t);
  stub.rewrite = ({ path }, reply) => {
    if (path === PATHS.money) member.balance += 1000;
    return reply;
  };
  assert.equal(await ensure(), 'paid');
  assert.match(alerts[0] ?? '', /from 0 to 2000 VND, not to 1000.+second ledger/);
});

test('a budget that is not the sum of its movements stops every top-up, loudly', TIME_LIMIT, async (t) => {
  const { member, paid, ensure, start, openStore, alerts } = await open(t);
  assert.equal(await ensure(), 'paid');
  assert.deepEqual((await start().topUp.outlook()).troubles, []);
  await openStore().transact((sql) => sql('update budget set used = used - 1000'));
  member.balance = 0;
  const restarted = start();
  assert.equal(await ensure(restarted), 'ledger');
  assert.match(alerts.at(-1) ?? '', /^NO TOP-UPS.+agent001 on .+ differs by -1000 VND.+all members/);
  assert.equal(paid(), 1);
});

test('a day that has begun does not end again when the clock is put back', TIME_LIMIT, async (t) => {
  const { url, member, paid, ensure, start } = await open(t, { dailyLimitPerMember: 1000 });
  await stopClock(url, '2026-11-22T03:00:00Z');
  assert.equal(await ensure(), 'paid');
  member.balance = 0;
  await stopClock(url, '2026-11-21T03:00:00Z');
  assert.equal(await ensure(start()), 'limit', 'yesterday has no budget of its own');
  assert.equal(paid(), 1);
});

test(
  'a payment that was certainly not sent does not count in the limits, and is not tried at every sign-in',
  TIME_LIMIT,
  async (t) => {
    const { url, ensure, start, openStore } = await open(t, { dailyLimitPerMember: 1000 });
    await stopClock(url, '2026-11-21T03:00:00Z');
    const addMoney = t.mock.method(OpenApi.prototype, 'addMoney', async () => {
      throw new VendorError('circuit-open', 'It has failed repeatedly.');
    });
    assert.equal(await ensure(), 'vendor');
    assert.equal(await ensure(start()), 'later');
    const [budget] = await openStore().read('select max(used) as used from budget');
    assert.equal(budget?.['used'], 0);
    addMoney.mock.restore();
    await stopClock(url, '2026-11-21T03:01:01Z');
    assert.equal(await ensure(start()), 'paid');
  },
);

test(
  'a payment whose response was lost and that the agent has partly spent is settled, without an alert',
  TIME_LIMIT,
  async (t) => {
    const { url, stub, show, ensure, start, openStore, alerts } = await open(t);
    await stopClock(url, '2026-11-21T03:00:00Z');
    stub.faults.set(PATHS.money, { kind: 'drop-after' });
    stub.before = ({ path }) => path === PATHS.money && show(0);
    assert.equal(await ensure(), 'unconfirmed');
    show(700.1);
    await start().topUp.sweep();
    const [row] = await openStore().read('select state from top_up');
    assert.deepEqual([row?.['state'], alerts], ['settled', []]);
  },
);

const WITHOUT_ENVELOPE: readonly (readonly [status: number, body: string])[] = [
  [401, ''],
  [402, '{}'],
  [403, '<html><body>Request blocked</body></html>'],
  [403, '{"status":403,"title":"Forbidden"}'],
  [403, '{"error":{"code":403,"status":"PERMISSION_DENIED"}}'],
  [404, '{"error":null}'],
];
for (const [status, body] of WITHOUT_ENVELOPE) {
  test(
    `HTTP ${status} with ${body || 'nothing'} proves no refusal: the payment stays in doubt until the balance shows it`,
    TIME_LIMIT,
    async (t) => {
      const { url, stub, show, ensure, start, states, paid } = await open(t);
      await stopClock(url, '2026-11-21T03:00:00Z');
      // A gateway has passed the payment on, and replaces the response.
      stub.rewrite = ({ path }, reply) => (path === PATHS.money ? { ...reply, status, body } : reply);
      show(0);
      assert.equal(await ensure(), 'unconfirmed');
      await stopClock(url, '2026-11-21T03:09:00Z');
      assert.equal(await ensure(start()), 'pending');
      assert.deepEqual([await states(), paid()], [['unknown'], 1]);
      show();
      assert.equal(await ensure(start()), 'enough');
      await start().topUp.sweep();
      assert.deepEqual([await states(), paid()], [['settled'], 1]);
    },
  );
}

const gone = () => Promise.reject(new Error('connect ECONNREFUSED'));
const responses: readonly (readonly [what: string, fault: Fault | undefined, paid: number])[] = [
  ['says paid', undefined, 1000],
  ['is lost, but the balance rose', { kind: 'drop-after' }, 1000],
  ['is lost', { kind: 'drop' }, 0],
  ['refuses', { kind: 'error', value: 402 }, 0],
];
for (const [what, fault, arrived] of responses) {
  test(
    `if the database goes away while money is sent and the response ${what}, the operator reads what was sent`,
    TIME_LIMIT,
    async (t) => {
      const { url, stub, log, told, failures, vendor, member, start, openStore, states } = await open(t);
      await stopClock(url, '2026-11-21T03:00:00Z');
      const database = openStore();
      stub.before = ({ path }) => {
        if (path !== PATHS.money) return;
        for (const name of ['read', 'write', 'transact'] as const) t.mock.method(database, name, gone);
      };
      if (fault) stub.faults.set(PATHS.money, fault);
      const topUp = new TopUp(vendor, new Ledger(database), POLICY, { log });
      const { status, why, amount, detail, member: read } = await topUp.ensure(agent, undefined, 'agent');
      assert.deepEqual([status, why, amount], ['failed', 'unconfirmed', 1000], detail);
      assert.match(detail, /^1000 VND sent; not written to the ledger yet\. /);
      assert.deepEqual([read?.balance, member.balance], [arrived, arrived]);
      assert.match(failures[0]?.message ?? '', /^1000 VND sent/);
      assert.doesNotMatch(JSON.stringify([told, failures]), /no money is moved/);
      assert.deepEqual(await states(), ['sent']);

      // Another companion settles it, and reports the payment once.
      await stopClock(url, '2026-11-21T03:01:00Z');
      await start().topUp.sweep();
      assert.deepEqual(await states(), [arrived > 0 ? 'settled' : 'unknown']);
      assert.deepEqual(
        told.map((line) => line.why),
        arrived > 0 ? ['unconfirmed', 'paid'] : ['unconfirmed'],
      );
    },
  );
}

test('of two reads of the partner account, the one that was asked later counts, whichever is answered first', async () => {
  const refusal = new VendorError('refused', 'no permission');
  for (const late of [500, refusal]) {
    const waiting: ((answer: number | VendorError) => void)[] = [];
    const adminBalance = async () => {
      const answer = await new Promise<number | VendorError>((resolve) => waiting.push(resolve));
      if (answer instanceof VendorError) throw answer;
      return answer;
    };
    const account = new PartnerAccount({ adminBalance });
    const [first, second] = [account.read(), account.read()];
    waiting[1]?.(1_500_000);
    assert.equal(await second, 1_500_000);
    waiting[0]?.(late);
    assert.deepEqual([await first, account.last], [1_500_000, 1_500_000], String(late));
    const third = account.read();
    waiting[2]?.(900);
    assert.deepEqual([await third, account.last], [900, 900]);
  }
});
