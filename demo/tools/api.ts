/** `npm run api -- OPERATION key=value…`: calls any of the vendor's endpoints that answer JSON, and prints the data. */
import { pathToFileURL } from 'node:url';
import * as z from 'zod/mini';
import { openVendor } from '../dev/vendor.ts';
import { ConfigError, EXIT_CONFIGURATION } from '../companion/config.ts';
import { VendorClient } from '../companion/vbot/client.ts';
import { get, post, type Endpoint } from '../companion/vbot/endpoint.ts';
import { VendorError } from '../companion/vbot/errors.ts';

const USAGE = `Usage: npm run api -- OPERATION key=value…

  npm run api -- readMember member_no=agent001
  npm run api -- callMembers template_code=T1 display_name=CRM type=MEMBER 'member_infos=[{"member_no":"agent001"}]'

addMoney is not available here: payments must go through the ledger. Use npm run provision -- MEMBER_NO --top-up VND.
Exit: 0 done; 2 bad input; 4 the vendor refused or is unreachable; 78 configuration.

An asterisk marks a required key, # a JSON value: a number, an array or an object; all other values are strings.
`;

/** The rest of the line is the query of a GET, the body of a POST. */
const TABLE = `
listHotlines             GET  api/hotline/getAll
issueToken               POST api/sdk/tokenSdk member_no* hotline_codes#
readMember               GET  api/member/getByMemberNo member_no*
addMoney                 POST api/member/addMoney member_no* money*#
assignHotline            POST api/hotline/member/add member_no* hotline_number* allow_call*# start_time* end_time*
readAdminBalance         GET  api/account/balance

listCalls                GET  m-cdr/api/call/get-all member_no key_search group_member_no hotline disposition customer_code from to type_call has_hotline min_postage max_postage page size
countCalls               GET  m-cdr/api/call/count-all member_no key_search group_member_no hotline disposition customer_code from to type_call has_hotline min_postage max_postage
listCallLegs             GET  m-cdr/api/call/get-detail group_id*
readCallQuality          GET  m-cdr/api/agi/get-by-trans-id trans_id*

callPhone                POST m-auto-call/api/call/create template_code* hotline_code* phone* name customer_uid external_call_id datas# max_time# max_waiting_time#
callPhones               POST m-auto-call/api/call/create-list-phone template_code* hotline_code* phone_infos*# max_time# max_waiting_time#
callMembers              POST m-auto-call/api/call/create-list-member template_code* member_infos*# display_name type max_time# max_waiting_time#
listAutoCalls            GET  m-auto-call/api/cdr/get-all key_search input_log_search disposition_search bot_id campaign_code member template_script_code hotline status start_date end_date min_postage max_postage page size
countAutoCalls           GET  m-auto-call/api/cdr/count key_search input_log_search disposition_search bot_id campaign_code member template_script_code hotline status start_date end_date min_postage max_postage
readBotConversation      GET  m-auto-call/api/cdr/get-bot-conversation trans_id* bot_id
listScripts              GET  m-auto-call/api/template-script/get-all key_search bot_id is_bot status page size
countScripts             GET  m-auto-call/api/template-script/count key_search bot_id is_bot status
listScriptBranches       GET  m-auto-call/api/template-script-sub/get-all template_script_code*

listCustomers            POST api/customer/get-all field_search# page# size#
countCustomers           POST api/customer/count-all field_search#
readCustomer             GET  api/customer/get-detail customer_code*
isCustomerValueTaken     GET  api/customer/check-exist-field-value customer_field_code* value* customer_code
insertCustomer           POST api/customer/insert fields*#
updateCustomer           POST api/customer/update customer_code* fields*#
deleteCustomer           POST api/customer/delete customer_code*
listInteractions         GET  api/ActionTimeline/get-all customer_code* type from to page size
countInteractions        GET  api/ActionTimeline/count-all customer_code* type from to
listCustomerFields       GET  api/customerfield/get-all key from to page size
countCustomerFields      GET  api/customerfield/count-all key from to
readCustomerField        GET  api/customerfield/get-detail customer_field_code*
isCustomerFieldCodeTaken GET  api/customerfield/check-exist-code customer_field_code*
insertCustomerField      POST api/customerfield/insert customer_field_code* name* type* color* text_color* description is_required# is_unique# number#
updateCustomerField      POST api/customerfield/update customer_field_code* name* type* color* text_color* description is_required# is_unique# number#
renameCustomerField      POST api/customerfield/update-code customer_field_code* customer_field_code_new*
deleteCustomerField      POST api/customerfield/delete customer_field_code*
listFieldOptions         GET  api/customerfield/option/get-all customer_field_code* customer_field_option_group_code type key page size
countFieldOptions        GET  api/customerfield/option/count-all customer_field_code* customer_field_option_group_code type key
readFieldOption          GET  api/customerfield/option/get-detail customer_field_code* customer_field_option_code*
isFieldOptionCodeTaken   GET  api/customerfield/option/check-exist-code customer_field_code* customer_field_option_code*
insertFieldOption        POST api/customerfield/option/insert customer_field_code* customer_field_option_code* name* type* color* text_color* customer_field_option_group_code number#
updateFieldOption        POST api/customerfield/option/update customer_field_code* customer_field_option_code* name* color* text_color* customer_field_option_group_code number#
renameFieldOption        POST api/customerfield/option/update-code customer_field_code* customer_field_option_code* customer_field_option_code_new*
deleteFieldOption        POST api/customerfield/option/delete customer_field_code* customer_field_option_code*

legacyListCalls          GET  api/crm/historycall/getAll phone from to page size
legacyCountCalls         GET  api/crm/historycall/countAll phone from to
legacyCallPhone          POST api/campaignCall/callConfirm/insert template_code* hotline_code* phone* external_call_id datas# max_time# max_waiting_time#
legacyCallPhones         POST api/campaignCall/callConfirm/insertListPhone template_code* hotline_code* phoneInfos*#
listScriptFields         GET  api/campaignCall/callConfirm/getCustomFieldInScript template_script_code*
legacyListAutoCalls      GET  api/campaignCall/cdr/getAll key_search status start_date end_date page size
legacyCountAutoCalls     GET  api/campaignCall/cdr/countAll key_search status start_date end_date
legacyReadBotConversation GET api/campaignCall/cdr/getBotConversation trans_id* bot_id
legacyListScripts        GET  api/campaignCall/templateScript/getAll key_search status page size
legacyCountScripts       GET  api/campaignCall/templateScript/countAll key_search status
legacyListCampaigns      GET  api/campaignCall/campaign/getAll key_search status page size
legacyCountCampaigns     GET  api/campaignCall/campaign/countAll key_search status
`;

const json = z.pipe(
  z.string(),
  z.transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.issues.push({ code: 'custom', message: 'is not JSON', input: text });
      return undefined;
    }
  }),
);

const EXIT_BAD_INPUT = 2;
const EXIT_VENDOR = 4;

/** The arguments by the table's names; the value of a key with a hash is JSON. */
export const OPERATIONS: ReadonlyMap<string, Endpoint> = new Map(
  TABLE.split('\n')
    .filter(Boolean)
    .map((line) => {
      const [name = '', method, path = '', ...keys] = line.split(/ +/);
      const shape = Object.fromEntries(
        keys.map((key) => {
          const schema = key.endsWith('#') ? json : z.string();
          return [key.replace(/\*?#?$/, ''), key.includes('*') ? schema : z.optional(schema)];
        }),
      );
      return [name, (method === 'GET' ? get : post)(path, shape, z.unknown())];
    }),
);

export async function run(
  [operation, ...pairs]: readonly string[],
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<number> {
  if (operation === undefined || operation === '--help') {
    console.log(USAGE + TABLE);
    return 0;
  }
  const endpoint = OPERATIONS.get(operation);
  if (!endpoint || operation === 'addMoney') {
    console.error(
      endpoint
        ? 'Payments must go through the ledger: npm run provision -- MEMBER_NO --top-up VND'
        : `There is no operation ${operation}; npm run api lists them.`,
    );
    return EXIT_BAD_INPUT;
  }
  try {
    const input = readInput(pairs);
    const vendor = await openVendor(env);
    const client = new VendorClient(vendor, { format: vendor.config.vendorFormat });
    const data = await client.call(endpoint, input).finally(async () => {
      await client.close();
      await vendor.close();
    });
    // JSON.stringify escapes only some of the control characters that would control the terminal.
    console.log(JSON.stringify(data ?? null, undefined, 2).replaceAll(/[\x7f-\x9f]/g, ' '));
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    if (error instanceof ConfigError) return EXIT_CONFIGURATION;
    if (!(error instanceof VendorError)) return 1;
    return error.code === 'not-sent' ? EXIT_BAD_INPUT : EXIT_VENDOR;
  }
}

function readInput(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new VendorError('not-sent', `${pair} is not key=value.`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = await run(process.argv.slice(2));
}
