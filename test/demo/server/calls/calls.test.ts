/** The member's calls through the broker: their history, a call to themselves, and what the vendor tells of them. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { CallRecord } from '../../../../demo/sandbox/world/world.ts';
import { postJson, signIn, startCompanion, startSandbox } from '../../servers.ts';
import { listen } from './page.ts';

const SECRET = 'a-shared-webhook-secret';

async function setUp(t: TestContext, env: Record<string, string> = {}) {
  const sandbox = await startSandbox(t);
  const companion = await startCompanion(t, sandbox, {
    WEBHOOK_AUTH: SECRET,
    CALL_ME_SCRIPT: 'SCRIPT_ALERT',
    ...env,
  });
  const cookie = await signIn(companion, 'agent001');
  const headers = { Cookie: cookie };
  const tell = (body: unknown, auth = SECRET) =>
    postJson(`${companion}/webhooks/calls`, body, { Authorization: auth });
  const ask = (path: string) => fetch(`${companion}/dialer/${path}`, { headers });
  return { sandbox, companion, headers, tell, ask };
}

const call = (facts: Partial<CallRecord>): CallRecord => ({
  id: 'c1',
  memberNo: 'agent001',
  direction: 'outgoing',
  number: '0900000200',
  hotline: '842899990001',
  externalCallId: 'crm42',
  state: 'ended',
  finalStatus: 200,
  endedBy: 'caller',
  endedWith: 'BYE',
  startedAt: Date.UTC(2026, 0, 1),
  answeredAt: Date.UTC(2026, 0, 1, 0, 0, 2),
  endedAt: Date.UTC(2026, 0, 1, 0, 0, 12),
  dtmf: '',
  audioPackets: 500,
  audioBytes: 80_000,
  loudPackets: 500,
  isHeld: false,
  cost: 300,
  ...facts,
});

test("the history shows the member's own calls, with quality where anybody spoke", async (t) => {
  const { sandbox, ask } = await setUp(t);
  sandbox.world.calls.push(
    call({}),
    call({ id: 'c2', direction: 'incoming', finalStatus: 486, answeredAt: undefined, cost: 0 }),
    call({ id: 'c3', memberNo: 'agent002' }),
  );
  const { calls } = (await (await ask('calls')).json()) as { calls: Record<string, unknown>[] };
  assert.deepEqual(
    calls.map(({ transId }) => transId),
    ['c2', 'c1'],
  );
  assert.deepEqual(calls[1], {
    transId: 'c1',
    direction: 'outgoing',
    number: '0900000200',
    hotline: '842899990001',
    at: '2026-01-01T00:00:00.000Z',
    disposition: 'ANSWER',
    talkSeconds: 10,
    cost: 300,
    recorded: true,
    automatic: false,
    externalCallId: 'crm42',
    quality: { postDialDelay: 0.4, mos: { caller: 4.4, callee: 4.4 }, percent: { caller: 100, callee: 100 } },
  });
  assert.equal('quality' in (calls[0] ?? {}), false);
  assert.equal((await ask('calls?page=one')).status, 400);
});

test('how a call sounded is asked once, and again only after a while if the vendor did not know', async (t) => {
  const { sandbox, ask } = await setUp(t);
  const soundOf = async () => {
    const { calls } = (await (await ask('calls')).json()) as { calls: { quality?: object }[] };
    return calls.map(({ quality }) => quality !== undefined);
  };
  const fail = () =>
    sandbox.world.faults.set('/m-cdr/api/agi/get-by-trans-id', { kind: 'error', value: 500 });
  sandbox.world.calls.push(call({}));
  fail();
  const now = performance.now.bind(performance);
  let later = 0;
  t.mock.method(performance, 'now', () => now() + later);
  assert.deepEqual(await soundOf(), [false], 'a call all the same');
  const asked = () => sandbox.world.requests.filter(({ path }) => path.endsWith('get-by-trans-id')).length;
  const before = asked();
  assert.deepEqual([await soundOf(), asked()], [[false], before], 'a list costs its questions once');
  sandbox.world.faults.clear();
  later = 61_000;
  assert.deepEqual(await soundOf(), [true]);
  fail();
  assert.deepEqual(await soundOf(), [true]);
});

test('call-me has the script ring the member who asks, and their page hears how it went', async (t) => {
  const setup = await setUp(t);
  const { next } = await listen(t, setup.companion, setup.headers);
  const answer = await postJson(`${setup.companion}/dialer/call-me`, { memberNo: 'agent002' }, setup.headers);
  const { externalCallId } = (await answer.json()) as { externalCallId: string };
  assert.equal(answer.status, 202);
  assert.match(externalCallId, /^[a-z0-9]{1,32}$/);
  const [ordered] = setup.sandbox.world.autoCalls;
  assert.deepEqual([ordered?.memberNo, ordered?.externalCallId], ['agent001', externalCallId]);

  await setup.tell({ transId: 't1', externalCallId, disposition: 'NOANSWER', billsec: 0 });
  assert.deepEqual(await next(), { kind: 'log', transId: 't1', externalCallId, disposition: 'NOANSWER' });
  setup.sandbox.world.calls.push(call({ direction: 'incoming', externalCallId }));
  const { calls } = (await (await setup.ask('calls')).json()) as { calls: Record<string, unknown>[] };
  assert.deepEqual(
    calls.map(({ automatic }) => automatic),
    [true],
  );
});

test('with a script that the vendor does not have nobody is rung', async (t) => {
  const { sandbox, companion, headers } = await setUp(t, { CALL_ME_SCRIPT: 'GONE' });
  const answer = await postJson(`${companion}/dialer/call-me`, {}, headers);
  assert.equal(answer.status, 502);
  assert.equal(sandbox.world.autoCalls.length, 0);
});

test('without CALL_ME_SCRIPT nobody is rung, and nothing is asked', async (t) => {
  const { sandbox, companion, headers } = await setUp(t, { CALL_ME_SCRIPT: '' });
  const answer = await postJson(`${companion}/dialer/call-me`, {}, headers);
  assert.deepEqual([answer.status, ((await answer.json()) as { code: string }).code], [409, 'no-script']);
  assert.deepEqual(sandbox.world.requests, []);
});

test('call-me rings a member once a minute and so often a day, and what the vendor refused does not count', async (t) => {
  const limits = { CALL_ME_PER_MINUTE: '1', CALL_ME_PER_DAY: '3' };
  const { sandbox, companion, headers } = await setUp(t, limits);
  const ask = (more = {}) => postJson(`${companion}/dialer/call-me`, {}, { ...headers, ...more });
  sandbox.world.faults.set('/m-auto-call/api/call/create-list-member', {
    kind: 'error',
    value: 403,
    times: 1,
  });
  assert.equal((await ask()).status, 502);
  assert.equal((await ask({ 'Idempotency-Key': 'k1' })).status, 202);
  const again = await ask({ 'Idempotency-Key': 'k1' });
  assert.deepEqual([again.status, again.headers.get('Idempotency-Replayed')], [202, 'true']);
  const refused = await ask();
  assert.deepEqual([refused.status, Number(refused.headers.get('Retry-After')) > 0], [429, true]);
  assert.equal(sandbox.world.autoCalls.length, 1);
  const other = await signIn(companion, 'agent002');
  assert.equal((await ask({ Cookie: other })).status, 202, 'each member has a budget of their own');
});

test('repeats, bundles and late parts of a call reach the page once each, in whatever order they come', async (t) => {
  const setup = await setUp(t);
  const { next } = await listen(t, setup.companion, setup.headers);
  const log = {
    transId: 't1',
    callerMemberNo: 'agent001',
    calleeMemberNo: '',
    disposition: 'ANSWER',
    externalCallId: '',
  };
  const recording = { transId: 't1', externalCallId: '', recordUrl: 'https://vendor.example/r' };
  // The recording does not say whose it is, until the log does.
  for (const body of [
    recording,
    recording,
    log,
    log,
    { manualCallLog: log, manualCallRecording: recording },
  ]) {
    assert.equal((await setup.tell(body)).status, 204);
  }
  await setup.tell({ ...log, transId: 't2' });
  const kinds = [];
  for (let n = 0; n < 4; n += 1) {
    const { kind, transId } = await next();
    kinds.push(`${String(transId)} ${String(kind)}`);
  }
  assert.deepEqual(kinds, ['t1 recording', 't1 log', 't1 complete', 't2 log']);
});

const ring = (transId: string, member_no: string) => ({
  trans_id: transId,
  phone: '0987654321',
  event_data: 'IN_COMINGCALL',
  member: { member_no, name: 'An' },
});

test('an incoming call rings on the page, and a call of somebody else does not', async (t) => {
  const setup = await setUp(t);
  const { next } = await listen(t, setup.companion, setup.headers);
  await setup.tell(ring('t1', 'agent002'));
  await setup.tell(ring('t2', 'agent001'));
  assert.deepEqual(await next(), { kind: 'incoming', transId: 't2' });
});

test('only who knows the secret may tell of calls', async (t) => {
  const { tell, companion } = await setUp(t);
  for (const auth of ['', 'Bearer', `${SECRET}x`, SECRET.slice(1), SECRET.toUpperCase()]) {
    const answer = await tell({ transId: 't1', disposition: 'ANSWER' }, auth);
    assert.deepEqual(
      [answer.status, ((await answer.json()) as { code: string }).code],
      [401, 'webhook-unauthorized'],
    );
  }
  assert.equal((await postJson(`${companion}/webhooks/calls`, {})).status, 401);
});

test('a webhook without a body is no webhook', async (t) => {
  const { companion } = await setUp(t);
  const answer = await fetch(`${companion}/webhooks/calls`, {
    method: 'POST',
    headers: { Authorization: SECRET },
  });
  assert.equal(answer.status, 400);
});

test('what nobody understands is taken and kept', async (t) => {
  const { tell } = await setUp(t);
  for (const body of [{ surprise: true }, [], 'text', null, 7, { transId: 7, disposition: {} }]) {
    assert.equal((await tell(body)).status, 204, JSON.stringify(body));
  }
});

test('the sandbox tells of an automatic call, and the page hears of it', async (t) => {
  const setup = await setUp(t);
  setup.sandbox.world.webhooks = {
    url: `${setup.companion}/webhooks/calls`,
    auth: SECRET,
    copies: 2,
    delayMs: 0,
    reversed: true,
  };
  const { next } = await listen(t, setup.companion, setup.headers);
  await postJson(`${setup.companion}/dialer/call-me`, {}, setup.headers);
  const kinds = new Set();
  while (kinds.size < 4) kinds.add((await next())['kind']);
  assert.deepEqual([...kinds].toSorted(), ['complete', 'extraction', 'log', 'recording']);
});
