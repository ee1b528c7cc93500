/** The vendor's customers: added, read and listed. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFolder } from '../servers.ts';
import { codesFound, startVendor } from './vendor.ts';

interface Detail {
  readonly customer_code: string;
  readonly fields: readonly {
    readonly code: string;
    readonly value: string;
    readonly is_required: boolean;
    readonly value_options: readonly { readonly code: string; readonly is_select: boolean }[];
  }[];
}

const MAI = { customer_code: 'n-1', name: 'Nguyễn Thị Mai', phone: '+84987654321', member_no: 'agent001' };

test('a new customer is found by what was written, with a value for a field of every type', async (t) => {
  const vendor = startVendor(t);
  const fields = {
    ...MAI,
    company: 'Hoa Sen',
    note: 'x'.repeat(5000),
    guests: '-12.500001',
    departure: '29/02/2028',
    second_phone: '02838221235',
    standing: 'booked',
    city: 'ha_noi',
    interests: 'sea,mountains',
  };
  assert.deepEqual(await vendor.post('/api/customer/insert', { fields }), {
    error: 0,
    message: 'success',
    data: true,
  });
  const { data } = await vendor.get<Detail>('/api/customer/get-detail', { customer_code: 'n-1' });
  const read = Object.fromEntries(data.fields.map(({ code, value }) => [code, value]));
  assert.deepEqual({ ...read, trip: undefined }, { ...fields, trip: undefined });
  const interests = data.fields.find(({ code }) => code === 'interests')?.value_options;
  assert.deepEqual(
    interests?.map(({ code, is_select }) => [code, is_select]),
    [
      ['sea', true],
      ['mountains', true],
      ['city_tour', false],
    ],
  );
});

const refused: readonly [why: string, fields: unknown, error: number][] = [
  ['without a name', { customer_code: 'n-1' }, -1],
  ['without a code', { name: 'Mai' }, -1],
  ['with an empty name', { ...MAI, name: '' }, -1],
  ['with a code of other characters', { ...MAI, customer_code: 'n 1' }, -1],
  ['with a field that is not there', { ...MAI, shoe_size: '38' }, -1],
  ['with a name of 256 characters', { ...MAI, name: 'x'.repeat(256) }, -1],
  ['with a number that is none', { ...MAI, guests: '12a' }, -1],
  ['with a number of 19 digits', { ...MAI, guests: '1234567890123456789' }, -1],
  ['with a number of 7 decimals', { ...MAI, guests: '1.1234567' }, -1],
  ['with a number that is not text', { ...MAI, guests: 12 }, -1],
  ['with a day that does not exist', { ...MAI, departure: '31/02/2027' }, -1],
  ['with a date in another form', { ...MAI, departure: '2027-02-28' }, -1],
  ['with letters for a telephone number', { ...MAI, phone: '09x' }, -1],
  ['with an option that is not there', { ...MAI, standing: 'rich' }, -1],
  ['with a group for an option', { ...MAI, city: 'north' }, -1],
  ['with one option of several that is not there', { ...MAI, interests: 'sea,moon' }, -1],
  ['with the code of another', { ...MAI, customer_code: 'c01' }, 409],
  ['that is not an object', 'Mai', -1],
];
for (const [why, fields, error] of refused) {
  test(`a customer ${why} is refused with ${error}, and nothing is written`, async (t) => {
    const vendor = startVendor(t);
    const before = vendor.world.customerData;
    assert.equal((await vendor.post('/api/customer/insert', { fields })).error, error);
    assert.equal(vendor.world.customerData, before);
  });
}

test('an empty code gives the blank form, with the fields in their order', async (t) => {
  const vendor = startVendor(t);
  const { data } = await vendor.get<Detail>('/api/customer/get-detail', { customer_code: '' });
  assert.equal(data.customer_code, '');
  assert.deepEqual(
    data.fields.slice(0, 4).map(({ code }) => code),
    ['name', 'customer_code', 'phone', 'member_no'],
  );
  assert.ok(
    data.fields.every(({ value }) => value === ''),
    'no values',
  );
  assert.deepEqual(
    data.fields.filter((field) => field.is_required).map(({ code }) => code),
    ['name', 'customer_code'],
  );
});

test('the fields are listed by their number', async (t) => {
  const { data } = await startVendor(t).get<{ code: string; is_default: boolean }[]>(
    '/api/customerfield/get-all',
    {
      size: '50',
    },
  );
  assert.deepEqual(
    data.filter(({ is_default }) => is_default).map(({ code }) => code),
    ['name', 'customer_code', 'phone', 'member_no'],
  );
  assert.ok(data.some(({ code }) => code === 'city'));
});

test('the list comes in pages, newest first, whichever number the first page has', async (t) => {
  const vendor = startVendor(t);
  const all = await codesFound(vendor, []);
  assert.equal(all.length, 8);
  await vendor.post('/api/customer/insert', { fields: MAI });
  assert.deepEqual(await codesFound(vendor, [], { size: 3 }), ['n-1', ...all.slice(0, 2)]);
  assert.deepEqual(await codesFound(vendor, [], { size: 3, page: 2 }), all.slice(5));
  assert.deepEqual(await codesFound(vendor, null, { size: 3, page: 3 }), []);
  vendor.world.setSettings({ ...vendor.world.settings, firstCustomerPage: 1 });
  assert.deepEqual(await codesFound(vendor, [], { size: 3, page: 1 }), ['n-1', ...all.slice(0, 2)]);
  assert.equal((await vendor.post('/api/customer/count-all', {})).data, 9);
});

test('customers, fields and histories are there again in the next run', async (t) => {
  const stateFile = join(await makeFolder(t), 'state.json');
  const first = startVendor(t, stateFile);
  await first.post('/api/customer/insert', { fields: MAI });
  await first.sandbox.close();
  const second = startVendor(t, stateFile);
  assert.deepEqual(second.world.customerData, first.world.customerData);
  second.world.reset();
  assert.equal(second.world.customerData.customers.length, 8);
  // It writes the reset, too, before its folder goes.
  await second.sandbox.close();
});
