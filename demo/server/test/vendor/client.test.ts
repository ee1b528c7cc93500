/** The vendor client against a vendor that answers anything. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { memberNoSchema } from '../../../../demo/server/vendor/data.ts';
import { OpenApi } from '../../../../demo/server/vendor.ts';
import { VendorError, type VendorErrorCode } from '../../../../demo/server/vendor/response.ts';
import { openCatalogue, type Endpoints } from '../../../../demo/tools/open-api/endpoints.ts';
import { serve } from '../../servers.ts';

const KEY = 'a-very-secret-key';
const agent = memberNoSchema.parse('agent001');

interface Stub {
  readonly origin: string;
  readonly api: OpenApi;
  readonly endpoints: Endpoints;
  readonly requests: Request[];
}

/** A vendor that gives these answers, the last one for ever. */
async function vendorThatAnswers(
  t: TestContext,
  ...answers: readonly (() => Response | Promise<Response>)[]
): Promise<Stub> {
  const requests: Request[] = [];
  const origin = await serve(t, (request) => {
    requests.push(request);
    return answers[Math.min(requests.length, answers.length) - 1]?.();
  });
  const vendor = { baseUrl: `${origin}/v3.0`, apiKey: KEY };
  const { endpoints } = openCatalogue(vendor, { deadline: 2000 });
  return { origin, api: new OpenApi(vendor, { deadline: 2000 }), endpoints, requests };
}

const text =
  (body: string, status = 200) =>
  () =>
    new Response(body, { status });
const json = (body: unknown, status = 200) => text(JSON.stringify(body), status);
const member = (fields: object) =>
  json({ error: 0, message: 'x', data: { member_no: 'agent001', member_money: 0, ...fields } });

async function failure(work: Promise<unknown>): Promise<VendorError> {
  const error: unknown = await work.then(
    () => assert.fail('it should have failed'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof VendorError, String(error));
  assert.doesNotMatch(`${error.message} ${error.stack}`, new RegExp(KEY));
  return error;
}

test('the key travels in X-API-Key and nowhere else', async (t) => {
  const { api, requests } = await vendorThatAnswers(t, json({ error: 0, data: [] }));
  await api.listHotlines();
  assert.equal(requests[0]?.headers.get('X-API-Key'), KEY);
  assert.equal(requests[0]?.headers.has('Authorization'), false);
  assert.equal(new URL(requests[0]?.url ?? '').pathname, '/v3.0/api/hotline/getAll');
});

const odd: readonly [string, () => Response, VendorErrorCode, number?][] = [
  ['a business failure behind HTTP 200', json({ error: 404, message: 'no' }), 'refused', 404],
  ['a business failure behind its own status', json({ error: -1, message: 'no' }, 400), 'refused', -1],
  ['success spelled as text', json({ error: '0', data: {} }), 'invalid-answer'],
  ['no envelope at all', json({ ok: true }), 'invalid-answer'],
  ['a page', text('<html></html>'), 'invalid-answer'],
  ['half an answer', text('{"error":0,"data":{"member_no":"agent0'), 'invalid-answer'],
  ['nothing', text(''), 'invalid-answer'],
  ['success without a member', json({ error: 0, data: null }), 'refused', 404],
  ['a member without balance', member({ member_money: undefined }), 'invalid-answer'],
  ['a member whose balance is null', member({ member_money: null }), 'invalid-answer'],
  ['a member whose balance is a word', member({ member_money: 'zero' }), 'invalid-answer'],
  ['a member whose balance is empty', member({ member_money: '' }), 'invalid-answer'],
  ['another member', member({ member_no: 'agent002' }), 'invalid-answer'],
  ['success behind HTTP 404', json({ error: 0, data: {} }, 404), 'invalid-answer'],
  ['a locked door without envelope', text('no', 401), 'refused', 401],
  ['a broken service', text('<html>502</html>', 502), 'unreachable'],
];
for (const [what, answer, code, vendorCode] of odd) {
  test(`${what} is ${code}`, async (t) => {
    const { api } = await vendorThatAnswers(t, answer);
    const error = await failure(api.readMember(agent));
    assert.deepEqual([error.code, error.vendorCode], [code, vendorCode]);
  });
}

test('a balance may be a number or the text of one, with decimals', async (t) => {
  const { api } = await vendorThatAnswers(
    t,
    member({ member_money: 1234.56 }),
    member({ member_money: '-0.5' }),
    member({ member_money: '1000.00' }),
  );
  assert.equal((await api.readMember(agent)).balance, 1234.56);
  assert.equal((await api.readMember(agent)).balance, -0.5);
  assert.equal((await api.readMember(agent)).balance, 1000);
});

test('hotlines of a member are known, known to be none, or unknown', async (t) => {
  const { api } = await vendorThatAnswers(
    t,
    member({ hotlines: [{ hotline_number: '84281' }, '84282'] }),
    member({ hotline_numbers: ['84283'] }),
    member({ hotlines: [] }),
    member({}),
    member({ hotlines: { surprise: true } }),
  );
  const seen = [];
  for (let n = 0; n < 5; n += 1) seen.push((await api.readMember(agent)).hotlines);
  assert.deepEqual(seen, [['84281', '84282'], ['84283'], [], undefined, undefined]);
});

test('a read is tried again, a POST never', async (t) => {
  const reads = await vendorThatAnswers(t, text('', 503), text('', 503), json({ error: 0, data: [] }));
  await reads.api.listHotlines();
  assert.equal(reads.requests.length, 3);

  const posts = await vendorThatAnswers(t, text('', 503));
  assert.equal((await failure(posts.api.addMoney(agent, 1000))).code, 'unreachable');
  assert.equal((await failure(posts.api.issueToken(agent, []))).code, 'unreachable');
  assert.equal(posts.requests.length, 2);
});

test('"exists already" is as good as assigned', async (t) => {
  const { api } = await vendorThatAnswers(t, json({ error: 409, message: 'exists' }), json({ error: 403 }));
  await api.assignHotline(agent, '842899990001');
  assert.equal((await failure(api.assignHotline(agent, '842899990001'))).vendorCode, 403);
});

test('a silent vendor is given up after the deadline, retries included', { timeout: 10_000 }, async (t) => {
  const origin = await serve(t, () => new Promise<Response>(() => undefined));
  const api = new OpenApi({ baseUrl: origin, apiKey: KEY }, { deadline: 100 });
  assert.equal((await failure(api.listHotlines())).code, 'unreachable');
});

test('the key does not follow a redirect', async (t) => {
  const elsewhere = await vendorThatAnswers(t, json({ error: 0, data: [] }));
  const address = await serve(t, () => Response.redirect(`${elsewhere.origin}/`, 307));
  const api = new OpenApi({ baseUrl: address, apiKey: KEY }, { deadline: 1000 });
  assert.equal((await failure(api.addMoney(agent, 1))).code, 'unreachable');
  assert.equal(elsewhere.requests.length, 0);
});

test('a token with blanks or of another type is no token', async (t) => {
  const { api } = await vendorThatAnswers(
    t,
    json({ error: 0, data: '' }),
    json({ error: 0, data: { jwt: 'x' } }),
  );
  assert.equal((await failure(api.issueToken(agent, []))).code, 'invalid-answer');
  assert.equal((await failure(api.issueToken(agent, []))).code, 'invalid-answer');
});

test('a member number is letters and digits, or it is none', () => {
  for (const bad of ['', 'agent_001', 'agent-1', 'a b', 'đ', 'agent001\n', 'a'.repeat(65)]) {
    assert.equal(memberNoSchema.safeParse(bad).success, false, bad);
  }
});

test('both envelopes are read, and a mixed one says yes only if nothing in it says no', async (t) => {
  const { endpoints } = await vendorThatAnswers(
    t,
    json({ status: 200, msg: 'ok', errorCode: 0, data: 7 }),
    json({ status: 500, msg: 'no', errorCode: 803, data: null }),
    json({ error: 0, message: 'ok', errorCode: 403, data: null }),
    json({ error: 0, message: 'ok', errorCode: 0, data: 8 }),
  );
  assert.equal(await endpoints.countAutoCalls({}), 7);
  assert.equal((await failure(endpoints.countAutoCalls({}))).vendorCode, 803);
  assert.equal((await failure(endpoints.countAutoCalls({}))).vendorCode, 403);
  assert.equal(await endpoints.countAutoCalls({}), 8);
});

const words = async (work: Promise<unknown>) => (await failure(work)).message;

test('one code means different things at different endpoints', async (t) => {
  const { endpoints } = await vendorThatAnswers(t, json({ error: 409, errorCode: 409 }));
  assert.match(await words(endpoints.listCalls({})), /the API key is not accepted/);
  assert.match(await words(endpoints.issueToken({ member_no: 'agent001' })), /exists already/);
  const onCall = await vendorThatAnswers(t, json({ error: -1 }));
  assert.match(await words(onCall.api.addMoney(agent, 1)), /on a call/);
  assert.match(await words(onCall.api.adminBalance()), /parameter/);
});

test('an admin balance that is missing or a word is an error, never 0', async (t) => {
  const { api } = await vendorThatAnswers(t, json({ error: 0 }), json({ error: 0, data: '' }));
  assert.equal((await failure(api.adminBalance())).code, 'invalid-answer');
  assert.equal((await failure(api.adminBalance())).code, 'invalid-answer');
});

test('input that an endpoint does not take is never sent', async (t) => {
  const { endpoints, requests } = await vendorThatAnswers(t, json({ error: 0, data: true }));
  const info = { template_code: 'T', display_name: 'CRM', type: 'MEMBER' } as const;
  const six = Array.from({ length: 6 }, (_, n) => ({ member_no: `agent${n}` }));
  const wrong = [
    endpoints.addMoney({ member_no: 'agent001', money: -1 }),
    endpoints.addMoney({ member_no: 'agent_001', money: 1 }),
    endpoints.callMembers({ ...info, member_infos: six }),
    endpoints.callMembers({ ...info, display_name: 'two words', member_infos: [{ member_no: 'agent1' }] }),
    endpoints.listCalls({ project_code: 'x' } as object),
  ];
  for (const work of wrong) assert.equal((await failure(work)).code, 'not-sent');
  assert.equal(requests.length, 0);
});

const audio = () => new Response(Buffer.from('RIFF'), { headers: { 'Content-Type': 'audio/wav' } });

test('a recording comes as a data address, from a path that holds its id', async (t) => {
  const { endpoints, requests } = await vendorThatAnswers(t, audio, json({ error: 404 }));
  assert.equal(await endpoints.readRecording({ trans_id: 'a/b' }), 'data:audio/wav;base64,UklGRg==');
  assert.match(requests[0]?.url ?? '', /\/v3\.0\/api\/crm\/historycall\/record\/a%2Fb$/);
  assert.equal((await failure(endpoints.readRecording({ trans_id: 'x' }))).vendorCode, 404);
});
