/** Who is calling, as a dialer asks the companion: by number, and by the customer's code. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { insertCustomer } from '../../../../demo/sandbox/world/customers.ts';
import type { Fault } from '../../../../demo/sandbox/world/world.ts';
import { serve, signIn, startCompanion, startSandbox } from '../../servers.ts';

const SEARCH = '/api/customer/get-all';
const DETAIL = '/api/customer/get-detail';
const HISTORY = '/api/ActionTimeline/get-all';

interface Found {
  readonly status: number;
  readonly type: string;
  readonly body: Readonly<Record<string, unknown>>;
}

async function askerAt(companion: string) {
  const headers = { Cookie: await signIn(companion, 'agent001') };
  return async (path: string, signal: AbortSignal | null = null): Promise<Found> => {
    const answer = await fetch(`${companion}/dialer/${path}`, { headers, signal });
    const type = answer.headers.get('Content-Type') ?? '';
    return { status: answer.status, type, body: (await answer.json()) as Found['body'] };
  };
}

async function setUp(t: TestContext, env: Record<string, string> = {}) {
  const sandbox = await startSandbox(t);
  const { world } = sandbox;
  const companion = await startCompanion(t, sandbox, env);
  const ask = await askerAt(companion);
  return {
    world,
    companion,
    ask,
    add: (...customers: readonly Record<string, string>[]) => {
      for (const values of customers) {
        const next = insertCustomer(world.customerData, values, Date.now());
        assert.notEqual(typeof next, 'string', String(next));
        if (typeof next !== 'string') world.setCustomerData(next);
      }
    },
    find: async (phone: string) => {
      const { status, body } = await ask(`customers?phone=${encodeURIComponent(phone)}`);
      assert.equal(status, 200, JSON.stringify(body));
      return body['customers'] as readonly Readonly<Record<string, unknown>>[];
    },
    fail: (place: string, fault: Fault) => void world.faults.set(place, fault),
    asked: () => world.requests.filter(({ path }) => /customer|Action/i.test(path)).map(({ path }) => path),
  };
}

const SPELLINGS = [
  '0900000200',
  '84900000200',
  '+84900000200',
  '0084900000200',
  '0900 000 200',
  '+84 (0) 900-000.200',
];

for (const kept of ['0977000111', '84977000111', '+84977000111']) {
  test(`a number kept as ${kept} is found in whatever spelling it is asked for`, async (t) => {
    const { add, find } = await setUp(t);
    add({ customer_code: 'n-1', name: 'Lân', phone: kept });
    for (const spelling of ['0977000111', '84977000111', '+84977000111', '0084977000111', '097 700 0111']) {
      assert.deepEqual(await find(spelling), [{ code: 'n-1', name: 'Lân', number: kept }], spelling);
    }
  });
}

test('a landline, a service number and one from abroad have their spellings, too', async (t) => {
  const { add, find } = await setUp(t);
  add(
    { customer_code: 'hotline', name: 'Hotline', phone: '8419001234' },
    { customer_code: 'abroad', name: 'Ann', phone: '+16505550100' },
    { customer_code: 'inside', name: 'Reception', phone: '101' },
  );
  const codes = async (phone: string) => (await find(phone)).map(({ code }) => code);
  assert.deepEqual(await codes('+842838221234'), ['c07']);
  assert.deepEqual(await codes('19001234'), ['hotline']);
  assert.deepEqual(await codes('0016505550100'), ['abroad']);
  assert.deepEqual(await codes('101'), ['inside']);
});

test('every customer with the number is told, each once, and nobody is an empty list', async (t) => {
  const { add, find } = await setUp(t);
  add(
    { customer_code: 'n-1', name: 'Lân', phone: '0977000111' },
    { customer_code: 'n-2', name: '<b>Ánh</b> & co', phone: '+84977000111' },
  );
  const found = await find('84977000111');
  assert.deepEqual(found.map(({ code, name }) => [code, name]).toSorted(), [
    ['n-1', 'Lân'],
    ['n-2', '<b>Ánh</b> & co'],
  ]);
  assert.deepEqual(await find('0977000112'), []);
});

test('the context is what people read of one field, and nothing else of a customer gets out', async (t) => {
  const fields = [
    ['standing', 'Quote sent'],
    ['interests', 'Sea'],
    ['company', 'Hoa Sen Events'],
    ['phone', '0900000200'],
    ['note', 'Wants the quote split into rooms and activities.'],
  ] as const;
  for (const [CUSTOMER_CONTEXT_FIELD, context] of fields) {
    const { find, ask } = await setUp(t, { CUSTOMER_CONTEXT_FIELD });
    const mai = { code: 'c01', name: 'Nguyễn Thị Mai', number: '0900000200', context };
    assert.deepEqual(await find('0900000200'), [mai]);
    const { interactions, ...customer } = (await ask('customers/c01')).body;
    assert.deepEqual(customer, mai);
    assert.equal(Array.isArray(interactions), true);
  }
});

test('a context field that the vendor does not know costs one lookup and not every name', async (t) => {
  const { ask, find } = await setUp(t, { CUSTOMER_CONTEXT_FIELD: 'shoe_size' });
  const { status, body } = await ask('customers?phone=0900000200');
  assert.deepEqual([status, body['code']], [502, 'vendor-refused']);
  assert.equal((await find('0900000200'))[0]?.['name'], 'Nguyễn Thị Mai');
});

test('a customer comes with what happened, the newest first', async (t) => {
  const { world, ask } = await setUp(t);
  const add = (createdAt: number, content: string) => {
    const facts = { type: 'NOTE', kind: 'NOTE_INSERT', memberNo: 'agent002' } as const;
    const one = { createdAt, customerCode: 'c01', content, ...facts };
    // At the wrong end, as a vendor may have them.
    const { interactions } = world.customerData;
    world.setCustomerData({ ...world.customerData, interactions: [...interactions, one] });
  };
  add(Date.UTC(2030, 0, 2, 3), '<i>later</i>');
  const { status, body } = await ask('customers/c01');
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body).toSorted(), ['code', 'interactions', 'name', 'number']);
  const rows = body['interactions'] as readonly { at: string; kind: string }[];
  assert.deepEqual(rows[0], {
    at: '2030-01-02T03:00:00.000Z',
    type: 'NOTE',
    kind: 'NOTE_INSERT',
    memberNo: 'agent002',
    content: '<i>later</i>',
  });
  assert.deepEqual(
    rows.map(({ at }) => at),
    rows
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  );
  assert.deepEqual(
    rows.map(({ kind }) => kind),
    ['NOTE_INSERT', 'NOTE_INSERT', 'CUSTOMER_CREATE'],
  );
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
  for (const query of ['', '?phone', '?phone=0900000200&phone=0900000183', '?Phone=0900000200', ...queries]) {
    const { status, type, body } = await ask(`customers${query}`);
    assert.deepEqual(
      [status, type, body['code']],
      [400, 'application/problem+json', 'invalid-request'],
      query,
    );
  }
  const codes = [
    'a b',
    'é',
    '..%2fmember',
    'a%2Fb',
    '%00',
    'c01%3Fsize=1',
    'c01%26page=2',
    '%2e%2e',
    'x'.repeat(200),
  ];
  for (const code of codes) {
    const { status } = await ask(`customers/${code}`);
    assert.equal(status >= 400 && status < 500, true, `${code}: ${status}`);
  }
  assert.deepEqual(asked(), []);
});

test('an unknown code is 404, whether the vendor refuses it, has nothing, or shows the blank form', async (t) => {
  const { ask } = await setUp(t);
  assert.deepEqual(
    [(await ask('customers/c99')).status, (await ask('customers/c99')).body['code']],
    [404, 'not-found'],
  );

  const blank = { customer_code: '', fields: [{ code: 'name', name: 'Name', type: 'STRING', value: '' }] };
  for (const data of [null, blank]) {
    const baseUrl = await serve(t, (request) =>
      Response.json({ error: 0, data: request.url.includes('get-detail') ? data : [] }),
    );
    const other = await askerAt(await startCompanion(t, { baseUrl, apiKey: 'k' }));
    assert.equal((await other('customers/c99')).status, 404);
  }
});

test('a lookup costs at most three calls, also when they fail, and is not repeated at once', async (t) => {
  const { ask, find, asked, fail, world } = await setUp(t);
  await Promise.all(SPELLINGS.map(find));
  assert.deepEqual(asked(), [SEARCH, SEARCH, SEARCH]);
  world.requests.length = 0;
  await ask('customers/c01');
  assert.deepEqual(asked().toSorted(), [HISTORY, DETAIL].toSorted());

  fail(SEARCH, { kind: 'drop' });
  for (let n = 0; n < 4; n += 1) {
    world.requests.length = 0;
    assert.equal((await ask('customers?phone=0900000183')).status, 503);
    assert.equal(asked().length <= 3, true, asked().join(' '));
  }
  world.faults.clear();
  assert.equal((await find('0900000183'))[0]?.['code'], 'c02');
});

const FAULTS: readonly (readonly [fault: Fault, status: number, code: string])[] = [
  [{ kind: 'status', value: 500 }, 503, 'vendor-unreachable'],
  [{ kind: 'status', value: 429 }, 503, 'vendor-busy'],
  [{ kind: 'error', value: 403 }, 502, 'vendor-refused'],
  [{ kind: 'garbage' }, 502, 'vendor-invalid-answer'],
  [{ kind: 'cut' }, 502, 'vendor-invalid-answer'],
  [{ kind: 'drop-after' }, 503, 'vendor-unreachable'],
];

for (const [fault, status, code] of FAULTS) {
  test(`a vendor that answers with ${Object.values(fault).join(' ')} is a problem, and the next lookup succeeds`, async (t) => {
    const { ask, find, fail, world } = await setUp(t);
    for (const place of [SEARCH, DETAIL, HISTORY]) fail(place, fault);
    for (const path of ['customers?phone=0900000200', 'customers/c01']) {
      const answer = await ask(path);
      assert.deepEqual([answer.status, answer.body['code']], [status, code], path);
    }
    world.faults.clear();
    assert.equal((await find('0900000200')).length, 1);
  });
}

test('a vendor that says nothing becomes a problem within six seconds, and no session waits for it', async (t) => {
  const { ask, companion, fail } = await setUp(t);
  for (const place of [SEARCH, DETAIL, HISTORY]) fail(place, { kind: 'silent' });
  const numbers = Array.from({ length: 60 }, (_, n) => `customers?phone=09770001${10 + n}`);
  const settled: string[] = [];
  const timeout = AbortSignal.timeout(6000);
  const lookups = [...numbers, 'customers/c01'].map((path) =>
    ask(path, timeout).finally(() => settled.push(path)),
  );
  const headers = { Cookie: await signIn(companion, 'agent002') };
  const session = await fetch(`${companion}/dialer/session`, { method: 'POST', headers });
  assert.equal(session.status, 200);
  assert.deepEqual(
    settled.filter((path) => path.endsWith('10')),
    [],
    'a lookup was answered before',
  );
  for (const { status } of await Promise.all(lookups)) assert.equal(status, 503);
});

test('lookups need a sign-in, and are counted with everything else a member asks', async (t) => {
  const { companion, ask, asked } = await setUp(t, { RATE_LIMIT_PER_MEMBER: '3' });
  assert.equal((await fetch(`${companion}/dialer/customers?phone=0900000200`)).status, 401);
  assert.equal((await fetch(`${companion}/dialer/customers/c01`)).status, 401);
  assert.deepEqual(asked(), []);
  const statuses: number[] = [];
  for (const path of ['customers?phone=0900000200', 'customers/c01', 'customers?phone=x', 'customers/c01']) {
    statuses.push((await ask(path)).status);
  }
  assert.deepEqual(statuses, [200, 200, 400, 429]);
});

const row = (fields: Record<string, unknown>) => ({
  create_at: 1,
  customer_field_items: Object.entries(fields).map(([code, value]) => ({ code, type: 'STRING', value })),
});

test('of rows that nobody asked for, or that say too little, no name is made up', async (t) => {
  let data: unknown = null;
  const baseUrl = await serve(t, () => Response.json({ error: 0, data }));
  const ask = await askerAt(await startCompanion(t, { baseUrl, apiKey: 'k' }));
  const cases: readonly (readonly [data: unknown, status: number, customers: unknown])[] = [
    [null, 200, []],
    [[], 200, []],
    [[row({ customer_code: 'a', name: 'An', phone: '0911111111' })], 200, []],
    [[row({ customer_code: 'a', name: 'An' })], 200, [{ code: 'a', name: 'An', number: '0900000003' }]],
    [
      [row({ customer_code: 7, name: null, phone: 84900000004 })],
      200,
      [{ code: '7', name: '7', number: '84900000004' }],
    ],
    [[row({ name: 'An', phone: '0900000005' })], 502, undefined],
    [[{ create_at: 1 }], 502, undefined],
    [{}, 502, undefined],
  ];
  for (const [n, [given, status, customers]] of cases.entries()) {
    data = given;
    const answer = await ask(`customers?phone=090000000${n}`);
    assert.deepEqual([answer.status, answer.body['customers']], [status, customers], JSON.stringify(given));
  }
});
