/** What provisioning costs in round trips, and what it does without its database. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { AssignmentRecord } from '../../../demo/server/money/assignment-record.ts';
import { openDatabase } from '../../../demo/server/money/open-database.ts';
import { Ledger } from '../../../demo/server/money/ledger.ts';
import { TIMING } from '../../../demo/server/money/timing.ts';
import { memberNoSchema } from '../../../demo/server/vendor/data.ts';
import { OpenApi } from '../../../demo/server/vendor.ts';
import { Hotlines } from '../../../demo/server/hotlines.ts';
import { provision, type Dependencies } from '../../../demo/server/provision.ts';
import type { Step } from '../../../demo/server/operations/steps.ts';
import { TopUp } from '../../../demo/server/money/top-up.ts';
import { makeFolder, serve, startSandbox } from '../servers.ts';

const agent = memberNoSchema.parse('agent001');
const POLICY = { mode: 'auto', amount: 1000, dailyLimitPerMember: 1000, dailyLimit: 9000 } as const;
const HOTLINE = { hotline_name: 'Sales', hotline_number: '842899990001', hotline_code: 'HL_SALES' };

function open(
  t: TestContext,
  vendor: { baseUrl: string; apiKey: string },
  databaseUrl: string,
): Dependencies {
  const api = new OpenApi(vendor, { deadline: 2000 });
  const database = openDatabase(databaseUrl);
  t.after(async () => {
    await api.close();
    await database.close();
  });
  const topUp = new TopUp(api, new Ledger(database, TIMING.leaseMs), POLICY);
  return {
    vendor: api,
    topUp,
    hotlines: new Hotlines(api, new AssignmentRecord(database)),
    hotlineCode: undefined,
  };
}

const run = (dependencies: Dependencies, report: (step: Step) => void = () => undefined) =>
  provision(agent, dependencies, 'session', report);

test('a known member costs one round trip: token and member are asked for at the same time', async (t) => {
  const paths: string[] = [];
  const waiting: (() => void)[] = [];
  const baseUrl = await serve(t, async (request) => {
    const { pathname } = new URL(request.url);
    paths.push(pathname);
    if (pathname.endsWith('getAll')) return Response.json({ error: 0, data: [HOTLINE] });
    // Neither is answered before both are there.
    await new Promise<void>((resolve) => {
      if (waiting.push(resolve) === 2) for (const answer of waiting.splice(0)) answer();
    });
    const member = { member_no: agent, member_money: 500, hotlines: [HOTLINE.hotline_number] };
    return Response.json({ error: 0, data: pathname.endsWith('tokenSdk') ? 'a.b.c' : member });
  });
  const dependencies = open(t, { baseUrl, apiKey: 'k' }, `file:${await makeFolder(t)}/companion.db`);
  assert.equal((await run(dependencies)).token, 'a.b.c');
  paths.length = 0;
  await run(dependencies);
  assert.deepEqual(paths.toSorted(), ['/api/member/getByMemberNo', '/api/sdk/tokenSdk']);
});

test('the list of hotlines is asked for again behind the back of whoever needs it, and waited for when too old', async (t) => {
  let asked = 0;
  const second = new AbortController();
  const baseUrl = await serve(t, async () => {
    asked += 1;
    if (asked === 2 && !second.signal.aborted) await once(second.signal, 'abort');
    return Response.json({ error: 0, data: [{ ...HOTLINE, hotline_name: `List ${asked}` }] });
  });
  const { hotlines } = open(t, { baseUrl, apiKey: 'k' }, `file:${await makeFolder(t)}/companion.db`);
  const name = async () => (await hotlines.list())[0]?.name;
  const now = performance.now.bind(performance);
  let later = 0;
  t.mock.method(performance, 'now', () => now() + later);
  assert.deepEqual([await name(), await name(), asked], ['List 1', 'List 1', 1]);
  later = 61_000;
  assert.equal(await name(), 'List 1', 'nobody waits');
  second.abort();
  while ((await name()) === 'List 1') await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([await name(), asked], ['List 2', 2]);
  later += 11 * 60_000;
  assert.equal(await name(), 'List 3');
});

test('without its database the companion gives tokens, but no money', async (t) => {
  const sandbox = await startSandbox(t);
  const dependencies = open(t, sandbox, 'postgres://nobody@127.0.0.1:9/nothing');
  const steps: Step[] = [];
  const { token, hotlines } = await run(dependencies, (step) => steps.push(step));
  assert.match(token, /^eyJ/);
  assert.equal(hotlines.length, 1);
  assert.deepEqual(
    steps.map(({ name, status }) => `${name} ${status}`),
    ['hotlines done', 'token done', 'member done', 'top-up failed', 'hotline done'],
  );
  assert.equal(sandbox.world.topUps.length, 0);
});

test('a new member is read again once the token has created them', async (t) => {
  const sandbox = await startSandbox(t);
  const dependencies = open(t, sandbox, `file:${await makeFolder(t)}/companion.db`);
  const { member } = await run(dependencies);
  assert.equal(member.balance, 1000);
  assert.equal(sandbox.world.topUps.length, 1);
});
