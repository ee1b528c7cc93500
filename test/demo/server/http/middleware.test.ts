/** What guards the broker's routes: limits, time, headers, ids, and who may look behind the counter. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { createApp } from '../../../../demo/server/app.ts';
import { readConfig } from '../../../../demo/server/config.ts';
import { makeFolder, post, postJson, serve, signIn, startCompanion, startSandbox } from '../../servers.ts';

const PASSWORD = 'an-operator-password';

const basic = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` });

async function codeOf(answer: Response): Promise<unknown> {
  return ((await answer.json()) as { code: unknown }).code;
}

test('a member who asks too often is told when to come back, and others are not held up', async (t) => {
  const sandbox = await startSandbox(t);
  const companion = await startCompanion(t, sandbox, { RATE_LIMIT_PER_MEMBER: '5' });
  const cookie = await signIn(companion, 'agent001');
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => post(`${companion}/dialer/session`, { Cookie: cookie })),
  );
  const refused = answers.filter(({ status }) => status === 429);
  assert.equal(refused.length, 55);
  assert.match(refused[0]?.headers.get('retry-after') ?? '', /^\d+$/);
  assert.equal(await codeOf(refused[0] ?? Response.error()), 'too-many-requests');
  assert.equal(sandbox.world.requests.length <= 15, true);
  const other = await post(`${companion}/dialer/session`, { Cookie: await signIn(companion, 'agent002') });
  assert.equal(other.status, 200);
});

test('an address that asks too often is refused before anything is looked at', async (t) => {
  const companion = await startCompanion(t, await startSandbox(t), { RATE_LIMIT_PER_ADDRESS: '3' });
  const statuses = [];
  for (let n = 0; n < 5; n += 1) statuses.push((await post(`${companion}/dialer/session`)).status);
  assert.deepEqual(statuses, [401, 401, 401, 429, 429]);
  assert.equal((await fetch(`${companion}/healthz`)).status, 200);
});

test('of the addresses that proxies report, only our own proxy is believed', async (t) => {
  const companion = await startCompanion(t, await startSandbox(t), {
    RATE_LIMIT_PER_ADDRESS: '1',
    PROXY_HOPS: '1',
  });
  const ask = async (reported: string) =>
    (await post(`${companion}/dialer/session`, { 'X-Forwarded-For': reported })).status;
  assert.equal(await ask('10.0.0.1'), 401);
  assert.equal(await ask('10.0.0.2'), 401);
  // What stands to the left of it was written by the caller.
  assert.equal(await ask('10.0.0.3, 10.0.0.1'), 429);
});

test('a body that drips is cut off, while others are served', { timeout: 20_000 }, async (t) => {
  const companion = await startCompanion(t, await startSandbox(t));
  const socket = connect(Number(new URL(companion).port), '127.0.0.1');
  t.after(() => socket.destroy());
  socket.write(
    'POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n{',
  );
  assert.equal((await fetch(`${companion}/healthz`)).status, 200);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  assert.match(answer.toString(), /^HTTP\/1\.1 408 /);
});

test('every answer says how it may be used, and which request it belongs to', async (t) => {
  const companion = await startCompanion(t, await startSandbox(t));
  for (const path of ['/healthz', '/nothing', '/dialer/status', '/login']) {
    const answer = await fetch(`${companion}${path}`);
    assert.equal(answer.headers.get('cache-control'), 'no-store', path);
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff', path);
    assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/, path);
    assert.match(answer.headers.get('x-request-id') ?? '', /^[\w-]{8,64}$/, path);
  }
  const own = await fetch(`${companion}/nothing`, { headers: { 'X-Request-Id': 'from-the-proxy-1' } });
  assert.equal(((await own.json()) as { requestId: string }).requestId, 'from-the-proxy-1');
  const odd = await fetch(`${companion}/nothing`, { headers: { 'X-Request-Id': '<script>' } });
  assert.doesNotMatch(odd.headers.get('x-request-id') ?? '', /</);
});

test('a companion that retires says so, and ends its streams', async (t) => {
  const sandbox = await startSandbox(t);
  const folder = await makeFolder(t);
  const companion = createApp(readConfig({ DATABASE_URL: `file:${folder}/c.db` }), sandbox);
  t.after(() => companion.close());
  const origin = await serve(t, (request, env) => companion.fetch(request, env));
  assert.equal((await fetch(`${origin}/readyz`)).status, 200);
  const cookie = await signIn(origin, 'agent001');
  const stream = await fetch(`${origin}/dialer/events`, { headers: { Cookie: cookie } });
  companion.retire();
  await stream.text();
  const answer = await fetch(`${origin}/readyz`);
  assert.deepEqual([answer.status, await codeOf(answer)], [503, 'not-ready']);
  assert.equal((await fetch(`${origin}/healthz`)).status, 200);
});

test('operators see the partner account, the top-ups of the day and the metrics; others do not', async (t) => {
  const sandbox = await startSandbox(t);
  const companion = await startCompanion(t, sandbox, { OPERATOR_PASSWORD: PASSWORD });
  const cookie = await signIn(companion, 'agent001');
  await post(`${companion}/dialer/session`, { Cookie: cookie });
  for (const path of ['/operator', '/metrics']) {
    for (const headers of [{}, basic('me:wrong'), basic(PASSWORD.slice(1)), { Cookie: cookie }]) {
      const answer = await fetch(companion + path, { headers: headers as Record<string, string> });
      assert.deepEqual([answer.status, await codeOf(answer)], [401, 'operator-unauthorized']);
    }
  }
  const answer = await fetch(`${companion}/operator`, { headers: basic(`me:${PASSWORD}`) });
  const page = await answer.text();
  const style = /<style>([^<]*)<\/style>/.exec(page)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  assert.equal(answer.headers.get('content-security-policy')?.includes(`'sha256-${hash}'`), true);
  assert.match(page, /4\.999\.000\s₫/);
  assert.match(page, /agent001/);
  const metrics = await (await fetch(`${companion}/metrics`, { headers: basic(`:${PASSWORD}`) })).text();
  assert.match(metrics, /companion_request_seconds_count\{route="\/dialer\/session",status="200"\} 1/);
  assert.match(metrics, /companion_vendor_seconds_count\{path="api\/member\/addMoney",outcome="ok"\} 1/);
});

test('with a real vendor and no password, there is nothing for operators', async (t) => {
  const sandbox = await startSandbox(t);
  const companion = await startCompanion(t, sandbox, {
    VENDOR_BASE_URL: sandbox.baseUrl,
    VENDOR_API_KEY: sandbox.apiKey,
    SESSION_SECRET: 'x'.repeat(32),
  });
  for (const path of ['/operator', '/metrics']) assert.equal((await fetch(companion + path)).status, 404);
  assert.equal((await postJson(`${companion}/webhooks/calls`, {})).status, 404);
});
