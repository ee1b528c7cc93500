/** The member's calls: their history, a call to themselves, and what the vendor tells of them as it happens. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Hono } from 'hono';
import { createWebhookRoute } from '../features/calls/webhooks.ts';
import { Limits, RateLimit } from '../guards/limits.ts';
import { Problem, PROBLEMS, type FromNode } from '../problem.ts';
import { openDatabase, type Database } from '../store/database.ts';
import { Telemetry } from '../telemetry.ts';
import { post, problemOf, signIn, startAgent, startApp, until } from './app.ts';
import { listen, type ListeningPage } from './event-page.ts';
import { openTestDatabase, sqliteUrl, STORES } from './stores.ts';
import { startVendor, type StubRequest } from './vendor.ts';

const SECRET = 'a-shared-webhook-secret';
const HISTORY = '/m-cdr/api/call/get-all';
const QUALITY = '/m-cdr/api/agi/get-by-trans-id';
const CALL_ME = '/m-auto-call/api/call/create-list-member';

async function setUp(t: TestContext, env: Record<string, string> = {}) {
  const agent = await startAgent(t, { WEBHOOK_AUTH: SECRET, CALL_ME_SCRIPT: 'SCRIPT_ALERT', ...env });
  agent.vendor.add('agent001');
  agent.vendor.routes.set(CALL_ME, () => true);
  const tell = (body: unknown, auth = SECRET) =>
    post(`${agent.origin}/webhooks/calls`, body, { Authorization: auth });
  const page = (headers = {}) => listen(t, agent.origin, { Cookie: agent.cookie, ...headers });
  return { ...agent, tell, page };
}

const row = {
  trans_id: 'c1',
  type_call: 2,
  create_at: Date.UTC(2026, 0, 1),
  hotline: '842899990001',
  disposition: 'answered',
  time_call: 10,
  postage: 300,
  is_record: true,
  external_call_id: 'crm42',
  callee_info: { number: '0900000200' },
};

test("the history shows the member's calls, page by page, and asks for nothing else", async (t) => {
  const { vendor, json, ask } = await setUp(t);
  vendor.routes.set(HISTORY, ({ query }) => [{ ...row, trans_id: `on page ${query.get('page')}` }]);
  const { links } = (await json('session')) as { links: Record<string, string> };
  vendor.requests.length = 0;
  const { calls } = (await json(`${links['calls']}?page=1`)) as { calls: object[] };
  assert.deepEqual(calls, [
    {
      transId: 'on page 1',
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
    },
  ]);
  assert.deepEqual(
    vendor.requests.map(({ path, query }) => [path, query.get('member_no'), query.get('page')]),
    [[HISTORY, 'agent001', '1']],
  );
  assert.deepEqual(await problemOf(await ask('calls?page=one')), [400, 'invalid-request']);
});

test('a history with numbers as text is read; a cost that may be 1774 or 1.774 is left out', async (t) => {
  const { vendor, json } = await setUp(t);
  const inText = { type_call: '2', create_at: String(row.create_at), time_call: '10', postage: '300.0' };
  vendor.routes.set(HISTORY, () => [
    { ...row, ...inText },
    { ...row, ...inText, trans_id: 'c2', postage: '1.774' },
  ]);
  const { calls } = (await json('calls')) as { calls: Record<string, unknown>[] };
  const told = calls.map(({ direction, at, talkSeconds, cost }) => [direction, at, talkSeconds, cost]);
  const same = ['outgoing', '2026-01-01T00:00:00.000Z', 10];
  assert.deepEqual(told, [
    [...same, 300],
    [...same, undefined],
  ]);
});

test('a call that cannot be read is left out of the list, logged and counted; an id may be a number', async (t) => {
  const { vendor, json, log, origin } = await setUp(t);
  const { trans_id: _, ...nameless } = row;
  vendor.routes.set(HISTORY, () => [
    { ...row, trans_id: 7 },
    { ...row, create_at: 8.64e15 + 1 },
    { ...row, create_at: -1 },
    { ...row, trans_id: null },
    nameless,
    null,
    'text',
    { ...row, trans_id: 'c2', create_at: null, callee_info: 'nobody', postage: 'much', is_record: 1 },
  ]);
  const { calls } = (await json('calls')) as { calls: { transId: string }[] };
  assert.deepEqual(
    calls.map(({ transId }) => transId),
    ['7', 'c2'],
  );
  assert.equal(log.find(({ list }) => list === 'calls')?.['count'], 6);
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  assert.match(metrics, /^companion_skipped_rows_total\{list="calls"\} 6$/m);
});

test('a member reads the quality of their own calls only', async (t) => {
  const { vendor, json, ask } = await setUp(t);
  const at = Date.UTC(2026, 0, 1);
  const isNear = ({ query }: StubRequest) =>
    query.get('member_no') === 'agent001' && Number(query.get('from')) < at && at < Number(query.get('to'));
  vendor.routes.set(HISTORY, (request) => (isNear(request) ? [row] : []));
  vendor.routes.set(QUALITY, () => ({
    create_at: at,
    pdd_caller: 0.4,
    rtp_audio_in_mos_caller: 4.4,
    rtp_audio_in_mos_callee: 'x',
  }));
  assert.deepEqual(await json('calls/c1/quality'), { postDialDelay: 0.4, mos: { caller: 4.4 }, percent: {} });
  assert.deepEqual(await problemOf(await ask('calls/of-somebody-else/quality')), [404, 'not-found']);
  vendor.routes.set(QUALITY, () => null);
  assert.deepEqual(await problemOf(await ask('calls/c1/quality')), [404, 'not-found']);
  assert.deepEqual(await problemOf(await ask('calls/a%20b/quality')), [400, 'invalid-request']);
});

const rowOf = (trans_id: string, caller: unknown, callee?: unknown) => ({
  ...row,
  trans_id,
  caller_info: { member_no: caller },
  callee_info: { member_no: callee },
});

test('if the vendor does not filter its history by member, an agent reads no calls of other members', async (t) => {
  const { vendor, json, ask } = await setUp(t);
  vendor.routes.set(HISTORY, () => [
    rowOf('own', 'Agent001', ''),
    rowOf('of another', 'agent002', ''),
    rowOf('to another', '', 'agent002'),
    rowOf('of a number', 7),
    rowOf('between both', 'agent002', 'agent001'),
    rowOf('of nobody', '', null),
  ]);
  const { calls } = (await json('calls')) as { calls: { transId: string }[] };
  assert.deepEqual(
    calls.map(({ transId }) => transId),
    ['own', 'between both', 'of nobody'],
  );
  vendor.routes.set(HISTORY, () => [rowOf('c1', 'agent001'), rowOf('c2', 'agent002')]);
  vendor.routes.set(QUALITY, () => ({ create_at: row.create_at, pdd_caller: 0.4 }));
  assert.equal((await ask('calls/c1/quality')).status, 200);
  assert.deepEqual(await problemOf(await ask('calls/c2/quality')), [404, 'not-found']);
});

test('call-me has the script ring the member who asks, and their page hears how it went', async (t) => {
  const { vendor, tell, page, origin, cookie, json } = await setUp(t);
  const { next } = await page();
  const answer = await post(`${origin}/dialer/call-me`, { memberNo: 'agent002' }, { Cookie: cookie });
  const { externalCallId } = (await answer.json()) as { externalCallId: string };
  assert.equal(answer.status, 202);
  assert.match(externalCallId, /^[a-z0-9]{1,32}$/);
  assert.deepEqual(vendor.requests.at(-1)?.body['member_infos'], [
    { member_no: 'agent001', external_call_id: externalCallId },
  ]);
  await tell({ transId: 't1', externalCallId, disposition: 'NOANSWER', billsec: 0 });
  assert.deepEqual(await next(), { kind: 'log', transId: 't1', externalCallId, disposition: 'NOANSWER' });
  vendor.routes.set(HISTORY, () => [{ ...row, external_call_id: externalCallId }]);
  const { calls } = (await json('calls')) as { calls: { automatic: boolean }[] };
  assert.deepEqual(
    calls.map(({ automatic }) => automatic),
    [true],
  );
});

test(
  'the events of a call-me go to the agent who was rung, whomever they name',
  { timeout: 15_000 },
  async (t) => {
    const { origin, cookie, tell, page } = await setUp(t);
    const { next } = await page();
    const owner = await page({ Cookie: await signIn(origin, 'owner1') });
    const answer = await post(`${origin}/dialer/call-me`, undefined, { Cookie: cookie });
    const { externalCallId } = (await answer.json()) as { externalCallId: string };
    await tell({ transId: 't1', externalCallId, disposition: 'NOANSWER', memberNo: 'owner1' });
    assert.deepEqual(await next(), { kind: 'log', transId: 't1', externalCallId, disposition: 'NOANSWER' });
    // Parts of the same call may come without the id.
    await tell({ ...recording('t1'), memberNo: 'owner1' });
    assert.equal((await next())['kind'], 'recording');
    await tell({ ...log('t2', 'owner1'), externalCallId: 'crm42' });
    assert.equal((await owner.next())['transId'], 't2', 'other calls belong to whom they name');
  },
);

test('without CALL_ME_SCRIPT nobody is called, and no request is sent', async (t) => {
  const { vendor, ask } = await setUp(t, { CALL_ME_SCRIPT: '' });
  assert.deepEqual(await problemOf(await ask('call-me')), [409, 'no-script']);
  assert.deepEqual(vendor.requests, []);
});

for (const [store, create] of Object.entries(STORES)) {
  test(`call-me rings a member once a minute and so often a day, and what the vendor refused does not count (${store})`, async (t) => {
    const limits = { CALL_ME_PER_MINUTE: '1', CALL_ME_PER_DAY: '3', DATABASE_URL: await create(t) };
    const { vendor, origin, ask } = await setUp(t, limits);
    vendor.faults.set(CALL_ME, { kind: 'error', value: 403, times: 1 });
    assert.equal((await ask('call-me')).status, 502);
    assert.equal((await ask('call-me')).status, 202);
    const refused = await ask('call-me');
    assert.deepEqual([refused.status, Number(refused.headers.get('Retry-After')) > 0], [429, true]);
    assert.equal(vendor.asked(CALL_ME), 2);
    const other = { Cookie: await signIn(origin, 'agent002') };
    vendor.add('agent002');
    assert.equal(
      (await post(`${origin}/dialer/call-me`, undefined, other)).status,
      202,
      'each has their own',
    );
  });
}

for (const [store, create] of Object.entries(STORES)) {
  test(`call-me rings a member so often a day, also after a restart (${store})`, async (t) => {
    const limits = { CALL_ME_PER_MINUTE: '9', CALL_ME_PER_DAY: '2', DATABASE_URL: await create(t) };
    const { ask } = await setUp(t, limits);
    const statuses = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await ask('call-me')).status);
    const { vendor, ask: askAgain } = await setUp(t, limits);
    const refused = await askAgain('call-me');
    assert.deepEqual([...statuses, refused.status], [202, 202, 429, 429]);
    assert.match(refused.headers.get('Retry-After') ?? '', /^86(?:400|3\d\d)$/);
    assert.equal(vendor.asked(CALL_ME), 0);
  });
}

test('what a clock that was ahead has written refuses no call-me and is not kept, once it is set back', async (t) => {
  const { ask, tell, env } = await setUpCallMe(t);
  assert.equal((await ask('call-me')).status, 202);
  await tell(log('t1'));
  const store = openTestDatabase(t, env.DATABASE_URL);
  for (const table of ['expected_call', 'call_event'])
    await store.write(`update ${table} set at = at + ?`, [30 * 24 * 3_600_000]);
  // It begins with tidying up.
  const { ask: askAgain } = await setUp(t, env);
  assert.equal((await askAgain('call-me')).status, 202);
  await until(async () => (await store.read('select 1 as one from call_event')).length === 0);
});

const log = (transId: string, callerMemberNo = 'agent001') => ({
  transId,
  callerMemberNo,
  disposition: 'ANSWER',
});
/** Does not say whose it is. */
const recording = (transId: string) => ({ transId, recordUrl: 'https://vendor.example/r' });

async function hear(page: ListeningPage, count: number): Promise<string[]> {
  const heard: string[] = [];
  while (heard.length < count) {
    const { transId, kind } = await page.next();
    heard.push(`${String(transId)} ${String(kind)}`);
  }
  return heard;
}

test('repeats, bundles and late parts of a call reach the page once each, in whatever order they come', async (t) => {
  const { tell, page } = await setUp(t);
  const listening = await page();
  // The recording does not say whose it is, until the log does.
  for (const body of [
    recording('t1'),
    recording('t1'),
    log('t1'),
    log('t1'),
    { manualCallLog: log('t1'), manualCallRecording: recording('t1') },
    log('t2'),
  ])
    assert.equal((await tell(body)).status, 204);
  assert.deepEqual(await hear(listening, 4), ['t1 recording', 't1 log', 't1 complete', 't2 log']);
});

test('a member in other capitals is the same member, and a bundle without its log is a bundle all the same', async (t) => {
  const { tell, page } = await setUp(t);
  const listening = await page();
  await tell(log('t1', 'AGENT001'));
  await tell({ autoCallLog: null, autoCallRecording: { ...recording('t2'), calleeMemberNo: 'Agent001' } });
  assert.deepEqual(await hear(listening, 3), ['t1 log', 't2 recording', 't2 complete']);
});

test('an event goes by its name where one comes, whatever the keys beside it', async (t) => {
  const { tell, page } = await setUp(t);
  const listening = await page();
  const named: Record<string, unknown>[] = [
    { event: 'AUTO_CALL_LOG', transId: 'n1', callerMemberNo: 'agent001' },
    { type: 'manual_call_recording', trans_id: 'n2', member_no: 'agent001' },
    { kind: 'AUTO_CALL_AI_EXTRACTION', data: { transId: 'n3', calleeMemberNo: 'agent001' } },
    { event: 'AUTO_CALL_COMPLETE', data: { transId: 4, callerMemberNo: 'agent001' } },
    { event_data: 'IN_COMINGCALL', trans_id: 'n5', member: { member_no: 'agent001' } },
    { event: 'HISTORY_CALL', trans_id: 'n6', member: { member_no: 'agent001' } },
    { type: 'OUTBOUND', transId: 'n7', disposition: 'BUSY', callerMemberNo: 'agent001' },
  ];
  for (const body of named) assert.equal((await tell(body)).status, 204);
  assert.deepEqual(await hear(listening, 7), [
    'n1 log',
    'n2 recording',
    'n3 extraction',
    '4 complete',
    'n5 incoming',
    'n6 log',
    'n7 log',
  ]);
});

const ring = (trans_id: string, member_no: string) => ({
  trans_id,
  phone: '0987654321',
  member: { member_no },
});

test('an incoming call rings on the page, and a call of somebody else does not', async (t) => {
  const { tell, page } = await setUp(t);
  const { next } = await page();
  await tell(ring('t1', 'agent002'));
  await tell(ring('t2', 'agent001'));
  assert.deepEqual(await next(), { kind: 'incoming', transId: 't2' });
});

test('only requests with the webhook secret are accepted', async (t) => {
  const { tell, origin } = await setUp(t);
  for (const auth of ['', 'Bearer', `${SECRET}x`, SECRET.slice(1), SECRET.toUpperCase()])
    assert.deepEqual(await problemOf(await tell(log('t1'), auth)), [401, 'webhook-unauthorized']);
  assert.equal((await post(`${origin}/webhooks/calls`, {})).status, 401);
  assert.equal((await tell(undefined)).status, 400, 'a webhook without a body is no webhook');
});

test('while the vendor changes its secret, the previous one is still accepted', async (t) => {
  const { tell } = await setUp(t, { WEBHOOK_AUTH_PREVIOUS: `${SECRET}-before` });
  const statuses = [];
  for (const auth of [SECRET, `${SECRET}-before`, `${SECRET}-elsewhere`])
    statuses.push((await tell(log('t1'), auth)).status);
  assert.deepEqual(statuses, [204, 204, 401]);
});

test('a flood of requests without the secret does not keep webhooks out', async (t) => {
  const { tell } = await setUp(t, { RATE_LIMIT_PER_ADDRESS: '5' });
  const flood = [];
  for (let n = 0; n < 8; n += 1) flood.push((await tell(log('t1'), 'wrong')).status);
  assert.deepEqual(flood.slice(-2), [429, 429]);
  assert.equal((await tell(log('t1'))).status, 204);
});

test('with WEBHOOK_AUTH=none the vendor needs no secret, and the log says so loudly at the start', async (t) => {
  const { origin, page, log: lines } = await setUp(t, { WEBHOOK_AUTH: 'none' });
  assert.ok(lines.some(({ level, msg }) => Number(level) >= 40 && /WEBHOOK_AUTH=none/.test(String(msg))));
  const { next } = await page();
  assert.equal((await post(`${origin}/webhooks/calls`, log('t1'))).status, 204);
  assert.equal((await next())['transId'], 't1');
});

test('with a real vendor and no WEBHOOK_AUTH there are no webhooks', async (t) => {
  const vendor = await startVendor(t);
  const { origin } = await startApp(t, vendor, {
    VENDOR_BASE_URL: vendor.baseUrl,
    VENDOR_API_KEY: vendor.apiKey,
    SESSION_SECRET: 'x'.repeat(32),
  });
  assert.deepEqual(await problemOf(await post(`${origin}/webhooks/calls`, log('t1'))), [404, 'not-found']);
});

test('an unknown webhook is accepted, counted and logged with its keys, but not stored', async (t) => {
  const url = await sqliteUrl(t);
  const { tell, origin, log: lines } = await setUp(t, { DATABASE_URL: url });
  for (const body of [
    { surprise: '0987654321', 84987654321: 1 },
    [],
    'text',
    null,
    7,
    { transId: 7 },
    { transId: {} },
  ])
    assert.equal((await tell(body)).status, 204, JSON.stringify(body));
  assert.deepEqual(lines.find(({ msg }) => msg === 'unrecognized webhook payload')?.['keys'], ['surprise']);
  assert.doesNotMatch(JSON.stringify(lines), /987654321/);
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  assert.match(metrics, /^companion_webhooks_total\{kind="unknown"\} 7$/m);
  const store = openTestDatabase(t, url);
  assert.deepEqual(await store.read('select * from call_event'), []);
});

test('of a webhook only what pages read is stored, for a day', async (t) => {
  const url = await sqliteUrl(t);
  const { tell } = await setUp(t, { DATABASE_URL: url });
  await tell({ ...log('t1'), phone: '0987654321', callCollectedData: { name: 'Mai' } });
  const store = openTestDatabase(t, url);
  const rows = await store.read('select * from call_event');
  assert.deepEqual(Object.keys(rows[0] ?? {}).toSorted(), [
    'at',
    'disposition',
    'external_call_id',
    'kind',
    'member',
    'told',
    'trans_id',
  ]);
  assert.doesNotMatch(JSON.stringify(rows), /0987654321|Mai/);
  await store.write('update call_event set at = at - ?', [25 * 3_600_000]);
  // Another companion begins with tidying up.
  await startAgent(t, { DATABASE_URL: url });
  await until(async () => (await store.read('select 1 as one from call_event')).length === 0);
});

const ended = (transId: string, disposition: string) => ({ ...log(transId), disposition });

test('each ended call counts once for the operator’s page, whatever the vendor calls its outcome', async (t) => {
  const url = await sqliteUrl(t);
  const { tell } = await setUp(t, { DATABASE_URL: url });
  for (const body of [
    log('t1'),
    log('t1'),
    { manualCallLog: log('t1'), manualCallRecording: recording('t1') },
    { event: 'AUTO_CALL_COMPLETE', ...ended('t2', 'answered') },
    { event: 'AUTO_CALL_LOG', ...ended('t2', 'answered') },
    ...['BUSY', 'NOANSWER', 'CANCEL', 'Time_Out'].map((disposition, n) => ended(`n${n}`, disposition)),
    ...['OUT_OF_MONEY', 'NOT_MONEY'].map((disposition, n) => ended(`m${n}`, disposition)),
    ended('t3', 'SERVER_ERROR'),
    recording('t4'),
    ring('t5', 'agent001'),
  ])
    assert.equal((await tell(body)).status, 204);
  const store = openTestDatabase(t, url);
  const rows = await store.read('select outcome, sum(calls) as calls from call_count group by outcome');
  assert.deepEqual(Object.fromEntries(rows.map(({ outcome, calls }) => [outcome, calls])), {
    answered: 2,
    'not-reached': 4,
    'no-money': 2,
    failed: 1,
  });
});

test('a webhook nested 200 000 levels deep causes no error', async (t) => {
  const { origin, log: lines } = await setUp(t);
  for (const body of [
    '['.repeat(200_000) + ']'.repeat(200_000),
    `{"transId":"t1","disposition":${'{"a":'.repeat(80_000)}1${'}'.repeat(80_000)}}`,
  ]) {
    const headers = { Authorization: SECRET, 'Content-Type': 'application/json' };
    assert.equal((await fetch(`${origin}/webhooks/calls`, { method: 'POST', headers, body })).status, 204);
  }
  assert.deepEqual(
    lines.filter(({ level }) => level === 50),
    [],
  );
});

test(
  'a webhook reaches the pages of its companion at once, and no proxy is to hold it back',
  { timeout: 10_000 },
  async (t) => {
    const agent = await startAgent(t, { WEBHOOK_AUTH: SECRET }, undefined, { pollMs: 3_600_000 });
    const headers = { Cookie: agent.cookie };
    const page = await listen(t, agent.origin, headers);
    const { status } = await post(`${agent.origin}/webhooks/calls`, log('t1'), { Authorization: SECRET });
    assert.deepEqual([status, (await page.next())['transId']], [204, 't1']);
    const stream = await agent.ask('events');
    assert.equal(stream.headers.get('x-accel-buffering'), 'no', 'nginx would send the events in lumps');
    await stream.body?.cancel();
  },
);

test('a HEAD request neither opens a stream nor ends one', async (t) => {
  const { origin, cookie, page, tell } = await setUp(t);
  const first = await page();
  for (let n = 0; n < 30; n += 1) {
    const answer = await fetch(`${origin}/dialer/events`, { method: 'HEAD', headers: { Cookie: cookie } });
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'text/event-stream']);
  }
  await tell(log('t1'));
  assert.equal((await first.next())['transId'], 't1');
});

test('a dozen tabs have a stream each; with more than twenty the oldest ends and stays away for a minute', async (t) => {
  const { page, tell } = await setUp(t);
  const pages: ListeningPage[] = [];
  for (let n = 0; n < 12; n += 1) pages.push(await page());
  await tell(log('t1'));
  for (const one of pages) assert.equal((await one.next())['transId'], 't1');
  for (let n = 12; n < 21; n += 1) pages.push(await page());
  await assert.rejects(pages[0]?.next() ?? Promise.resolve(), 'the oldest has ended');
  assert.equal(pages[0]?.retryMs(), 60_000);
  await tell(log('t2'));
  assert.equal((await pages[1]?.next())?.['transId'], 't2');
});

test('a stream ends with the sign-in that it began with', async (t) => {
  const { SignJWT } = await import('jose');
  const secret = 'a-shared-secret-of-32-characters';
  const { origin } = await startApp(t, await startVendor(t), {
    AUTH_JWT_SECRET: secret,
    AUTH_AUDIENCE: 'dialer',
  });
  const token = await new SignJWT({ member_no: 'agent001', aud: 'dialer' })
    .setProtectedHeader({ alg: 'HS256' })
    // The clocks of two servers may differ by half a minute.
    .setExpirationTime('-28s')
    .sign(new TextEncoder().encode(secret));
  // As a page reads it that sends bearer tokens: with fetch.
  const page = await listen(t, origin, { Authorization: `Bearer ${token}` });
  await assert.rejects(page.next(), 'the stream has ended');
  const again = await fetch(`${origin}/dialer/events`, { headers: { Authorization: `Bearer ${token}` } });
  assert.equal(again.status, 401);
});

for (const [store, create] of Object.entries(STORES)) {
  const openTwo = async (t: TestContext, DATABASE_URL: string) => {
    const env = { DATABASE_URL, WEBHOOK_AUTH: SECRET, SESSION_SECRET: 's'.repeat(32) };
    const one = await startAgent(t, env);
    const other = await startAgent(t, env, one.vendor);
    const tell = async (origin: string, body: unknown) =>
      assert.equal((await post(`${origin}/webhooks/calls`, body, { Authorization: SECRET })).status, 204);
    return { one: one.origin, other: other.origin, headers: { Cookie: one.cookie }, tell };
  };

  test(`companions that share ${store} bring a page all that either was told, in order and once each`, async (t) => {
    const url = await create(t);
    const { one, other, headers, tell } = await openTwo(t, url);
    const page = await listen(t, one, headers);
    const wanted: string[] = [];
    for (let n = 1; n <= 6; n += 1) {
      await tell(n % 2 ? other : one, log(`t${n}`));
      await tell(n % 2 ? one : other, log(`t${n}`));
      await tell(other, log(`u${n}`, 'agent002'));
      wanted.push(`t${n} log`);
    }
    await tell(other, log('end'));
    assert.deepEqual(await hear(page, 7), [...wanted, 'end log']);
  });

  test(`a page that comes back to another companion on ${store} misses nothing and hears nothing twice`, async (t) => {
    const url = await create(t);
    const { one, other, headers, tell } = await openTwo(t, url);
    await tell(one, log('before'));
    const first = await listen(t, one, headers);
    const fresh = first.lastId();
    await tell(other, log('t1'));
    assert.equal((await first.next())['transId'], 't1');
    first.leave();
    for (let n = 2; n <= 30; n += 1) await tell(n % 2 ? one : other, log(`t${n}`));
    const again = await listen(t, other, { ...headers, 'Last-Event-ID': first.lastId() });
    for (let n = 2; n <= 30; n += 1) assert.equal((await again.next())['transId'], `t${n}`);
    // One that left before it heard anything.
    const silent = await listen(t, other, { ...headers, 'Last-Event-ID': fresh });
    assert.equal((await silent.next())['transId'], 't1');
    for (const odd of ['x', '-1', '999999999999999']) {
      const lost = await listen(t, one, { ...headers, 'Last-Event-ID': odd });
      await tell(other, log(`after ${odd}`));
      assert.equal((await lost.next())['transId'], `after ${odd}`);
    }
  });

  test(`webhooks that reach companions on ${store} at once are all told, also those that do not say whose they are`, async (t) => {
    const url = await create(t);
    const { one, other, headers, tell } = await openTwo(t, url);
    const page = await listen(t, one, headers);
    const names = Array.from({ length: 20 }, (_, n) => `t${n}`);
    await Promise.all(
      names.flatMap((name, n) => [
        tell(n % 2 ? one : other, recording(name)),
        tell(n % 2 ? other : one, log(name)),
        tell(other, log(name)),
      ]),
    );
    const heard = await hear(page, 40);
    assert.deepEqual(
      heard.toSorted(),
      names.flatMap((name) => [`${name} log`, `${name} recording`]).toSorted(),
    );
  });
}

test('a page that comes back after a long lunch gets all that it missed', async (t) => {
  const url = await sqliteUrl(t);
  const { page } = await setUp(t, { DATABASE_URL: url });
  const store = openTestDatabase(t, url);
  const missed = 2500;
  await store.transact(async (sql) => {
    const text = `insert into call_event (trans_id, kind, member, told, at) select ?, 'log', ?, ?, now from clock`;
    for (let n = 1; n <= missed; n += 1) await sql(text, [`t${n}`, n % 5 === 0 ? 'agent002' : 'agent001', n]);
    await sql('update call_sequence set last = ?', [missed]);
  });
  const back = await page({ 'Last-Event-ID': '0' });
  const heard = await hear(back, (missed * 4) / 5);
  assert.deepEqual([heard[0], heard.at(-1)], ['t1 log', `t${missed - 1} log`]);
});

test('a page outlives a store that is away for a while, and hears what it was told then', async (t) => {
  const url = await sqliteUrl(t);
  const { page, tell } = await setUp(t, { DATABASE_URL: url });
  const listening = await page();
  const store = openTestDatabase(t, url);
  await store.write('alter table call_sequence rename to gone');
  assert.equal((await tell(log('t0'))).status, 503, 'the vendor has to tell it again');
  await delay(100);
  await store.write('alter table gone rename to call_sequence');
  await tell(log('t1'));
  assert.equal((await listening.next())['transId'], 't1');
});

/** The webhook route before a store that can stand still. */
function openWebhooks(turnMs: number) {
  const telemetry = new Telemetry({ logLevel: 'silent' });
  let goOn = Promise.resolve();
  const store = { kept: 0 };
  const database = {
    transact: async () => {
      await goOn;
      store.kept += 1;
    },
  } as unknown as Database;
  const config = { webhookAuth: 'none', previousWebhookAuth: undefined, proxyHops: 0 };
  const limits = new Limits({ ratePerMember: 1, ratePerAddress: 1, proxyHops: 0 });
  const route = createWebhookRoute({ config, limits, telemetry, database, turnMs }, () => undefined);
  const headers = { 'content-type': 'application/json', 'content-length': '99' };
  const incoming = { headers, socket: { remoteAddress: '127.0.0.1' } };
  const body = JSON.stringify({ event: 'AUTO_CALL_LOG', data: { transId: 'c1' } });
  const app = new Hono<FromNode>().onError((error, c) =>
    c.body(null, error instanceof Problem ? (PROBLEMS[error.code].status as 503) : 500),
  );
  app.route('/', route);
  const tell = async () =>
    (await app.request('/calls', { method: 'POST', headers, body }, { incoming })).status;
  const tellMany = (count: number) => Promise.all(Array.from({ length: count }, tell));
  const standStill = () => {
    let end: (() => void) | undefined;
    goOn = new Promise((resolve) => (end = resolve));
    return () => end?.();
  };
  const counted = async () => Number(/kind="log"} (\d+)/.exec(await telemetry.metrics.metrics())?.[1] ?? 0);
  return { tell, tellMany, standStill, counted, store };
}

test('after a store that stood still, webhooks that come together are kept again, and only those that are kept are counted', async () => {
  const { tellMany, standStill, counted, store } = openWebhooks(100);
  const goOn = standStill();
  assert.deepEqual(
    await tellMany(8),
    Array.from({ length: 8 }, () => 503),
  );
  assert.equal(await counted(), 0);
  goOn();
  for (let burst = 0; burst < 8; burst += 1)
    assert.deepEqual(await tellMany(5), [204, 204, 204, 204, 204], `burst ${burst}`);
  // The first one had reached the store before it stood still.
  assert.deepEqual([store.kept, await counted()], [41, 40]);
});

test('webhooks that wait for a store that stands still do not fill the memory', async () => {
  const { tellMany, standStill, store } = openWebhooks(60_000);
  const goOn = standStill();
  let refused = 0;
  const told = Array.from({ length: 2101 }, () =>
    tellMany(1).then(([status]) => void (refused += Number(status === 503))),
  );
  await until(() => refused === 100);
  goOn();
  await Promise.all(told);
  assert.deepEqual([refused, store.kept], [100, 2001]);
});

test('a page that opens its stream while the companion retires does not hold the stop up', async (t) => {
  const { app, origin, cookie } = await setUp(t);
  app.retire();
  const stream = await fetch(`${origin}/dialer/events`, {
    headers: { Cookie: cookie },
    signal: AbortSignal.timeout(2000),
  });
  assert.match(await stream.text(), /^(?:id|:)/);
});

test('a page that opens its stream while its agent signs out hears nothing', async (t) => {
  const { origin, cookie } = await setUp(t);
  const { take } = RateLimit.prototype;
  const going = new AbortController();
  const { mock } = t.mock.method(RateLimit.prototype, 'take', async function (this: RateLimit, key: string) {
    await once(going.signal, 'abort');
    return take.call(this, key);
  });
  const opening = fetch(`${origin}/dialer/events`, {
    headers: { Cookie: cookie },
    signal: AbortSignal.timeout(2000),
  });
  await until(() => mock.callCount() === 1);
  assert.equal((await post(`${origin}/logout`, undefined, { Cookie: cookie })).status, 204);
  mock.restore();
  going.abort();
  assert.match(await (await opening).text(), /^(?:id|:)/);
});

test('a call-me that the database cannot record does not count against the daily limit', async (t) => {
  const { ask, vendor, env } = await setUpCallMe(t);
  const store = openDatabase(env.DATABASE_URL);
  await store.write('alter table expected_call rename to gone');
  assert.equal((await ask('call-me')).status, 500);
  await store.write('alter table gone rename to expected_call');
  await store.close();
  assert.equal((await ask('call-me')).status, 202);
  assert.equal(vendor.asked(CALL_ME), 1);
});

async function setUpCallMe(t: TestContext) {
  const env = {
    DATABASE_URL: await sqliteUrl(t),
    CALL_ME_PER_MINUTE: '1',
    CALL_ME_PER_DAY: '1',
  };
  return { ...(await setUp(t, env)), env };
}
