/** Money rules for what a vendor and a store should not do, but may: old balances, changed tables, clocks put back. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { Ledger } from '../money/ledger.ts';
import type { MoneyApi, MoneyLog, TopUpPolicy } from '../money/result.ts';
import { TopUp } from '../money/top-up.ts';
import { openDatabase, type Database } from '../store/database.ts';
import { memberNoSchema } from '../vbot/api.ts';
import { VendorError } from '../vbot/errors.ts';
import { makeFolder, stopClock } from './stores.ts';

const agent = memberNoSchema.parse('agent001');
const POLICY: TopUpPolicy = { mode: 'auto', amount: 1000, dailyLimitPerMember: 90_000, dailyLimit: 900_000 };
const TIME_LIMIT = { timeout: 30_000 };

/** A vendor whose balance is shown late, if it is told so. */
class SlowVendor implements MoneyApi {
  balance = 0;
  /** What is shown instead; undefined: the truth. */
  shown: number | undefined = undefined;
  paid = 0;
  /** What `addMoney` throws; undefined: it works. */
  trouble: VendorError | undefined = undefined;

  readonly readMember: MoneyApi['readMember'] = async (memberNo) => ({
    memberNo,
    balance: this.shown ?? this.balance,
    name: undefined,
    extension: undefined,
    status: undefined,
    expiresAt: undefined,
    hotlines: undefined,
  });

  readonly adminBalance = async () => 1_000_000;

  readonly addMoney: MoneyApi['addMoney'] = async (_, vnd) => {
    if (this.trouble) throw this.trouble;
    this.paid += 1;
    this.balance += vnd;
  };
}

async function open(t: TestContext, policy: Partial<TopUpPolicy> = {}) {
  const url = `file:${await makeFolder(t)}/companion.db`;
  const vendor = new SlowVendor();
  const alerts: string[] = [];
  const openStore = (): Database => {
    const database = openDatabase(url);
    t.after(() => database.close());
    return database;
  };
  const log: MoneyLog = {
    topUp: () => undefined,
    alert: (text) => void alerts.push(text),
    ledgerFailed: () => undefined,
  };
  const start = () => new TopUp(vendor, new Ledger(openStore()), { ...POLICY, ...policy }, { log });
  const topUp = start();
  const ensure = async (by = topUp) =>
    (await by.ensure(agent, await vendor.readMember(agent), 'session')).why;
  return { url, vendor, alerts, topUp, start, ensure, openStore };
}

test(
  'a balance that is shown late brings one credit for one need, however high the limits are',
  TIME_LIMIT,
  async (t) => {
    const { vendor, ensure, start, alerts } = await open(t);
    vendor.shown = 0;
    assert.equal(await ensure(), 'paid');
    for (let n = 0; n < 6; n += 1) assert.equal(await ensure(n % 2 === 0 ? undefined : start()), 'pending');
    assert.equal(vendor.paid, 1);
    assert.match(alerts[0] ?? '', /took 1000 VND for agent001 but still shows 0 VND/);
  },
);

test(
  'a vendor that shows money late causes one alert, not a "second ledger" at each payment',
  TIME_LIMIT,
  async (t) => {
    const { vendor, ensure, topUp, alerts } = await open(t);
    for (let payment = 0; payment < 3; payment += 1) {
      vendor.balance = 0;
      vendor.shown = 0;
      assert.equal(await ensure(), 'paid');
      vendor.shown = undefined;
      await topUp.sweep();
    }
    assert.equal(alerts.length, 1, alerts.join('; '));
    assert.doesNotMatch(alerts[0] ?? '', /second ledger/);
  },
);

test('a balance that was seen to rise and was spent is topped up again at once', TIME_LIMIT, async (t) => {
  const { vendor, ensure, topUp } = await open(t);
  assert.equal(await ensure(), 'paid');
  vendor.balance = 0;
  assert.equal(await ensure(), 'paid');
  // Shown late this time, and seen by a sweep.
  vendor.balance = 0;
  vendor.shown = 0;
  assert.equal(await ensure(), 'paid');
  vendor.shown = undefined;
  await topUp.sweep();
  vendor.balance = 0;
  assert.equal(await ensure(), 'paid');
  assert.equal(vendor.paid, 4);
});

test('a sign-in that sees the balance rise ends the wait, too', TIME_LIMIT, async (t) => {
  const { vendor, ensure, openStore } = await open(t);
  vendor.shown = 0;
  assert.equal(await ensure(), 'paid');
  vendor.shown = undefined;
  assert.equal(await ensure(), 'enough');
  const database = openStore();
  const unseen = () => database.read('select id from top_up where seen_at is null');
  while ((await unseen()).length > 0) await new Promise((resolve) => setImmediate(resolve));
  vendor.balance = 0;
  assert.equal(await ensure(), 'paid');
});

test('once the cool-down is over, a balance of 0 is believed', TIME_LIMIT, async (t) => {
  const { url, vendor, ensure, start } = await open(t);
  await stopClock(url, '2026-11-21T03:00:00Z');
  vendor.shown = 0;
  assert.equal(await ensure(), 'paid');
  await stopClock(url, '2026-11-21T03:09:59Z');
  assert.equal(await ensure(start()), 'pending');
  await stopClock(url, '2026-11-21T03:10:01Z');
  assert.equal(await ensure(start()), 'paid');
});

test('two ledgers for one account cause an alert', TIME_LIMIT, async (t) => {
  const { vendor, ensure, alerts } = await open(t);
  const add = vendor.addMoney;
  Object.assign(vendor, {
    addMoney: async (...args: Parameters<MoneyApi['addMoney']>) => {
      await add(...args);
      vendor.balance += 1000;
    },
  });
  assert.equal(await ensure(), 'paid');
  assert.match(alerts[0] ?? '', /from 0 to 2000 VND, not to 1000.+second ledger/);
});

test('a machine that was suspended just before it pays sends no money', TIME_LIMIT, async (t) => {
  const { vendor, ensure, openStore } = await open(t);
  const { now } = Date;
  const { send } = Ledger.prototype;
  t.mock.method(
    Ledger.prototype,
    'send',
    async function suspend(this: Ledger, ...given: Parameters<Ledger['send']>) {
      const sent = await send.apply(this, given);
      // `performance.now` stands still meanwhile.
      t.mock.method(Date, 'now', () => now() + 660_000);
      return sent;
    },
  );
  assert.equal(await ensure(), 'pending');
  const [row] = await openStore().read('select state, note from top_up');
  assert.deepEqual([vendor.paid, row?.['state'], row?.['note']], [0, 'void', 'too late to send']);
});

test('a budget that is not the sum of its movements stops every top-up, loudly', TIME_LIMIT, async (t) => {
  const { vendor, ensure, start, openStore, alerts } = await open(t);
  assert.equal(await ensure(), 'paid');
  assert.deepEqual((await start().outlook()).troubles, []);
  await openStore().transact((sql) => sql('update budget set used = used - 1000'));
  vendor.balance = 0;
  const restarted = start();
  assert.equal(await ensure(restarted), 'ledger');
  assert.match(alerts.at(-1) ?? '', /^NO TOP-UPS.+agent001 on .+ differs by -1000 VND.+all members/);
  assert.equal(vendor.paid, 1);
});

test('a day that has begun does not end again when the clock is put back', TIME_LIMIT, async (t) => {
  const { url, vendor, ensure, start } = await open(t, { dailyLimitPerMember: 1000 });
  await stopClock(url, '2026-11-22T03:00:00Z');
  assert.equal(await ensure(), 'paid');
  vendor.balance = 0;
  await stopClock(url, '2026-11-21T03:00:00Z');
  assert.equal(await ensure(start()), 'limit', 'yesterday has no budget of its own');
  assert.equal(vendor.paid, 1);
});

test(
  'a payment that was certainly not sent does not count in the limits, and is not tried at every sign-in',
  TIME_LIMIT,
  async (t) => {
    const { url, vendor, ensure, start, openStore } = await open(t, { dailyLimitPerMember: 1000 });
    await stopClock(url, '2026-11-21T03:00:00Z');
    vendor.trouble = new VendorError('circuit-open', 'It has failed repeatedly.');
    assert.equal(await ensure(), 'vendor');
    assert.equal(await ensure(start()), 'later');
    const [budget] = await openStore().read('select max(used) as used from budget');
    assert.equal(budget?.['used'], 0);
    vendor.trouble = undefined;
    await stopClock(url, '2026-11-21T03:01:01Z');
    assert.equal(await ensure(start()), 'paid');
  },
);

test(
  'a payment whose response was lost and that the agent has partly spent is settled, without an alert',
  TIME_LIMIT,
  async (t) => {
    const { url, vendor, ensure, start, openStore, alerts } = await open(t);
    await stopClock(url, '2026-11-21T03:00:00Z');
    const add = vendor.addMoney;
    Object.assign(vendor, {
      addMoney: async (...args: Parameters<MoneyApi['addMoney']>) => {
        await add(...args);
        vendor.shown = 0;
        throw new VendorError('unreachable', 'no answer in time');
      },
    });
    assert.equal(await ensure(), 'unconfirmed');
    vendor.shown = 700.1;
    await start().sweep();
    const [row] = await openStore().read('select state from top_up');
    assert.deepEqual([row?.['state'], alerts], ['settled', []]);
  },
);
