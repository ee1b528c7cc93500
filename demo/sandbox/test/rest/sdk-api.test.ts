/** The two addresses the vendor's SDK asks with its token, and the faults of the vendor's HTTP side. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { Hono } from 'hono';
import { WebSocket } from 'ws';
import { createExchange } from '../../exchange/exchange.ts';
import { openSecureListener } from '../../exchange/secure-listener.ts';
import { createSdkApi, type SdkApiOptions } from '../../rest/sdk-api.ts';
import { World, type Fault } from '../../world/world.ts';
import { serve } from '../servers.ts';

async function start(t: TestContext, options?: SdkApiOptions) {
  const world = new World();
  const member = world.createMember('agent001', ['HL_SALES', 'HL_CARE']);
  const app = new Hono().route('/vendor/v3.0', createSdkApi(world, options));
  const origin = await serve(t, (request, env) => app.fetch(request, env));
  const port = Number(new URL(origin).port);
  const base = `${origin}/vendor/v3.0/api/sdk`;
  const token = world.issueToken('agent001');
  const ask = (method: string, path: string, Authorization = token) =>
    fetch(`${base}${path}`, { method, headers: { Authorization, Origin: 'https://crm.example' } });
  return { world, member, base, port, ask };
}

test('the SDK gets its telephone account and where to connect', async (t) => {
  const { member, port, ask } = await start(t);
  const answer = await ask('POST', '/info');
  assert.equal(answer.headers.get('Access-Control-Allow-Origin'), '*');
  assert.deepEqual(await answer.json(), {
    error: 0,
    message: 'success',
    data: {
      pid: 9001,
      accounts: [
        {
          isActive: true,
          domain: '127.0.0.1',
          port,
          username: member.sipUser,
          password: member.sipPassword,
          realm: 'sandbox.invalid',
          socketUrl: `ws://127.0.0.1:${port}/ws`,
        },
      ],
    },
  });
});

test('the SDK gets the active hotlines of its member, and no others', async (t) => {
  const { world, ask } = await start(t);
  const list = async () => ((await (await ask('GET', '/getHotline')).json()) as { data: unknown }).data;
  assert.deepEqual(await list(), [
    { name: 'Sales', phoneNumber: '842899990001' },
    { name: 'Chăm sóc khách hàng', phoneNumber: '842899990003' },
  ]);
  world.setHotlines(world.hotlines.map((hotline) => ({ ...hotline, active: false })));
  assert.deepEqual(await list(), []);
});

test('an unknown token is refused with 401, in the envelope', async (t) => {
  const { world, ask } = await start(t);
  for (const wrong of ['', 'a.b.c', `Bearer ${world.issueToken('agent001')}`]) {
    const answer = await ask('POST', '/info', wrong);
    assert.equal(answer.status, 200);
    assert.equal(((await answer.json()) as { error: unknown }).error, 401);
  }
});

test('a page on another origin may ask, and its preflight uses up no fault', async (t) => {
  const { world, base, ask } = await start(t);
  world.faults.set('/api/sdk/info', { kind: 'status', value: 503, times: 1 });
  const preflight = await fetch(`${base}/info`, {
    method: 'OPTIONS',
    headers: {
      Origin: 'https://crm.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type',
    },
  });
  assert.equal(preflight.status, 204);
  assert.match(preflight.headers.get('Access-Control-Allow-Headers') ?? '', /authorization/i);
  assert.equal((await ask('POST', '/info')).status, 503);
  assert.equal((await ask('POST', '/info')).status, 200);
});

test('each kind of fault does what its name says', async (t) => {
  const { world, ask } = await start(t);
  const withFault = (fault: Fault) => {
    world.faults.set('/api/sdk/info', { ...fault, times: 1 });
    return ask('POST', '/info');
  };
  assert.equal((await withFault({ kind: 'status', value: 402 })).status, 402);
  const refused = await withFault({ kind: 'error', value: 402 });
  assert.equal(refused.status, 200);
  assert.equal(((await refused.json()) as { error: unknown }).error, 402);
  assert.match(await (await withFault({ kind: 'garbage' })).text(), /^<!doctype html>/);
  const cut = await (await withFault({ kind: 'cut' })).text();
  assert.match(cut, /^\{"error":0/);
  assert.throws(() => JSON.parse(cut));
  await assert.rejects(withFault({ kind: 'drop' }));
  await assert.rejects(withFault({ kind: 'drop-after' }));
  const order: string[] = [];
  const slow = withFault({ kind: 'slow', value: 800 }).then(({ status }) => order.push(`slow ${status}`));
  await ask('GET', '/getHotline').then(({ status }) => order.push(`asked later ${status}`));
  await slow;
  assert.deepEqual(order, ['asked later 200', 'slow 200']);
});

test('a silent vendor answers nothing until the asker gives up', async (t) => {
  const { world, base } = await start(t);
  world.faults.set('/api/sdk/info', { kind: 'silent' });
  const asking = fetch(`${base}/info`, { method: 'POST', signal: AbortSignal.timeout(200) });
  await assert.rejects(asking, { name: 'TimeoutError' });
});

test('with the TLS listener open, the SDK is sent there and reaches the exchange', async (t) => {
  const exchange = createExchange(new World());
  t.after(() => exchange.close());
  const listener = await openSecureListener(exchange);
  t.after(() => listener.close());
  const { ask } = await start(t, { secureSocket: () => listener.address });
  const { data } = (await (await ask('POST', '/info')).json()) as {
    data: { accounts: { domain: string; port: number; socketUrl: string }[] };
  };
  const account = data.accounts[0];
  assert.equal(account?.port, listener.address.port);
  assert.equal(account?.socketUrl, `wss://${account?.domain}:${account?.port}/ws`);
  const socket = new WebSocket(account?.socketUrl ?? '', 'sip', { rejectUnauthorized: false });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.terminate();
});
