/** What agents see when the vendor does what vendors do: hotlines, the history of calls and webhooks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDatabase } from '../../../demo/server/money/open-database.ts';
import type { World } from '../../../demo/sandbox/world/world.ts';
import { startProxy } from '../proxy.ts';
import { signInAgent } from '../agent.ts';
import { makeFolder, postJson, startSandbox } from '../servers.ts';

const ADD = '/api/hotline/member/add';

const added = ({ requests }: World) => requests.filter(({ path }) => path === ADD).length;

for (const [how, data] of [
  ['an empty list', []],
  ['null', null],
] as const) {
  test(`a project without hotlines (${how}) gives a token, and says that there is no caller number`, async (t) => {
    const vendor = await startProxy(t, await startSandbox(t), (path, forward) =>
      path === '/api/hotline/getAll' ? Response.json({ error: 0, message: 'x', data }) : forward(),
    );
    const { session, refusal } = await signInAgent(t, vendor);
    const { token, blockers, hotlines } = await session();
    assert.match(token, /^eyJ/);
    assert.deepEqual([blockers, hotlines], [['no-hotline'], []]);
    const { status, code } = await refusal('hotline');
    assert.deepEqual([status, code], [409, 'no-hotline']);
  });
}

test('a configured hotline that the vendor takes off the list is missed, and never replaced by another', async (t) => {
  const sandbox = await startSandbox(t);
  const env = { DATABASE_URL: `file:${await makeFolder(t)}/companion.db`, HOTLINE_CODE: 'HL_SALES' };
  assert.deepEqual((await (await signInAgent(t, sandbox, env)).session()).blockers, []);
  sandbox.world.setHotlines(sandbox.world.hotlines.filter(({ code }) => code !== 'HL_SALES'));
  // Another companion, as this one may still hold the list it has.
  const { session, refusal } = await signInAgent(t, sandbox, env);
  const before = added(sandbox.world);
  const { blockers, hotlines } = await session();
  assert.deepEqual([blockers, hotlines], [['no-hotline'], []]);
  const { status, code, detail } = await refusal('hotline');
  assert.deepEqual([status, code, detail], [409, 'no-hotline', 'there is none to assign']);
  assert.equal(added(sandbox.world), before);
});

test('the token is asked for with codes and the assignment made with numbers, each where it belongs', async (t) => {
  const sandbox = await startSandbox(t);
  sandbox.world.setSettings({ ...sandbox.world.settings, hotlineList: 'hotlines' });
  const { session } = await signInAgent(t, sandbox, { HOTLINE_CODE: 'HL_CARE' });
  const { hotlines } = await session();
  assert.deepEqual([hotlines?.[0]?.code, added(sandbox.world)], ['HL_CARE', 0], 'linked with the token');
  const member = sandbox.world.members.get('agent001');
  assert.ok(member, 'there is no member');
  sandbox.world.setAssignments(member, []);
  await session();
  assert.deepEqual(
    member.assignments.map(({ number }) => number),
    ['842899990003'],
  );
});

test('a hotline somebody assigned before is no error, even if the vendor says that it exists, and is asked for once', async (t) => {
  const sandbox = await startSandbox(t);
  sandbox.world.setSettings({ ...sandbox.world.settings, repeatAssignment: 'conflict' });
  sandbox.world.createMember('agent001', ['HL_SALES']);
  const { session } = await signInAgent(t, sandbox);
  assert.deepEqual((await session()).blockers, []);
  assert.deepEqual((await session()).blockers, []);
  assert.equal(added(sandbox.world), 1);
});

test('a hotline listed in national form is the one the member has in international form, and goes back as it came', async (t) => {
  const sandbox = await startSandbox(t);
  const [sales] = sandbox.world.hotlines;
  assert.ok(sales, 'there is no sales');
  sandbox.world.setSettings({ ...sandbox.world.settings, hotlineList: 'hotline_numbers' });
  const member = sandbox.world.createMember('agent001', ['HL_SALES']);
  sandbox.world.setHotlines([{ ...sales, number: '02899990001' }]);
  const { session } = await signInAgent(t, sandbox);
  assert.deepEqual([(await session()).hotlines?.[0]?.number, added(sandbox.world)], ['02899990001', 0]);
  sandbox.world.setAssignments(member, []);
  await session();
  assert.equal(member.assignments[0]?.number, '02899990001');
});

test('the history begins with its newest page and goes on with the next, however the vendor spells "answered"', async (t) => {
  const pages: (string | null)[] = [];
  const vendor = await startProxy(t, await startSandbox(t), (path, forward, query) => {
    if (path !== '/m-cdr/api/call/get-all') return forward();
    pages.push(query.get('page'));
    const row = { trans_id: `on page ${query.get('page')}`, type_call: 2, disposition: 'answered' };
    return Response.json({ error: 0, message: 'x', data: [row] });
  });
  const { ask } = await signInAgent(t, vendor);
  const seen = [];
  for (const path of ['calls', 'calls?page=1']) {
    const { calls } = (await (await ask(path)).json()) as { calls: Record<string, string>[] };
    for (const { transId, disposition } of calls) seen.push(`${transId} ${disposition}`);
  }
  assert.deepEqual(seen, ['on page 0 ANSWER', 'on page 1 ANSWER']);
  assert.deepEqual(pages, ['0', '1']);
});

test('what the vendor tells twice is kept once and counted, and what nobody understands is kept too', async (t) => {
  const database = `file:${await makeFolder(t)}/companion.db`;
  const secret = 'a-shared-webhook-secret';
  const sandbox = await startSandbox(t);
  const { companion } = await signInAgent(t, sandbox, { DATABASE_URL: database, WEBHOOK_AUTH: secret });
  const log = { transId: 't1', disposition: 'ANSWER', callerMemberNo: 'agent001' };
  for (const body of [log, log, { ...log, transId: 't2' }, { surprise: true }, { surprise: true }]) {
    const answer = await postJson(`${companion}/webhooks/calls`, body, { Authorization: secret });
    assert.equal(answer.status, 204);
  }
  const store = openDatabase(database);
  t.after(() => store.close());
  const rows = await store.read('select kind, times from call_event order by kind, times');
  assert.deepEqual(
    rows.map(({ kind, times }) => `${String(kind)} ${String(times)}`),
    ['log 1', 'log 2', 'unknown 2'],
  );
});
