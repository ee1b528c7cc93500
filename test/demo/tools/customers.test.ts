/** The endpoints of customers, fields and histories: what is believed of an answer, what is sent again, and what is found. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { publishSandbox } from '../../../demo/dev/find-vendor.ts';
import { VendorError } from '../../../demo/server/vendor/response.ts';
import { openCatalogue, type Endpoints, type InputOf } from '../../../demo/tools/open-api/endpoints.ts';
import { runBundled } from '../program.ts';
import { makeFolder, serve, startSandbox, type RunningSandbox } from '../servers.ts';

const API = fileURLToPath(new URL('../../../demo/tools/api.ts', import.meta.url));
const looks = { color: '#FFFFFF', text_color: '#000000' };
const field = { customer_field_code: 'city' };
const option = { ...field, customer_field_option_code: 'ha_noi' };

function openAt(t: TestContext, vendor: { baseUrl: string; apiKey: string }): Endpoints {
  const { endpoints, close } = openCatalogue(vendor, { deadlineMs: 3000 });
  t.after(() => close());
  return endpoints;
}

/** A vendor that gives this answer to whatever it is asked. */
async function openAnswering(t: TestContext) {
  let body = '';
  const asked: string[] = [];
  const baseUrl = await serve(t, (request) => {
    asked.push(`${request.method} ${new URL(request.url).pathname}`);
    return new Response(body, { headers: { 'Content-Type': 'application/json' } });
  });
  const endpoints = openAt(t, { baseUrl, apiKey: 'key' });
  return { endpoints, asked, answer: (text: string) => (body = text) };
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error === undefined) return 'believed';
  return error instanceof VendorError ? error.code : String(error);
}

/** Puts a field with an option into the list. */
const standing = { customer_field_code: 'standing', value: '', type: 'EQUAL', is_search: false } as const;
/** Each read, and what of its rows cannot be left out. */
const READS: readonly (readonly [
  name: string,
  ask: (api: Endpoints) => Promise<unknown>,
  required: readonly string[],
])[] = [
  [
    'listCustomers',
    (api) => api.listCustomers({ field_search: [standing] }),
    ['create_at', 'customer_field_items', 'code', 'type'],
  ],
  ['countCustomers', (api) => api.countCustomers({}), []],
  ['readCustomer', (api) => api.readCustomer({ customer_code: 'c01' }), ['fields', 'code', 'type']],
  ['blank form', (api) => api.readCustomer({ customer_code: '' }), ['fields', 'code', 'type']],
  [
    'isCustomerValueTaken',
    (api) => api.isCustomerValueTaken({ customer_field_code: 'customer_code', value: 'c01' }),
    [],
  ],
  ['listCustomerFields', (api) => api.listCustomerFields({}), ['create_at', 'code', 'name', 'type']],
  ['countCustomerFields', (api) => api.countCustomerFields({}), []],
  ['readCustomerField', (api) => api.readCustomerField(field), ['create_at', 'code', 'name', 'type']],
  ['isCustomerFieldCodeTaken', (api) => api.isCustomerFieldCodeTaken(field), []],
  ['listFieldOptions', (api) => api.listFieldOptions(field), ['create_at', 'code', 'name', 'type']],
  ['countFieldOptions', (api) => api.countFieldOptions(field), []],
  ['readFieldOption', (api) => api.readFieldOption(option), ['create_at', 'code', 'name', 'type']],
  ['isFieldOptionCodeTaken', (api) => api.isFieldOptionCodeTaken(option), []],
  ['listInteractions', (api) => api.listInteractions({ customer_code: 'c01' }), ['create_at', 'type']],
  ['countInteractions', (api) => api.countInteractions({ customer_code: 'c01' }), []],
];

for (const [name, ask, required] of READS) {
  test(`${name}: an answer that is cut, or wrong in any field, is not believed`, async (t) => {
    const sandbox = await startSandbox(t);
    const whole = await ask(openAt(t, sandbox));
    const { endpoints, answer } = await openAnswering(t);
    const text = JSON.stringify({ error: 0, message: 'Success', data: whole });
    answer(text);
    assert.deepEqual(await ask(endpoints), whole);

    for (const share of [0, 0.2, 0.5, 0.8, 0.99]) {
      answer(text.slice(0, Math.floor(text.length * share)));
      assert.equal(await codeOf(ask(endpoints)), 'invalid-answer', `cut to ${share}`);
    }
    for (const path of pathsOf(whole)) {
      for (const wrong of [true, 'x', 7, {}, [7]].filter((other) => isWrong(path, whole, other))) {
        answer(JSON.stringify({ error: 0, data: replaced(whole, path, wrong) }));
        assert.equal(await codeOf(ask(endpoints)), 'invalid-answer', `${path.join('.')}: ${typeof wrong}`);
      }
      const last = String(path.at(-1));
      answer(JSON.stringify({ error: 0, data: replaced(whole, path, undefined) }));
      const expected = typeof path.at(-1) === 'string' && !required.includes(last) ? 'believed' : undefined;
      if (expected ?? required.includes(last)) {
        assert.equal(await codeOf(ask(endpoints)), expected ?? 'invalid-answer', `without ${path.join('.')}`);
      }
    }
  });
}

/** The ways to everything in it, the first and the last of each list standing for the others. */
function pathsOf(value: unknown): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [[]];
  const entries = Array.isArray(value)
    ? [...new Set([0, value.length - 1])].filter((n) => n >= 0).map((n) => [n, value[n]] as const)
    : Object.entries(value);
  return [[], ...entries.flatMap(([key, one]) => pathsOf(one).map((path) => [key, ...path]))];
}

function at(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown>)[key], value);
}

function replaced(value: unknown, path: readonly (string | number)[], by: unknown): unknown {
  const copy = { root: structuredClone(value) };
  const way = ['root', ...path];
  const holder = at(copy, way.slice(0, -1)) as Record<string | number, unknown>;
  holder[way.at(-1) ?? ''] = by;
  return copy.root;
}

/** Of another type than what is there; a value of a customer may be text or a number, and so may a place in a list. */
function isWrong(path: readonly (string | number)[], whole: unknown, other: unknown): boolean {
  const there = at(whole, path);
  const last = path.at(-1);
  if (typeof other === 'number' && last === 'value' && !path.includes('value_option')) return false;
  if (typeof there === 'object' && there !== null) {
    return Array.isArray(there) !== Array.isArray(other) || (Array.isArray(other) && last !== undefined);
  }
  return typeof there !== typeof other;
}

const WRITES: readonly (readonly [
  name: string,
  ask: (api: Endpoints) => Promise<unknown>,
  gives: unknown,
])[] = [
  ['insertCustomer', (api) => api.insertCustomer({ fields: { customer_code: 'n-1', name: 'An' } }), true],
  ['updateCustomer', (api) => api.updateCustomer({ customer_code: 'c01', fields: { name: 'An' } }), true],
  ['deleteCustomer', (api) => api.deleteCustomer({ customer_code: 'c01' }), true],
  [
    'insertCustomerField',
    (api) => api.insertCustomerField({ ...field, ...looks, name: 'City', type: 'SELECT' }),
    'city',
  ],
  [
    'updateCustomerField',
    (api) => api.updateCustomerField({ ...field, ...looks, name: 'City', type: 'SELECT' }),
    'city',
  ],
  [
    'renameCustomerField',
    (api) => api.renameCustomerField({ ...field, customer_field_code_new: 'town' }),
    true,
  ],
  ['deleteCustomerField', (api) => api.deleteCustomerField(field), true],
  [
    'insertFieldOption',
    (api) => api.insertFieldOption({ ...option, ...looks, name: 'Hà Nội', type: 'OPTION' }),
    'ha_noi',
  ],
  ['updateFieldOption', (api) => api.updateFieldOption({ ...option, ...looks, name: 'Hà Nội' }), 'ha_noi'],
  [
    'renameFieldOption',
    (api) => api.renameFieldOption({ ...option, customer_field_option_code_new: 'hn' }),
    true,
  ],
  ['deleteFieldOption', (api) => api.deleteFieldOption(option), true],
];

for (const [name, ask, gives] of WRITES) {
  test(`${name}: only its own success is one, and it is sent once whatever comes back`, async (t) => {
    const { endpoints, asked, answer } = await openAnswering(t);
    answer(JSON.stringify({ error: 0, data: gives }));
    assert.equal(await ask(endpoints), gives);
    const wrong =
      gives === true ? [false, null, undefined, 'true', 1, {}, []] : ['', null, undefined, 5, true, {}];
    for (const data of wrong) {
      answer(JSON.stringify({ error: 0, data }));
      assert.equal(await codeOf(ask(endpoints)), 'invalid-answer', JSON.stringify(data));
    }
    answer(JSON.stringify({ error: 409, data: null }));
    assert.equal(await codeOf(ask(endpoints)), 'refused');
    assert.equal(asked.length, wrong.length + 2);
  });
}

test('searches, which are POSTs, are sent again when their answer is lost; writes are not', async (t) => {
  const sandbox = await startSandbox(t);
  const api = openAt(t, sandbox);
  const drop = (place: string) => sandbox.world.faults.set(place, { kind: 'drop-after', times: 2 });
  const asked = (path: string) => sandbox.world.requests.filter((one) => one.path === path).length;

  drop('/api/customer/get-all');
  assert.equal((await api.listCustomers({})).length, 8);
  assert.equal(asked('/api/customer/get-all'), 3);
  drop('/api/customer/count-all');
  assert.equal(await api.countCustomers({}), 8);

  drop('/api/customer/delete');
  assert.equal(await codeOf(api.deleteCustomer({ customer_code: 'c08' })), 'unreachable');
  assert.equal(asked('/api/customer/delete'), 1);
});

const LAN = {
  customer_code: 'n-1',
  name: 'Đặng Thị Ngọc Lân',
  phone: '+84987654321',
  guests: '12.5',
  departure: '01/02/2027',
};

const SEARCHES: readonly (readonly [what: string, search: SearchInput, finds: readonly string[]])[] = [
  ['a name as it is kept', ['name', 'Nguyễn Thị Mai', 'EQUAL'], ['c01']],
  ['a part of a name', ['name', 'Văn', 'CONTAIN'], ['c02']],
  ['a name without its diacritics', ['name', 'dang thi ngoc lan', 'EQUAL'], ['n-1']],
  ['a part of a name without its diacritics', ['name', 'tran van', 'CONTAIN'], ['c02']],
  ['a name in decomposed Unicode', ['name', 'Nguyễn Thị Mai'.normalize('NFD'), 'EQUAL'], ['c01']],
  ['a number in the spelling it is kept in', ['phone', '+84987654321', 'EQUAL'], ['n-1']],
  ['the same number in another spelling', ['phone', '0987654321', 'EQUAL'], []],
  ['an option', ['standing', 'quote_sent', 'EQUAL'], ['c01', 'c05']],
  ['one of several checked boxes', ['interests', 'sea', 'EQUAL'], ['c01', 'c04', 'c07']],
  ['numbers of a range', ['guests', '12|12.5', 'RANGER'], ['c05', 'n-1']],
  ['days of a range', ['departure', '31/01/2027|01/02/2027', 'RANGER'], ['n-1']],
  ['a day nobody was entered', ['create_at', '01/01/2020|02/01/2020', 'RANGER'], []],
];
type SearchInput = readonly [code: string, value: string, type: 'EQUAL' | 'CONTAIN' | 'RANGER'];

for (const [what, [customer_field_code, value, type], finds] of SEARCHES) {
  test(`by ${type}, ${what}: the customers are found and counted`, async (t) => {
    const api = openAt(t, await startSandbox(t));
    await api.insertCustomer({ fields: LAN });
    const field_search = [{ customer_field_code, value, type, is_search: true }];
    const rows = await api.listCustomers({ field_search });
    const codes = rows.map(
      ({ customer_field_items }) => customer_field_items.find(({ code }) => code === 'customer_code')?.value,
    );
    assert.deepEqual(codes.toSorted(), finds);
    assert.equal(await api.countCustomers({ field_search }), finds.length);
  });
}

test('a comparison that the field does not have is refused, and one that nobody has is not sent', async (t) => {
  const sandbox = await startSandbox(t);
  const api = openAt(t, sandbox);
  const search = (customer_field_code: string, type: string, value = 'x') =>
    codeOf(
      api.listCustomers({
        field_search: [{ customer_field_code, value, type, is_search: true }],
      } as InputOf<'listCustomers'>),
    );
  assert.equal(await search('note', 'EQUAL'), 'refused');
  assert.equal(await search('phone', 'CONTAIN'), 'refused');
  assert.equal(await search('name', 'RANGER', '1|2'), 'refused');
  const before = sandbox.world.requests.length;
  assert.equal(await search('name', 'LIKE'), 'not-sent');
  assert.equal(await codeOf(api.readCustomer({ customer_code: '../member' })), 'not-sent');
  assert.equal(await codeOf(api.insertCustomer({ fields: { name: 'An' } })), 'not-sent');
  assert.equal(sandbox.world.requests.length, before);
});

test('both numberings of the pages give every customer once', async (t) => {
  const sandbox = await startSandbox(t);
  const api = openAt(t, sandbox);
  for (const first of [0, 1] as const) {
    sandbox.world.setSettings({ ...sandbox.world.settings, firstCustomerPage: first });
    const pages = await Promise.all([0, 1, 2].map((n) => api.listCustomers({ page: first + n, size: 4 })));
    assert.deepEqual(
      pages.map(({ length }) => length),
      [4, 4, 0],
    );
  }
});

test('the command says by its exit what became of it', async (t) => {
  const sandbox = await startSandbox(t);
  const env = await environmentOf(t, sandbox);
  const api = (...args: string[]) => runBundled(API, args, env);
  const fail = (place: string, kind: 'cut' | 'garbage') => sandbox.world.faults.set(place, { kind });

  const added = await api('insertCustomer', 'fields={"customer_code":"n-1","name":"Lân"}');
  assert.deepEqual([added.exit, added.out.trim()], [0, 'true']);
  const search = '[{"customer_field_code":"name","value":"lan","type":"CONTAIN","is_search":true}]';
  fail('/api/customer/get-detail', 'cut');
  fail('/api/customer/delete', 'garbage');
  const [found, again, incomplete, nobody, cut, garbage] = await Promise.all([
    api('listCustomers', `field_search=${search}`),
    api('insertCustomer', 'fields={"customer_code":"n-1","name":"Lân"}'),
    api('insertCustomer', 'fields={"name":"Lân"}'),
    api('readCustomer'),
    api('readCustomer', 'customer_code=c01'),
    api('deleteCustomer', 'customer_code=c01'),
  ]);
  assert.equal(found.exit, 0);
  assert.match(found.out, /"value": "Lân"/);
  assert.equal(again.exit, 4);
  assert.match(again.err, /refused: error 409/);
  assert.deepEqual([incomplete.exit, nobody.exit, cut.exit, garbage.exit], [2, 2, 4, 4]);
});

async function environmentOf(t: TestContext, sandbox: RunningSandbox): Promise<Record<string, string>> {
  const database = `${await makeFolder(t)}/companion.db`;
  await publishSandbox(database, sandbox);
  return { DATABASE_URL: `file:${database}` };
}
