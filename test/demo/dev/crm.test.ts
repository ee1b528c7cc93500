/** The customers of the demo's page, as its own routes tell of them and change them at the vendor. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { CustomerRecords } from '../../../demo/dev/crm/records.ts';
import { createCrmRoutes } from '../../../demo/dev/crm/routes.ts';
import type { Fault, World } from '../../../demo/sandbox/world/world.ts';
import { createApp } from '../../../demo/companion/app.ts';
import { readConfig } from '../../../demo/companion/config.ts';
import { VendorClient } from '../../../demo/companion/vbot/client.ts';
import { makeFolder, serve, startSandbox } from '../../../demo/sandbox/test/servers.ts';
import { signIn } from '../../../demo/companion/test/app.ts';

interface Row {
  readonly code: string;
}
interface Field {
  readonly code: string;
  readonly value: string;
}
interface Body {
  readonly customers: readonly Row[];
  readonly total: number;
  readonly canEdit: boolean;
  readonly fields: readonly Field[];
  readonly interactions: readonly { readonly at: string; readonly kind: string }[] | null;
  readonly code: string;
}

async function setUp(t: TestContext, { canEdit = true, env = {} } = {}) {
  const sandbox = await startSandbox(t);
  const client = new VendorClient(sandbox, { deadlineMs: 3000 });
  t.after(() => client.close());
  const config = readConfig({ DATABASE_URL: `file:${await makeFolder(t)}/companion.db`, ...env });
  const routes = createCrmRoutes(new CustomerRecords(client), canEdit);
  const companion = createApp(config, sandbox, { routes: [routes] });
  t.after(() => companion.close());
  const origin = await serve(t, (request, bindings) => companion.fetch(request, bindings));
  const Cookie = await signIn(origin, 'agent001');
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${origin}/app/${path}`, {
      method,
      headers: { Cookie, 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Body };
  };
  const list = async (query: string) => (await ask('GET', `customers?${query}`)).body;
  const add = (fields: Readonly<Record<string, string>>) => ask('POST', 'customers', { fields });
  const { world } = sandbox;
  const fail = (place: string, fault: Fault) => void world.faults.set(place, fault);
  return { origin, world, ask, list, add, fail };
}

const codesOf = ({ customers }: Body) => customers.map(({ code }) => code).toSorted();
const valueOf = ({ fields }: Body, wanted: string) => fields.find(({ code }) => code === wanted)?.value;

test('digits that are nobody’s number are looked for in names', async (t) => {
  const { add, list } = await setUp(t);
  assert.equal((await add({ customer_code: 'n1', name: 'Khách sạn 1234' })).status, 204);
  assert.deepEqual(codesOf(await list('search=1234')), ['n1']);
});

for (const first of [0, 1] as const) {
  test(`each customer is on one page, where the vendor's first page is ${first}`, async (t) => {
    const { world, add, list } = await setUp(t);
    world.setSettings({ ...world.settings, firstCustomerPage: first });
    for (let number = 1; number <= 15; number++) {
      await add({ customer_code: `n${number}`, name: `Khách ${number}` });
    }
    const pages = await Promise.all([0, 1, 2, 3].map((page) => list(`page=${page}`)));
    assert.deepEqual(
      pages.map(({ customers, total }) => [customers.length, total]),
      [
        [10, 23],
        [10, 23],
        [3, 23],
        [0, 23],
      ],
    );
    assert.equal(new Set(pages.flatMap(codesOf)).size, 23);
    const found = await Promise.all([0, 1].map((page) => list(`search=kh%C3%A1ch&page=${page}`)));
    assert.deepEqual(
      found.map(({ customers }) => customers.length),
      [10, 5],
    );
  });
}

test('what the vendor refuses is told by a code of its own, and nothing was changed', async (t) => {
  const { ask, add, list } = await setUp(t);
  const refusals = [
    [add({ customer_code: 'c01', name: 'Again' }), 409, 'taken'],
    [add({ customer_code: 'n1', name: 'A', guests: 'many' }), 400, 'invalid-value'],
    [add({ customer_code: 'n1', name: 'A', unheard_of: 'x' }), 400, 'invalid-value'],
    [add({ customer_code: 'n1', name: '' }), 400, 'invalid-value'],
    [ask('POST', 'customers/nobody', { fields: { name: 'A' } }), 404, 'not-found'],
    [ask('DELETE', 'customers/nobody'), 404, 'not-found'],
    [ask('GET', 'customers/nobody'), 404, 'not-found'],
  ] as const;
  for (const [asked, status, code] of refusals) {
    const answer = await asked;
    assert.deepEqual([answer.status, answer.body.code], [status, code]);
  }
  assert.equal((await list('')).total, 8);
});

test('nonsense is refused without asking the vendor', async (t) => {
  const { world, ask } = await setUp(t);
  const before = world.requests.length;
  const nonsense = [
    ask('GET', 'customers?page=-1'),
    ask('GET', 'customers?page=x'),
    ask('GET', `customers?search=${'x'.repeat(101)}`),
    ask('GET', `customers/${encodeURIComponent('../member')}`),
    ask('GET', `customers/${'x'.repeat(129)}`),
    ask('DELETE', 'customers/%2e%2e%2fc01'),
    ask('POST', 'customers', { fields: { name: 7 } }),
    ask('POST', 'customers', { fields: [] }),
    ask('POST', 'customers', { fields: {}, more: true }),
    ask('POST', 'customers/c01', '{'),
    ask('POST', 'customers/c01', {}),
  ];
  for (const { status } of await Promise.all(nonsense)) assert.equal(status, 400);
  assert.equal((await ask('POST', 'customers', { fields: { note: 'x'.repeat(70_000) } })).status, 413);
  assert.equal(world.requests.length, before);
});

test('where the customers are read-only nothing is written, and the page is told', async (t) => {
  const { ask, add, list } = await setUp(t, { canEdit: false });
  assert.equal((await list('')).canEdit, false);
  const writes = [
    add({ customer_code: 'n1', name: 'A' }),
    ask('POST', 'customers/c01', { fields: { name: 'A' } }),
    ask('DELETE', 'customers/c01'),
  ];
  for (const { status, body } of await Promise.all(writes)) {
    assert.deepEqual([status, body.code], [403, 'read-only']);
  }
  assert.equal(valueOf((await ask('GET', 'customers/c01')).body, 'name'), 'Nguyễn Thị Mai');
});

test('nobody but the page itself and whoever is signed in is told anything', async (t) => {
  const partner = 'https://partner.example';
  const { origin, ask } = await setUp(t, { env: { ALLOWED_ORIGINS: partner } });
  assert.equal((await fetch(`${origin}/app/customers`)).status, 401);
  for (const [method, path] of [
    ['GET', 'customers'],
    ['DELETE', 'customers/c01'],
  ] as const) {
    // That origin may have the dialer.
    assert.equal((await ask(method, path, undefined, { Origin: partner })).status, 403);
    assert.equal((await ask(method, path, undefined, { Origin: 'https://stranger.example' })).status, 403);
  }
  assert.equal((await ask('GET', 'customers', undefined, { Origin: origin })).status, 200);
});

test('the page can ask as often as somebody types, and no session is refused for that', async (t) => {
  const { origin, list } = await setUp(t, { env: { RATE_LIMIT_PER_MEMBER: '5' } });
  for (let round = 0; round < 20; round++) assert.equal((await list('search=mai')).total, 1);
  const Cookie = await signIn(origin, 'agent001');
  assert.equal(
    (await fetch(`${origin}/dialer/session`, { method: 'POST', headers: { Cookie } })).status,
    200,
  );
});

test('a customer is shown also while the history cannot be read', async (t) => {
  const { ask, fail } = await setUp(t);
  fail('/api/ActionTimeline/get-all', { kind: 'error', value: 500 });
  const { status, body } = await ask('GET', 'customers/c01');
  assert.equal(status, 200);
  assert.equal(valueOf(body, 'name'), 'Nguyễn Thị Mai');
  assert.equal(body.interactions, null);
});

test('a vendor that is away is told from one that makes no sense, and a write is sent once', async (t) => {
  const { world, ask, add, fail } = await setUp(t);
  fail('/api/customer/get-all', { kind: 'garbage' });
  assert.equal((await ask('GET', 'customers')).body.code, 'vendor-invalid-answer');
  fail('/api/customer/get-all', { kind: 'status', value: 503 });
  assert.equal((await ask('GET', 'customers')).body.code, 'vendor-unreachable');
  fail('/api/customer/insert', { kind: 'drop-after' });
  const { status, body } = await add({ customer_code: 'n1', name: 'Lân' });
  assert.deepEqual([status, body.code], [503, 'vendor-unreachable']);
  assert.equal(sentTo(world, '/api/customer/insert'), 1);
  world.faults.clear();
  // It was made all the same, which is why the page says that nobody knows.
  assert.equal((await ask('GET', 'customers/n1')).status, 200);
});

function sentTo({ requests }: World, path: string): number {
  return requests.filter((one) => one.path === path).length;
}
