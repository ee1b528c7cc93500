/** The six endpoints of the vendor's Open API that provisioning needs; every response is checked before it is believed. */
import * as z from 'zod/mini';
import { VendorClient, type Vendor, type VendorOptions } from './vendor/client.ts';
import {
  hotlineList,
  memberData,
  memberNoSchema,
  money,
  tokenData,
  type HotlineRow,
  type MemberNo,
  type MemberRow,
} from './vendor/data.ts';
import { CORE, get, post, VendorError } from './vendor/response.ts';

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
  issueToken: post('api/sdk/tokenSdk', { ...ofMember, hotline_codes: z.optional(z.array(text)) }, tokenData),
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

/** Every method throws a VendorError and nothing else. */
export class OpenApi {
  /** For the vendor's other endpoints. */
  readonly client: VendorClient;

  constructor(vendor: Vendor, options?: VendorOptions) {
    this.client = new VendorClient(vendor, options);
  }

  listHotlines(): Promise<HotlineRow[]> {
    return this.client.call(CORE_ENDPOINTS.listHotlines, {});
  }

  /** Creates an unknown member, linked to the hotlines of these codes; a known member just gets a token. */
  issueToken(memberNo: MemberNo, hotlineCodes: readonly string[]): Promise<string> {
    const body = { member_no: memberNo, hotline_codes: [...hotlineCodes] };
    return this.client.call(CORE_ENDPOINTS.issueToken, body);
  }

  async readMember(memberNo: MemberNo): Promise<MemberRow> {
    const member = await this.client.call(CORE_ENDPOINTS.readMember, { member_no: memberNo });
    if (!member) throw new VendorError('refused', 'The vendor knows no such member.', { vendorCode: 404 });
    // Money decisions hang on this response, so it has to be about the member we asked for.
    if (member.memberNo.toLowerCase() !== memberNo.toLowerCase()) {
      throw new VendorError('invalid-answer', 'The vendor answered about another member.');
    }
    return member;
  }

  /** Sent once; unless it was refused or never sent, the money may have moved all the same. Only top-up.ts may call this. */
  async addMoney(memberNo: MemberNo, vnd: number): Promise<void> {
    await this.client.call(CORE_ENDPOINTS.addMoney, { member_no: memberNo, money: vnd });
  }

  /** By number, for all hours. "Exists already" counts as success. */
  async assignHotline(memberNo: MemberNo, number: string): Promise<void> {
    const assignment = { member_no: memberNo, hotline_number: number, allow_call: true };
    try {
      await this.client.call(CORE_ENDPOINTS.assignHotline, { ...assignment, start_time: '', end_time: '' });
    } catch (error) {
      if (!(error instanceof VendorError && error.vendorCode === 409)) throw error;
    }
  }

  /** VND on the partner's own account, which top-ups are paid from. */
  adminBalance(): Promise<number> {
    return this.client.call(CORE_ENDPOINTS.readAdminBalance, {});
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
