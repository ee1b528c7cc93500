/** The six endpoints of the vendor's Open API that provisioning needs; every response is checked before it is believed. */
import { VendorClient, type Vendor, type VendorOptions } from './vendor/client.ts';
import type { HotlineRow, MemberNo, MemberRow } from './vendor/data.ts';
import { CORE_ENDPOINTS } from './vendor/endpoints.ts';
import { VendorError } from './vendor/response.ts';

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
