/** Money: at most one top-up for one need, whatever the network does. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Ledger } from '../money/ledger.ts';
import type { MovementState } from '../money/movement.ts';
import { TIMING } from '../money/reserve.ts';
import { TopUp } from '../money/top-up.ts';
import { memberNoSchema, OpenApi } from '../vbot/api.ts';
import { agent, ensure, GENEROUS, POLICY, setUp, type Setup } from './money.ts';
import { stopClock } from './stores.ts';
import { PATHS, type Fault } from './vendor.ts';

/** From now on the process's own clock can be put forward. Milliseconds. */
function skipTime(t: TestContext): (ms: number) => void {
  let skipped = 0;
  const now = performance.now.bind(performance);
  t.mock.method(performance, 'now', () => now() + skipped);
  return (ms) => void (skipped += ms);
}

const fail = ({ stub }: Setup, fault: Fault) => stub.faults.set(PATHS.money, fault);
const setBalance = ({ stub }: Setup, vnd: number) => (stub.members.get('agent001')!.balance = vnd);

test('a member at 0 gets one top-up, a member with money none', async (t) => {
  const setup = await setUp(t);
  const tools = setup.open(GENEROUS);
  const { status, why, detail, amount, member } = await ensure(tools);
  assert.deepEqual(
    [status, why, detail, amount, member?.balance],
    ['done', 'paid', '1000 VND added: 0 → 1000', 1000, 1000],
  );
  assert.equal((await ensure(tools)).why, 'enough');
  assert.deepEqual([setup.paid(), await setup.states()], [1, ['settled']]);
});

test('many sign-ins at once cost one top-up', async (t) => {
  const setup = await setUp(t);
  const tools = setup.open(GENEROUS);
  await Promise.all(Array.from({ length: 20 }, () => ensure(tools)));
  assert.equal(setup.paid(), 1);
});

test('sign-ins at several companions on one ledger at once cost one top-up', async (t) => {
  const setup = await setUp(t);
  const companions = Array.from({ length: 4 }, () => setup.open(GENEROUS));
  await Promise.all(companions.flatMap((tools) => [ensure(tools), ensure(tools), ensure(tools)]));
  assert.equal(setup.paid(), 1);
});

test('a sign-in that read the balance before somebody else paid does not pay again', async (t) => {
  const setup = await setUp(t);
  const tools = setup.open(GENEROUS);
  const stale = await tools.vendor.readMember(agent);
  await ensure(tools);
  assert.equal((await tools.topUp.ensure(agent, stale, 'session')).why, 'enough');
  assert.deepEqual([setup.paid(), await setup.states()], [1, ['settled', 'void']]);
});

test('an agent who asks for money costs two reads of the member, and none is paid who has some', async (t) => {
  const setup = await setUp(t);
  const { topUp } = setup.open(GENEROUS);
  assert.equal((await topUp.ensure(agent, undefined, 'agent')).member?.balance, 1000);
  assert.equal(setup.stub.asked(PATHS.member), 2);
  assert.equal((await topUp.ensure(agent, undefined, 'agent')).why, 'enough');
  assert.equal(setup.paid(), 1);
});

test('a top-up whose answer is lost is not paid twice', async (t) => {
  const setup = await setUp(t);
  const tools = setup.open(GENEROUS);
  fail(setup, { kind: 'drop-after', times: 1 });
  const { status, member } = await ensure(tools);
  assert.deepEqual([status, member?.balance], ['done', 1000]);
  await ensure(tools);
  assert.deepEqual([setup.paid(), await setup.states()], [1, ['settled']]);
});

const doubtful: readonly Fault[] = [
  { kind: 'drop' },
  { kind: 'silent' },
  { kind: 'garbage' },
  { kind: 'status', value: 500 },
  { kind: 'error', value: 500 },
  { kind: 'error', value: 7 },
  { kind: 'answer', body: { ok: true } },
  { kind: 'answer', body: { success: false, message: 'declined' } },
];
for (const fault of doubtful) {
  test(`a top-up in doubt (${JSON.stringify(fault)}) is sent once and stays counted in the limits`, async (t) => {
    const setup = await setUp(t);
    const tools = setup.open(GENEROUS);
    fail(setup, { ...fault, times: 1 });
    const { why, detail } = await ensure(tools);
    assert.equal(why, 'unconfirmed');
    assert.match(detail, /IN DOUBT: 1000 VND may have been paid/);
    assert.equal((await ensure(tools)).why, 'pending');
    assert.equal((await ensure(setup.open(GENEROUS))).why, 'pending', 'after a restart too');
    assert.equal(setup.stub.asked(PATHS.money), 1);
    assert.deepEqual(await setup.states(), ['unknown']);
  });
}

test('money whose answer is no envelope counts as paid when the balance proves it', async (t) => {
  const setup = await setUp(t);
  fail(setup, { kind: 'answer-after', body: { ok: true }, times: 1 });
  assert.equal((await ensure(setup.open())).why, 'paid');
  assert.deepEqual(await setup.states(), ['settled']);
});

test('a payment refused with 429 is failed, and tried again the same day', async (t) => {
  const setup = await setUp(t);
  await stopClock(setup.url, '2026-11-21T03:00:00Z');
  fail(setup, { kind: 'status', value: 429, times: 1 });
  assert.equal((await ensure(setup.open())).why, 'later');
  assert.deepEqual(await setup.states(), ['failed']);
  await stopClock(setup.url, '2026-11-21T03:01:01Z');
  assert.equal((await ensure(setup.open())).why, 'paid');
});

test('a payment whose connection is refused is failed, and tried again the same day', async (t) => {
  const setup = await setUp(t);
  await stopClock(setup.url, '2026-11-21T03:00:00Z');
  const nobody = new OpenApi({ baseUrl: 'http://127.0.0.1:9/v3.0', apiKey: 'k' });
  t.after(() => nobody.close());
  const { vendor } = setup.open();
  const topUp = new TopUp(
    {
      readMember: (memberNo) => vendor.readMember(memberNo),
      adminBalance: () => vendor.adminBalance(),
      addMoney: (memberNo, vnd) => nobody.addMoney(memberNo, vnd),
    },
    new Ledger(setup.openStore()),
    POLICY,
    { log: setup.log },
  );
  assert.equal((await ensure({ vendor, topUp })).why, 'vendor');
  assert.deepEqual(await setup.states(), ['failed']);
  await stopClock(setup.url, '2026-11-21T03:01:01Z');
  assert.equal((await ensure(setup.open())).why, 'paid');
});

test('each payment has a connection of its own: none goes out on one that the vendor may have closed', async (t) => {
  const setup = await setUp(t);
  const tools = setup.open(GENEROUS);
  for (let n = 0; n < 2; n += 1) {
    assert.equal((await ensure(tools)).why, 'paid');
    setBalance(setup, 0);
  }
  const payments = setup.stub.requests.filter(({ path }) => path === PATHS.money);
  assert.deepEqual(
    payments.map(({ headers }) => headers.connection),
    ['close', 'close'],
  );
});

test('money that arrives late settles the doubt, and the log says who asked for it and how much it is', async (t) => {
  const setup = await setUp(t);
  const tools = setup.open(GENEROUS);
  fail(setup, { kind: 'drop', times: 1 });
  await ensure(tools, 'agent');
  setBalance(setup, 1000);
  setup.told.length = 0;
  // Two companions look at once: one of them settles it.
  await Promise.all([tools.topUp.sweep(), setup.open().topUp.sweep()]);
  assert.deepEqual(await setup.states(), ['settled']);
  const detail = '1000 VND added: 0 → 1000, seen later';
  assert.deepEqual(setup.told, [
    { memberNo: 'agent001', reason: 'agent', why: 'paid', amount: 1000, detail },
  ]);
  assert.equal((await ensure(tools)).why, 'enough');
});

for (const [what, seconds, balance, alerts] of [
  ['that others have settled meanwhile is reported once', [31], 1000, 0],
  ['that others have given up is settled, as soon as it knows', [31, 700], 0, 2],
] as const)
  test(`the payment of a companion that was paused, ${what}`, async (t) => {
    const setup = await setUp(t);
    const [owner, other] = [setup.open(), setup.open()];
    await stopClock(setup.url, '2026-11-21T03:00:00Z');
    const { addMoney } = owner.vendor;
    t.mock.method(owner.vendor, 'addMoney', async (...to: Parameters<typeof addMoney>) => {
      await addMoney.apply(owner.vendor, to);
      setBalance(setup, balance);
      for (const second of seconds) {
        await stopClock(
          setup.url,
          new Date(Date.parse('2026-11-21T03:00:00Z') + second * 1000).toISOString(),
        );
        await other.topUp.sweep();
      }
    });
    await ensure(owner);
    assert.deepEqual([setup.paid(), await setup.states(), setup.alerts.length], [1, ['settled'], alerts]);
    assert.equal(setup.told.filter(({ why }) => why === 'paid').length, 1);
  });

for (const [who, isOwner] of [
  ['its owner, whose response is lost', true],
  ['a sweep that was paused', false],
] as const)
  test(`a payment that was given up is not settled by the next one's rise, as seen by ${who}`, async (t) => {
    const setup = await setUp(t);
    const [slow, other] = [setup.open(GENEROUS), setup.open(GENEROUS)];
    await stopClock(setup.url, '2026-11-21T03:00:00Z');
    fail(setup, { kind: 'drop', times: 1 });
    const payNext = async () => {
      for (const time of ['03:01:00', '03:12:00']) {
        await stopClock(setup.url, `2026-11-21T${time}Z`);
        await other.topUp.sweep();
      }
      assert.equal((await ensure(other)).why, 'paid');
    };
    const { addMoney, readMember } = slow.vendor;
    if (isOwner) {
      t.mock.method(slow.vendor, 'addMoney', async (...to: Parameters<typeof addMoney>) => {
        await addMoney.apply(slow.vendor, to).finally(payNext);
      });
      assert.equal((await ensure(slow)).why, 'pending');
    } else {
      assert.equal((await ensure(slow)).why, 'unconfirmed');
      t.mock.method(slow.vendor, 'readMember', async (...of: Parameters<typeof readMember>) => {
        await payNext();
        return readMember.apply(slow.vendor, of);
      });
      await slow.topUp.sweep();
    }
    assert.deepEqual([setup.paid(), await setup.states()], [1, ['abandoned', 'settled']]);
  });

test('after the quarantine the member is free again, but the doubt still counts against the day', async (t) => {
  const setup = await setUp(t);
  await stopClock(setup.url, '2026-11-21T03:00:00Z');
  fail(setup, { kind: 'drop', times: 1 });
  await ensure(setup.open());
  await stopClock(setup.url, '2026-11-21T03:11:00Z');
  assert.equal((await ensure(setup.open())).why, 'limit');
  assert.deepEqual(await setup.states(), ['abandoned']);
  assert.equal((await ensure(setup.open({ dailyLimitPerMember: 2000 }))).why, 'paid');
});

for (const [code, why] of [
  [402, 'short'],
  [-1, 'on a call'],
  [404, 'not know'],
  [401, 'not accepted'],
] as const) {
  test(`a refusal with ${code} says why, gives the share back, and is not asked for again at once`, async (t) => {
    const setup = await setUp(t);
    await stopClock(setup.url, '2026-11-21T03:00:00Z');
    fail(setup, { kind: 'error', value: code, message: 'Not today', times: 1 });
    const result = await ensure(setup.open());
    assert.deepEqual([result.why, result.error?.vendorCode], ['refused', code]);
    assert.match(result.detail, new RegExp(`${why}.+Not today`));
    assert.equal((await ensure(setup.open())).why, 'later', 'after a restart too');
    await stopClock(setup.url, '2026-11-21T03:01:00Z');
    assert.equal((await ensure(setup.open())).why, 'paid');
    assert.deepEqual(await setup.states(), ['failed', 'settled']);
  });
}

test('nothing is sent when the balance cannot be read', async (t) => {
  const setup = await setUp(t);
  const tools = setup.open();
  const member = await tools.vendor.readMember(agent);
  setup.stub.faults.set(PATHS.member, { kind: 'garbage' });
  assert.equal((await tools.topUp.ensure(agent, member, 'session')).why, 'vendor');
  assert.deepEqual([await setup.states(), setup.stub.asked(PATHS.money)], [['void'], 0]);
});

test('a debt larger than one top-up is refused before any money is sent', async (t) => {
  const setup = await setUp(t);
  setBalance(setup, -5000);
  const tools = setup.open();
  const result = await ensure(tools);
  assert.deepEqual([result.why, result.status], ['too-small', 'failed']);
  assert.match(result.detail, /-5000 VND/);
  assert.equal((await tools.topUp.ensure(agent, undefined, 'agent')).why, 'too-small', 'by the button, too');
  assert.equal(setup.stub.asked(PATHS.money), 0);
  setBalance(setup, -300);
  assert.equal((await ensure(setup.open({}, { retryMs: 0 }))).member?.balance, 700);
});

test('one top-up at a wrong date in the future leaves the limits of the days before it alone', async (t) => {
  const setup = await setUp(t);
  const other = memberNoSchema.parse('agent002');
  setup.stub.add(other);
  const policy = { dailyLimit: 2000 };
  await stopClock(setup.url, '2099-01-01T03:00:00Z');
  assert.equal((await ensure(setup.open(policy))).why, 'paid');
  for (const day of ['21', '22']) {
    await stopClock(setup.url, `2026-11-${day}T03:00:00Z`);
    setup.stub.add(other);
    const { topUp, vendor } = setup.open(policy);
    assert.equal((await topUp.ensure(other, await vendor.readMember(other), 'session')).why, 'paid', day);
  }
  setBalance(setup, 0);
  assert.equal(
    (await ensure(setup.open(policy))).why,
    'limit',
    'a payment with a future date still counts in the limits',
  );
});

test('a clock that was put back by years makes no limit free again', async (t) => {
  const setup = await setUp(t);
  await stopClock(setup.url, '2026-11-21T03:00:00Z');
  assert.equal((await ensure(setup.open())).why, 'paid');
  setBalance(setup, 0);
  await stopClock(setup.url, '2020-01-01T03:00:00Z');
  assert.equal((await ensure(setup.open())).why, 'limit');
});

test('mode off pays for nobody', async (t) => {
  const setup = await setUp(t);
  const tools = setup.open({ mode: 'off' });
  for (const reason of ['session', 'agent', 'operator'] as const) {
    assert.equal((await ensure(tools, reason)).why, 'off');
    assert.equal((await tools.topUp.ensure(agent, undefined, reason)).why, 'off');
  }
  assert.equal(setup.paid(), 0);
});

test('an account that has ended gets no money; an end before the year 2000 is none', async (t) => {
  const setup = await setUp(t);
  const member = setup.stub.add('agent001', { fields: { expiration_date: '2020-01-01T00:00:00Z' } });
  assert.equal((await ensure(setup.open())).why, 'ended');
  assert.equal(setup.paid(), 0);
  member.fields['expiration_date'] = '0001-01-01T00:00:00Z';
  assert.equal((await ensure(setup.open())).why, 'paid');
});

test('a claim left behind by a crash blocks the member only until its lease is over', async (t) => {
  const setup = await setUp(t);
  await stopClock(setup.url, '2026-11-21T03:00:00Z');
  await claimAndCrash(setup);
  assert.equal((await ensure(setup.open())).why, 'pending');
  await stopClock(setup.url, '2026-11-21T03:01:00Z');
  assert.equal((await ensure(setup.open())).why, 'paid');
  assert.deepEqual(await setup.states(), ['void', 'settled']);
});

test('a companion that starts ends what the last one left open, and calls a person to what stays in doubt', async (t) => {
  const setup = await setUp(t);
  await stopClock(setup.url, '2026-11-21T03:00:00Z');
  await claimAndCrash(setup, 'sent');
  const { topUp } = setup.open();
  for (const [at, state] of [
    ['2026-11-21T03:00:01Z', 'sent'],
    ['2026-11-21T03:01:00Z', 'unknown'],
    ['2026-11-21T03:10:00Z', 'unknown'],
    ['2026-11-21T03:12:00Z', 'abandoned'],
  ] as const) {
    await stopClock(setup.url, at);
    await topUp.sweep();
    assert.deepEqual(await setup.states(), [state], at);
  }
  assert.equal(setup.alerts.length, 1);
  assert.match(setup.alerts[0] ?? '', /1000 VND reached agent001 has stayed unknown/);
});

test('what a crash left open is settled when the balance proves it', async (t) => {
  const setup = await setUp(t);
  await stopClock(setup.url, '2026-11-21T03:00:00Z');
  await claimAndCrash(setup, 'sent');
  setBalance(setup, 1000);
  await stopClock(setup.url, '2026-11-21T03:01:00Z');
  await setup.open().topUp.sweep();
  assert.deepEqual(await setup.states(), ['settled']);
  assert.deepEqual(
    setup.told.map(({ why, amount }) => [why, amount]),
    [['paid', 1000]],
  );
});

test('a short partner account is seen before anything is sent', async (t) => {
  const setup = await setUp(t);
  await stopClock(setup.url, '2026-11-21T03:00:00Z');
  setup.stub.adminBalance = 999;
  const { status, why, member } = await ensure(setup.open());
  assert.deepEqual([status, why, member?.balance], ['failed', 'admin-short', 0]);
  assert.equal(setup.stub.asked(PATHS.money), 0);
  setup.stub.adminBalance = 1000;
  assert.equal((await ensure(setup.open())).why, 'later', 'not tried at every sign-in');
  await stopClock(setup.url, '2026-11-21T03:01:01Z');
  assert.equal((await ensure(setup.open())).why, 'paid', 'the limits are free again');
  assert.deepEqual(await setup.states(), ['void', 'settled']);
});

test('if the vendor refuses to show the partner account, members are still paid, once', async (t) => {
  const setup = await setUp(t);
  setup.stub.faults.set(PATHS.admin, { kind: 'status', value: 404 });
  assert.equal((await ensure(setup.open(GENEROUS))).why, 'paid');
  assert.equal((await ensure(setup.open(GENEROUS))).why, 'enough');
  assert.equal(setup.paid(), 1);
});

test('a partner account that cannot be reached keeps money where it is', async (t) => {
  const setup = await setUp(t);
  setup.stub.faults.set(PATHS.admin, { kind: 'status', value: 503 });
  assert.equal((await ensure(setup.open(GENEROUS))).why, 'vendor');
  assert.equal(setup.paid(), 0);
});

test('an empty partner account stops all top-ups for a while, with one alert', async (t) => {
  const setup = await setUp(t);
  const { stub, alerts } = setup;
  stub.add('agent002');
  stub.adminBalance = 999;
  const passTime = skipTime(t);
  await stopClock(setup.url, '2026-11-21T03:00:00Z');
  const { vendor, topUp } = setup.open(GENEROUS);
  const login = async (name: string) => {
    const memberNo = memberNoSchema.parse(name);
    return (await topUp.ensure(memberNo, await vendor.readMember(memberNo), 'session')).why;
  };
  const questions = () => stub.asked(PATHS.admin);
  assert.equal(await login('agent001'), 'admin-short');
  for (const name of ['agent002', 'agent001', 'agent002']) assert.equal(await login(name), 'admin-short');
  assert.deepEqual([questions(), alerts.length], [1, 1]);
  assert.match(alerts[0] ?? '', /partner account is short of money/);
  passTime(TIMING.retryMs);
  assert.equal(await login('agent002'), 'admin-short');
  assert.deepEqual([questions(), alerts.length], [2, 1]);
  stub.add('agent001', { balance: 500 });
  assert.equal(
    (await topUp.ensure(agent, undefined, 'agent')).why,
    'enough',
    'somebody else has given money',
  );
  stub.adminBalance = 1000;
  passTime(TIMING.retryMs);
  await stopClock(setup.url, '2026-11-21T03:02:01Z');
  assert.equal(await login('agent002'), 'paid');
  stub.add('agent002');
  assert.equal(await login('agent002'), 'admin-short');
  assert.deepEqual([questions(), alerts.length], [4, 2]);
});

/** When a laptop sleeps, one of them may stand still. */
const CLOCKS: Readonly<Record<string, { now(): number }>> = { performance, Date };
for (const [name, clock] of Object.entries(CLOCKS)) {
  test(`a process that was paused after the fence, as ${name} shows, sends no money`, async (t) => {
    const setup = await setUp(t);
    const { send } = Ledger.prototype;
    t.mock.method(
      Ledger.prototype,
      'send',
      async function suspend(this: Ledger, ...given: Parameters<Ledger['send']>) {
        const sent = await send.apply(this, given);
        const now = clock.now.bind(clock);
        t.mock.method(clock, 'now', () => now() + TIMING.leaseMs);
        return sent;
      },
    );
    assert.equal((await ensure(setup.open())).why, 'pending');
    const [row] = await setup.openStore().read('select state, note from top_up');
    assert.deepEqual([row?.['state'], row?.['note']], ['void', 'too late to send']);
    assert.equal(setup.stub.asked(PATHS.money), 0);
  });
}

test('a session does not wait for a slow top-up, which goes on without it', async (t) => {
  const setup = await setUp(t);
  const release = new AbortController();
  const released = once(release.signal, 'abort');
  setup.stub.before = ({ path }) => (path === PATHS.money ? released : undefined);
  const tools = setup.open({}, { timeoutMs: 50 });
  const result = await ensure(tools);
  assert.deepEqual([result.why, result.member?.balance], ['pending', 0]);
  while (setup.stub.asked(PATHS.money) === 0) await delay(10);
  assert.deepEqual(await setup.states(), ['sent']);
  release.abort();
  await tools.topUp.rest();
  assert.deepEqual([await setup.states(), setup.paid()], [['settled'], 1]);
});

/** A process that died after the claim, or after the fence. */
async function claimAndCrash(setup: Setup, state: MovementState = 'claimed'): Promise<void> {
  const ledger = new Ledger(setup.openStore());
  const claim = await ledger.claim({ ...POLICY, memberNo: 'agent001', reason: 'session' });
  assert.ok(typeof claim === 'object', String(claim));
  if (state === 'sent') assert.ok(await ledger.send(claim, 0), 'the ledger refused');
}
