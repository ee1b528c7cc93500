/** Searching the vendor's customers, by every comparison. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codesFound, startVendor, valueOf } from './vendor.ts';

const by = (customer_field_code: string, type: string, value: string) => ({
  customer_field_code,
  type,
  value,
  is_search: true,
});

const found: readonly [title: string, searches: readonly object[], codes: readonly string[]][] = [
  ['by their number as it is kept', [by('phone', 'EQUAL', '0900000200')], ['c01']],
  ['but not by another spelling of it', [by('phone', 'EQUAL', '84900000200')], []],
  ['by a number kept with 84', [by('phone', 'EQUAL', '84900000183')], ['c02']],
  ['by a number kept with +84', [by('phone', 'EQUAL', '+84912345678')], ['c06']],
  ['by their code', [by('customer_code', 'EQUAL', 'c07')], ['c07']],
  ['by a whole name', [by('name', 'EQUAL', 'Nguyễn Thị Mai')], ['c01']],
  ['not by half of a name that has to be equal', [by('name', 'EQUAL', 'Nguyễn')], []],
  ['by part of a name, with diacritics', [by('name', 'CONTAIN', 'Đặng')], ['c06']],
  ['by part of a name, without diacritics', [by('name', 'CONTAIN', 'dang quoc')], ['c06']],
  [
    'by part of a name in the other Unicode form',
    [by('name', 'CONTAIN', 'Nguyễn'.normalize('NFD'))],
    ['c01'],
  ],
  ['by their standing', [by('standing', 'EQUAL', 'booked')], ['c02', 'c07']],
  ['by their city', [by('city', 'EQUAL', 'da_lat')], ['c08']],
  ['by one of several interests', [by('interests', 'EQUAL', 'city_tour')], ['c04', 'c03']],
  ['by a number exactly', [by('guests', 'EQUAL', '24')], ['c01']],
  ['by a range of numbers, both ends included', [by('guests', 'RANGER', '5|8')], ['c06', 'c02', 'c07']],
  ['by a range without an upper end', [by('guests', 'RANGER', '24|')], ['c01', 'c03']],
  ['by a range of days', [by('departure', 'RANGER', '01/12/2026|24/12/2026')], ['c01', 'c04', 'c02']],
  [
    'by a range over the turn of a year',
    [by('departure', 'RANGER', '30/12/2026|16/01/2027')],
    ['c05', 'c07'],
  ],
  [
    'by all searches at once',
    [by('standing', 'EQUAL', 'quote_sent'), by('guests', 'RANGER', '|20'), by('name', 'CONTAIN', 'khoa')],
    ['c05'],
  ],
];
for (const [title, searches, codes] of found) {
  test(`customers are found and counted ${title}`, async (t) => {
    const vendor = startVendor(t);
    assert.deepEqual(await codesFound(vendor, searches), codes);
    const { data } = await vendor.post('/api/customer/count-all', { field_search: searches });
    assert.equal(data, codes.length);
  });
}

const refused: readonly [title: string, search: object][] = [
  ['part of a telephone number', by('phone', 'CONTAIN', '0900')],
  ['part of an option', by('city', 'CONTAIN', 'da')],
  ['a range of names', by('name', 'RANGER', 'a|b')],
  ['a text', by('note', 'EQUAL', 'x')],
  ['a field that is not there', by('shoe_size', 'EQUAL', '38')],
  ['a comparison that is not there', by('name', 'LIKE', 'a')],
  ['a range with one value', by('guests', 'RANGER', '5')],
  ['a range of three values', by('guests', 'RANGER', '5|6|7')],
  ['a range of dates in another form', by('departure', 'RANGER', '2026-12-01|2026-12-24')],
  ['the day of creation exactly', by('create_at', 'EQUAL', '01/12/2026')],
];
for (const [title, search] of refused) {
  test(`a search for ${title} is refused`, async (t) => {
    const vendor = startVendor(t);
    for (const operation of ['get-all', 'count-all']) {
      assert.equal((await vendor.post(`/api/customer/${operation}`, { field_search: [search] })).error, -1);
    }
  });
}

test('letters with and without diacritics differ where the vendor is set so', async (t) => {
  const vendor = startVendor(t);
  vendor.world.setSettings({ ...vendor.world.settings, searchDiacritics: 'significant' });
  assert.deepEqual(await codesFound(vendor, [by('name', 'CONTAIN', 'nguyen')]), []);
  assert.deepEqual(await codesFound(vendor, [by('name', 'CONTAIN', 'NGUYỄN')]), ['c01']);
});

test('customers are found by the day they were created, as it is in Vietnam', async (t) => {
  const vendor = startVendor(t);
  // 23:30 in Vietnam on 9 March.
  t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2027, 2, 9, 16, 30) });
  await vendor.post('/api/customer/insert', { fields: { customer_code: 'night', name: 'Đêm' } });
  t.mock.timers.setTime(Date.UTC(2027, 2, 9, 17, 30));
  await vendor.post('/api/customer/insert', { fields: { customer_code: 'morning', name: 'Sáng' } });
  const created = (range: string) => codesFound(vendor, [by('create_at', 'RANGER', range)]);
  assert.deepEqual(await created('09/03/2027|09/03/2027'), ['night']);
  assert.deepEqual(await created('10/03/2027|'), ['morning']);
});

test('a range of numbers is compared by value, with decimals and below 0', async (t) => {
  const vendor = startVendor(t);
  const add = (customer_code: string, guests: string) =>
    vendor.post('/api/customer/insert', { fields: { customer_code, name: 'Mai', guests } });
  await add('half', '5.5');
  await add('minus', '-0.5');
  await add('huge', '999999999999999999.000001');
  assert.deepEqual(await codesFound(vendor, [by('guests', 'RANGER', '5.25|5.75')]), ['half']);
  assert.deepEqual(await codesFound(vendor, [by('guests', 'RANGER', '-1|0')]), ['minus']);
  assert.deepEqual(await codesFound(vendor, [by('guests', 'RANGER', '999999999999999999.000002|')]), []);
  assert.deepEqual(await codesFound(vendor, [by('guests', 'RANGER', '100|')]), ['huge']);
});

test('two customers with one number are both found', async (t) => {
  const vendor = startVendor(t);
  const fields = { customer_code: 'n-1', name: 'Mai’s office', phone: '0900000200' };
  await vendor.post('/api/customer/insert', { fields });
  assert.deepEqual(await codesFound(vendor, [by('phone', 'EQUAL', '0900000200')]), ['n-1', 'c01']);
});

test('a field that is no search is put into the answer, a text too', async (t) => {
  const vendor = startVendor(t);
  const shown = { ...by('note', 'EQUAL', 'ignored'), is_search: false };
  const field_search = [
    by('customer_code', 'EQUAL', 'c07'),
    shown,
    { ...by('city', 'EQUAL', ''), is_search: false },
  ];
  const { data } = await vendor.post<
    { create_at: number; customer_field_items: { code: string; value: string; value_option: object[] }[] }[]
  >('/api/customer/get-all', { field_search });
  const [customer] = data;
  assert.ok(customer, 'one customer');
  assert.equal(valueOf(customer, 'note'), 'Prefers English. Two guests are vegetarian.');
  assert.equal(valueOf(customer, 'company'), undefined, 'nobody asked for it');
  assert.deepEqual(customer.customer_field_items.find(({ code }) => code === 'city')?.value_option, [
    { code: 'hcm', color: '#EFF6FF', text_color: '#1D4ED8', number: 2, value: 'Hồ Chí Minh' },
  ]);
});
