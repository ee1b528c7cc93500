/** The fields of the vendor's customers, and their options. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { startVendor, type Vendor } from './vendor.ts';

const COLORS = { color: '#FFFFFF', text_color: '#000000' };
const TYPES = ['STRING', 'TEXT', 'NUMBER', 'DATE', 'PHONE', 'SELECT', 'CHECKBOX', 'RADIO'];
const DEFAULTS = ['name', 'customer_code', 'phone', 'member_no'];

type Row = Record<string, unknown>;

/** A vendor, and one address of its fields. */
function fieldsOf(t: TestContext) {
  const vendor = startVendor(t);
  const write = (operation: string, body: object) => vendor.post(`/api/customerfield/${operation}`, body);
  const insert = (customer_field_code: string, type: string, more: object = {}) =>
    write('insert', { customer_field_code, name: customer_field_code, type, ...COLORS, ...more });
  const list = async (query: Record<string, string> = {}) =>
    (await vendor.get<Row[]>('/api/customerfield/get-all', { size: '100', ...query })).data;
  return { vendor, write, insert, list };
}

function valueAt({ world }: Vendor, customer: string, field: string): string | undefined {
  return world.customerData.customers.find(({ values }) => values['customer_code'] === customer)?.values[
    field
  ];
}

test('the four fields that are always there come first, and there is one of every type', async (t) => {
  const { vendor, list } = fieldsOf(t);
  const fields = await list();
  assert.deepEqual(
    fields
      .slice(0, 4)
      .map((field) => [field['code'], field['is_default'], field['is_required'], field['is_unique']]),
    [
      ['name', true, true, false],
      ['customer_code', true, true, true],
      ['phone', true, false, false],
      ['member_no', true, false, false],
    ],
  );
  assert.deepEqual(
    TYPES.filter((type) => !fields.some((field) => field['type'] === type)),
    [],
  );
  assert.equal((await vendor.get('/api/customerfield/count-all')).data, fields.length);
  assert.deepEqual(
    (await list({ key: 'phone' })).map((field) => field['code']),
    ['phone', 'second_phone'],
  );
  assert.deepEqual(await list({ from: String(Date.now()), to: '-1' }), []);
});

for (const type of TYPES) {
  test(`a field of type ${type} can be added, read, changed and removed`, async (t) => {
    const { vendor, write, insert, list } = fieldsOf(t);
    const description = 'Size of their shoes';
    assert.equal((await insert('shoe_size', type, { description, number: 99 })).data, 'shoe_size');
    assert.equal((await insert('shoe_size', type)).error, 409);
    const of = { customer_field_code: 'shoe_size' };
    assert.equal((await vendor.get('/api/customerfield/check-exist-code', of)).data, true);
    const { data } = await vendor.get<Row>('/api/customerfield/get-detail', of);
    assert.deepEqual([data['type'], data['description'], data['is_default']], [type, description, false]);
    assert.equal((await list()).at(-1)?.['code'], 'shoe_size');
    const changed = await write('update', { ...of, name: 'Shoes', type, ...COLORS });
    assert.equal(changed.data, 'shoe_size');
    const other = type === 'TEXT' ? 'STRING' : 'TEXT';
    assert.equal((await write('update', { ...of, name: 'Shoes', type: other, ...COLORS })).error, 403);
    assert.equal((await write('delete', of)).data, true);
    assert.equal((await vendor.get('/api/customerfield/get-detail', of)).error, 404);
  });
}

for (const code of DEFAULTS) {
  test(`the field ${code} can be neither changed, renamed nor removed`, async (t) => {
    const { vendor, write } = fieldsOf(t);
    const before = vendor.world.customerData;
    const of = { customer_field_code: code };
    const type = code === 'phone' ? 'PHONE' : 'STRING';
    assert.equal((await write('update', { ...of, name: 'Other', type, ...COLORS })).error, 403);
    assert.equal((await write('update-code', { ...of, customer_field_code_new: 'other' })).error, 403);
    assert.equal((await write('delete', of)).error, 403);
    assert.equal(vendor.world.customerData, before);
  });
}

test('what a field lacks or has wrong is refused', async (t) => {
  const { vendor, write, insert } = fieldsOf(t);
  assert.equal((await insert('shoe size', 'NUMBER')).error, -1);
  assert.equal((await insert('shoe_size', 'SHOE')).error, -1);
  assert.equal((await insert('shoe_size', 'NUMBER', { color: '' })).error, -1);
  assert.equal(
    (await write('update', { customer_field_code: 'none', name: 'x', type: 'TEXT', ...COLORS })).error,
    404,
  );
  assert.equal((await write('delete', {})).error, -1);
  const taken = await vendor.get('/api/customerfield/check-exist-code', { customer_field_code: 'shoe_size' });
  assert.equal(taken.data, false);
});

test('a renamed field keeps its values, and a removed one takes them along', async (t) => {
  const { vendor, write } = fieldsOf(t);
  const rename = (customer_field_code_new: string) =>
    write('update-code', { customer_field_code: 'company', customer_field_code_new });
  assert.equal((await rename('city')).error, 409);
  assert.equal((await rename('firm')).data, true);
  assert.deepEqual(
    [valueAt(vendor, 'c01', 'firm'), valueAt(vendor, 'c01', 'company')],
    ['Hoa Sen Events', undefined],
  );
  await write('delete', { customer_field_code: 'firm' });
  assert.equal(valueAt(vendor, 'c01', 'firm'), undefined);
});

test('a unique field takes each value once, and a required one has to be there', async (t) => {
  const { vendor, insert } = fieldsOf(t);
  await insert('tax_code', 'STRING', { is_unique: true, is_required: true });
  const add = (customer_code: string, more: object) =>
    vendor.post('/api/customer/insert', { fields: { customer_code, name: 'Mai', ...more } });
  assert.equal((await add('n-1', {})).error, -1);
  assert.equal((await add('n-1', { tax_code: '0312' })).error, 0);
  assert.equal((await add('n-2', { tax_code: '0312' })).error, 409);
  const query = { customer_field_code: 'tax_code', value: '0312', customer_code: '' };
  assert.equal((await vendor.get('/api/customer/check-exist-field-value', query)).data, true);
  const clear = await vendor.post('/api/customer/update', { customer_code: 'n-1', fields: { tax_code: '' } });
  assert.equal(clear.error, -1, 'a required value cannot be cleared');
});

test('options are listed by group, by type and by key', async (t) => {
  const { vendor } = fieldsOf(t);
  const list = async (query: Record<string, string>) => {
    const all = { customer_field_code: 'city', size: '100', ...query };
    const { data } = await vendor.get<Row[]>('/api/customerfield/option/get-all', all);
    assert.equal((await vendor.get('/api/customerfield/option/count-all', all)).data, data.length);
    return data.map((option) => option['code']);
  };
  assert.deepEqual(await list({ type: 'OPTGROUP' }), ['south', 'centre', 'north']);
  assert.deepEqual(await list({ customer_field_option_group_code: 'centre' }), ['da_nang', 'da_lat']);
  assert.deepEqual(await list({ key: 'cần' }), ['can_tho']);
  const nowhere = await vendor.get('/api/customerfield/option/get-all', { customer_field_code: 'none' });
  assert.equal(nowhere.error, 404);
});

test('an option can be added, changed, renamed and removed, and the customers follow', async (t) => {
  const { vendor, write } = fieldsOf(t);
  const of = { customer_field_code: 'interests', customer_field_option_code: 'food' };
  const facts = { name: 'Food', ...COLORS };
  assert.equal((await write('option/insert', { ...of, ...facts, type: 'OPTION', number: 9 })).data, 'food');
  assert.equal((await write('option/insert', { ...of, ...facts, type: 'OPTION' })).error, 409);
  assert.equal((await write('option/update', { ...of, ...facts, name: 'Ẩm thực' })).data, 'food');
  const { data } = await vendor.get<Row>('/api/customerfield/option/get-detail', of);
  assert.deepEqual([data['name'], data['type']], ['Ẩm thực', 'OPTION']);
  await vendor.post('/api/customer/update', { customer_code: 'c04', fields: { interests: 'sea,food' } });
  assert.equal(
    (await write('option/update-code', { ...of, customer_field_option_code_new: 'sea' })).error,
    409,
  );
  assert.equal(
    (await write('option/update-code', { ...of, customer_field_option_code_new: 'eating' })).data,
    true,
  );
  assert.equal(valueAt(vendor, 'c04', 'interests'), 'sea,eating');
  assert.equal((await vendor.get('/api/customerfield/option/check-exist-code', of)).data, false);
  const eating = { ...of, customer_field_option_code: 'eating' };
  assert.equal((await write('option/delete', eating)).data, true);
  assert.equal(valueAt(vendor, 'c04', 'interests'), 'sea');
  assert.equal((await write('option/delete', eating)).error, 404);
});

test('groups are for SELECT only, and options for fields that have a choice', async (t) => {
  const { write } = fieldsOf(t);
  const insert = (customer_field_code: string, type: string, customer_field_option_group_code = '') =>
    write('option/insert', {
      customer_field_code,
      customer_field_option_code: 'new',
      name: 'New',
      type,
      customer_field_option_group_code,
      ...COLORS,
    });
  assert.equal((await insert('standing', 'OPTGROUP')).error, -1);
  assert.equal((await insert('trip', 'OPTION')).error, -1);
  assert.equal((await insert('city', 'OPTION', 'hcm')).error, -1, 'an option is no group');
  assert.equal((await insert('city', 'OPTION', 'north')).error, 0);
  assert.equal((await insert('none', 'OPTION')).error, 404);
});

test('the options of a removed group stay, without a group', async (t) => {
  const { vendor, write } = fieldsOf(t);
  await write('option/delete', { customer_field_code: 'city', customer_field_option_code: 'south' });
  const hcm = { customer_field_code: 'city', customer_field_option_code: 'hcm' };
  const { data } = await vendor.get<Row>('/api/customerfield/option/get-detail', hcm);
  assert.equal(data['customer_field_option_group_code'], '');
  assert.equal(valueAt(vendor, 'c01', 'city'), 'hcm');
});
