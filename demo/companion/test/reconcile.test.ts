/** The partner account against the ledger: payments that are under way while the balance is read explain themselves. */
import assert from 'node:assert/strict';
import { syncBuiltinESMExports } from 'node:module';
import { test, type TestContext } from 'node:test';
import { Ledger } from '../money/ledger.ts';
import type { Movement } from '../money/movement.ts';
import { describe, watchMoney, reconcile, type Money } from '../money/reconcile.ts';
import { settleMissing } from '../money/standing.ts';
import { openTestDatabase, stopClock, sqliteUrl } from './stores.ts';

const CLAIM = { amount: 1000, reason: 'session', dailyLimitPerMember: 9000, dailyLimit: 90_000 } as const;

async function setUp(t: TestContext, begin = 100_000) {
  const url = await sqliteUrl(t);
  const database = openTestDatabase(t, url);
  const ledger = new Ledger(database);
  let balance = begin;
  const send = async (memberNo: string): Promise<Movement> => {
    const claimed = await ledger.claim({ ...CLAIM, memberNo });
    assert.ok(typeof claimed === 'object', String(claimed));
    const sent = await ledger.send(claimed, 0);
    assert.ok(sent, 'the fence was passed');
    return sent;
  };
  const settle = (sent: Movement) => ledger.advance(sent, 'settled', { after: 1000, isSeen: true });
  /** @param meanwhile happens while the vendor answers */
  const compare = (meanwhile: () => Promise<unknown> = async () => undefined) =>
    reconcile(database, {
      adminBalance: async () => {
        const read = balance;
        await meanwhile();
        return read;
      },
      readMember: () => assert.fail('nobody is read'),
      addMoney: () => assert.fail('nobody is paid'),
    });
  return { url, ledger, send, settle, compare, lose: (vnd: number) => (balance -= vnd) };
}

const tick = () => new Promise((resolve) => setTimeout(resolve, 5));

test('a payment that is settled while the balance is read is no difference, now or the next time', async (t) => {
  const { send, settle, compare, lose } = await setUp(t);
  await compare();
  await tick();
  const sent = await send('agent001');
  // The balance was read before the money left.
  const first = await compare(async () => {
    lose(1000);
    await tick();
    await settle(sent);
    await tick();
  });
  assert.deepEqual([first?.result, first?.unexplained], ['agrees', 0]);
  assert.equal((await compare())?.result, 'agrees');
});

test('a payment that was in doubt in one comparison and settled in the next is missing in neither', async (t) => {
  const { ledger, send, settle, compare, lose } = await setUp(t);
  await compare();
  await tick();
  const sent = await send('agent001');
  lose(1000);
  const unknown = await ledger.advance(sent, 'unknown');
  await tick();
  assert.deepEqual((await compare())?.doubtful, 1000);
  assert.ok(unknown && (await settle(unknown)), 'settled');
  await tick();
  assert.equal((await compare())?.result, 'agrees');
});

test('money that no payment explains is missing, however much is in doubt', async (t) => {
  const { send, settle, compare, lose } = await setUp(t);
  await compare();
  await tick();
  await settle(await send('agent001'));
  await send('agent002');
  lose(2500);
  await tick();
  const found = await compare();
  assert.deepEqual(
    [found?.result, found?.settled, found?.doubtful, found?.unexplained],
    ['missing', 1000, 1000, 500],
  );
});

test('a balance with a time years ahead is ignored', async (t) => {
  const { url, send, settle, compare, lose } = await setUp(t);
  await stopClock(url, '2026-11-21T03:00:00Z');
  await compare();
  await stopClock(url, '2099-01-01T03:00:00Z');
  await compare();
  await stopClock(url, '2026-11-22T03:00:00Z');
  await settle(await send('agent001'));
  lose(1000);
  await stopClock(url, '2026-11-23T03:00:00Z');
  const found = await compare();
  assert.deepEqual([found?.result, found?.settled], ['agrees', 1000]);
});

test('a payment of a clock that was ahead is missing on no day, and hides no loss', async (t) => {
  const { url, ledger, send, settle, compare, lose } = await setUp(t);
  await stopClock(url, '2026-11-21T03:00:00Z');
  await compare();
  await stopClock(url, '2026-12-24T03:00:00Z');
  await settle(await send('agent001'));
  lose(1000);
  await compare();
  await stopClock(url, '2026-11-21T04:00:00Z');
  assert.equal((await compare())?.result, 'agrees');
  lose(300);
  const missing = async () => (await compare(), (await ledger.standing()).missing);
  assert.equal(await missing(), 300);
  for (const day of ['2026-11-22', '2026-12-23', '2026-12-24', '2026-12-25']) {
    await stopClock(url, `${day}T05:00:00Z`);
    await compare();
  }
  assert.equal(await missing(), 300);
  lose(700);
  await stopClock(url, '2026-12-25T06:00:00Z');
  assert.equal(await missing(), 1000);
});

test('two losses with one balance are both missing, whatever was settled and put back between', async (t) => {
  const { url, ledger, compare, lose } = await setUp(t);
  const at = (minute: number) => stopClock(url, `2026-11-21T03:${minute + 10}:00Z`);
  await at(0);
  await compare();
  lose(5000);
  await at(1);
  const first = await compare();
  assert.deepEqual([first?.result, first?.unexplained], ['missing', 5000]);
  await at(2);
  assert.equal((await compare())?.unexplained, 5000, 'found again, it counts once');
  assert.equal((await ledger.standing()).missing, 5000);
  assert.equal(await settleMissing(openTestDatabase(t, url)), 5000);
  await at(3);
  const settled = await compare();
  assert.deepEqual([settled?.result, settled?.explained], ['agrees', 5000]);
  assert.match(describe(settled!), /5000 VND were found missing before and are settled: the amounts match/);
  lose(-5000);
  await at(4);
  assert.equal((await compare())?.result, 'agrees');
  lose(4000);
  await at(5);
  const second = await compare();
  assert.deepEqual([second?.result, second?.unexplained, second?.explained], ['missing', 4000, 0]);
  assert.equal((await ledger.standing()).missing, 4000);
});

test('a balance that cannot be read is logged once, not every half minute', async (t) => {
  const { url } = await setUp(t);
  const database = openTestDatabase(t, url);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  // `node:timers/promises` too, which is imported by name.
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.timers.reset();
    syncBuiltinESMExports();
  });
  const alerts: string[] = [];
  const asked: string[] = [];
  let why = 'refused';
  const adminBalance = async () => {
    asked.push(why);
    throw new Error(why);
  };
  const log = { alert: (text: string) => void alerts.push(text), outlook: () => undefined };
  const topUp = {
    outlook: async () => undefined,
    sweep: async () => undefined,
    account: { read: adminBalance },
  };
  const stopping = new AbortController();
  const money = { database, vendor: { adminBalance }, topUp, log } as unknown as Money;
  const kept = watchMoney(money, stopping.signal);
  const passRounds = async (rounds: number) => {
    const end = asked.length + rounds;
    while (asked.length < end) {
      await new Promise(setImmediate);
      t.mock.timers.tick(30_000);
    }
  };
  await passRounds(3);
  why = 'away';
  await passRounds(3);
  stopping.abort();
  await kept;
  assert.deepEqual(alerts, ['The reconciliation failed: refused', 'The reconciliation failed: away']);
});

test('a day is exact to the hundredth, whatever the vendor’s decimals do to floating numbers', async (t) => {
  for (const begin of [263_000.1, 263_000.4]) {
    const { send, settle, compare, lose } = await setUp(t, begin);
    await compare();
    await tick();
    await settle(await send('agent001'));
    lose(1000);
    await tick();
    const even = await compare();
    assert.deepEqual([even?.result, even?.left, even?.unexplained], ['agrees', 1000, 0]);
    lose(0.3);
    const odd = await compare();
    assert.deepEqual([odd?.result, odd?.unexplained], ['missing', 0.3]);
    assert.match(describe(odd!), /lost 1000\.3 VND.*: 0\.3 VND are missing/);
  }
});
