/** The rows of the endpoint table where one differs from the next: pages, codes, filters and what comes back. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { OpenApi } from '../../../demo/server/vendor.ts';
import { memberNoSchema } from '../../../demo/server/vendor/data.ts';
import { VendorError } from '../../../demo/server/vendor/response.ts';
import { openCatalogue } from '../../../demo/tools/open-api/endpoints.ts';
import { serve } from '../servers.ts';

const agent = memberNoSchema.parse('agent001');

/** A client of a vendor that always gives the next of these answers, the last one for ever. */
async function clientOf(t: TestContext, ...answers: readonly (readonly [unknown, status?: number])[]) {
  const asked: URL[] = [];
  const baseUrl = await serve(t, (request) => {
    const [body, status = 200] =
      answers[Math.min(asked.push(new URL(request.url)), answers.length) - 1] ?? [];
    return Response.json(body, { status });
  });
  const vendor = { baseUrl, apiKey: 'key' };
  const api = new OpenApi(vendor, { deadline: 2000 });
  const { endpoints, close } = openCatalogue(vendor, { deadline: 2000 });
  t.after(() => Promise.all([api.close(), close()]));
  return { api, endpoints, asked };
}

async function failure(work: Promise<unknown>): Promise<VendorError> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  assert.ok(error instanceof VendorError, String(error));
  return error;
}

test('a key refused with 409 is never told as something that exists already, in the new history or the old', async (t) => {
  const { endpoints } = await clientOf(t, [{ error: 409, message: 'x', data: null }]);
  for (const ask of [
    endpoints.listCalls({}),
    endpoints.countCalls({}),
    endpoints.listCallLegs({ group_id: 'g' }),
    endpoints.readCallQuality({ trans_id: 't' }),
    endpoints.legacyListCalls({}),
    endpoints.legacyCountCalls({}),
    endpoints.readRecording({ trans_id: 't' }),
  ]) {
    assert.match((await failure(ask)).message, /the API key is not accepted/);
  }
});

test('a key refused with 401 is told as such by every module', async (t) => {
  const { endpoints } = await clientOf(t, [{ error: 401, errorCode: 401 }]);
  for (const ask of [endpoints.listHotlines({}), endpoints.listCalls({}), endpoints.listScripts({})]) {
    assert.match((await failure(ask)).message, /the API key is not accepted/);
  }
});

test('no page before the first is asked for: calls begin with 0, automatic calls and scripts with 1', async (t) => {
  const { endpoints, asked } = await clientOf(t, [{ error: 0, data: [] }]);
  const beforeFirst = [
    endpoints.listCalls({ page: -1 }),
    endpoints.listAutoCalls({ page: 0 }),
    endpoints.listScripts({ page: 0 }),
    endpoints.legacyListAutoCalls({ page: 0 }),
    endpoints.legacyListScripts({ page: 0 }),
    endpoints.listCalls({ size: 0 }),
  ];
  for (const ask of beforeFirst) assert.equal((await failure(ask)).code, 'not-sent');
  assert.equal(asked.length, 0);
  await endpoints.listCalls({ page: 0 });
  await endpoints.listAutoCalls({ page: 1 });
  assert.deepEqual(
    asked.map(({ searchParams }) => searchParams.get('page')),
    ['0', '1'],
  );
});

test('the older scripts take no filter that only the newer ones know', async (t) => {
  const { endpoints, asked } = await clientOf(t, [{ error: 0, data: [] }]);
  assert.equal((await failure(endpoints.legacyListScripts({ bot_id: 'b' } as object))).code, 'not-sent');
  await endpoints.listScripts({ bot_id: 'b', is_bot: 1 });
  assert.equal(asked.length, 1);
});

test('the balance of the partner account may be a number or the text of one', async (t) => {
  const { api } = await clientOf(t, [{ error: 0, data: 1_500_000.5 }], [{ error: 0, data: '1500000.0' }]);
  assert.deepEqual([await api.adminBalance(), await api.adminBalance()], [1_500_000.5, 1_500_000]);
});

test('the status of a member is passed on as it is, and an unreadable one spoils nothing', async (t) => {
  const member = (member_status: unknown) =>
    [{ error: 0, data: { member_no: agent, member_money: 5, member_status } }] as const;
  const { api } = await clientOf(t, member(6), member('ACTIVE'), member(undefined));
  const seen = [await api.readMember(agent), await api.readMember(agent), await api.readMember(agent)];
  assert.deepEqual(
    seen.map(({ status, balance }) => [status, balance]),
    [
      [6, 5],
      [undefined, 5],
      [undefined, 5],
    ],
  );
});

test('a call of the history comes with what it cost, whether it was recorded and who was at which end', async (t) => {
  const row = {
    trans_id: 't1',
    call_at: 1_767_225_602_000,
    is_record: true,
    postage: 300,
    auto_dial_service_charge: 50,
    payment_channel: 'MONEY',
    callee_info: { number: '0900000200', channel: 'PSTN', telco_code: 'VTL', type: 'Phone' },
  };
  const { endpoints } = await clientOf(t, [{ error: 0, data: [{ ...row, customer_code: 7 }] }]);
  assert.deepEqual(JSON.parse(JSON.stringify(await endpoints.listCalls({}))), [row]);
});

test('a hotline that cannot be read is not offered, and when none can, the list is an error', async (t) => {
  const good = { hotline_name: 'Sales', hotline_number: '84281', hotline_code: 'A', hotline_type: 'HOTLINE' };
  const bad = { hotline_name: 'Broken', hotline_number: null, hotline_code: 'B' };
  const mixed = await clientOf(t, [{ error: 0, data: [bad, good] }]);
  assert.deepEqual(
    (await mixed.api.listHotlines()).map(({ code }) => code),
    ['A'],
  );
  const broken = await clientOf(t, [{ error: 0, data: [bad] }]);
  assert.equal((await failure(broken.api.listHotlines())).code, 'invalid-answer');
});

test('a vendor that is too busy is asked again, whatever its body says, but never told anything twice', async (t) => {
  const busy = [{ error: 429, message: 'slow down', data: null }, 429] as const;
  const reads = await clientOf(t, busy, busy, [{ error: 0, data: [] }]);
  assert.deepEqual(await reads.api.listHotlines(), []);
  assert.equal(reads.asked.length, 3);

  const posts = await clientOf(t, busy);
  assert.equal((await failure(posts.api.addMoney(agent, 1000))).code, 'rate-limited');
  assert.equal(posts.asked.length, 1);
});

test('nothing but the number 0 is a success, whatever else the answer holds', async (t) => {
  const doubtful: (readonly [unknown, status?: number])[] = [
    ...['0', '', null, false, 'success', [0], undefined].map((error) => [{ error, data: 5 }] as const),
    [{ errorCode: '0', data: 5 }],
    [{ status: 200, msg: 'Success', data: 5 }],
    [{ error: 0, data: 5 }, 404],
    [5],
    ['5'],
  ];
  const { api, asked } = await clientOf(t, ...doubtful, [{ error: 0, data: 5 }]);
  for (const [answer] of doubtful) {
    assert.equal((await failure(api.adminBalance())).code, 'invalid-answer', JSON.stringify(answer));
  }
  assert.equal(await api.adminBalance(), 5);
  assert.equal(asked.length, doubtful.length + 1);
});
