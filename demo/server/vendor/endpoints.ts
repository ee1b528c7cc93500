/** The six endpoints that provisioning needs: method, path, query or body, data, and what the codes mean. */
import * as z from 'zod/mini';
import { hotlineList, memberData, memberNoSchema, money, tokenData } from './data.ts';
import { CORE, get, post } from './response.ts';

const text = z.string().check(z.minLength(1));
/** `HH:mm`, or empty for no limit. */
const hour = z.string().check(z.regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d)?$/));
const ofMember = { member_no: memberNoSchema };
const MONEY_CODES = {
  ...CORE,
  [-1]: 'the member is on a call',
  402: 'the admin account is short of money, or the top-up failed',
  404: 'the member, or the account that pays, is not known',
};

export const CORE_ENDPOINTS = {
  listHotlines: get('api/hotline/getAll', {}, hotlineList),
  issueToken: {
    ...post('api/sdk/tokenSdk', { ...ofMember, hotline_codes: z.optional(z.array(text)) }, tokenData),
    isRepeatable: true,
  },
  readMember: get('api/member/getByMemberNo', ofMember, z.nullish(memberData)),
  addMoney: post(
    'api/member/addMoney',
    { ...ofMember, money: z.number().check(z.positive()) },
    z.unknown(),
    MONEY_CODES,
  ),
  assignHotline: post(
    'api/hotline/member/add',
    { ...ofMember, hotline_number: text, allow_call: z.boolean(), start_time: hour, end_time: hour },
    z.unknown(),
  ),
  readAdminBalance: get('api/account/balance', {}, money),
};
