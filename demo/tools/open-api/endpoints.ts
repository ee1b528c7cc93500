/** Every endpoint of the vendor's Open API, one row each: method, path, query or body, data, and what its codes mean. */
import * as z from 'zod/mini';
import { VendorClient, type Vendor, type VendorOptions } from '../../server/vendor/client.ts';
import { ENDPOINTS as CORE_ENDPOINTS } from '../../server/vendor/api.ts';
import { get, post } from '../../server/vendor/response.ts';
import { CALL_ENDPOINTS, callFilter, rowsOf, text } from './calls.ts';
import { ALL_CUSTOMER_ENDPOINTS } from './customers.ts';
import * as shape from './shapes.ts';

const { anyRows, word } = shape;
const ofScript = { template_script_code: text };
const botQuery = { trans_id: text, bot_id: word };
const number = z.number();
/** What the interface does not describe. */
const any = z.unknown();
const conversation = z.nullish(z.string());

/** A name in braces is a part of the path; the rest of the input is the query of a GET, the JSON body of a POST. */
export const ENDPOINTS = {
  ...CORE_ENDPOINTS,

  listCalls: CALL_ENDPOINTS.listCalls,
  countCalls: get('m-cdr/api/call/count-all', callFilter, number),
  listCallLegs: get('m-cdr/api/call/get-detail', { group_id: text }, rowsOf(shape.leg)),
  readCallQuality: CALL_ENDPOINTS.readCallQuality,

  callPhone: post('m-auto-call/api/call/create', shape.callPhone, any),
  callPhones: post('m-auto-call/api/call/create-list-phone', shape.callPhones, any),
  callMembers: CALL_ENDPOINTS.callMembers,
  listAutoCalls: get('m-auto-call/api/cdr/get-all', shape.autoFilter, anyRows),
  countAutoCalls: get('m-auto-call/api/cdr/count', shape.autoFilter, number),
  readBotConversation: get('m-auto-call/api/cdr/get-bot-conversation', botQuery, conversation),
  listScripts: get('m-auto-call/api/template-script/get-all', shape.scriptFilter, rowsOf(shape.scriptRow)),
  countScripts: get('m-auto-call/api/template-script/count', shape.scriptFilter, number),
  listScriptBranches: get('m-auto-call/api/template-script-sub/get-all', ofScript, anyRows),

  ...ALL_CUSTOMER_ENDPOINTS,

  // Older paths that keep working; the vendor recommends those above.
  legacyListCalls: get('api/crm/historycall/getAll', shape.historyFilter, anyRows),
  legacyCountCalls: get('api/crm/historycall/countAll', shape.historyFilter, number),
  /** The one endpoint that answers with a file; here it becomes a `data:` address. */
  readRecording: get('api/crm/historycall/record/{trans_id}', { trans_id: text }, text),
  legacyCallPhone: post('api/campaignCall/callConfirm/insert', shape.legacyCallPhone, any),
  legacyCallPhones: post('api/campaignCall/callConfirm/insertListPhone', shape.legacyCallPhones, any),
  listScriptFields: get('api/campaignCall/callConfirm/getCustomFieldInScript', ofScript, anyRows),
  legacyListAutoCalls: get('api/campaignCall/cdr/getAll', shape.autoFilter, anyRows),
  legacyCountAutoCalls: get('api/campaignCall/cdr/countAll', shape.autoFilter, number),
  legacyReadBotConversation: get('api/campaignCall/cdr/getBotConversation', botQuery, conversation),
  legacyListScripts: get('api/campaignCall/templateScript/getAll', shape.legacyScriptFilter, anyRows),
  legacyCountScripts: get('api/campaignCall/templateScript/countAll', shape.legacyScriptFilter, number),
  legacyListCampaigns: get('api/campaignCall/campaign/getAll', shape.campaignFilter, anyRows),
  legacyCountCampaigns: get('api/campaignCall/campaign/countAll', shape.campaignFilter, number),
} as const;

export type Operation = keyof typeof ENDPOINTS;
export type InputOf<K extends Operation> = z.input<(typeof ENDPOINTS)[K]['input']>;
export type DataOf<K extends Operation> = z.output<(typeof ENDPOINTS)[K]['data']>;
/** One method per row. Each throws a VendorError and nothing else. */
export type Endpoints = { readonly [K in Operation]: (input: InputOf<K>) => Promise<DataOf<K>> };

/** A client for all of them; whoever opens one closes it. */
export function openCatalogue(
  vendor: Vendor,
  options?: VendorOptions,
): { endpoints: Endpoints; close(): Promise<void> } {
  const client = new VendorClient(vendor, options);
  const rows = Object.entries(ENDPOINTS);
  const endpoints = Object.fromEntries(
    rows.map(([name, row]) => [name, (input: object) => client.call(row as never, input as never)]),
  ) as unknown as Endpoints;
  return { endpoints, close: () => client.close() };
}
