/** The rows of the endpoint table where one differs from the next: pages, codes, filters and what comes back. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { memberNoSchema, OpenApi } from '../../../demo/server/vendor/api.ts';
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
  const api = new OpenApi(vendor, { deadlineMs: 2000 });
  const { endpoints, close } = openCatalogue(vendor, { deadlineMs: 2000 });
  t.after(() => Promise.all([api.close(), close()]));
  return { api, endpoints, asked };
}

async function failure(work: Promise<unknown>): Promise<VendorError> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  assert.ok(error instanceof VendorError, String(error));
  return error;
}

test('a key that is refused is told with the code and the words of the vendor, by every module', async (t) => {
  const { endpoints } = await clientOf(t, [{ error: 409, message: 'no permission', data: null }]);
  for (const ask of [
    endpoints.listHotlines({}),
    endpoints.listCalls({}),
    endpoints.listScripts({}),
    endpoints.legacyListCalls({}),
    endpoints.readRecording({ trans_id: 't' }),
  ]) {
    const { code, vendorCode, message } = await failure(ask);
    assert.deepEqual([code, vendorCode], ['refused', 409]);
    assert.match(message, /no permission/);
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
