/** Every endpoint of the vendor's Open API, one row each: method, path, query or body, data, and what its codes mean. */
import * as z from 'zod/mini';
import { hotlineList, memberData, money, tokenData } from './data.ts';
import * as shape from './shapes.ts';

type Codes = Readonly<Record<number, string>>;
const EVERYWHERE: Codes = { 401: 'the API key is not accepted', 500: 'the vendor failed' };
const CORE: Codes = {
  ...EVERYWHERE,
  [-1]: 'a parameter is wrong',
  403: 'the API key may not do this',
  404: 'there is no such thing',
  409: 'it exists already',
};
const MONEY: Codes = {
  ...CORE,
  [-1]: 'the member is on a call',
  402: 'the admin account is short of money, or the top-up failed',
  404: 'the member, or the account that pays, is not known',
};
/** Of the history, new or old, 409 speaks of the key. */
const HISTORY: Codes = { ...CORE, 409: 'the API key is not accepted, or may not do this' };
const AUTO: Codes = { ...EVERYWHERE, [-1]: 'the list is missing', 403: 'more than five at once' };
const AUTO_READ: Codes = {
  ...EVERYWHERE,
  500: 'the vendor failed, or knows no such record',
  803: 'the key may not see it',
};

const get = <I extends z.core.$ZodShape, T>(path: string, query: I, data: z.ZodMiniType<T>, codes = CORE) =>
  ({ method: 'GET', path, input: z.strictObject(query), data, codes }) as const;
const post = <I extends z.core.$ZodShape, T>(path: string, body: I, data: z.ZodMiniType<T>, codes = CORE) =>
  ({ method: 'POST', path, input: z.strictObject(body), data, codes }) as const;

const { memberNoSchema: memberNo, text, word, anyRows, rowsOf } = shape;
const nothing = {};
const ofMember = { member_no: memberNo };
const ofScript = { template_script_code: text };
const tokenBody = { member_no: memberNo, hotline_codes: z.optional(z.array(text)) };
const moneyBody = { member_no: memberNo, money: z.number().check(z.positive()) };
const botQuery = { trans_id: text, bot_id: word };
const number = z.number();
/** What the interface does not describe. */
const any = z.unknown();
const conversation = z.nullish(z.string());

/** A name in braces is a part of the path; the rest of the input is the query of a GET, the JSON body of a POST. */
export const ENDPOINTS = {
  listHotlines: get('api/hotline/getAll', nothing, hotlineList),
  issueToken: post('api/sdk/tokenSdk', tokenBody, tokenData),
  readMember: get('api/member/getByMemberNo', ofMember, z.nullish(memberData)),
  addMoney: post('api/member/addMoney', moneyBody, any, MONEY),
  assignHotline: post('api/hotline/member/add', shape.assignment, any),
  readAdminBalance: get('api/account/balance', nothing, money),

  listCalls: get('m-cdr/api/call/get-all', shape.callFilter, rowsOf(shape.call), HISTORY),
  countCalls: get('m-cdr/api/call/count-all', shape.callFilter, number, HISTORY),
  listCallLegs: get('m-cdr/api/call/get-detail', { group_id: text }, rowsOf(shape.leg), HISTORY),
  readCallQuality: get(
    'm-cdr/api/agi/get-by-trans-id',
    { trans_id: text },
    z.nullish(shape.quality),
    HISTORY,
  ),

  callPhone: post('m-auto-call/api/call/create', shape.callPhone, any, AUTO),
  callPhones: post('m-auto-call/api/call/create-list-phone', shape.callPhones, any, AUTO),
  callMembers: post('m-auto-call/api/call/create-list-member', shape.callMembers, any, AUTO),
  listAutoCalls: get('m-auto-call/api/cdr/get-all', shape.autoFilter, anyRows, AUTO_READ),
  countAutoCalls: get('m-auto-call/api/cdr/count', shape.autoFilter, number, AUTO_READ),
  readBotConversation: get('m-auto-call/api/cdr/get-bot-conversation', botQuery, conversation, AUTO_READ),
  listScripts: get(
    'm-auto-call/api/template-script/get-all',
    shape.scriptFilter,
    rowsOf(shape.scriptRow),
    AUTO_READ,
  ),
  countScripts: get('m-auto-call/api/template-script/count', shape.scriptFilter, number, AUTO_READ),
  listScriptBranches: get('m-auto-call/api/template-script-sub/get-all', ofScript, anyRows, AUTO_READ),

  // Older paths that keep working; the vendor recommends those above.
  legacyListCalls: get('api/crm/historycall/getAll', shape.historyFilter, anyRows, HISTORY),
  legacyCountCalls: get('api/crm/historycall/countAll', shape.historyFilter, number, HISTORY),
  /** The one endpoint that answers with a file; here it becomes a `data:` address. */
  readRecording: get('api/crm/historycall/record/{trans_id}', { trans_id: text }, text, HISTORY),
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
