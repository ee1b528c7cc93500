/** The vendor's REST side: what a partner's backend sees of it. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { postJson, startSandbox, type RunningSandbox } from '../../servers.ts';

const KEY = { 'X-API-Key': 'sandbox-api-key' };

interface Envelope {
  readonly error: number;
  readonly message: string;
  readonly data: unknown;
}

async function get(sandbox: RunningSandbox, path: string): Promise<Envelope> {
  const answer = await fetch(`${sandbox.baseUrl}${path}`, { headers: KEY });
  assert.equal(answer.status, 200);
  return (await answer.json()) as Envelope;
}

async function send(sandbox: RunningSandbox, path: string, body: unknown): Promise<Envelope> {
  const answer = await postJson(`${sandbox.baseUrl}${path}`, body, KEY);
  assert.equal(answer.status, 200);
  return (await answer.json()) as Envelope;
}

async function readMember(sandbox: RunningSandbox, memberNo: string): Promise<Record<string, unknown>> {
  const { data } = await get(sandbox, `/api/member/getByMemberNo?member_no=${memberNo}`);
  return data as Record<string, unknown>;
}

async function sandboxWithAgent(t: TestContext, codes: readonly string[] = []): Promise<RunningSandbox> {
  const sandbox = await startSandbox(t);
  await send(sandbox, '/api/sdk/tokenSdk', { member_no: 'agent001', hotline_codes: codes });
  return sandbox;
}

test('only the X-API-Key header is accepted', async (t) => {
  const sandbox = await startSandbox(t);
  const refused: Record<string, string>[] = [
    {},
    { 'X-API-Key': 'wrong' },
    { Authorization: 'Bearer sandbox-api-key' },
    { Authorization: 'sandbox-api-key' },
  ];
  for (const headers of refused) {
    const answer = await fetch(`${sandbox.baseUrl}/api/hotline/getAll`, { headers });
    assert.deepEqual([answer.status, ((await answer.json()) as Envelope).error], [200, 401]);
  }
  assert.equal((await get(sandbox, '/api/hotline/getAll')).error, 0);
});

test('hotlines are listed with name, number, code and type', async (t) => {
  const sandbox = await startSandbox(t);
  const { data } = await get(sandbox, '/api/hotline/getAll');
  assert.deepEqual((data as unknown[])[0], {
    hotline_name: 'Sales',
    hotline_number: '842899990001',
    hotline_code: 'HL_SALES',
    hotline_type: 'HOTLINE',
  });
});

test('a token request creates the member with no money and the hotlines asked for', async (t) => {
  const sandbox = await sandboxWithAgent(t, ['HL_SUPPORT']);
  const member = await readMember(sandbox, 'agent001');
  assert.equal(member['member_money'], 0);
  assert.deepEqual(
    sandbox.world.members.get('agent001')?.assignments.map(({ number }) => number),
    ['842899990002'],
  );
});

test('a token is a JWT in shape, and hotline codes of a known member are ignored', async (t) => {
  const sandbox = await sandboxWithAgent(t);
  const { data } = await send(sandbox, '/api/sdk/tokenSdk', {
    member_no: 'agent001',
    hotline_codes: ['HL_SALES'],
  });
  assert.match(String(data), /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/);
  assert.deepEqual(sandbox.world.members.get('agent001')?.assignments, []);
});

test('a member number with anything but letters and digits is refused with -1 everywhere', async (t) => {
  const sandbox = await startSandbox(t);
  const bad = { member_no: 'agent_001', money: 1, hotline_number: '842899990001', allow_call: true };
  assert.equal((await send(sandbox, '/api/sdk/tokenSdk', bad)).error, -1);
  assert.equal((await send(sandbox, '/api/member/addMoney', bad)).error, -1);
  assert.equal(
    (await send(sandbox, '/api/hotline/member/add', { ...bad, start_time: '', end_time: '' })).error,
    -1,
  );
  assert.equal((await get(sandbox, '/api/member/getByMemberNo?member_no=agent_001')).error, -1);
  assert.equal(sandbox.world.members.size, 0);
});

test('an unknown member is 404', async (t) => {
  const sandbox = await startSandbox(t);
  assert.equal((await get(sandbox, '/api/member/getByMemberNo?member_no=nobody')).error, 404);
  assert.equal((await send(sandbox, '/api/member/addMoney', { member_no: 'nobody', money: 1 })).error, 404);
});

test('money moves from the admin account to the member, decimals kept', async (t) => {
  const sandbox = await sandboxWithAgent(t);
  await send(sandbox, '/api/member/addMoney', { member_no: 'agent001', money: 0.1 });
  await send(sandbox, '/api/member/addMoney', { member_no: 'agent001', money: 0.2 });
  assert.equal((await readMember(sandbox, 'agent001'))['member_money'], 0.3);
  assert.equal((await get(sandbox, '/api/account/balance')).data, 4_999_999.7);
});

test('a short admin account refuses with 402 and moves nothing', async (t) => {
  const sandbox = await sandboxWithAgent(t);
  sandbox.world.setAdminBalance(500);
  assert.equal(
    (await send(sandbox, '/api/member/addMoney', { member_no: 'agent001', money: 1000 })).error,
    402,
  );
  assert.equal((await readMember(sandbox, 'agent001'))['member_money'], 0);
  assert.equal(sandbox.world.adminBalance, 500);
});

test('a member on a call gets no money: -1', async (t) => {
  const sandbox = await sandboxWithAgent(t);
  sandbox.world.calls.push({
    id: '1',
    memberNo: 'agent001',
    direction: 'outgoing',
    number: '0900000200',
    hotline: undefined,
    externalCallId: undefined,
    state: 'answered',
    finalStatus: 200,
    endedBy: undefined,
    endedWith: 'BYE',
    startedAt: 0,
    answeredAt: 0,
    endedAt: undefined,
    dtmf: '',
    audioPackets: 0,
    audioBytes: 0,
    loudPackets: 0,
    quality: undefined,
    isHeld: false,
    cost: 0,
  });
  assert.equal(
    (await send(sandbox, '/api/member/addMoney', { member_no: 'agent001', money: 1000 })).error,
    -1,
  );
});

test('money has to be a number above 0', async (t) => {
  const sandbox = await sandboxWithAgent(t);
  for (const money of [0, -1, '1000', null, undefined]) {
    assert.equal((await send(sandbox, '/api/member/addMoney', { member_no: 'agent001', money })).error, -1);
  }
});

/** What the vendor answers, as a code, to an assignment that is sound but for what is given. */
async function assign(sandbox: RunningSandbox, otherwise: object = {}): Promise<unknown> {
  const { error } = await send(sandbox, '/api/hotline/member/add', {
    member_no: 'agent001',
    hotline_number: '842899990001',
    allow_call: true,
    start_time: '',
    end_time: '',
    ...otherwise,
  });
  return error;
}

test('a hotline is assigned by its number, not by its code, and times are HH:mm or empty', async (t) => {
  const sandbox = await sandboxWithAgent(t);
  assert.equal(await assign(sandbox, { hotline_number: 'HL_SALES' }), 404);
  assert.equal(await assign(sandbox, { start_time: '8am' }), -1);
  assert.equal(await assign(sandbox, { allow_call: undefined }), -1);
  assert.equal(await assign(sandbox, { end_time: '17:30' }), 0);
  assert.equal(sandbox.world.members.get('agent001')?.assignments[0]?.endTime, '17:30');
});

test('a second assignment succeeds, or conflicts when the sandbox is set so', async (t) => {
  const sandbox = await sandboxWithAgent(t, ['HL_SALES']);
  assert.equal(await assign(sandbox), 0);
  sandbox.world.setSettings({ ...sandbox.world.settings, repeatAssignment: 'conflict' });
  assert.equal(await assign(sandbox), 409);
  assert.equal(sandbox.world.members.get('agent001')?.assignments.length, 1);
});

test('the member answer lists hotlines only when set so, in either form', async (t) => {
  const sandbox = await sandboxWithAgent(t, ['HL_SALES']);
  const { world } = sandbox;
  const before = await readMember(sandbox, 'agent001');
  assert.equal('hotlines' in before || 'hotline_numbers' in before, false);
  world.setSettings({ ...world.settings, hotlineList: 'hotlines' });
  assert.deepEqual((await readMember(sandbox, 'agent001'))['hotlines'], [{ hotline_number: '842899990001' }]);
  world.setSettings({ ...world.settings, hotlineList: 'hotline_numbers' });
  assert.deepEqual((await readMember(sandbox, 'agent001'))['hotline_numbers'], ['842899990001']);
});

test('failures answer HTTP 200, or their code mirrored when set so', async (t) => {
  const sandbox = await startSandbox(t);
  const ask = () => fetch(`${sandbox.baseUrl}/api/member/getByMemberNo?member_no=nobody`, { headers: KEY });
  assert.equal((await ask()).status, 200);
  sandbox.world.setSettings({ ...sandbox.world.settings, failureStatus: 'mirrored' });
  assert.equal((await ask()).status, 404);
});

test('success is spelled differently from endpoint to endpoint', async (t) => {
  const sandbox = await sandboxWithAgent(t);
  const messages = [
    (await get(sandbox, '/api/hotline/getAll')).message,
    (await get(sandbox, '/api/account/balance')).message,
    (await send(sandbox, '/api/sdk/tokenSdk', { member_no: 'agent001' })).message,
  ];
  assert.deepEqual(messages, ['Success', 'SUCCESS', 'success']);
});

test('a body that is not JSON is a bad parameter, not a crash', async (t) => {
  const sandbox = await startSandbox(t);
  const answer = await fetch(`${sandbox.baseUrl}/api/sdk/tokenSdk`, {
    method: 'POST',
    headers: KEY,
    body: '{',
  });
  assert.equal(((await answer.json()) as Envelope).error, -1);
});
