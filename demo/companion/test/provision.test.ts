/** The four steps: in which order they are asked, what they cost, and what they make of a vendor that differs from ours. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Hotlines } from '../hotlines.ts';
import {
  assignMissingHotline,
  findBlockers,
  provision,
  readStatus,
  topUpMember,
  type Dependencies,
  type Step,
} from '../provision.ts';
import { agent, setUp as setUpMoney } from './money.ts';
import { HOTLINES, PATHS, type Fault, type StubVendor } from './vendor.ts';

interface Setup {
  readonly stub: StubVendor;
  readonly dependencies: Dependencies;
  /** The paths that were asked since the last time, in order. */
  paths(): string[];
  run(report?: (step: Step) => void): ReturnType<typeof provision>;
}

async function setUp(t: TestContext, hotlineCode?: string): Promise<Setup> {
  const { stub, open, openStore } = await setUpMoney(t);
  // They are new to the vendor.
  stub.members.clear();
  const tools = open();
  const dependencies = { ...tools, hotlines: new Hotlines(tools.vendor, openStore()), hotlineCode };
  return {
    stub,
    dependencies,
    paths: () => stub.requests.splice(0).map(({ path }) => path),
    run: (report = () => undefined) => provision(agent, dependencies, 'session', report),
  };
}

test('an unknown member costs the four steps in their order, and can call', async (t) => {
  const { run, paths, stub } = await setUp(t);
  const steps: Step[] = [];
  const readiness = await run((step) => steps.push(step));
  assert.deepEqual([findBlockers(readiness), readiness.member.balance, stub.paid.length], [[], 1000, 1]);
  assert.deepEqual(paths().slice(0, 3), [PATHS.hotlines, PATHS.token, PATHS.member]);
  assert.deepEqual(
    steps.map(({ step, name, status }) => `${step} ${name} ${status}`),
    ['1 hotlines done', '2 token done', '3 member done', '4 top-up done', '4 hotline skipped'],
  );
});

test('a known member costs two calls at the same time', async (t) => {
  const { run, paths, stub } = await setUp(t);
  await run();
  paths();
  const waiting: (() => void)[] = [];
  // Neither is answered before both are there.
  stub.before = () =>
    new Promise<void>((resolve) => {
      if (waiting.push(resolve) === 2) for (const answer of waiting.splice(0)) answer();
    });
  await run();
  assert.deepEqual(paths().toSorted(), [PATHS.member, PATHS.token]);
});

const strange: Readonly<Record<string, Fault>> = {
  'error 1': { kind: 'error', value: 1, message: 'Member is unknown' },
  'error 400': { kind: 'error', value: 400, message: 'member_no is invalid' },
  'HTTP 400 without an envelope': { kind: 'answer', status: 400, body: { detail: 'unknown member' } },
  'HTTP 404 with a page': { kind: 'status', value: 404 },
  'HTTP 500 with an envelope': {
    kind: 'answer',
    status: 500,
    body: { error: 500, message: 'null reference' },
  },
  'success without data': { kind: 'answer', body: { error: 0, message: 'ok', data: null } },
};
for (const [what, fault] of Object.entries(strange)) {
  test(`a slow token and a vendor that says "unknown member" by ${what} end in a member who can call`, async (t) => {
    const { run, stub } = await setUp(t);
    stub.before = ({ path }) => {
      if (path === PATHS.member && !stub.members.has('agent001'))
        stub.faults.set(PATHS.member, { ...fault, times: 1 });
      return path === PATHS.token ? new Promise((resolve) => setTimeout(resolve, 50)) : undefined;
    };
    assert.deepEqual(findBlockers(await run()), []);
    // It is known now, and forgotten by the vendor: what was refused before the token came is read again.
    stub.members.delete('agent001');
    assert.equal((await run()).token, 'eyJ.token.of-the-stub');
  });
}

for (const [what, fault] of Object.entries<Fault>({
  'error 2': { kind: 'error', value: 2 },
  'success without data': { kind: 'answer', body: { error: 0, message: 'success' } },
})) {
  test(`a member who is there only a moment after the token, and until then is ${what}, is read again`, async (t) => {
    const { run, stub } = await setUp(t);
    stub.faults.set(PATHS.member, { ...fault, times: 2 });
    assert.deepEqual(findBlockers(await run()), []);
  });
}

const answers: readonly [string, Fault, boolean][] = [
  [
    'refused, as it is there already',
    { kind: 'answer-after', body: { error: 409, message: 'exists' } },
    true,
  ],
  [
    'refused with a code of its own, as it is there already',
    { kind: 'answer-after', body: { error: 17 } },
    true,
  ],
  ['answered by nothing', { kind: 'answer-after', body: {} }, true],
  ['answered without an envelope', { kind: 'answer-after', body: true }, true],
  ['done, but the answer is lost', { kind: 'drop-after' }, true],
  ['refused', { kind: 'error', value: 17, message: 'No such number' }, false],
  ['answered by nothing, and not done', { kind: 'answer', body: {} }, false],
  ['answered by false, but done', { kind: 'answer-after', body: { error: 0, data: false } }, true],
  ['answered by false, and not done', { kind: 'answer', body: { error: 0, data: false } }, false],
];
for (const [what, fault, isAssigned] of answers) {
  test(`whether a hotline was assigned is read from the member when hotline/member/add is ${what}`, async (t) => {
    const { run, stub } = await setUp(t);
    stub.add('agent001', { balance: 500 });
    stub.faults.set(PATHS.assign, { ...fault, times: 1 });
    const steps: Step[] = [];
    const { hotlines } = await run((step) => steps.push(step));
    assert.deepEqual([hotlines?.length, steps.at(-1)?.status], isAssigned ? [1, 'done'] : [0, 'failed']);
    if (fault.kind === 'error')
      assert.match(steps.at(-1)?.detail ?? '', /No such number/, "the vendor's words are told");
  });
}

for (const [tells, what] of [
  [true, 'lists no hotline of the member'],
  [false, 'never lists hotlines'],
] as const) {
  test(`a hotline that hotline/member/add refuses is none, where the vendor ${what}: nothing is paid, by the session or by the buttons`, async (t) => {
    const { run, stub, dependencies } = await setUp(t);
    stub.tellsHotlines = tells;
    stub.faults.set(PATHS.assign, { kind: 'error', value: 1, message: 'Hotline is inactive' });
    stub.add('agent001');
    const steps: Step[] = [];
    assert.deepEqual(findBlockers(await run((step) => steps.push(step))), [
      'insufficient-funds',
      'no-hotline',
    ]);
    const { status, detail = '' } = steps.at(-1) ?? {};
    assert.equal(status, 'failed');
    assert.match(detail, /Sales \(HL_SALES\) could not be assigned.*“Hotline is inactive”/);
    assert.equal((await topUpMember(agent, dependencies)).why, 'no-hotline');
    assert.equal((await assignMissingHotline(agent, dependencies)).assignment.status, 'failed');
    assert.deepEqual(findBlockers(await readStatus(agent, dependencies)), [
      'insufficient-funds',
      'no-hotline',
    ]);
    assert.equal(stub.asked(PATHS.money), 0);
    stub.faults.clear();
    assert.equal((await topUpMember(agent, dependencies)).why, 'paid', 'the button assigns it first');
    assert.deepEqual(findBlockers(await run()), []);
  });
}

for (const written of ['02899990001', '+842899990001', 'HL_SALES']) {
  test(`a hotline that the vendor lists as ${written} is not assigned again`, async (t) => {
    const { run, stub } = await setUp(t);
    stub.add('agent001', { balance: 500, hotlines: [written] });
    assert.deepEqual(
      (await run()).hotlines?.map(({ code }) => code),
      ['HL_SALES'],
    );
    assert.equal(stub.asked(PATHS.assign), 0);
  });
}

test('a hotline of a service number is not assigned again, however the vendor writes it', async (t) => {
  const { run, stub } = await setUp(t);
  stub.hotlines = [{ hotline_name: 'Care', hotline_number: '841900123456', hotline_code: 'HL_1900' }];
  stub.add('agent001', { balance: 500, hotlines: ['1900123456'] });
  assert.deepEqual(
    (await run()).hotlines?.map(({ code }) => code),
    ['HL_1900'],
  );
  assert.equal(stub.asked(PATHS.assign), 0);
});

test('a member who has a hotline keeps to it: HOTLINE_CODE is for members without one', async (t) => {
  const { run, stub, dependencies } = await setUp(t, 'HL_CARE');
  const member = stub.add('agent001', { balance: 500, hotlines: ['842899990001'] });
  const { hotlines } = await run();
  assert.deepEqual([hotlines?.map(({ code }) => code), member.hotlines], [['HL_SALES'], ['842899990001']]);
  await topUpMember(agent, dependencies);
  await assignMissingHotline(agent, dependencies);
  assert.equal(stub.asked(PATHS.assign), 0, 'nor do the buttons of the guide give another one');
  member.hotlines = [];
  assert.deepEqual(
    (await run()).hotlines?.map(({ code }) => code),
    ['HL_CARE'],
  );
});

test('a hotline that was ordered for a member is added to their own, or the step says why not', async (t) => {
  const { stub, paths, dependencies } = await setUp(t, 'HL_GONE');
  const ordered = { ...dependencies, orderedHotline: 'HL_CARE' };
  const member = stub.add('agent001', { balance: 500, hotlines: ['842899990001'] });
  stub.faults.set(PATHS.assign, { kind: 'error', value: 1, message: 'Hotline is inactive', times: 1 });
  const steps: Step[] = [];
  const codesOf = async () =>
    (await provision(agent, ordered, 'session', (step) => steps.push(step))).hotlines?.map(
      ({ code }) => code,
    );
  assert.deepEqual(await codesOf(), ['HL_SALES']);
  const { status, detail = '' } = steps.at(-1) ?? {};
  assert.deepEqual([status, detail.includes('Care'), detail.includes('has Sales')], ['failed', true, true]);
  assert.deepEqual(await codesOf(), ['HL_CARE', 'HL_SALES'], 'it is the first');
  assert.deepEqual(member.hotlines, ['842899990001', '842899990002']);
  paths();
  await codesOf();
  assert.equal(paths().includes(PATHS.assign), false, 'once is enough');
});

test('where the vendor never lists the hotlines of a member, our own record counts', async (t) => {
  const { run, stub, paths, dependencies } = await setUp(t);
  stub.tellsHotlines = false;
  assert.deepEqual(findBlockers(await run()), []);
  assert.equal(paths().includes(PATHS.assign), true);
  assert.deepEqual(findBlockers(await run()), []);
  assert.equal(paths().includes(PATHS.assign), false);
  const { assignment } = await assignMissingHotline(agent, dependencies);
  assert.deepEqual(
    [assignment.status, paths().includes(PATHS.assign)],
    ['done', true],
    'the agent outweighs it',
  );
});

test('with a HOTLINE_CODE that does not exist nothing is spent, by the session or by the button', async (t) => {
  const { run, stub, dependencies } = await setUp(t, 'HL_GONE');
  const steps: Step[] = [];
  const readiness = await run((step) => steps.push(step));
  assert.deepEqual(findBlockers(readiness), ['insufficient-funds', 'no-hotline']);
  assert.match(steps[0]?.detail ?? '', /HL_GONE is not among the 2 that the vendor lists/);
  assert.match(steps[3]?.detail ?? '', /no hotline/);
  assert.equal((await topUpMember(agent, dependencies)).why, 'no-hotline');
  assert.equal(stub.asked(PATHS.money), 0);
  stub.members.get('agent001')!.hotlines = [HOTLINES[1]?.hotline_number ?? ''];
  assert.deepEqual(findBlockers(await run()), [], 'whoever has another hotline can call with it');
});

test('the button of the guide costs two reads of the member, and the status after it none', async (t) => {
  const { run, stub, paths, dependencies } = await setUp(t);
  stub.add('agent001', { hotlines: ['842899990001'], balance: 1 });
  await run();
  stub.members.get('agent001')!.balance = 0;
  paths();
  const { member } = await topUpMember(agent, dependencies);
  assert.deepEqual(findBlockers(await readStatus(agent, dependencies, member)), []);
  assert.equal(paths().filter((path) => path === PATHS.member).length, 2);
});

test('the list of hotlines is refreshed while the old one is used, and the old one stays when that fails', async (t) => {
  const { stub, dependencies } = await setUp(t);
  const name = async () => (await dependencies.hotlines.list())[0]?.name;
  const now = performance.now.bind(performance);
  let later = 0;
  t.mock.method(performance, 'now', () => now() + later);
  assert.deepEqual([await name(), await name(), stub.asked(PATHS.hotlines)], ['Sales', 'Sales', 1]);
  stub.hotlines = [{ ...HOTLINES[0], hotline_name: 'New' }];
  later = 61_000;
  assert.equal(await name(), 'Sales', 'nobody waits');
  while ((await name()) === 'Sales') await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([await name(), stub.asked(PATHS.hotlines)], ['New', 2]);
  stub.faults.set(PATHS.hotlines, { kind: 'error', value: 500 });
  later += 11 * 60_000;
  const { mock } = t.mock.method(dependencies.vendor, 'listHotlines');
  while (mock.callCount() === 0) {
    assert.equal(await name(), 'New');
    await new Promise((resolve) => setImmediate(resolve));
  }
  await assert.rejects(mock.calls[0]?.result as Promise<unknown>);
  assert.equal(await name(), 'New');
});

test('a database that never responds delays an agent for half a second', { timeout: 20_000 }, async (t) => {
  const { dependencies, stub } = await setUp(t);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let waits = 0;
  const waitHalfASecond = () => {
    waits += 1;
    setImmediate(() => t.mock.timers.tick(500));
    return new Promise<never>(() => undefined);
  };
  const database = {
    read: waitHalfASecond,
    write: waitHalfASecond,
    transact: waitHalfASecond,
    close: waitHalfASecond,
  };
  stub.tellsHotlines = false;
  stub.add('agent001', { balance: 5000 });
  const hotlines = new Hotlines(dependencies.vendor, database);
  const { hotlines: held } = await provision(
    agent,
    { ...dependencies, hotlines },
    'session',
    () => undefined,
  );
  assert.deepEqual([held, stub.asked(PATHS.assign), waits], [undefined, 0, 1]);
});

const gone = () => Promise.reject(new Error('connect ECONNREFUSED'));

test('while the database is away, nobody gets another hotline than their own, and nobody is paid for that', async (t) => {
  const { run, stub, dependencies } = await setUp(t);
  stub.tellsHotlines = false;
  const member = stub.add('agent001', { hotlines: ['842899990002'] });
  const database = { read: gone, write: gone, transact: gone, close: gone };
  const away = { ...dependencies, hotlines: new Hotlines(dependencies.vendor, database) };
  const steps: Step[] = [];
  const readiness = await provision(agent, away, 'session', (step) => steps.push(step));
  assert.deepEqual([readiness.hotlines, findBlockers(readiness)], [undefined, ['insufficient-funds']]);
  assert.deepEqual(
    steps.slice(-2).map(({ name, status }) => [name, status]),
    [
      ['top-up', 'failed'],
      ['hotline', 'failed'],
    ],
  );
  assert.match(steps.at(-1)?.detail ?? '', /^not assigned: the vendor does not list .+ cannot be read$/);
  assert.equal((await topUpMember(agent, away)).why, 'ledger', 'by the button, too');
  assert.deepEqual([member.hotlines, stub.asked(PATHS.money)], [['842899990002'], 0]);
  // What an operator orders is assigned.
  const ordered = { ...away, orderedHotline: 'HL_SALES' };
  const { hotlines } = await provision(agent, ordered, 'operator', () => undefined);
  assert.deepEqual(
    hotlines?.map(({ code }) => code),
    ['HL_SALES'],
  );
  assert.deepEqual(findBlockers(await run()), []);
});

test('a companion learns within a minute of a hotline that another process has assigned, and keeps what it knows', async (t) => {
  const { stub, openStore, open } = await setUpMoney(t);
  stub.tellsHotlines = false;
  stub.add('agent001', { balance: 500 });
  const now = performance.now.bind(performance);
  let later = 0;
  t.mock.method(performance, 'now', () => now() + later);
  const passAMinute = () => {
    later += 61_000;
    // The cache reads the time once a millisecond.
    return delay(5);
  };
  const { vendor } = open();
  const database = openStore();
  const running = new Hotlines(vendor, database);
  const codes = async (hotlines = running) => {
    const { hotlines: held } = await readStatus(agent, {
      vendor,
      hotlines,
      hotlineCode: undefined,
      topUp: undefined,
    });
    return held?.map(({ code }) => code).toSorted();
  };
  const [sales, care] = await running.list();
  await running.assign(agent, sales);
  await new Hotlines(vendor, openStore()).assign(agent, care);
  assert.deepEqual(await codes(), ['HL_SALES'], 'nobody waits for the record at every request');
  await passAMinute();
  const { mock } = t.mock.method(database, 'read', gone);
  assert.deepEqual([await codes(), mock.callCount()], [['HL_SALES'], 1]);
  mock.restore();
  await passAMinute();
  assert.deepEqual(await codes(), ['HL_CARE', 'HL_SALES']);
});
