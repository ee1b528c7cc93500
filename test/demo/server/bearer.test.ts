/** Agents who sign in by the partner's own tokens, checked against a shared secret or the keys of a server. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { post, serve, startCompanion, startSandbox } from '../servers.ts';

const [ISSUER, AUDIENCE] = ['https://crm.example', 'dialer'];
const SECRET = 'a-shared-secret-of-32-characters';
const NAMES = { AUTH_ISSUER: ISSUER, AUTH_AUDIENCE: AUDIENCE };
const CLAIMS = { member_no: 'agent001', iss: ISSUER, aud: AUDIENCE };
const KEY = new TextEncoder().encode(SECRET);

type Key = Parameters<SignJWT['sign']>[0];

function sign(key: Key, alg: string, claims: JWTPayload = CLAIMS, end = '5m'): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg, kid: alg }).setExpirationTime(end).sign(key);
}

async function open(t: TestContext, env: Record<string, string>) {
  const companion = await startCompanion(t, await startSandbox(t), { ...NAMES, ...env, DEMO_LOGIN: 'off' });
  return async (token: string) => {
    const answer = await post(`${companion}/dialer/session`, { Authorization: `Bearer ${token}` });
    const { member } = (await answer.json()) as { member?: { memberNo: string; name?: string } };
    assert.notEqual(member?.name, 'Nguyễn Thị An', 'names of the demo are for the demo');
    return [answer.status, member?.memberNo];
  };
}

test('a token of the shared secret is a session of the member it names', { timeout: 30_000 }, async (t) => {
  const session = await open(t, { AUTH_JWT_SECRET: SECRET });
  assert.deepEqual(await session(await sign(KEY, 'HS256')), [200, 'agent001']);
});

test('the member may be in another claim', { timeout: 30_000 }, async (t) => {
  const session = await open(t, { AUTH_JWT_SECRET: SECRET, AUTH_MEMBER_CLAIM: 'sub' });
  const claims = { iss: ISSUER, aud: AUDIENCE, sub: 'agent002' };
  assert.deepEqual(await session(await sign(KEY, 'HS256', claims)), [200, 'agent002']);
});

test('a token that is late, forged, or for somebody else is nobody', { timeout: 30_000 }, async (t) => {
  const session = await open(t, { AUTH_JWT_SECRET: SECRET });
  const good = await sign(KEY, 'HS256');
  const [head = '', body = '', signature = ''] = good.split('.');
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  const endless = await new SignJWT(CLAIMS).setProtectedHeader({ alg: 'HS256' }).sign(KEY);
  const refused = {
    late: await sign(KEY, 'HS256', CLAIMS, '1 minute ago'),
    endless,
    'another issuer': await sign(KEY, 'HS256', { ...CLAIMS, iss: 'https://evil.example' }),
    'another audience': await sign(KEY, 'HS256', { ...CLAIMS, aud: 'mail' }),
    'another secret': await sign(new TextEncoder().encode('x'.repeat(32)), 'HS256'),
    'another algorithm': await sign(KEY, 'HS512'),
    'no signature': `${none}.${body}.`,
    'another member': `${head}.${Buffer.from(JSON.stringify({ ...CLAIMS, member_no: 'agent002' })).toString('base64url')}.${signature}`,
    'no member': await sign(KEY, 'HS256', { iss: ISSUER, aud: AUDIENCE }),
    'a member that cannot be': await sign(KEY, 'HS256', { ...CLAIMS, member_no: 'agent_001' }),
    'no token': 'x',
  };
  for (const [what, token] of Object.entries(refused))
    assert.deepEqual(await session(token), [401, undefined], what);
});

for (const alg of ['RS256', 'ES256'] as const) {
  test(
    `a token of a key pair (${alg}) is checked against the keys of the server`,
    { timeout: 30_000 },
    async (t) => {
      const { publicKey, privateKey } = await generateKeyPair(alg);
      const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: alg, alg, use: 'sig' }] };
      const origin = await serve(t, () => Response.json(keys));
      const session = await open(t, { AUTH_JWKS_URL: `${origin}/jwks.json` });
      assert.deepEqual(await session(await sign(privateKey, alg)), [200, 'agent001']);
      const stranger = await generateKeyPair(alg);
      assert.deepEqual(await session(await sign(stranger.privateKey, alg)), [401, undefined]);
      // The public key is known to everybody, so it must never be taken for a shared secret.
      const confused = new TextEncoder().encode(JSON.stringify(keys.keys[0]));
      assert.deepEqual(await session(await sign(confused, 'HS256')), [401, undefined]);
    },
  );
}

test(
  'without its key server nobody gets in, and everybody again when it is back',
  { timeout: 30_000 },
  async (t) => {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'ES256', alg: 'ES256' }] };
    let isAway = true;
    const origin = await serve(t, () => (isAway ? new Response('', { status: 503 }) : Response.json(keys)));
    const session = await open(t, { AUTH_JWKS_URL: `${origin}/jwks.json` });
    assert.deepEqual(await session(await sign(privateKey, 'ES256')), [401, undefined]);
    isAway = false;
    assert.deepEqual(await session(await sign(privateKey, 'ES256')), [200, 'agent001']);
  },
);
