/** How amounts are read, what VENDOR_FIELDS may say, and that nothing secret is told of a response. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { ConfigError, readConfig } from '../config.ts';
import { readAmount, readFormat, USUAL_FORMAT } from '../vbot/envelope.ts';
import { memberNoSchema, OpenApi } from '../vbot/api.ts';
import { describeTrace } from '../vbot/shape.ts';
import { makeFolder } from './stores.ts';
import { KEY, startVendor } from './vendor.ts';

const amounts: readonly [text: string, ...values: (number | undefined)[]][] = [
  ['500', 500, 500, 500],
  ['1500', 1500, 1500, 1500],
  ['-0.5', -0.5, undefined, -0.5],
  ['500.00', 500, undefined, 500],
  ['500.000', undefined, 500_000, 500],
  ['0.000', undefined, 0, 0],
  ['1500.000', undefined, undefined, 1500],
  ['1.500.000', undefined, 1_500_000],
  ['500.000,00', undefined, 500_000],
  ['500,000', undefined, 500, 500_000],
  ['1,500.5', undefined, undefined, 1500.5],
  ['1.50.000'],
  ['500 000'],
  ['500.000 ₫', undefined, 500_000, 500],
  ['500 VND', undefined, 500, 500],
  ['1e3'],
  [' 500 ', undefined, 500, 500],
  [''],
  ['.'],
  ['500.'],
];
for (const [text, usual, dots, commas] of amounts) {
  test(`"${text}" is ${usual ?? 'refused'}, with dots between thousands ${dots ?? 'refused'}, with commas ${commas ?? 'refused'}`, () => {
    const read = (thousands?: '.' | ',') => readAmount(text, { ...USUAL_FORMAT, thousands });
    assert.deepEqual([read(), read('.'), read(',')], [usual ?? text, dots ?? text, commas ?? text]);
  });
}

test('VENDOR_FIELDS is JSON or the path of a file with it; a mistake is named at the start', async (t) => {
  const path = `${await makeFolder(t)}/fields.json`;
  await writeFile(path, '{"member_money": "soDu"}');
  assert.deepEqual(readFormat(path).names.member_money, ['soDu']);
  assert.deepEqual(readConfig({ VENDOR_FIELDS: path }).vendorFormat, readFormat(path));
  assert.deepEqual(readConfig({}).vendorFormat, USUAL_FORMAT);
  const wrong: readonly [string, RegExp][] = [
    ['{"member_mony": "x"}', /member_mony: unknown field; known fields: error, .*member_money/],
    ['{"member_money": 7}', /member_money: must be one such value, or a list/],
    ['{"member_money": []}', /member_money/],
    ['{"member_money": "so du"}', /member_money/],
    ['{"thousands": " "}', /thousands: must be "\." or ","/],
    ['{"assigned": "yes"}', /assigned/],
    ['{"success": {}}', /success/],
    ['{"success": [0', /JSON/],
    ['/nowhere/fields.json', /ENOENT/],
  ];
  for (const [text, message] of wrong) {
    assert.throws(
      () => readConfig({ VENDOR_FIELDS: text }),
      (error) =>
        error instanceof ConfigError &&
        /VENDOR_FIELDS must be a JSON object/.test(error.message) &&
        message.test(error.message),
      text,
    );
  }
});

test('of a response keys, types, codes and messages are told, and no token, key, password or number, wherever it stands', async (t) => {
  const secrets = ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln', KEY, 'Sip-Pa55word', '0912345678'];
  for (const secret of secrets) {
    const row = {
      member_no: secret,
      member_money: secret,
      sip_password: secret,
      [secret]: secret,
      hotlines: [secret],
    };
    const bodies: unknown[] = [
      { error: 0, message: 'ok', data: row },
      { error: 0, message: 'ok', data: [row] },
      { error: 0, message: 'ok', data: secret },
      { error: 0, data: { items: [{ ...row, member_money: 0 }] } },
      { data: row, code: { inner: secret } },
      row,
      [secret],
      secret,
      { error: 12, data: { token: secret } },
      ...(secret === KEY
        ? [{ error: `Bad ${KEY}` }, { status: `key ${KEY}` }, { error: -1, message: `Bad ${KEY}` }]
        : []),
    ];
    for (const body of bodies) {
      const stub = await startVendor(t);
      const told: string[] = [];
      stub.rewrite = () => ({
        status: 200,
        headers: {},
        body: body === secret ? JSON.stringify(body) : body,
      });
      const api = new OpenApi(stub, { attempts: 1, trace: (trace) => void told.push(describeTrace(trace)) });
      t.after(() => api.close());
      const agent = memberNoSchema.parse('agent001');
      const work = [api.readMember(agent), api.listHotlines(), api.adminBalance(), api.addMoney(agent, 1)];
      for (const one of await Promise.allSettled(work))
        told.push(one.status === 'rejected' ? String(one.reason) : '');
      assert.equal(told.join('\n').includes(secret), false, told.join('\n'));
    }
  }
});
