/** Money: at most one top-up for one need, whatever the network does. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../../../../demo/server/money/open-database.ts';
import { Ledger } from '../../../../demo/server/money/ledger.ts';
import type { TopUpReason } from '../../../../demo/server/money/movement.ts';
import { TIMING } from '../../../../demo/server/money/timing.ts';
import { memberNoSchema } from '../../../../demo/server/vendor/data.ts';
import type { Fault } from '../../../../demo/sandbox/world/world.ts';
import { createCompanion } from '../../../../demo/server/commands/companion.ts';
import { readEnvironment } from '../../../../demo/server/environment.ts';
import { openMoney } from '../../../../demo/server/money/open-money.ts';
import type { Vendor } from '../../../../demo/server/vendor/client.ts';
import { OpenApi } from '../../../../demo/server/vendor.ts';
import type { TopUpResult } from '../../../../demo/server/money/top-up-result.ts';
import { TopUp } from '../../../../demo/server/money/top-up.ts';
import type { SessionAnswer } from '../../../../demo/server/contract.ts';
import { stopClock } from '../../clock.ts';
import { makeFolder, post, serve, signIn, startSandbox, type RunningSandbox } from '../../servers.ts';

const MAIN = fileURLToPath(new URL('../../../../demo/dev/companion.ts', import.meta.url));
const agent = memberNoSchema.parse('agent001');
interface Tools {
  readonly vendor: OpenApi;
  readonly topUp: TopUp;
}

interface Desk {
  readonly sandbox: RunningSandbox;
  readonly database: string;
  /** A companion's tools on the same ledger file, as a restart or a second process has them. */
  open(env?: Record<string, string>): Tools;
  paid(): number;
  /** States of all movements, in order. */
  states(): Promise<string[]>;
}

async function openDesk(t: TestContext): Promise<Desk> {
  const sandbox = await startSandbox(t);
  sandbox.world.createMember('agent001', ['HL_SALES']);
  const database = `file:${await makeFolder(t)}/companion.db`;
  return {
    sandbox,
    database,
    open: (env = {}) => {
      const vendor = new OpenApi(sandbox);
      const { topUp, close } = openMoney(readEnvironment({ DATABASE_URL: database, ...env }), vendor);
      t.after(async () => {
        await close();
        await vendor.close();
      });
      return { vendor, topUp };
    },
    paid: () => sandbox.world.topUps.filter(({ error }) => error === 0).length,
    states: async () => {
      const store = openDatabase(database);
      const movements = await new Ledger(store, 1).history();
      await store.close();
      return movements.map(({ state }) => state);
    },
  };
}

async function ensure({ topUp, vendor }: Tools, reason: TopUpReason = 'session'): Promise<TopUpResult> {
  return topUp.ensure(agent, await vendor.readMember(agent), reason);
}

function fail(desk: Desk, fault: Fault): void {
  desk.sandbox.world.faults.set('/api/member/addMoney', fault);
}

const GENEROUS = { TOP_UP_DAILY_LIMIT_PER_MEMBER: '100000' };

test('a member at 0 gets one top-up, a member with money none', async (t) => {
  const desk = await openDesk(t);
  const tools = desk.open(GENEROUS);
  assert.deepEqual(await ensure(tools), {
    status: 'done',
    why: 'paid',
    detail: '1000 VND added: 0 → 1000',
    balance: 1000,
  });
  assert.equal((await ensure(tools)).why, 'enough');
  assert.equal(desk.paid(), 1);
  assert.deepEqual(await desk.states(), ['settled']);
});

test('many logins at once cost one top-up', async (t) => {
  const desk = await openDesk(t);
  const tools = desk.open(GENEROUS);
  await Promise.all(Array.from({ length: 20 }, () => ensure(tools)));
  assert.equal(desk.paid(), 1);
});

test('logins at several companions on one ledger at once cost one top-up', async (t) => {
  const desk = await openDesk(t);
  const companions = Array.from({ length: 4 }, () => desk.open(GENEROUS));
  await Promise.all(companions.flatMap((tools) => [ensure(tools), ensure(tools), ensure(tools)]));
  assert.equal(desk.paid(), 1);
});

test('a login that read the balance before somebody else paid does not pay again', async (t) => {
  const desk = await openDesk(t);
  const tools = desk.open(GENEROUS);
  const stale = await tools.vendor.readMember(agent);
  await ensure(tools);
  assert.equal((await tools.topUp.ensure(agent, stale, 'session')).why, 'enough');
  assert.equal(desk.paid(), 1);
  assert.deepEqual(await desk.states(), ['settled', 'void']);
});

for (const kind of ['drop-after', 'cut'] as const) {
  test(`a top-up whose answer is lost (${kind}) is not paid twice`, async (t) => {
    const desk = await openDesk(t);
    const tools = desk.open(GENEROUS);
    fail(desk, { kind, times: 1 });
    const result = await ensure(tools);
    assert.deepEqual([result.status, result.balance], ['done', 1000]);
    await ensure(tools);
    assert.equal(desk.paid(), 1);
    assert.deepEqual(await desk.states(), ['settled']);
  });
}

const doubtful: readonly Fault[] = [
  { kind: 'drop' },
  { kind: 'garbage' },
  { kind: 'status', value: 500 },
  { kind: 'error', value: 500 },
  { kind: 'error', value: 7 },
];
for (const fault of doubtful) {
  test(`a top-up in doubt (${fault.kind} ${fault.value ?? ''}) is sent once and keeps its share`, async (t) => {
    const desk = await openDesk(t);
    const tools = desk.open(GENEROUS);
    fail(desk, { ...fault, times: 1 });
    assert.equal((await ensure(tools)).why, 'unconfirmed');
    assert.equal((await ensure(tools)).why, 'pending');
    assert.equal((await ensure(desk.open(GENEROUS))).why, 'pending', 'after a restart too');
    const posts = desk.sandbox.world.requests.filter(({ path }) => path === '/api/member/addMoney');
    assert.equal(posts.length, 1);
    assert.deepEqual(await desk.states(), ['unknown']);
  });
}

test('money that arrives late settles the doubt', async (t) => {
  const desk = await openDesk(t);
  const tools = desk.open(GENEROUS);
  fail(desk, { kind: 'drop', times: 1 });
  await ensure(tools);
  const member = desk.sandbox.world.members.get('agent001');
  assert.ok(member, 'there is no member');
  desk.sandbox.world.setBalance(member, 1000);
  assert.equal((await ensure(tools)).why, 'enough');
  await tools.topUp.sweep();
  assert.deepEqual(await desk.states(), ['settled']);
});

test('after the quarantine the member is free again, but the doubt still counts against the day', async (t) => {
  const desk = await openDesk(t);
  await stopClock(desk.database, '2026-11-21T03:00:00Z');
  fail(desk, { kind: 'drop', times: 1 });
  await ensure(desk.open());
  await stopClock(desk.database, '2026-11-21T03:11:00Z');
  assert.equal((await ensure(desk.open())).why, 'limit');
  assert.deepEqual(await desk.states(), ['abandoned']);
  assert.equal((await ensure(desk.open({ TOP_UP_DAILY_LIMIT_PER_MEMBER: '2000' }))).why, 'paid');
});

for (const [code, why] of [
  [402, 'short'],
  [-1, 'on a call'],
  [404, 'not know'],
  [401, 'not accepted'],
] as const) {
  test(`a refusal with ${code} says why, gives the share back, and is not asked for again at once`, async (t) => {
    const desk = await openDesk(t);
    await stopClock(desk.database, '2026-11-21T03:00:00Z');
    fail(desk, { kind: 'error', value: code, times: 1 });
    const result = await ensure(desk.open());
    assert.deepEqual([result.why, result.vendorCode], ['refused', code]);
    assert.match(result.detail, new RegExp(why));
    assert.equal((await ensure(desk.open())).why, 'later', 'after a restart too');
    await stopClock(desk.database, '2026-11-21T03:01:00Z');
    assert.equal((await ensure(desk.open())).why, 'paid');
    assert.deepEqual(await desk.states(), ['failed', 'settled']);
  });
}

test('nothing is sent when the balance cannot be read', async (t) => {
  const desk = await openDesk(t);
  const tools = desk.open();
  const member = await tools.vendor.readMember(agent);
  desk.sandbox.world.faults.set('/api/member/getByMemberNo', { kind: 'garbage' });
  assert.equal((await tools.topUp.ensure(agent, member, 'session')).why, 'vendor');
  assert.deepEqual(await desk.states(), ['void']);
  assert.equal(desk.sandbox.world.topUps.length, 0);
});

test('the limit of a member is per day in Vietnam, and a restart does not lift it', async (t) => {
  const desk = await openDesk(t);
  const member = desk.sandbox.world.members.get('agent001');
  assert.ok(member, 'there is no member');
  const spendAll = () => desk.sandbox.world.setBalance(member, 0);
  await stopClock(desk.database, '2026-11-21T16:00:00Z');
  assert.equal((await ensure(desk.open())).why, 'paid');
  spendAll();
  assert.equal((await ensure(desk.open())).why, 'limit');
  await stopClock(desk.database, '2026-11-21T17:01:00Z');
  assert.equal((await ensure(desk.open())).why, 'paid');
});

test('the limit of all members holds', async (t) => {
  const desk = await openDesk(t);
  const other = memberNoSchema.parse('agent002');
  desk.sandbox.world.createMember(other, []);
  const tools = desk.open({ TOP_UP_DAILY_LIMIT: '1500' });
  await ensure(tools);
  const result = await tools.topUp.ensure(other, await tools.vendor.readMember(other), 'session');
  assert.equal(result.why, 'limit');
  assert.equal(desk.paid(), 1);
});

test('mode request pays only when the agent or an operator asks', async (t) => {
  const desk = await openDesk(t);
  const tools = desk.open({ TOP_UP_MODE: 'request' });
  assert.equal((await ensure(tools, 'session')).why, 'not-asked');
  assert.equal((await ensure(tools, 'agent')).why, 'paid');
});

test('mode off pays for nobody', async (t) => {
  const desk = await openDesk(t);
  const tools = desk.open({ TOP_UP_MODE: 'off' });
  for (const reason of ['session', 'agent', 'operator'] as const) {
    assert.equal((await ensure(tools, reason)).why, 'off');
  }
  assert.equal(desk.paid(), 0);
});

test('an account that has ended gets no money', async (t) => {
  const desk = await openDesk(t);
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 400 * 86_400_000 });
  assert.equal((await ensure(desk.open())).why, 'ended');
  assert.equal(desk.paid(), 0);
});

test('a claim left behind by a crash blocks the member only until its lease is over', async (t) => {
  const desk = await openDesk(t);
  await stopClock(desk.database, '2026-11-21T03:00:00Z');
  await claimAndCrash(desk);
  assert.equal((await ensure(desk.open())).why, 'pending');
  await stopClock(desk.database, '2026-11-21T03:01:00Z');
  assert.equal((await ensure(desk.open())).why, 'paid');
  assert.deepEqual(await desk.states(), ['void', 'settled']);
});

test('a companion that starts ends what the last one left open, and calls a person to what stays in doubt', async (t) => {
  const desk = await openDesk(t);
  await stopClock(desk.database, '2026-11-21T03:00:00Z');
  await claimAndCrash(desk, 'sent');
  const alerts = t.mock.method(console, 'warn', () => undefined);
  const { topUp } = desk.open();
  for (const [at, state] of [
    ['2026-11-21T03:00:01Z', 'sent'],
    ['2026-11-21T03:01:00Z', 'unknown'],
    ['2026-11-21T03:10:00Z', 'unknown'],
    ['2026-11-21T03:12:00Z', 'abandoned'],
  ] as const) {
    await stopClock(desk.database, at);
    await topUp.sweep();
    assert.deepEqual(await desk.states(), [state], at);
  }
  assert.equal(alerts.mock.callCount(), 1);
  assert.match(String(alerts.mock.calls[0]?.arguments[0]), /1000 VND reached agent001 has stayed unknown/);
});

test('what a crash left open is settled when the balance proves it', async (t) => {
  const desk = await openDesk(t);
  await stopClock(desk.database, '2026-11-21T03:00:00Z');
  await claimAndCrash(desk, 'sent');
  const member = desk.sandbox.world.members.get('agent001');
  assert.ok(member, 'there is no member');
  desk.sandbox.world.setBalance(member, 1000);
  await stopClock(desk.database, '2026-11-21T03:01:00Z');
  await desk.open().topUp.sweep();
  assert.deepEqual(await desk.states(), ['settled']);
});

test('a short partner account is seen before anything is sent', async (t) => {
  const desk = await openDesk(t);
  await stopClock(desk.database, '2026-11-21T03:00:00Z');
  desk.sandbox.world.setAdminBalance(999);
  const tools = desk.open();
  assert.deepEqual(await ensure(tools), {
    status: 'failed',
    why: 'admin-short',
    detail: 'the partner account is short of money',
    balance: 0,
  });
  assert.equal(desk.sandbox.world.topUps.length, 0);
  desk.sandbox.world.setAdminBalance(1000);
  assert.equal(
    (await ensure(desk.open())).why,
    'later',
    'what could not be sent is not tried at every sign-in',
  );
  await stopClock(desk.database, '2026-11-21T03:01:01Z');
  assert.equal((await ensure(desk.open())).why, 'paid', 'the limits are free again');
  assert.deepEqual(await desk.states(), ['void', 'settled']);
});

test('a short partner account stops the top-ups of all for a while, and is told of once', async (t) => {
  const desk = await openDesk(t);
  const { world } = desk.sandbox;
  const other = world.createMember('agent002', []);
  world.setAdminBalance(999);
  const { vendor } = desk.open();
  const store = openDatabase(desk.database);
  t.after(() => store.close());
  const policy = { mode: 'auto', amount: 1000, dailyLimitPerMember: 9000, dailyLimit: 9000 } as const;
  const alerts: string[] = [];
  const timing = { ...TIMING, retryMs: 300 };
  const topUp = new TopUp(vendor, new Ledger(store, 30_000), policy, {
    timing,
    alert: (text) => void alerts.push(text),
  });
  const login = async (memberNo: string) => {
    const member = memberNoSchema.parse(memberNo);
    return (await topUp.ensure(member, await vendor.readMember(member), 'session')).why;
  };
  const questions = () => world.requests.filter(({ path }) => path === '/api/account/balance').length;

  assert.equal(await login('agent001'), 'admin-short');
  for (const memberNo of ['agent002', 'agent001', 'agent002'])
    assert.equal(await login(memberNo), 'admin-short');
  assert.deepEqual([questions(), alerts.length], [1, 1]);
  assert.match(alerts[0] ?? '', /partner account is short of money/);
  await delay(310);
  assert.equal(await login('agent002'), 'admin-short');
  assert.deepEqual([questions(), alerts.length], [2, 1]);

  world.setAdminBalance(1000);
  await delay(310);
  assert.equal(await login('agent002'), 'paid');
  world.setBalance(other, 0);
  assert.equal(await login('agent002'), 'admin-short');
  assert.deepEqual([questions(), alerts.length], [4, 2]);
});

test('a run that was held up after the fence does not send', async (t) => {
  const desk = await openDesk(t);
  const { vendor } = desk.open();
  const store = openDatabase(desk.database);
  t.after(() => store.close());
  const policy = { mode: 'auto', amount: 1000, dailyLimitPerMember: 1000, dailyLimit: 1000 } as const;
  // As slow as a laptop that was asleep between the fence and the POST.
  const ledger = new Ledger(store, 30_000);
  const topUp = new TopUp(vendor, ledger, policy, { timing: { ...TIMING, leaseMs: 0 } });
  assert.equal((await topUp.ensure(agent, await vendor.readMember(agent), 'session')).why, 'pending');
  assert.deepEqual([desk.sandbox.world.topUps.length, await desk.states()], [0, ['void']]);
});

test('a session does not wait for a slow top-up, but the command line does, and so does closing', async (t) => {
  const desk = await openDesk(t);
  desk.sandbox.world.createMember('agent002', []);
  const { vendor, asked, release } = await holdTopUps(t, desk);
  const configuration = readEnvironment({ DATABASE_URL: desk.database });
  const companion = createCompanion(configuration, vendor, 50);
  const origin = await serve(t, (request, env) => companion.fetch(request, env));
  const cookie = await signIn(origin, 'agent002');
  const money = openMoney(configuration, new OpenApi(vendor));
  t.after(() => money.close());
  const commandLine = ensure({ vendor: new OpenApi(vendor), topUp: money.topUp }, 'operator');
  const session = await post(`${origin}/dialer/session`, { cookie });
  const { token, member, blockers } = (await session.json()) as SessionAnswer;
  assert.ok(token, 'there is no token');
  assert.deepEqual([member?.balance, blockers], [0, ['insufficient-funds']]);
  await asked;
  assert.deepEqual(await desk.states(), ['sent', 'sent']);
  const closed = companion.close();
  release();
  await closed;
  assert.deepEqual(
    [(await commandLine).why, await desk.states(), desk.paid()],
    ['paid', ['settled', 'settled'], 2],
  );
});

test('a companion says in its log, and nowhere else, what a person has to look at', async (t) => {
  const desk = await openDesk(t);
  await stopClock(desk.database, '2026-11-21T03:00:00Z');
  await claimAndCrash(desk, 'sent');
  await stopClock(desk.database, '2026-11-21T03:01:00Z');
  await desk.open().topUp.sweep();
  await stopClock(desk.database, '2026-11-21T03:12:00Z');
  const env = { PATH: process.env['PATH'] ?? '', PORT: '0', DATABASE_URL: desk.database, LOG_LEVEL: 'error' };
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), MAIN, 'serve'], { env });
  t.after(() => child.kill('SIGKILL'));
  let [out, err] = ['', ''];
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    if (out.includes('"msg"')) child.kill('SIGTERM');
  });
  await once(child, 'close');
  assert.match(out, /"level":50.+"msg":"Top-up \S+: whether 1000 VND reached agent001 has stayed unknown\."/);
  assert.equal(err, '');
});

/** A vendor that answers no top-up until it is told to; `asked` resolves when two have been ordered. */
async function holdTopUps(t: TestContext, { sandbox }: Desk) {
  const hold = new AbortController();
  const released = once(hold.signal, 'abort');
  const orders = new EventTarget();
  let count = 0;
  const origin = await serve(t, async (request) => {
    const { pathname, search } = new URL(request.url);
    if (pathname.endsWith('/addMoney')) {
      count += 1;
      orders.dispatchEvent(new Event(`order ${count}`));
      await released;
    }
    const { method } = request;
    const headers = { 'Content-Type': 'application/json', 'X-API-Key': sandbox.apiKey };
    const body = method === 'GET' ? null : await request.text();
    const response = await fetch(`${sandbox.origin}${pathname}${search}`, { method, headers, body });
    return Response.json(await response.json(), { status: response.status });
  });
  const vendor: Vendor = { baseUrl: `${origin}/vendor/v3.0`, apiKey: sandbox.apiKey };
  return { vendor, asked: once(orders, 'order 2'), release: () => hold.abort() };
}

/** A process that died after the claim, or after the fence. */
async function claimAndCrash(desk: Desk, state: 'claimed' | 'sent' = 'claimed'): Promise<void> {
  const store = openDatabase(desk.database);
  const ledger = new Ledger(store, 30_000);
  const limits = { dailyLimitPerMember: 1000, dailyLimit: 9000, retryMs: 0, quarantineMs: 0, coolDownMs: 0 };
  const claim = await ledger.claim({ memberNo: 'agent001', amount: 1000, reason: 'session', ...limits });
  assert.ok(typeof claim === 'object', String(claim));
  if (state === 'sent') assert.ok(await ledger.send(claim, 0), 'the ledger refused');
  await store.close();
}
