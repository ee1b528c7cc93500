/** The companion's client against the sandbox: every endpoint of the table is there, and is understood. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VendorClient } from '../../../demo/companion/vbot/client.ts';
import { VendorError } from '../../../demo/companion/vbot/errors.ts';
import { OPERATIONS } from '../../../demo/tools/api.ts';
import { startSandbox } from '../../../demo/sandbox/test/servers.ts';

const of = { member_no: 'agent001' };
const script = { template_code: 'SCRIPT_ALERT', hotline_code: 'HL_SALES' };
const phone = { phone: '0900000200' };
const bot = { trans_id: 'none' };
const fields = { template_script_code: 'SCRIPT_ALERT' };
const customer = { customer_code: 'n-1' };
const field = { customer_field_code: 'seat' };
const option = { ...field, customer_field_option_code: 'aisle' };
const looks = { color: '#FFFFFF', text_color: '#000000' };
const search = [{ customer_field_code: 'name', value: 'lan', type: 'CONTAIN', is_search: true }] as const;
/** In this order: the member has to be there before anything is done to them. */
const INPUTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  listHotlines: {},
  issueToken: { ...of, hotline_codes: ['HL_SALES'] },
  readMember: of,
  addMoney: { ...of, money: 1000 },
  assignHotline: {
    ...of,
    hotline_number: '842899990001',
    allow_call: true,
    start_time: '',
    end_time: '17:30',
  },
  readAdminBalance: {},
  listCalls: { ...of, from: 0, type_call: -1, page: 0, size: 5 },
  countCalls: of,
  listCallLegs: { group_id: 'none' },
  readCallQuality: bot,
  callPhone: { ...script, ...phone, external_call_id: 'crm42', datas: { customer: 'An' } },
  callPhones: { ...script, phone_infos: [phone] },
  callMembers: { template_code: 'SCRIPT_ALERT', display_name: 'CRM', type: 'MEMBER', member_infos: [of] },
  listAutoCalls: { page: 1 },
  countAutoCalls: {},
  readBotConversation: bot,
  listScripts: {},
  countScripts: {},
  listScriptBranches: fields,
  listCustomers: { page: 0, size: 5, field_search: [...search] },
  countCustomers: { field_search: [...search] },
  insertCustomer: { fields: { ...customer, name: 'Lan', phone: '0987654321', member_no: 'agent001' } },
  readCustomer: customer,
  isCustomerValueTaken: { customer_field_code: 'customer_code', value: 'n-1', customer_code: '' },
  updateCustomer: { ...customer, fields: { member_no: '' } },
  listInteractions: { ...customer, type: 'CUSTOMER', from: -1, to: -1, page: 0, size: 5 },
  countInteractions: customer,
  deleteCustomer: customer,
  listCustomerFields: { key: 'e', from: -1, to: -1, page: 0, size: 50 },
  countCustomerFields: {},
  insertCustomerField: { ...field, ...looks, name: 'Seat', type: 'RADIO', is_required: false, number: 20 },
  readCustomerField: field,
  isCustomerFieldCodeTaken: field,
  updateCustomerField: { ...field, ...looks, name: 'Place', type: 'RADIO', description: '' },
  insertFieldOption: { ...option, ...looks, name: 'Aisle', type: 'OPTION', number: 1 },
  listFieldOptions: { ...field, key: '', type: 'OPTION', page: 0, size: 5 },
  countFieldOptions: field,
  readFieldOption: option,
  isFieldOptionCodeTaken: option,
  updateFieldOption: { ...option, ...looks, name: 'At the aisle', customer_field_option_group_code: '' },
  renameFieldOption: { ...option, customer_field_option_code_new: 'window' },
  deleteFieldOption: { ...field, customer_field_option_code: 'window' },
  renameCustomerField: { ...field, customer_field_code_new: 'seat2' },
  deleteCustomerField: { customer_field_code: 'seat2' },
  legacyListCalls: { phone: '0900000200' },
  legacyCountCalls: {},
  legacyCallPhone: { ...script, ...phone },
  legacyCallPhones: { ...script, phoneInfos: [phone] },
  listScriptFields: fields,
  legacyListAutoCalls: {},
  legacyCountAutoCalls: {},
  legacyReadBotConversation: bot,
  legacyListScripts: {},
  legacyCountScripts: {},
  legacyListCampaigns: {},
  legacyCountCampaigns: {},
};
/** What the sandbox has none of. */
const REFUSED: Readonly<Record<string, number>> = {
  readBotConversation: 500,
  legacyReadBotConversation: 500,
};

/** As somebody types it: text, and JSON where the table wants it. */
function typed(input: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.entries(input).map(([key, value]) => [
    key,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return Object.fromEntries(texts) as Record<string, string>;
}

test('every endpoint of the table answers, at its own path', async (t) => {
  const sandbox = await startSandbox(t);
  const client = new VendorClient(sandbox);
  t.after(() => client.close());
  assert.deepEqual(Object.keys(INPUTS).toSorted(), [...OPERATIONS.keys()].toSorted());
  for (const [operation, input] of Object.entries(INPUTS)) {
    const endpoint = OPERATIONS.get(operation);
    assert.ok(endpoint, operation);
    const result = await client.call(endpoint, typed(input)).then(
      () => undefined,
      (error: unknown) => error,
    );
    const refused =
      result instanceof VendorError && result.code === 'refused' ? result.vendorCode : undefined;
    assert.deepEqual([operation, refused], [operation, REFUSED[operation]], String(result));
    const last = sandbox.world.requests.at(-1);
    const path = `/${endpoint.path.replace('{trans_id}', 'none')}`;
    assert.deepEqual([last?.method, last?.path], [endpoint.method, path]);
  }
  assert.equal(sandbox.world.autoCalls.length, 5);
});

test('a wrong key is told in the words of each module', async (t) => {
  const sandbox = await startSandbox(t);
  const client = new VendorClient({ ...sandbox, apiKey: 'wrong' });
  t.after(() => client.close());
  for (const [operation, code] of [
    ['listHotlines', 401],
    ['listCalls', 409],
    ['listScripts', 401],
  ] as const) {
    const endpoint = OPERATIONS.get(operation);
    assert.ok(endpoint);
    const error: unknown = await client.call(endpoint, {}).catch((reason: unknown) => reason);
    assert.equal(error instanceof VendorError && error.vendorCode, code);
  }
});
