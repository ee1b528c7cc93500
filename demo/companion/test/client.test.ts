/** The vendor's client against a vendor that answers anything. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createSocketServer, type AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import * as z from 'zod/mini';
import { memberNoSchema, OpenApi } from '../vbot/api.ts';
import { VendorClient } from '../vbot/client.ts';
import { get, post } from '../vbot/endpoint.ts';
import { VendorError, type VendorErrorCode } from '../vbot/errors.ts';
import { until } from './app.ts';
import { startServer } from './free-port.ts';

const KEY = 'a-very-secret-key';
const agent = memberNoSchema.parse('agent001');

interface Stub {
  readonly origin: string;
  readonly api: OpenApi;
  readonly client: VendorClient;
  readonly requests: Request[];
}

async function serve(t: TestContext, answer: (request: Request) => unknown): Promise<string> {
  const server = createServer(
    getRequestListener(answer as Parameters<typeof getRequestListener>[0], { overrideGlobalObjects: false }),
  );
  return startServer(server, t);
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
  const api = new OpenApi(vendor, { deadlineMs: 2000 });
  t.after(() => api.close());
  return { origin, api, client: api.client, requests };
}

const text =
  (body: string, status = 200, headers: Record<string, string> = {}) =>
  () =>
    new Response(body, { status, headers });
const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  text(JSON.stringify(body), status, headers);
const member = (fields: object) =>
  json({ error: 0, message: 'x', data: { member_no: 'agent001', member_money: 0, ...fields } });

async function failure(work: Promise<unknown>): Promise<VendorError> {
  const error: unknown = await work.then(
    () => assert.fail('it should have failed'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof VendorError, String(error));
  assert.doesNotMatch(`${error.message} ${error.vendorMessage} ${error.stack}`, new RegExp(KEY));
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
  ['a failure behind HTTP 200', json({ error: 404, message: 'no' }), 'refused', 404],
  ['a failure behind its own status', json({ error: -1, message: 'no' }, 400), 'refused', -1],
  ['a failure whose code is text', json({ error: '404', message: 'no' }), 'refused', 404],
  ['a failure with a word for a code', json({ error: 'MEMBER_NOT_FOUND' }), 'refused'],
  ['a failure that says success: false', json({ success: false, message: 'no' }), 'refused'],
  ['a failure by code alone', json({ code: 1, message: 'no' }), 'refused', 1],
  ['a failure inside its error', json({ error: { code: 12, message: 'no' } }), 'refused', 12],
  ['a problem+json', json({ title: 'Not found', status: 404 }, 404), 'refused', 404],
  ['a page behind HTTP 404', text('<html>', 404), 'refused', 404],
  ['a locked door without envelope', text('no', 401), 'refused', 401],
  ['success code with HTTP 404', json({ error: 0, data: {} }, 404), 'invalid-answer'],
  ['no envelope at all', json({ ok: true }), 'invalid-answer'],
  ['a page', text('<html></html>'), 'invalid-answer'],
  ['half an answer', text('{"error":0,"data":{"member_no":"agent0'), 'invalid-answer'],
  ['nothing', text(''), 'invalid-answer'],
  ['success without a member', json({ error: 0, data: null }), 'refused', 404],
  ['success without data', json({ error: 0, message: 'ok' }), 'refused', 404],
  ['success with an id alone', json({ error: 0, traceId: '7' }), 'refused', 404],
  ['a member in another field', json({ error: 0, payload: { member_no: 'agent001' } }), 'invalid-answer'],
  ['a member beside the code', json({ error: 0, memberNo: 'agent001', memberMoney: 5 }), 'invalid-answer'],
  ['a member without balance', member({ member_money: undefined }), 'invalid-answer'],
  ['a member whose balance is null', member({ member_money: null }), 'invalid-answer'],
  ['a member whose balance is a word', member({ member_money: 'zero' }), 'invalid-answer'],
  ['a member whose balance is empty', member({ member_money: '' }), 'invalid-answer'],
  ['another member', member({ member_no: 'agent002' }), 'invalid-answer'],
  ['a broken service', text('<html>502</html>', 502), 'unreachable'],
  ['too often', text('', 429, { 'Retry-After': '60' }), 'rate-limited'],
];
for (const [what, answer, code, vendorCode] of odd) {
  test(`${what} is ${code}`, async (t) => {
    const { api } = await vendorThatAnswers(t, answer);
    const error = await failure(api.readMember(agent));
    assert.deepEqual([error.code, error.vendorCode], [code, vendorCode]);
  });
}

test("the vendor's own words are kept, without secrets, telephone numbers and control characters", async (t) => {
  const words = `Hết tiền\u001b[2J for ${KEY}, +84 912 345 678, token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln ${'x'.repeat(500)}`;
  const { api } = await vendorThatAnswers(t, json({ error: 402, message: words }));
  const { message, vendorMessage = '' } = await failure(api.addMoney(agent, 1));
  assert.match(message, /refused: error 402: “Hết tiền/);
  assert.match(vendorMessage, /^Hết tiền/);
  assert.doesNotMatch(`${message}${vendorMessage}`, /secret|eyJ|912|\p{Cc}|x{24}/u);
});

test('hotlines of a member are known, known to be none, or unknown, whatever their field is called', async (t) => {
  const { api } = await vendorThatAnswers(
    t,
    member({ hotlines: [{ hotline_number: '84281' }, '84282'] }),
    member({ hotline_numbers: ['84283'] }),
    member({ list_hotline: [{ hotline_code: 'HL_A' }] }),
    member({ hotlines: [] }),
    member({}),
    member({ hotlines: { surprise: true } }),
    member({ hotlines: [{ surprise: true }] }),
    member({ hotlines: [{ hotline_number: '84281', allow_call: false }] }),
    member({ assignedHotlines: [{ hotlineNumber: '84284' }] }),
  );
  const seen = [];
  for (let n = 0; n < 9; n += 1) seen.push((await api.readMember(agent)).hotlines);
  const known = [['84281', '84282'], ['84283'], ['HL_A'], []];
  assert.deepEqual(seen, [...known, undefined, undefined, undefined, [], ['84284']]);
});

const row = { hotline_name: 'Sales', hotline_number: '84281', hotline_code: 'HL_A' };

test('a hotline that is listed three times is there once; a row that cannot be read is left out', async (t) => {
  const { api } = await vendorThatAnswers(
    t,
    json({ error: 0, data: [row, row, { hotline_name: 'broken' }, { ...row, hotline_code: 'HL_B' }, row] }),
    json({ error: 0, data: [{ hotline_name: 'broken' }] }),
  );
  assert.deepEqual(
    (await api.listHotlines()).map(({ code }) => code),
    ['HL_A', 'HL_B'],
  );
  assert.equal((await failure(api.listHotlines())).code, 'invalid-answer');
});

test('a read and a token are tried again, a payment never', async (t) => {
  const reads = await vendorThatAnswers(t, text('', 503), text('', 503), json({ error: 0, data: [] }));
  await reads.api.listHotlines();
  assert.equal(reads.requests.length, 3);
  const tokens = await vendorThatAnswers(t, text('', 503), json({ error: 0, data: 'eyJ' }));
  assert.equal(await tokens.api.issueToken(agent, []), 'eyJ');

  const payments = await vendorThatAnswers(t, text('', 503));
  assert.equal((await failure(payments.api.addMoney(agent, 1000))).code, 'unreachable');
  const limited = await vendorThatAnswers(t, text('', 429));
  assert.equal((await failure(limited.api.addMoney(agent, 1000))).code, 'rate-limited');
  assert.equal(payments.requests.length + limited.requests.length, 2);
});

test('Retry-After of the vendor is obeyed, and told when it is too long to be waited for', async (t) => {
  const soon = await vendorThatAnswers(
    t,
    text('', 429, { 'Retry-After': '1' }),
    json({ error: 0, data: [] }),
  );
  const begin = performance.now();
  await soon.api.listHotlines();
  assert.ok(performance.now() - begin >= 1000, 'it was asked again too early');
  const late = await vendorThatAnswers(t, text('', 429, { 'Retry-After': '30' }));
  const error = await failure(late.api.listHotlines());
  assert.deepEqual([error.code, error.retryAfterMs, late.requests.length], ['rate-limited', 30_000, 1]);
});

test('kept connections that the vendor resets at their next use cost no agent a sign-in', async (t) => {
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    const used = (request.socket as { used?: number }).used ?? 0;
    (request.socket as { used?: number }).used = used + 1;
    if (used > 0) return void request.socket.resetAndDestroy();
    response.end(JSON.stringify({ error: 0, data: 'eyJ' }));
  });
  const baseUrl = await startServer(server, t);
  const api = new OpenApi({ baseUrl, apiKey: KEY });
  t.after(() => api.close());
  for (let n = 0; n < 6; n += 1) assert.equal(await api.issueToken(agent, []), 'eyJ');
  assert.ok(count > 6, 'some were reset');
});

test('a vendor that is down costs milliseconds after five failures, and is asked again a moment later, whatever the clock says', async (t) => {
  let isDown = true;
  let asked = 0;
  const origin = await serve(t, () => {
    asked += 1;
    return isDown ? new Response('', { status: 503 }) : Response.json({ error: 0, data: [] });
  });
  const api = new OpenApi({ baseUrl: origin, apiKey: KEY }, { attempts: 1 });
  t.after(() => api.close());
  for (let n = 0; n < 5; n += 1) assert.equal((await failure(api.listHotlines())).code, 'unreachable');
  assert.equal((await failure(api.listHotlines())).code, 'circuit-open');
  assert.equal(asked, 5);
  isDown = false;
  const [now, passed] = [Date.now(), performance.now()];
  t.mock.method(Date, 'now', () => now - 600_000);
  t.mock.method(performance, 'now', () => passed + 3000);
  assert.deepEqual(await api.listHotlines(), []);
});

/** A client that sends two requests at once, and how many its vendor has had at once. */
async function openCounted(t: TestContext): Promise<{ api: OpenApi; most: () => number }> {
  let [most, now] = [0, 0];
  const origin = await serve(t, async () => {
    now += 1;
    most = Math.max(most, now);
    await delay(20);
    now -= 1;
    return Response.json({ error: 0, data: [] });
  });
  const api = new OpenApi({ baseUrl: origin, apiKey: KEY }, { concurrency: 2 });
  t.after(() => api.close());
  return { api, most: () => most };
}

test('only so many requests are under way at once, and one too many fails at once', async (t) => {
  const { api, most } = await openCounted(t);
  const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => api.listHotlines()));
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  assert.deepEqual([most(), refused.length], [2, 30 - 2 - 16]);
  assert.equal(((refused[0] as PromiseRejectedResult).reason as VendorError).code, 'busy');
});

test('payments have connections of their own, but no more than VENDOR_CONCURRENCY', async (t) => {
  const { api, most } = await openCounted(t);
  await Promise.all(Array.from({ length: 10 }, () => api.addMoney(agent, 1000)));
  assert.equal(most(), 2);
});

test('a payment that waited while the machine was suspended is not sent', async (t) => {
  const release = new AbortController();
  let asked = 0;
  const origin = await serve(t, async () => {
    asked += 1;
    await once(release.signal, 'abort');
    return Response.json({ error: 0, data: null });
  });
  const api = new OpenApi({ baseUrl: origin, apiKey: KEY }, { concurrency: 1 });
  t.after(() => api.close());
  const first = api.addMoney(agent, 1000);
  const second = failure(api.addMoney(agent, 1000));
  await until(() => asked > 0);
  const { now } = Date;
  t.mock.method(Date, 'now', () => now() + 660_000);
  release.abort();
  await first;
  assert.deepEqual([(await second).code, asked], ['busy', 1]);
});

test('a payment that waited for its turn still has its whole time, or was never sent', async (t) => {
  let seen = 0;
  const origin = await serve(t, async () => {
    seen += 1;
    await delay(1200);
    return Response.json({ error: 0, data: null });
  });
  const api = new OpenApi({ baseUrl: origin, apiKey: KEY }, { deadlineMs: 2000 });
  t.after(() => api.close());
  const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => api.addMoney(agent, 1000)));
  const failures = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as VendorError] : []));
  assert.deepEqual([...new Set(failures.map(({ code, sent }) => `${code} ${sent}`))], ['busy false']);
  assert.equal(seen, outcomes.length - failures.length);
});

test('whatever fails before a connection is open, TLS too, was never sent', async (t) => {
  const server = createSocketServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const api = new OpenApi({ baseUrl: `https://127.0.0.1:${port}/v3.0`, apiKey: KEY });
  t.after(() => api.close());
  const { code, sent, message } = await failure(api.addMoney(agent, 1000));
  assert.deepEqual([code, sent], ['not-connected', false]);
  assert.match(message, /ECONNRESET/);
});

test(
  'a request to a silent vendor fails at the deadline, retries included',
  { timeout: 10_000 },
  async (t) => {
    const origin = await serve(t, () => new Promise<Response>(() => undefined));
    const api = new OpenApi({ baseUrl: origin, apiKey: KEY }, { deadlineMs: 100 });
    assert.equal((await failure(api.listHotlines())).code, 'unreachable');
  },
);

test('the key does not follow a redirect', async (t) => {
  const elsewhere = await vendorThatAnswers(t, json({ error: 0, data: [] }));
  const baseUrl = await serve(t, () => Response.redirect(`${elsewhere.origin}/`, 307));
  const api = new OpenApi({ baseUrl, apiKey: KEY }, { deadlineMs: 1000 });
  assert.equal((await failure(api.addMoney(agent, 1))).code, 'unreachable');
  assert.equal(elsewhere.requests.length, 0);
});

test('a token with spaces or of another type is refused', async (t) => {
  const { api } = await vendorThatAnswers(
    t,
    json({ error: 0, data: '' }),
    json({ error: 0, data: { surprise: 'x' } }),
  );
  assert.equal((await failure(api.issueToken(agent, []))).code, 'invalid-answer');
  assert.equal((await failure(api.issueToken(agent, []))).code, 'invalid-answer');
});

test('a member number has only letters and digits', () => {
  for (const bad of ['', 'agent_001', 'agent-1', 'a b', 'đ', 'agent001\n', 'a'.repeat(65)]) {
    assert.equal(memberNoSchema.safeParse(bad).success, false, bad);
  }
});

test('both envelopes are read, and a mixed one is a success only if no part says otherwise', async (t) => {
  const { client } = await vendorThatAnswers(
    t,
    json({ status: 200, msg: 'ok', errorCode: 0, data: 7 }),
    json({ status: 500, msg: 'no', errorCode: 803, data: null }),
    json({ error: 0, message: 'ok', errorCode: 403, data: null }),
    json({ error: 0, message: 'ok', errorCode: 0, data: 8 }),
  );
  const count = get('count', {}, z.number());
  assert.equal(await client.call(count, {}), 7);
  assert.equal((await failure(client.call(count, {}))).vendorCode, 803);
  assert.equal((await failure(client.call(count, {}))).vendorCode, 403);
  assert.equal(await client.call(count, {}), 8);
});

test('an admin balance that is missing or a word is an error, never 0', async (t) => {
  const { api } = await vendorThatAnswers(t, json({ error: 0 }), json({ error: 0, data: '' }));
  assert.equal((await failure(api.adminBalance())).code, 'invalid-answer');
  assert.equal((await failure(api.adminBalance())).code, 'invalid-answer');
});

test('input that an endpoint does not take is never sent', async (t) => {
  const { api, client, requests } = await vendorThatAnswers(t, json({ error: 0, data: true }));
  assert.equal((await failure(api.addMoney(agent, -1))).code, 'not-sent');
  assert.equal(
    (await failure(client.call(post('x', { a: z.string() }, z.unknown()), {} as never))).code,
    'not-sent',
  );
  assert.equal(requests.length, 0);
});

test('an end of the account is read in Vietnam’s time, and a day lasts to its end', async (t) => {
  const ends: readonly (readonly [written: string, end: string])[] = [
    ['2026-12-31', '2026-12-31T16:59:59.000Z'],
    ['2026-12-31 23:59:59', '2026-12-31T16:59:59.000Z'],
    ['2026-12-31T10:00', '2026-12-31T03:00:00.000Z'],
    ['2026-12-31 10:00:00+07', '2026-12-31T03:00:00.000Z'],
    ['2026-12-31T10:00:00.5+0700', '2026-12-31T03:00:00.500Z'],
    ['2026-12-31T10:00:00Z', '2026-12-31T10:00:00.000Z'],
  ];
  const answers = ends.map(([expiration_date]) => member({ expiration_date }));
  const { api } = await vendorThatAnswers(t, ...answers);
  for (const [written, end] of ends) {
    const { expiresAt = '' } = await api.readMember(agent);
    assert.equal(new Date(expiresAt).toISOString(), end, written);
  }
});

test('a telephone number in the vendor’s words is hidden however it is written; times and sums stay', async (t) => {
  const numbers = [
    '(091) 234 5678',
    '0912/345/678',
    '0912\u00a0345\u00a0678',
    '091–234–5678',
    '+84 (0) 912.345.678',
    '0912 345 678',
    '0_9_1_2_3_4_5_6_7_8',
    '0912-34-56 78',
  ];
  const kept = [
    '2026-11-21 10:15:30',
    '21/11/2026 10:15',
    '1.500.000 VND',
    '1.500.000.000 VND',
    'error 12345678',
  ];
  for (const written of [...numbers, ...kept]) {
    const { api } = await vendorThatAnswers(t, json({ error: 402, message: `no money for ${written}!` }));
    const { vendorMessage } = await failure(api.addMoney(agent, 1));
    const told = kept.includes(written) ? written : '…';
    assert.equal(vendorMessage, `no money for ${told}!`, written);
  }
});
