/** The conformance check passes a good broker and names what is wrong with a bad one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkBroker, type Verdict } from '../../../demo/tools/broker-checks.ts';
import { serve, signIn, startCompanion, startSandbox } from '../servers.ts';

function failures(verdicts: readonly Verdict[]): string[] {
  return verdicts.filter(({ result }) => result === 'fail').map(({ name, detail }) => `${name}: ${detail}`);
}

test('the companion passes every check', async (t) => {
  const companion = await startCompanion(t, await startSandbox(t), {
    ALLOWED_ORIGINS: 'https://crm.example',
  });
  const url = `${companion}/dialer/session`;
  const signedIn = { Cookie: await signIn(companion, 'agent001') };
  const verdicts = await checkBroker({ url, signedIn, origin: 'https://crm.example' });
  assert.deepEqual(failures(verdicts), []);
  assert.equal(verdicts.filter(({ result }) => result === 'skip').length, 0);
  assert.equal(verdicts.length >= 14, true);
});

test('a broker that anybody may ask from anywhere fails, point by point', async (t) => {
  const url = await serve(t, async (request) => {
    const body = (await request.json().catch(() => ({}))) as { memberNo?: string };
    const answer = {
      token: 'a.b.c',
      member: { memberNo: body.memberNo ?? 'agent001' },
      blockers: [],
      api_key: 'x',
    };
    const headers = {
      'Access-Control-Allow-Origin': request.headers.get('Origin') ?? '*',
      'Access-Control-Allow-Credentials': 'true',
      'Cache-Control': 'max-age=60',
    };
    return Response.json({ ...answer, links: { status: 'status' } }, { headers });
  });
  const broken = failures(await checkBroker({ url, signedIn: {}, origin: 'https://crm.example' }));
  for (const word of [
    /No cache keeps/,
    /No browser guesses/,
    /API key stays/,
    /not signed in gets no token: it got one/,
    /never given to GET/,
    /whatever the body says: it gave a session of somebodyElse/,
    /strange origin .*: https:\/\/stranger\.invalid may read/,
    /form on another site/,
    /allowed origin may ask.*Vary/,
    /without a token: status: it holds a token/,
    /can use no link: status answers with 200/,
    /strange origin can use no link: it may read the answer of status/,
    /far too large/,
  ]) {
    assert.ok(
      broken.some((line) => word.test(line)),
      `${String(word)} in ${broken.join('\n')}`,
    );
  }
});

const refuse = (status: number) =>
  Response.json(
    { code: 'broker-unauthorized' },
    { status, headers: { 'Content-Type': 'application/problem+json' } },
  );

test('a minimal broker in another language passes with what it has', async (t) => {
  const url = await serve(t, (request) => {
    const headers = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
    if (request.headers.has('Origin')) return refuse(403);
    if (request.method !== 'POST') return refuse(405);
    if (!request.headers.has('Authorization')) return refuse(401);
    if (Number(request.headers.get('Content-Length')) > 10_000) return refuse(413);
    return Response.json('a.b.c', { headers });
  });
  const verdicts = await checkBroker({ url, signedIn: { Authorization: 'Bearer x' }, origin: undefined });
  assert.deepEqual(failures(verdicts), []);
  assert.equal(verdicts.filter(({ result }) => result === 'skip').length, 6);
});

test('a broker that gives no session fails, and the rest is skipped', async (t) => {
  const url = await serve(t, () => new Response('<html>', { status: 200 }));
  const verdicts = await checkBroker({ url, signedIn: {}, origin: undefined });
  assert.equal(verdicts[0]?.result, 'fail');
  assert.equal(verdicts.at(-1)?.result, 'skip');
});

test('a link of customers that answers anybody, or not as the dialer expects, is named', async (t) => {
  const session = { token: 'a.b.c', blockers: [], links: { customers: '/customers' } };
  const detailOf = async (customers: unknown) => {
    const url = await serve(t, (request) =>
      Response.json(new URL(request.url).pathname === '/customers' ? customers : session),
    );
    const verdicts = await checkBroker({ url, signedIn: {}, origin: undefined });
    return verdicts.find(({ name }) => name.startsWith('The link of customers'))?.detail;
  };
  assert.match((await detailOf({ customers: [{ name: 'An' }] })) ?? '', /something else than/);
  assert.match((await detailOf({ customers: [] })) ?? '', /to what is no number/);
});
