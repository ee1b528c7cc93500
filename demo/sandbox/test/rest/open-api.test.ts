/** The vendor's REST side: what a partner's backend sees of it. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { endedCall, startVendor, type Vendor } from './vendor.ts';

const KEY = { 'X-API-Key': 'sandbox-api-key' };

async function readMember({ get }: Vendor, member_no: string): Promise<Record<string, unknown>> {
  return (await get<Record<string, unknown>>('/api/member/getByMemberNo', { member_no })).data;
}

async function vendorWithAgent(t: TestContext, hotline_codes: readonly string[] = []): Promise<Vendor> {
  const vendor = startVendor(t);
  await vendor.post('/api/sdk/tokenSdk', { member_no: 'agent001', hotline_codes });
  return vendor;
}

test('only the X-API-Key header is accepted, and a failure answers HTTP 200', async (t) => {
  const vendor = startVendor(t);
  const refused: Record<string, string>[] = [
    {},
    { 'X-API-Key': 'wrong' },
    { Authorization: 'Bearer sandbox-api-key' },
    { Authorization: 'sandbox-api-key' },
  ];
  for (const headers of refused) {
    const answer = await vendor.fetch('/api/hotline/getAll', { headers });
    assert.deepEqual([answer.status, ((await answer.json()) as { error: number }).error], [200, 401]);
  }
  assert.equal((await vendor.get('/api/hotline/getAll')).error, 0);
});

test('hotlines are listed with name, number, code and type', async (t) => {
  const vendor = startVendor(t);
  const { data } = await vendor.get('/api/hotline/getAll');
  assert.deepEqual((data as unknown[])[0], {
    hotline_name: 'Sales',
    hotline_number: '842899990001',
    hotline_code: 'HL_SALES',
    hotline_type: 'HOTLINE',
  });
});

test('a token request creates the member with no money and the hotlines asked for', async (t) => {
  const vendor = await vendorWithAgent(t, ['HL_SUPPORT']);
  const member = await readMember(vendor, 'agent001');
  assert.equal(member['member_money'], 0);
  assert.deepEqual(
    vendor.world.members.get('agent001')?.assignments.map(({ number }) => number),
    ['842899990002'],
  );
});

test('a token is a JWT in shape, and hotline codes of a known member are ignored', async (t) => {
  const vendor = await vendorWithAgent(t);
  const { data } = await vendor.post('/api/sdk/tokenSdk', {
    member_no: 'agent001',
    hotline_codes: ['HL_SALES'],
  });
  assert.match(String(data), /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/);
  assert.deepEqual(vendor.world.members.get('agent001')?.assignments, []);
});

test('a member number with anything but letters and digits is refused with -1 everywhere', async (t) => {
  const vendor = startVendor(t);
  const bad = { member_no: 'agent_001', money: 1, hotline_number: '842899990001', allow_call: true };
  assert.equal((await vendor.post('/api/sdk/tokenSdk', bad)).error, -1);
  assert.equal((await vendor.post('/api/member/addMoney', bad)).error, -1);
  assert.equal(
    (await vendor.post('/api/hotline/member/add', { ...bad, start_time: '', end_time: '' })).error,
    -1,
  );
  assert.equal((await vendor.get('/api/member/getByMemberNo', { member_no: 'agent_001' })).error, -1);
  assert.equal(vendor.world.members.size, 0);
});

test('an unknown member is 404', async (t) => {
  const vendor = startVendor(t);
  assert.equal((await vendor.get('/api/member/getByMemberNo', { member_no: 'nobody' })).error, 404);
  assert.equal((await vendor.post('/api/member/addMoney', { member_no: 'nobody', money: 1 })).error, 404);
});

test('money moves from the admin account to the member, decimals kept', async (t) => {
  const vendor = await vendorWithAgent(t);
  await vendor.post('/api/member/addMoney', { member_no: 'agent001', money: 0.1 });
  await vendor.post('/api/member/addMoney', { member_no: 'agent001', money: 0.2 });
  assert.equal((await readMember(vendor, 'agent001'))['member_money'], 0.3);
  assert.equal((await vendor.get('/api/account/balance')).data, 4_999_999.7);
});

test('a short admin account refuses with 402 and moves nothing', async (t) => {
  const vendor = await vendorWithAgent(t);
  vendor.world.setAdminBalance(500);
  assert.equal(
    (await vendor.post('/api/member/addMoney', { member_no: 'agent001', money: 1000 })).error,
    402,
  );
  assert.equal((await readMember(vendor, 'agent001'))['member_money'], 0);
  assert.equal(vendor.world.adminBalance, 500);
});

test('a member on a call gets no money: -1', async (t) => {
  const vendor = await vendorWithAgent(t);
  vendor.world.calls.push(endedCall({ state: 'answered', endedAt: undefined }));
  assert.equal((await vendor.post('/api/member/addMoney', { member_no: 'agent001', money: 1000 })).error, -1);
});

test('money has to be a number above 0', async (t) => {
  const vendor = await vendorWithAgent(t);
  for (const money of [0, -1, '1000', null, undefined]) {
    assert.equal((await vendor.post('/api/member/addMoney', { member_no: 'agent001', money })).error, -1);
  }
});

/** What the vendor answers, as a code, to an assignment that is sound but for what is given. */
async function assign(vendor: Vendor, otherwise: object = {}): Promise<unknown> {
  const { error } = await vendor.post('/api/hotline/member/add', {
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
  const vendor = await vendorWithAgent(t);
  assert.equal(await assign(vendor, { hotline_number: 'HL_SALES' }), 404);
  assert.equal(await assign(vendor, { start_time: '8am' }), -1);
  assert.equal(await assign(vendor, { allow_call: undefined }), -1);
  assert.equal(await assign(vendor, { end_time: '17:30' }), 0);
  assert.equal(vendor.world.members.get('agent001')?.assignments[0]?.endTime, '17:30');
});

test('a second assignment of a hotline succeeds, and the member has it once', async (t) => {
  const vendor = await vendorWithAgent(t, ['HL_SALES']);
  assert.equal(await assign(vendor), 0);
  assert.equal(vendor.world.members.get('agent001')?.assignments.length, 1);
});

test('the member answer lists hotlines only when set so, in either form', async (t) => {
  const vendor = await vendorWithAgent(t, ['HL_SALES']);
  const { world } = vendor;
  const before = await readMember(vendor, 'agent001');
  assert.equal('hotlines' in before || 'hotline_numbers' in before, false);
  world.setSettings({ ...world.settings, hotlineList: 'hotlines' });
  assert.deepEqual((await readMember(vendor, 'agent001'))['hotlines'], [{ hotline_number: '842899990001' }]);
  world.setSettings({ ...world.settings, hotlineList: 'hotline_numbers' });
  assert.deepEqual((await readMember(vendor, 'agent001'))['hotline_numbers'], ['842899990001']);
});

test('success is spelled differently from endpoint to endpoint', async (t) => {
  const vendor = await vendorWithAgent(t);
  const messages = [
    (await vendor.get('/api/hotline/getAll')).message,
    (await vendor.get('/api/account/balance')).message,
    (await vendor.post('/api/sdk/tokenSdk', { member_no: 'agent001' })).message,
  ];
  assert.deepEqual(messages, ['Success', 'SUCCESS', 'success']);
});

test('a body that is not JSON is a bad parameter, not a crash', async (t) => {
  const vendor = startVendor(t);
  const answer = await vendor.fetch('/api/sdk/tokenSdk', {
    method: 'POST',
    headers: KEY,
    body: '{',
  });
  assert.equal(((await answer.json()) as { error: number }).error, -1);
});
