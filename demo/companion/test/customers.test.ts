/** Who is calling, as a dialer asks the companion by number. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import type { AppOptions } from '../app.ts';
import { problemOf, startAgent, until } from './app.ts';
import type { StubRequest } from './vendor.ts';

const SEARCH = '/api/customer/get-all';

type Fields = Readonly<Record<string, unknown>>;

const MAI = {
  customer_code: 'c01',
  name: 'Nguyễn Thị Mai',
  phone: '0900000200',
  company: 'Hoa Sen Events',
  standing: 'Quote sent',
};

/** As the vendor lists a customer. */
const rowOf = (fields: Fields) => ({
  create_at: 1,
  customer_field_items: Object.entries(fields).map(([code, value]) => ({ code, type: 'STRING', value })),
});

async function setUp(
  t: TestContext,
  env: Record<string, string> = {},
  customers: readonly Fields[] = [MAI],
  options?: AppOptions,
) {
  const agent = await startAgent(t, env, undefined, options);
  const { routes } = agent.vendor;
  routes.set(SEARCH, ({ body }: StubRequest) => {
    const search = (body['field_search'] as { value: string; is_search: boolean }[]).find(
      (one) => one.is_search,
    );
    return customers.filter(({ phone }) => phone === search?.value).map(rowOf);
  });
  return {
    ...agent,
    find: async (phone: string) =>
      (await agent.json(`customers?phone=${encodeURIComponent(phone)}`))['customers'] as Fields[],
    asked: () => agent.vendor.requests.filter(({ path }) => path === SEARCH).length,
  };
}

for (const kept of ['0977000111', '84977000111', '+84977000111']) {
  test(`a number kept as ${kept} is found in whatever spelling it is asked for`, async (t) => {
    const { find } = await setUp(t, {}, [{ customer_code: 'n-1', name: 'Lân', phone: kept }]);
    for (const spelling of [
      '0977000111',
      '84977000111',
      '+84977000111',
      '0084977000111',
      '097 700 0111',
      '+84 (0) 977-000.111',
    ])
      assert.deepEqual(await find(spelling), [{ code: 'n-1', name: 'Lân', number: kept }], spelling);
  });
}

test('a landline, a service number and one from abroad have their spellings, too', async (t) => {
  const { find } = await setUp(t, {}, [
    { customer_code: 'landline', phone: '02838221234' },
    { customer_code: 'hotline', phone: '8419001234' },
    { customer_code: 'abroad', phone: '+16505550100' },
    { customer_code: 'inside', phone: '101' },
  ]);
  const codes = async (phone: string) => (await find(phone)).map(({ code }) => code);
  assert.deepEqual(await codes('+842838221234'), ['landline']);
  assert.deepEqual(await codes('19001234'), ['hotline']);
  assert.deepEqual(await codes('0016505550100'), ['abroad']);
  assert.deepEqual(await codes('101'), ['inside']);
});

test('every customer with the number is listed once; without any, the list is empty', async (t) => {
  const { find } = await setUp(t, {}, [
    { customer_code: 'n-1', name: 'Lân', phone: '0977000111' },
    { customer_code: 'n-1', name: 'Lân', phone: '84977000111' },
    { customer_code: 'n-2', name: '<b>Ánh</b> & co', phone: '+84977000111' },
  ]);
  const found = await find('84977000111');
  assert.deepEqual(
    found.map(({ code, name }) => [code, name]),
    [
      ['n-1', 'Lân'],
      ['n-2', '<b>Ánh</b> & co'],
    ],
  );
  assert.deepEqual(await find('0977000112'), []);
});

test('the context is one field of the partner’s choice, and nothing else of a customer gets out', async (t) => {
  const mai = { code: 'c01', name: 'Nguyễn Thị Mai', number: '0900000200' };
  const { find: findPlain } = await setUp(t);
  assert.deepEqual(await findPlain('0900000200'), [mai]);
  const { find } = await setUp(t, { CUSTOMER_CONTEXT_FIELD: 'standing' });
  assert.deepEqual(await find('0900000200'), [{ ...mai, context: 'Quote sent' }]);
});

test('a context field that the vendor does not know costs one lookup and not every name', async (t) => {
  const { ask, find, vendor } = await setUp(t, { CUSTOMER_CONTEXT_FIELD: 'shoe_size' });
  vendor.faults.set(SEARCH, { kind: 'error', value: -1, times: 3 });
  assert.deepEqual(await problemOf(await ask('customers?phone=0900000200')), [502, 'vendor-refused']);
  assert.equal((await find('0900000200'))[0]?.['name'], 'Nguyễn Thị Mai');
});

const NONSENSE = [
  '',
  'anonymous',
  '12',
  '0'.repeat(18),
  '09x1',
  '٠٩٠٠٠٠٠٢٠٠',
  '+',
  '1+2345678',
  "0900' OR 1=1",
  '0900000200\u0000',
];

test('an invalid number is refused without a request to the vendor', async (t) => {
  const { ask, asked } = await setUp(t);
  const queries = NONSENSE.map((phone) => `?phone=${encodeURIComponent(phone)}`);
  for (const query of ['', '?phone', '?phone=0900000200&phone=0900000183', '?Phone=0900000200', ...queries])
    assert.deepEqual(await problemOf(await ask(`customers${query}`)), [400, 'invalid-request'], query);
  assert.equal(asked(), 0);
});

test('a lookup costs at most three calls, also when they fail, and is not repeated at once', async (t) => {
  const { ask, find, asked, vendor } = await setUp(t);
  await Promise.all(['0900000200', '84900000200', '+84900000200', '0900 000 200'].map(find));
  assert.equal(asked(), 3);

  vendor.faults.set(SEARCH, { kind: 'drop' });
  for (let n = 0; n < 4; n += 1) {
    vendor.requests.length = 0;
    assert.equal((await ask('customers?phone=0900000183')).status, 503);
    assert.equal(asked() <= 3, true, `${asked()} calls`);
  }
  vendor.faults.clear();
  assert.deepEqual(await find('0900000183'), []);
});

test('no session waits for lookups that the vendor does not answer', { timeout: 30_000 }, async (t) => {
  const { ask, asked, vendor } = await setUp(t, {}, [MAI], { lookupTimeoutMs: 60_000 });
  const release = new AbortController();
  const released = once(release.signal, 'abort');
  vendor.before = ({ path }) => (path === SEARCH ? released : undefined);
  const lookups = Array.from({ length: 60 }, (_, n) => ask(`customers?phone=09770001${10 + n}`));
  await until(() => asked() > 0);
  assert.equal((await ask('session')).status, 200);
  release.abort();
  await Promise.all(lookups);
});

test('a vendor that says nothing becomes a problem within seconds', { timeout: 30_000 }, async (t) => {
  const { ask, vendor } = await setUp(t);
  vendor.faults.set(SEARCH, { kind: 'silent' });
  const lookups = Array.from({ length: 60 }, (_, n) => ask(`customers?phone=09770001${10 + n}`));
  for (const { status } of await Promise.all(lookups)) assert.equal(status, 503);
});

test('the session says where customers are looked up', async (t) => {
  const { json } = await setUp(t);
  const { links } = (await json('session')) as { links: Fields };
  assert.equal(links['customers'], 'customers');
});

test('lookups are counted with everything else a member asks', async (t) => {
  const { ask } = await setUp(t, { RATE_LIMIT_PER_MEMBER: '3' });
  const statuses: number[] = [];
  for (const phone of ['0900000200', '0900000201', 'x', '0900000200'])
    statuses.push((await ask(`customers?phone=${phone}`)).status);
  assert.deepEqual(statuses, [200, 200, 400, 429]);
});

test('rows of another number, or without a code, yield no customer', async (t) => {
  const { ask, vendor } = await setUp(t);
  const cases: readonly (readonly [data: unknown, status: number, customers: unknown])[] = [
    [null, 200, []],
    [[], 200, []],
    [[rowOf({ customer_code: 'a', name: 'An', phone: '0911111111' })], 200, []],
    [[rowOf({ customer_code: 'a', name: 'An' })], 200, [{ code: 'a', name: 'An', number: '0900000003' }]],
    [
      [rowOf({ customer_code: 7, name: null, phone: 84900000004 })],
      200,
      [{ code: '7', name: '7', number: '84900000004' }],
    ],
    [[rowOf({ name: 'An', phone: '0900000005' })], 502, undefined],
    [[{ create_at: 1 }], 502, undefined],
    [{}, 502, undefined],
  ];
  for (const [n, [given, status, customers]] of cases.entries()) {
    vendor.routes.set(SEARCH, () => given);
    const answer = await ask(`customers?phone=090000000${n}`);
    const body = (await answer.json()) as Fields;
    assert.deepEqual([answer.status, body['customers']], [status, customers], JSON.stringify(given));
  }
});
