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

interface Setup {
  readonly sandbox: RunningSandbox;
  readonly database: string;
  /** A companion's tools on the same ledger file, as a restart or a second process has them. */
  open(env?: Record<string, string>): Tools;
  paid(): number;
  /** States of all movements, in order. */
  states(): Promise<string[]>;
}

async function setUp(t: TestContext): Promise<Setup> {
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

function fail(setup: Setup, fault: Fault): void {
  setup.sandbox.world.faults.set('/api/member/addMoney', fault);
}

const GENEROUS = { TOP_UP_DAILY_LIMIT_PER_MEMBER: '100000' };

test('a member at 0 gets one top-up, a member with money none', async (t) => {
  const setup = await setUp(t);
  const tools = setup.open(GENEROUS);
  assert.deepEqual(await ensure(tools), {
    status: 'done',
    why: 'paid',
    detail: '1000 VND added: 0 → 1000',
    balance: 1000,
  });
  assert.equal((await ensure(tools)).why, 'enough');
  assert.equal(setup.paid(), 1);
  assert.deepEqual(await setup.states(), ['settled']);
});

test('many logins at once cost one top-up', async (t) => {
  const setup = await setUp(t);
  const tools = setup.open(GENEROUS);
  await Promise.all(Array.from({ length: 20 }, () => ensure(tools)));
  assert.equal(setup.paid(), 1);
});

test('logins at several companions on one ledger at once cost one top-up', async (t) => {
  const setup = await setUp(t);
  const companions = Array.from({ length: 4 }, () => setup.open(GENEROUS));
  await Promise.all(companions.flatMap((tools) => [ensure(tools), ensure(tools), ensure(tools)]));
  assert.equal(setup.paid(), 1);
});

test('a login that read the balance before somebody else paid does not pay again', async (t) => {
  const setup = await setUp(t);
  const tools = setup.open(GENEROUS);
  const stale = await tools.vendor.readMember(agent);
  await ensure(tools);
  assert.equal((await tools.topUp.ensure(agent, stale, 'session')).why, 'enough');
  assert.equal(setup.paid(), 1);
  assert.deepEqual(await setup.states(), ['settled', 'void']);
});

for (const kind of ['drop-after', 'cut'] as const) {
  test(`a top-up whose answer is lost (${kind}) is not paid twice`, async (t) => {
    const setup = await setUp(t);
    const tools = setup.open(GENEROUS);
    fail(setup, { kind, times: 1 });
    const result = await ensure(tools);
    assert.deepEqual([result.status, result.balance], ['done', 1000]);
    await ensure(tools);
    assert.equal(setup.paid(), 1);
    assert.deepEqual(await setup.states(), ['settled']);
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
    const setup = await setUp(t);
    const tools = setup.open(GENEROUS);
    fail(setup, { ...fault, times: 1 });
    assert.equal((await ensure(tools)).why, 'unconfirmed');
    assert.equal((await ensure(tools)).why, 'pending');
    assert.equal((await ensure(setup.open(GENEROUS))).why, 'pending', 'after a restart too');
    const posts = setup.sandbox.world.requests.filter(({ path }) => path === '/api/member/addMoney');
    assert.equal(posts.length, 1);
    assert.deepEqual(await setup.states(), ['unknown']);
  });
}

test('money that arrives late settles the doubt', async (t) => {
  const setup = await setUp(t);
  const tools = setup.open(GENEROUS);
  fail(setup, { kind: 'drop', times: 1 });
  await ensure(tools);
  const member = setup.sandbox.world.members.get('agent001');
  assert.ok(member, 'there is no member');
  setup.sandbox.world.setBalance(member, 1000);
  assert.equal((await ensure(tools)).why, 'enough');
  await tools.topUp.sweep();
  assert.deepEqual(await setup.states(), ['settled']);
});

test('after the quarantine the member is free again, but the doubt still counts against the day', async (t) => {
  const setup = await setUp(t);
  await stopClock(setup.database, '2026-11-21T03:00:00Z');
  fail(setup, { kind: 'drop', times: 1 });
  await ensure(setup.open());
  await stopClock(setup.database, '2026-11-21T03:11:00Z');
  assert.equal((await ensure(setup.open())).why, 'limit');
  assert.deepEqual(await setup.states(), ['abandoned']);
  assert.equal((await ensure(setup.open({ TOP_UP_DAILY_LIMIT_PER_MEMBER: '2000' }))).why, 'paid');
});

for (const [code, why] of [
  [402, 'short'],
  [-1, 'on a call'],
  [404, 'not know'],
  [401, 'not accepted'],
] as const) {
  test(`a refusal with ${code} says why, gives the share back, and is not asked for again at once`, async (t) => {
    const setup = await setUp(t);
    await stopClock(setup.database, '2026-11-21T03:00:00Z');
    fail(setup, { kind: 'error', value: code, times: 1 });
    const result = await ensure(setup.open());
    assert.deepEqual([result.why, result.vendorCode], ['refused', code]);
    assert.match(result.detail, new RegExp(why));
    assert.equal((await ensure(setup.open())).why, 'later', 'after a restart too');
    await stopClock(setup.database, '2026-11-21T03:01:00Z');
    assert.equal((await ensure(setup.open())).why, 'paid');
    assert.deepEqual(await setup.states(), ['failed', 'settled']);
  });
}

test('nothing is sent when the balance cannot be read', async (t) => {
  const setup = await setUp(t);
  const tools = setup.open();
  const member = await tools.vendor.readMember(agent);
  setup.sandbox.world.faults.set('/api/member/getByMemberNo', { kind: 'garbage' });
  assert.equal((await tools.topUp.ensure(agent, member, 'session')).why, 'vendor');
  assert.deepEqual(await setup.states(), ['void']);
  assert.equal(setup.sandbox.world.topUps.length, 0);
});

test('the limit of a member is per day in Vietnam, and a restart does not lift it', async (t) => {
  const setup = await setUp(t);
  const member = setup.sandbox.world.members.get('agent001');
  assert.ok(member, 'there is no member');
  const spendAll = () => setup.sandbox.world.setBalance(member, 0);
  await stopClock(setup.database, '2026-11-21T16:00:00Z');
  assert.equal((await ensure(setup.open())).why, 'paid');
  spendAll();
  assert.equal((await ensure(setup.open())).why, 'limit');
  await stopClock(setup.database, '2026-11-21T17:01:00Z');
  assert.equal((await ensure(setup.open())).why, 'paid');
});

test('the limit of all members holds', async (t) => {
  const setup = await setUp(t);
  const other = memberNoSchema.parse('agent002');
  setup.sandbox.world.createMember(other, []);
  const tools = setup.open({ TOP_UP_DAILY_LIMIT: '1500' });
  await ensure(tools);
  const result = await tools.topUp.ensure(other, await tools.vendor.readMember(other), 'session');
  assert.equal(result.why, 'limit');
  assert.equal(setup.paid(), 1);
});

test('mode request pays only when the agent or an operator asks', async (t) => {
  const setup = await setUp(t);
  const tools = setup.open({ TOP_UP_MODE: 'request' });
  assert.equal((await ensure(tools, 'session')).why, 'not-asked');
  assert.equal((await ensure(tools, 'agent')).why, 'paid');
});

test('mode off pays for nobody', async (t) => {
  const setup = await setUp(t);
  const tools = setup.open({ TOP_UP_MODE: 'off' });
  for (const reason of ['session', 'agent', 'operator'] as const) {
    assert.equal((await ensure(tools, reason)).why, 'off');
  }
  assert.equal(setup.paid(), 0);
});

test('an account that has ended gets no money', async (t) => {
  const setup = await setUp(t);
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 400 * 86_400_000 });
  assert.equal((await ensure(setup.open())).why, 'ended');
  assert.equal(setup.paid(), 0);
});

test('a claim left behind by a crash blocks the member only until its lease is over', async (t) => {
  const setup = await setUp(t);
  await stopClock(setup.database, '2026-11-21T03:00:00Z');
  await claimAndCrash(setup);
  assert.equal((await ensure(setup.open())).why, 'pending');
  await stopClock(setup.database, '2026-11-21T03:01:00Z');
  assert.equal((await ensure(setup.open())).why, 'paid');
  assert.deepEqual(await setup.states(), ['void', 'settled']);
});

test('a companion that starts ends what the last one left open, and calls a person to what stays in doubt', async (t) => {
  const setup = await setUp(t);
  await stopClock(setup.database, '2026-11-21T03:00:00Z');
  await claimAndCrash(setup, 'sent');
  const alerts = t.mock.method(console, 'warn', () => undefined);
  const { topUp } = setup.open();
  for (const [at, state] of [
    ['2026-11-21T03:00:01Z', 'sent'],
    ['2026-11-21T03:01:00Z', 'unknown'],
    ['2026-11-21T03:10:00Z', 'unknown'],
    ['2026-11-21T03:12:00Z', 'abandoned'],
  ] as const) {
    await stopClock(setup.database, at);
    await topUp.sweep();
    assert.deepEqual(await setup.states(), [state], at);
  }
  assert.equal(alerts.mock.callCount(), 1);
  assert.match(String(alerts.mock.calls[0]?.arguments[0]), /1000 VND reached agent001 has stayed unknown/);
});

test('what a crash left open is settled when the balance proves it', async (t) => {
  const setup = await setUp(t);
  await stopClock(setup.database, '2026-11-21T03:00:00Z');
  await claimAndCrash(setup, 'sent');
  const member = setup.sandbox.world.members.get('agent001');
  assert.ok(member, 'there is no member');
  setup.sandbox.world.setBalance(member, 1000);
  await stopClock(setup.database, '2026-11-21T03:01:00Z');
  await setup.open().topUp.sweep();
  assert.deepEqual(await setup.states(), ['settled']);
});

test('a short partner account is seen before anything is sent', async (t) => {
  const setup = await setUp(t);
  await stopClock(setup.database, '2026-11-21T03:00:00Z');
  setup.sandbox.world.setAdminBalance(999);
  const tools = setup.open();
  assert.deepEqual(await ensure(tools), {
    status: 'failed',
    why: 'admin-short',
    detail: 'the partner account is short of money',
    balance: 0,
  });
  assert.equal(setup.sandbox.world.topUps.length, 0);
  setup.sandbox.world.setAdminBalance(1000);
  assert.equal(
    (await ensure(setup.open())).why,
    'later',
    'what could not be sent is not tried at every sign-in',
  );
  await stopClock(setup.database, '2026-11-21T03:01:01Z');
  assert.equal((await ensure(setup.open())).why, 'paid', 'the limits are free again');
  assert.deepEqual(await setup.states(), ['void', 'settled']);
});

test('a short partner account stops the top-ups of all for a while, and is told of once', async (t) => {
  const setup = await setUp(t);
  const { world } = setup.sandbox;
  const other = world.createMember('agent002', []);
  world.setAdminBalance(999);
  const { vendor } = setup.open();
  const store = openDatabase(setup.database);
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
  const setup = await setUp(t);
  const { vendor } = setup.open();
  const store = openDatabase(setup.database);
  t.after(() => store.close());
  const policy = { mode: 'auto', amount: 1000, dailyLimitPerMember: 1000, dailyLimit: 1000 } as const;
  // As slow as a laptop that was asleep between the fence and the POST.
  const ledger = new Ledger(store, 30_000);
  const topUp = new TopUp(vendor, ledger, policy, { timing: { ...TIMING, leaseMs: 0 } });
  assert.equal((await topUp.ensure(agent, await vendor.readMember(agent), 'session')).why, 'pending');
  assert.deepEqual([setup.sandbox.world.topUps.length, await setup.states()], [0, ['void']]);
});

test('a session does not wait for a slow top-up, but the command line does, and so does closing', async (t) => {
  const setup = await setUp(t);
  setup.sandbox.world.createMember('agent002', []);
  const { vendor, asked, release } = await holdTopUps(t, setup);
  const configuration = readEnvironment({ DATABASE_URL: setup.database });
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
  assert.deepEqual(await setup.states(), ['sent', 'sent']);
  const closed = companion.close();
  release();
  await closed;
  assert.deepEqual(
    [(await commandLine).why, await setup.states(), setup.paid()],
    ['paid', ['settled', 'settled'], 2],
  );
});

test('a companion says in its log, and nowhere else, what a person has to look at', async (t) => {
  const setup = await setUp(t);
  await stopClock(setup.database, '2026-11-21T03:00:00Z');
  await claimAndCrash(setup, 'sent');
  await stopClock(setup.database, '2026-11-21T03:01:00Z');
  await setup.open().topUp.sweep();
  await stopClock(setup.database, '2026-11-21T03:12:00Z');
  const env = {
    PATH: process.env['PATH'] ?? '',
    PORT: '0',
    DATABASE_URL: setup.database,
    LOG_LEVEL: 'error',
  };
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
async function holdTopUps(t: TestContext, { sandbox }: Setup) {
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
async function claimAndCrash(setup: Setup, state: 'claimed' | 'sent' = 'claimed'): Promise<void> {
  const store = openDatabase(setup.database);
  const ledger = new Ledger(store, 30_000);
  const limits = { dailyLimitPerMember: 1000, dailyLimit: 9000, retryMs: 0, quarantineMs: 0, coolDownMs: 0 };
  const claim = await ledger.claim({ memberNo: 'agent001', amount: 1000, reason: 'session', ...limits });
  assert.ok(typeof claim === 'object', String(claim));
  if (state === 'sent') assert.ok(await ledger.send(claim, 0), 'the ledger refused');
  await store.close();
}
