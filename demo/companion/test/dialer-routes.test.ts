/** The routes of the dialer, as a signed-in agent meets them, whatever the vendor does. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { RateLimit } from '../guards/limits.ts';
import { post, problemOf, signIn, startAgent, until } from './app.ts';
import { startVendor, KEY, PATHS, type Fault } from './vendor.ts';

const ERROR = 50;

test('a new agent signs in and gets a session they can call with', async (t) => {
  const { json } = await startAgent(t);
  const { token, links, ...session } = await json('session');
  assert.equal(typeof token, 'string');
  assert.deepEqual(session, {
    member: { memberNo: 'agent001', name: 'An', extension: '101', balance: 1000, currency: 'VND' },
    hotlines: [{ name: 'Sales', number: '842899990001', code: 'HL_SALES', type: 'HOTLINE' }],
    blockers: [],
  });
  const { status, topUp, hotline } = links as Record<string, string>;
  assert.deepEqual([status, topUp, hotline], ['status', 'top-up?member=agent001', 'hotline?member=agent001']);
});

test('every link of a session is a route', async (t) => {
  const { ask, json } = await startAgent(t);
  const { links } = (await json('session')) as { links: Record<string, string> };
  for (const path of Object.values(links)) assert.notEqual((await ask(path)).status, 404, path);
});

test('the second session pays nothing and assigns nothing', async (t) => {
  const { json, vendor } = await startAgent(t);
  await json('session');
  vendor.requests.length = 0;
  await json('session');
  assert.deepEqual(
    vendor.requests.map(({ path }) => path).toSorted(),
    [PATHS.member, PATHS.token].toSorted(),
  );
});

test('fifty requests of one member at once cost two calls of the vendor', async (t) => {
  const { ask, json, vendor } = await startAgent(t);
  await json('session');
  vendor.requests.length = 0;
  const release = new AbortController();
  vendor.before = () => once(release.signal, 'abort');
  // The last guard of the route.
  const { mock } = t.mock.method(RateLimit.prototype, 'take');
  const asked = Array.from({ length: 50 }, () => ask('session'));
  await until(() => mock.callCount() === 50);
  await Promise.all(mock.calls.map(({ result }) => result));
  release.abort();
  for (const { status } of await Promise.all(asked)) assert.equal(status, 200);
  assert.equal(vendor.requests.length, 2);
});

test('the status is the session without the token', async (t) => {
  const { json } = await startAgent(t);
  const { token: _, ...session } = await json('session');
  assert.deepEqual(await json('status'), session);
});

test('the member comes from the sign-in, whatever the body says', async (t) => {
  const { origin, cookie, vendor } = await startAgent(t);
  const body = { memberNo: 'agent002', member_no: 'agent002' };
  const answer = await post(`${origin}/dialer/session`, body, { Cookie: cookie });
  assert.equal(((await answer.json()) as { member: { memberNo: string } }).member.memberNo, 'agent001');
  assert.deepEqual([...vendor.members.keys()], ['agent001']);
});

test('a page of the member before pays nobody and assigns nothing: it reads who has signed in since', async (t) => {
  const { origin, json, vendor } = await startAgent(t);
  const { links } = (await json('session')) as { links: { topUp: string; hotline: string } };
  const headers = { Cookie: await signIn(origin, 'agent002') };
  await post(`${origin}/dialer/session`, undefined, headers);
  const member = vendor.members.get('agent002')!;
  Object.assign(member, { balance: 0, hotlines: [] });
  vendor.requests.length = 0;
  for (const path of [links.topUp, links.hotline]) {
    const answer = await post(`${origin}/dialer/${path}`, undefined, headers);
    const { member: named, blockers } = (await answer.json()) as Record<string, { memberNo?: string }>;
    assert.deepEqual([answer.status, named?.memberNo], [200, 'agent002']);
    assert.deepEqual(blockers, ['insufficient-funds', 'no-hotline']);
  }
  assert.deepEqual(
    vendor.requests.filter(({ path }) => path !== PATHS.member).map(({ path }) => path),
    [],
  );
});

test('the page’s own query in the address of the session changes nothing', async (t) => {
  const { json } = await startAgent(t);
  const { token } = (await json('session?member=an.nguyen')) as { token?: string };
  assert.equal(typeof token, 'string');
});

test('a member who cannot call still gets a token, and the reasons', async (t) => {
  const { json, vendor } = await startAgent(t, { TOP_UP_MODE: 'off', HOTLINE_CODE: 'HL_GONE' });
  const { token, blockers } = await json('session');
  assert.equal(typeof token, 'string');
  assert.deepEqual(blockers, ['insufficient-funds', 'no-hotline']);
  assert.deepEqual(vendor.members.get('agent001')?.hotlines, [], 'no other hotline instead');
});

test('a member whose account has ended reads so, and is not paid', async (t) => {
  const { ask, json, vendor } = await startAgent(t);
  const ended = Date.now() - 60_000;
  const member = vendor.add('agent001', { fields: { expiration_date: new Date(ended).toISOString() } });
  assert.deepEqual((await json('session'))['blockers'], ['insufficient-funds', 'member-expired']);
  assert.deepEqual(await problemOf(await ask('top-up')), [409, 'member-expired']);
  member.balance = 500;
  assert.deepEqual((await json('status'))['blockers'], ['member-expired']);
  member.fields = { expiration_date: new Date(Date.now() + 60_000).toISOString() };
  assert.deepEqual((await json('status'))['blockers'], []);
  assert.deepEqual(vendor.paid, []);
});

test('an end of the account that is not ISO 8601 is not guessed at: the member can call', async (t) => {
  const { json, vendor } = await startAgent(t);
  for (const written of ['05/12/2020', '12', 'Unlimited 5']) {
    vendor.add('agent001', { balance: 500, fields: { expiration_date: written } });
    const { blockers, member } = await json('session');
    assert.deepEqual([blockers, (member as Record<string, unknown>)['expiresAt']], [[], undefined], written);
  }
});

test('a top-up that would leave the member in debt is refused, with the sums', async (t) => {
  const { ask, vendor } = await startAgent(t);
  vendor.add('agent001', { balance: -1000 });
  const answer = await ask('top-up');
  const { detail } = (await answer.clone().json()) as { detail?: string };
  assert.deepEqual(await problemOf(answer), [402, 'top-up-too-small']);
  assert.match(detail ?? '', /-1000 VND.*1000 VND/);
  assert.deepEqual(vendor.paid, []);
});

test('the vendor never has more requests at once than VENDOR_CONCURRENCY', async (t) => {
  const { origin, vendor } = await startAgent(t, { VENDOR_CONCURRENCY: '2' });
  let [now, most] = [0, 0];
  vendor.before = async () => {
    now += 1;
    most = Math.max(most, now);
    await delay(10);
    now -= 1;
  };
  const sessions = Array.from({ length: 8 }, async (_, n) => {
    vendor.add(`agent${n}`, { balance: 1 });
    const Cookie = await signIn(origin, `agent${n}`);
    return (await post(`${origin}/dialer/session`, undefined, { Cookie })).status;
  });
  assert.deepEqual(
    await Promise.all(sessions),
    Array.from({ length: 8 }, () => 200),
  );
  assert.equal(most, 2);
});

test('an agent without money asks for a top-up and can call', async (t) => {
  const { json, log } = await startAgent(t, { TOP_UP_MODE: 'request' });
  assert.deepEqual((await json('session'))['blockers'], ['insufficient-funds']);
  const { blockers, member } = (await json('top-up')) as { blockers: []; member?: { balance: number } };
  assert.deepEqual([blockers, member?.balance], [[], 1000]);
  const line = log.find(({ msg }) => msg === 'top-up');
  assert.deepEqual(
    ['memberNo', 'reason', 'why', 'amount'].map((key) => line?.[key]),
    ['agent001', 'agent', 'paid', 1000],
  );
});

test('a second top-up on the same day is refused with top-up-limit', async (t) => {
  const { ask, json, vendor } = await startAgent(t);
  await json('session');
  const member = vendor.members.get('agent001');
  if (member) member.balance = 0;
  assert.deepEqual(await problemOf(await ask('top-up')), [429, 'top-up-limit']);
});

test('with TOP_UP_MODE=off the code is top-up-off', async (t) => {
  const { ask, json } = await startAgent(t, { TOP_UP_MODE: 'off' });
  await json('session');
  assert.deepEqual(await problemOf(await ask('top-up')), [403, 'top-up-off']);
});

for (const [vendorCode, status, code] of [
  [-1, 503, 'top-up-later'],
  [402, 402, 'top-up-refused'],
] as const) {
  test(`an agent whose top-up the vendor refuses with ${vendorCode} hears ${code}, and then to wait`, async (t) => {
    const { ask, json, vendor } = await startAgent(t, { TOP_UP_MODE: 'request' });
    await json('session');
    vendor.faults.set(PATHS.money, { kind: 'error', value: vendorCode });
    assert.deepEqual(await problemOf(await ask('top-up')), [status, code]);
    const later = await ask('top-up');
    assert.deepEqual([(await problemOf(later))[1], later.headers.get('Retry-After')], ['top-up-later', '60']);
  });
}

test('an empty partner account has a code of its own', async (t) => {
  const { ask, json, vendor } = await startAgent(t);
  vendor.adminBalance = 0;
  await json('session');
  assert.deepEqual(await problemOf(await ask('top-up')), [402, 'top-up-admin-short']);
});

test('without money and hotline, a top-up is refused with no-hotline', async (t) => {
  const { ask, json, vendor } = await startAgent(t, { TOP_UP_MODE: 'request' });
  vendor.hotlines = [];
  vendor.add('agent001');
  assert.deepEqual((await json('session'))['blockers'], ['insufficient-funds', 'no-hotline']);
  // Nobody could call with the money.
  const answer = await ask('top-up');
  assert.deepEqual(await problemOf(answer), [409, 'no-hotline']);
  assert.deepEqual(vendor.paid, []);
});

for (const tellsHotlines of [false, true]) {
  test(`an agent whose hotline was taken away asks for one and gets it (told by the vendor: ${tellsHotlines})`, async (t) => {
    const { json, vendor } = await startAgent(t);
    vendor.tellsHotlines = tellsHotlines;
    await json('session');
    const member = vendor.members.get('agent001');
    assert.ok(member, 'there is no member');
    member.hotlines = [];
    assert.deepEqual((await json('status'))['blockers'], tellsHotlines ? ['no-hotline'] : []);
    const { blockers, hotlines } = (await json('hotline')) as { blockers: []; hotlines: [] };
    assert.deepEqual([blockers, hotlines.length], [[], 1]);
    assert.deepEqual(member.hotlines, ['842899990001']);
  });
}

test('an agent without money and hotline whose top-up is slow reads only what is still missing', async (t) => {
  const { json, vendor } = await startAgent(t, {}, undefined, { topUpTimeoutMs: 50 });
  const member = vendor.add('agent001');
  const paying = new AbortController();
  vendor.before = ({ path }) =>
    path === PATHS.money && !paying.signal.aborted ? once(paying.signal, 'abort') : undefined;
  assert.deepEqual((await json('top-up'))['blockers'], ['insufficient-funds']);
  assert.deepEqual(member.hotlines, ['842899990001'], 'it was assigned');
  paying.abort();
  await until(() => member.balance > 0);
});

test('without any hotline the code is no-hotline', async (t) => {
  const { ask, json, vendor } = await startAgent(t);
  vendor.hotlines = [];
  await json('session');
  assert.deepEqual(await problemOf(await ask('hotline')), [409, 'no-hotline']);
});

const BROKEN: readonly (readonly [fault: Fault, status: number, code: string])[] = [
  [{ kind: 'status', value: 503 }, 503, 'vendor-unreachable'],
  [{ kind: 'drop' }, 503, 'vendor-unreachable'],
  [{ kind: 'garbage' }, 502, 'vendor-invalid-answer'],
  [{ kind: 'error', value: 401 }, 502, 'vendor-refused'],
];
for (const [fault, status, code] of BROKEN) {
  test(`a vendor with the fault ${fault.kind} is told as ${code}, and forgotten once it is gone`, async (t) => {
    const { ask, vendor } = await startAgent(t);
    vendor.faults.set(PATHS.token, fault);
    const answer = await ask('session');
    assert.equal(answer.headers.has('retry-after'), status === 503);
    assert.deepEqual(await problemOf(answer), [status, code]);
    vendor.faults.clear();
    assert.equal((await ask('session')).status, 200);
  });
}

test('a session is given even when the top-up is in doubt', async (t) => {
  const { json, vendor } = await startAgent(t);
  vendor.faults.set(PATHS.money, { kind: 'drop', times: 1 });
  assert.deepEqual((await json('session'))['blockers'], ['insufficient-funds']);
  assert.deepEqual((await json('top-up'))['blockers'], ['insufficient-funds']);
  assert.deepEqual(vendor.paid, []);
});

test('if the vendor cannot list the hotlines, nobody reads that they have none', async (t) => {
  const { ask, json, vendor } = await startAgent(t);
  vendor.add('agent001');
  vendor.faults.set(PATHS.hotlines, { kind: 'status', value: 500 });
  for (const path of ['session', 'status', 'hotline', 'top-up'])
    assert.deepEqual(await problemOf(await ask(path)), [503, 'vendor-unreachable'], path);
  assert.deepEqual(vendor.paid, []);
  vendor.faults.clear();
  // The circuit of that path is open for a moment.
  await until(async () => (await ask('session')).status === 200);
  assert.deepEqual((await json('status'))['blockers'], []);
});

test('agents never see paths of the vendor or what it says of the key; operators do', async (t) => {
  const { ask, vendor, log } = await startAgent(t);
  vendor.faults.set(PATHS.hotlines, {
    kind: 'error',
    value: 401,
    message: 'Key abc of project 7 is withdrawn',
  });
  for (const path of ['session', 'status', 'hotline', 'top-up']) {
    const text = await (await ask(path)).text();
    assert.doesNotMatch(text, /api\/|withdrawn|key/i, path);
  }
  const line = log.find(({ msg, level }) => msg === 'vendor request failed' && level === ERROR);
  assert.deepEqual([line?.['path'], line?.['vendorCode']], ['api/hotline/getAll', 401]);
  assert.match(String(line?.['vendorMessage']), /withdrawn/);
});

test('the vendor’s own words on a refusal reach whoever asked, and the log', async (t) => {
  const { ask, vendor, log } = await startAgent(t);
  vendor.faults.set(PATHS.token, { kind: 'error', value: 1, message: 'Tài khoản bị khóa' });
  const body = (await (await ask('session')).json()) as Record<string, unknown>;
  assert.deepEqual([body['code'], body['detail']], ['vendor-refused', 'Tài khoản bị khóa']);
  assert.ok(log.some(({ vendorMessage }) => vendorMessage === 'Tài khoản bị khóa'));
});

test('no answer and no log line holds the key, and problems hold no token', async (t) => {
  const { ask, json, vendor, log, cookie } = await startAgent(t, { LOG_LEVEL: 'debug' });
  const { token } = await json('session');
  const bodies: string[] = [];
  for (const place of Object.values(PATHS)) {
    for (const kind of ['drop', 'garbage', 'error'] as const) {
      vendor.faults.set(place, kind === 'error' ? { kind, value: 500, times: 1 } : { kind, times: 1 });
      for (const path of ['session', 'top-up', 'hotline', 'status']) {
        const text = await (await ask(path)).text();
        if (!text.includes('"token"')) bodies.push(text);
      }
    }
  }
  const everything = `${bodies.join('\n')} ${JSON.stringify(log)}`;
  for (const secret of [KEY, String(token), cookie.split('=')[1] ?? cookie])
    assert.equal(everything.includes(secret), false);
});

test('too many requests of a member get 429 with Retry-After', async (t) => {
  const { ask, origin } = await startAgent(t, { RATE_LIMIT_PER_MEMBER: '3' });
  const statuses = [];
  for (let n = 0; n < 5; n += 1) statuses.push((await ask('status')).status);
  assert.deepEqual(statuses.slice(3), [429, 429]);
  const answer = await ask('status');
  assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d?$/);
  const other = await signIn(origin, 'agent002');
  assert.notEqual((await fetch(`${origin}/dialer/status`, { headers: { Cookie: other } })).status, 429);
  const capitals = await signIn(origin, 'Agent001');
  const same = await fetch(`${origin}/dialer/status`, { headers: { Cookie: capitals } });
  assert.equal(same.status, 429, 'to the vendor it is one member');
});

test('without a vendor that answers, every route says so', async (t) => {
  const vendor = await startVendor(t);
  vendor.baseUrl = 'http://127.0.0.1:9/v3.0';
  const { ask } = await startAgent(t, {}, vendor);
  for (const path of ['session', 'status', 'top-up', 'hotline'])
    assert.deepEqual(await problemOf(await ask(path)), [503, 'vendor-unreachable'], path);
});
