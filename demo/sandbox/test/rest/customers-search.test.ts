/** Searching the vendor's customers, by every comparison. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codesFound, startVendor, readValue } from './vendor.ts';

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
  ['by part of a name in capitals', [by('name', 'CONTAIN', 'NGUYỄN')], ['c01']],
  [
    'by part of a name in the other Unicode form',
    [by('name', 'CONTAIN', 'Nguyễn'.normalize('NFD'))],
    ['c01'],
  ],
  ['by their standing', [by('standing', 'EQUAL', 'booked')], ['c02', 'c07']],
  ['by their city', [by('city', 'EQUAL', 'da_lat')], ['c08']],
  ['by one of several interests', [by('interests', 'EQUAL', 'city_tour')], ['c04', 'c03']],
  ['by a number exactly', [by('guests', 'EQUAL', '24')], ['c01']],
  [
    'by all searches at once',
    [by('standing', 'EQUAL', 'quote_sent'), by('name', 'CONTAIN', 'khoa')],
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
  ['a text', by('note', 'EQUAL', 'x')],
  ['a field that is not there', by('shoe_size', 'EQUAL', '38')],
  ['a comparison that is not there', by('name', 'LIKE', 'a')],
  ['a range, which the sandbox does not have', by('guests', 'RANGER', '5|8')],
];
for (const [title, search] of refused) {
  test(`a search for ${title} is refused`, async (t) => {
    const vendor = startVendor(t);
    for (const operation of ['get-all', 'count-all']) {
      assert.equal((await vendor.post(`/api/customer/${operation}`, { field_search: [search] })).error, -1);
    }
  });
}

test('two customers with one number are both found', async (t) => {
  const vendor = startVendor(t);
  const fields = { customer_code: 'n-1', name: 'Mai’s office', phone: '0900000200' };
  await vendor.post('/api/customer/insert', { fields });
  assert.deepEqual(await codesFound(vendor, [by('phone', 'EQUAL', '0900000200')]), ['n-1', 'c01']);
});

test('a field with is_search false is in the response and filters nothing, even if it is a text', async (t) => {
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
  assert.equal(readValue(customer, 'note'), 'Prefers English. Two guests are vegetarian.');
  assert.equal(readValue(customer, 'company'), undefined, 'nobody asked for it');
  assert.deepEqual(customer.customer_field_items.find(({ code }) => code === 'city')?.value_option, [
    { code: 'hcm', color: '#EFF6FF', text_color: '#1D4ED8', number: 2, value: 'Hồ Chí Minh' },
  ]);
});
