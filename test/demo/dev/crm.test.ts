/** The customers of the demo's page, as its own routes tell of them. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { CustomerRecords } from '../../../demo/dev/crm/records.ts';
import { createCrmRoutes } from '../../../demo/dev/crm/routes.ts';
import type { Fault } from '../../../demo/sandbox/world/world.ts';
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
  readonly values: readonly string[];
}
interface Body {
  readonly customers: readonly Row[];
  readonly total: number;
  readonly fields: readonly Field[];
  readonly interactions: readonly { readonly at: string; readonly kind: string }[] | null;
  readonly code: string;
}

async function setUp(t: TestContext, { env = {} } = {}) {
  const sandbox = await startSandbox(t);
  const client = new VendorClient(sandbox, { deadlineMs: 3000 });
  t.after(() => client.close());
  const config = readConfig({ DATABASE_URL: `file:${await makeFolder(t)}/companion.db`, ...env });
  const routes = createCrmRoutes(new CustomerRecords(client));
  const companion = createApp(config, sandbox, { routes: [routes] });
  t.after(() => companion.close());
  const origin = await serve(t, (request, bindings) => companion.fetch(request, bindings));
  const Cookie = await signIn(origin, 'agent001');
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${origin}/app/${path}`, { headers: { Cookie, ...headers } });
    return { status: answer.status, body: (await answer.json()) as Body };
  };
  const list = async (query: string) => (await ask(`customers?${query}`)).body;
  /** At the vendor, as another program would. */
  const add = async (fields: Readonly<Record<string, string>>) => {
    const answer = await fetch(`${sandbox.baseUrl}/api/customer/insert`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': sandbox.apiKey },
      body: JSON.stringify({ fields }),
    });
    assert.equal(((await answer.json()) as { error: number }).error, 0);
  };
  const { world } = sandbox;
  const fail = (place: string, fault: Fault) => void world.faults.set(place, fault);
  return { origin, world, ask, list, add, fail };
}

const sortedCodes = ({ customers }: Body) => customers.map(({ code }) => code).toSorted();
const fieldValue = ({ fields }: Body, wanted: string) =>
  fields.find(({ code }) => code === wanted)?.values[0];

test('digits that are nobody’s number are looked for in names', async (t) => {
  const { add, list } = await setUp(t);
  await add({ customer_code: 'n1', name: 'Khách sạn 1234' });
  assert.deepEqual(sortedCodes(await list('search=1234')), ['n1']);
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
    assert.equal(new Set(pages.flatMap(sortedCodes)).size, 23);
    const found = await Promise.all([0, 1].map((page) => list(`search=kh%C3%A1ch&page=${page}`)));
    assert.deepEqual(
      found.map(({ customers }) => customers.length),
      [10, 5],
    );
  });
}

test('a customer whom the vendor does not have is not found', async (t) => {
  const { status, body } = await (await setUp(t)).ask('customers/nobody');
  assert.deepEqual([status, body.code], [404, 'not-found']);
});

test('nonsense is refused without asking the vendor', async (t) => {
  const { world, ask } = await setUp(t);
  const before = world.requests.length;
  const nonsense = [
    'customers?page=-1',
    'customers?page=x',
    `customers?search=${'x'.repeat(101)}`,
    `customers/${encodeURIComponent('../member')}`,
    `customers/${'x'.repeat(129)}`,
  ];
  for (const { status } of await Promise.all(nonsense.map((path) => ask(path)))) assert.equal(status, 400);
  assert.equal(world.requests.length, before);
});

test('nobody but the page itself and whoever is signed in is told anything', async (t) => {
  const partner = 'https://partner.example';
  const { origin, ask } = await setUp(t, { env: { ALLOWED_ORIGINS: partner } });
  assert.equal((await fetch(`${origin}/app/customers`)).status, 401);
  // That origin may have the dialer.
  for (const Origin of [partner, 'https://stranger.example']) {
    assert.equal((await ask('customers', { Origin })).status, 403);
  }
  assert.equal((await ask('customers', { Origin: origin })).status, 200);
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
  const { status, body } = await ask('customers/c01');
  assert.equal(status, 200);
  assert.equal(fieldValue(body, 'name'), 'Nguyễn Thị Mai');
  assert.equal(body.interactions, null);
});

test('a vendor that is away is told from one that makes no sense', async (t) => {
  const { ask, fail } = await setUp(t);
  fail('/api/customer/get-all', { kind: 'garbage' });
  assert.equal((await ask('customers')).body.code, 'vendor-invalid-answer');
  fail('/api/customer/get-all', { kind: 'status', value: 503 });
  assert.equal((await ask('customers')).body.code, 'vendor-unreachable');
});
