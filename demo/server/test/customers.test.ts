/** Who is calling, as a dialer asks the companion: by number, and by the customer's code. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { problemOf, startAgent } from './app.ts';
import type { Fault, StubRequest } from './vendor.ts';

const SEARCH = '/api/customer/get-all';
const DETAIL = '/api/customer/get-detail';
const HISTORY = '/api/ActionTimeline/get-all';
const PATHS = [SEARCH, DETAIL, HISTORY];

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

async function setUp(t: TestContext, env: Record<string, string> = {}, customers: readonly Fields[] = [MAI]) {
  const agent = await startAgent(t, env);
  const { routes } = agent.vendor;
  routes.set(SEARCH, ({ body }: StubRequest) => {
    const search = (body['field_search'] as { value: string; is_search: boolean }[]).find(
      (one) => one.is_search,
    );
    return customers.filter(({ phone }) => phone === search?.value).map(rowOf);
  });
  routes.set(DETAIL, ({ query }) => {
    const found = customers.find(({ customer_code }) => customer_code === query.get('customer_code'));
    const fields = Object.entries(found ?? {}).map(([code, value]) => ({ code, type: 'STRING', value }));
    return found && { customer_code: found['customer_code'], fields };
  });
  routes.set(HISTORY, () => [
    { create_at: 1000, type: 'NOTE', type_sub: 'NOTE_INSERT', member_no: 'agent002', content: 'first' },
    { create_at: 8.64e15 + 1, type: 'NOTE', content: 'never' },
    { create_at: 2000, type: 'TICKET', customer_code: 'C01', content: '<i>later</i>' },
    { create_at: 3000, type: 'NOTE', customer_code: 'c02', content: 'of somebody else' },
  ]);
  return {
    ...agent,
    find: async (phone: string) =>
      (await agent.json(`customers?phone=${encodeURIComponent(phone)}`))['customers'] as Fields[],
    asked: () => agent.vendor.requests.map(({ path }) => path).filter((path) => PATHS.includes(path)),
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

test('every customer with the number is told, each once, and nobody is an empty list', async (t) => {
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
  const { find, json } = await setUp(t, { CUSTOMER_CONTEXT_FIELD: 'standing' });
  assert.deepEqual(await find('0900000200'), [{ ...mai, context: 'Quote sent' }]);
  const { interactions: _, ...customer } = await json('customers/c01');
  assert.deepEqual(customer, { ...mai, context: 'Quote sent' });
});

test('a context field that the vendor does not know costs one lookup and not every name', async (t) => {
  const { ask, find, vendor } = await setUp(t, { CUSTOMER_CONTEXT_FIELD: 'shoe_size' });
  vendor.faults.set(SEARCH, { kind: 'error', value: -1, times: 3 });
  assert.deepEqual(await problemOf(await ask('customers?phone=0900000200')), [502, 'vendor-refused']);
  assert.equal((await find('0900000200'))[0]?.['name'], 'Nguyễn Thị Mai');
});

test('a customer comes with what happened, the newest first, without what is not theirs or cannot be read', async (t) => {
  const { json } = await setUp(t);
  const { interactions } = await json('customers/c01');
  assert.deepEqual(interactions, [
    { at: '1970-01-01T00:00:02.000Z', type: 'TICKET', kind: '', memberNo: '', content: '<i>later</i>' },
    {
      at: '1970-01-01T00:00:01.000Z',
      type: 'NOTE',
      kind: 'NOTE_INSERT',
      memberNo: 'agent002',
      content: 'first',
    },
  ]);
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

test('nonsense for a number or a code is refused without a word to the vendor', async (t) => {
  const { ask, asked } = await setUp(t);
  const queries = NONSENSE.map((phone) => `?phone=${encodeURIComponent(phone)}`);
  for (const query of ['', '?phone', '?phone=0900000200&phone=0900000183', '?Phone=0900000200', ...queries])
    assert.deepEqual(await problemOf(await ask(`customers${query}`)), [400, 'invalid-request'], query);
  for (const code of [
    'a b',
    'é',
    '..%2fmember',
    'a%2Fb',
    '%00',
    'c01%3Fsize=1',
    'c01%26page=2',
    'x'.repeat(200),
  ]) {
    const { status } = await ask(`customers/${code}`);
    assert.equal(status >= 400 && status < 500, true, `${code}: ${status}`);
  }
  assert.deepEqual(asked(), []);
});

test('an unknown code is 404, whether the vendor refuses it, has nothing, or shows the blank form', async (t) => {
  const { ask, vendor } = await setUp(t);
  assert.deepEqual(await problemOf(await ask('customers/c99')), [404, 'not-found']);
  for (const path of [DETAIL, HISTORY]) vendor.faults.set(path, { kind: 'error', value: 404 });
  assert.deepEqual(await problemOf(await ask('customers/c99')), [404, 'not-found']);
  vendor.faults.clear();
  const blank = { customer_code: '', fields: [{ code: 'name', name: 'Name', type: 'STRING', value: '' }] };
  vendor.routes.set(DETAIL, () => blank);
  assert.deepEqual(await problemOf(await ask('customers/c99')), [404, 'not-found']);
});

test('a lookup costs at most three calls, also when they fail, and is not repeated at once', async (t) => {
  const { ask, find, asked, vendor } = await setUp(t);
  await Promise.all(['0900000200', '84900000200', '+84900000200', '0900 000 200'].map(find));
  assert.deepEqual(asked(), [SEARCH, SEARCH, SEARCH]);
  vendor.requests.length = 0;
  await ask('customers/c01');
  assert.deepEqual(asked().toSorted(), [HISTORY, DETAIL].toSorted());

  vendor.faults.set(SEARCH, { kind: 'drop' });
  for (let n = 0; n < 4; n += 1) {
    vendor.requests.length = 0;
    assert.equal((await ask('customers?phone=0900000183')).status, 503);
    assert.equal(asked().length <= 3, true, asked().join(' '));
  }
  vendor.faults.clear();
  assert.deepEqual(await find('0900000183'), []);
});

const FAULTS: readonly (readonly [fault: Fault, status: number, code: string])[] = [
  [{ kind: 'status', value: 500 }, 503, 'vendor-unreachable'],
  [{ kind: 'status', value: 429 }, 503, 'vendor-busy'],
  [{ kind: 'error', value: 403 }, 502, 'vendor-refused'],
  [{ kind: 'garbage' }, 502, 'vendor-invalid-answer'],
  [{ kind: 'drop-after' }, 503, 'vendor-unreachable'],
];
for (const [fault, status, code] of FAULTS) {
  test(`a vendor that answers with ${JSON.stringify(fault)} is a problem, and the next lookup succeeds`, async (t) => {
    const { ask, find, vendor } = await setUp(t);
    for (const path of PATHS) vendor.faults.set(path, fault);
    for (const path of ['customers?phone=0900000200', 'customers/c01'])
      assert.deepEqual(await problemOf(await ask(path)), [status, code], path);
    vendor.faults.clear();
    assert.equal((await find('0900000200')).length, 1);
  });
}

test(
  'a vendor that says nothing becomes a problem within seconds, and no session waits for it',
  { timeout: 15_000 },
  async (t) => {
    const { ask, vendor } = await setUp(t);
    for (const path of PATHS) vendor.faults.set(path, { kind: 'silent' });
    const settled: string[] = [];
    const numbers = Array.from({ length: 60 }, (_, n) => `customers?phone=09770001${10 + n}`);
    const lookups = [...numbers, 'customers/c01'].map(async (path) => {
      const { status } = await ask(path);
      settled.push(path);
      return status;
    });
    assert.equal((await ask('session')).status, 200);
    assert.equal(settled.includes(numbers[0] ?? ''), false, 'a lookup was answered before');
    for (const status of await Promise.all(lookups)) assert.equal(status, 503);
  },
);

test('lookups are counted with everything else a member asks', async (t) => {
  const { ask } = await setUp(t, { RATE_LIMIT_PER_MEMBER: '3' });
  const statuses: number[] = [];
  for (const path of ['customers?phone=0900000200', 'customers/c01', 'customers?phone=x', 'customers/c01'])
    statuses.push((await ask(path)).status);
  assert.deepEqual(statuses, [200, 200, 400, 429]);
});

test('of rows that nobody asked for, or that say too little, no name is made up', async (t) => {
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
