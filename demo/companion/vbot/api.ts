/** The six endpoints of the vendor's Open API that provisioning needs, and the form of their data. */
import { LRUCache } from 'lru-cache';
import * as z from 'zod/mini';
import { VendorClient, type Vendor, type VendorOptions } from './client.ts';
import { get, post, repeatablePost, rowsOf } from './endpoint.ts';
import { BALANCE_VALUE, HOTLINE_ROWS, MEMBER_ROW, plain, TOKEN_VALUE } from './envelope.ts';
import { describeMismatch, VendorError } from './errors.ts';
import { describeValue } from './shape.ts';

/** A member number that the vendor accepts. Only this schema makes a `MemberNo`. */
export const memberNoSchema = z
  .string()
  .check(z.regex(/^[A-Za-z0-9]{1,64}$/))
  .brand<'MemberNo'>();
export type MemberNo = z.infer<typeof memberNoSchema>;

/** The spelling under which a member is compared and stored: to the vendor, `Agent001` and `agent001` may be one. */
export function memberKey(memberNo: string): string {
  return memberNo.toLowerCase();
}

export type HotlineRow = z.infer<typeof hotline>;
export type MemberRow = z.infer<typeof memberData>;

const YEAR_2000 = Date.UTC(2000, 0, 1);
const ISO = /^(?<day>\d{4}-\d\d-\d\d)(?:[T ](?<time>\d[\d:.]*))? *(?<zone>Z|[+-]\d\d(?::?\d\d)?)?$/i;

/** An account past its date cannot call, whatever its balance. A date before 2000 is no date. */
export function hasEnded({ expiresAt }: MemberRow): boolean {
  const end = Date.parse(expiresAt ?? '');
  return end > YEAR_2000 && end <= Date.now();
}

/** Control characters could manipulate terminals and logs. */
const printable = z.pipe(
  z.string('a string'),
  z.transform((text) => text.replaceAll(/\p{Cc}+/gu, ' ').trim()),
);
const text = z.pipe(printable, z.string().check(z.minLength(1, 'a string that is not empty')));
const textOrNumber = z.pipe(z.union([text, z.number()], 'a string or a number'), z.transform(String));

/** For fields on which nothing depends: a value that cannot be read counts as absent. */
export const optional = <T>(schema: z.ZodMiniType<T>) => z.catch(z.nullish(schema), undefined);

// The names are the documented ones, whatever the vendor calls the fields: see envelope.ts.
const hotline = z.pipe(
  z.object(
    {
      hotline_name: optional(printable),
      hotline_number: textOrNumber,
      hotline_code: textOrNumber,
      hotline_type: optional(z.string()),
    },
    'an object',
  ),
  z.transform((row) => ({
    name: row.hotline_name || row.hotline_number,
    number: row.hotline_number,
    code: row.hotline_code,
    type: row.hotline_type === 'HOTLINE' || row.hotline_type === 'ALIAS' ? row.hotline_type : undefined,
  })),
);

/** Each hotline once; null counts as an empty list. If no row can be read, the whole response is invalid. */
const hotlineList = z.pipe(
  z.nullable(z.array(z.unknown(), 'a list of hotlines')),
  z.transform((rows, context): HotlineRow[] => {
    const read = rowsOf(hotline).parse(rows);
    if (read.length === 0 && rows?.length) {
      for (const { path, message } of hotline.safeParse(rows[0]).error?.issues ?? []) {
        context.issues.push({ code: 'custom', message, path: [0, ...path], input: rows });
      }
    }
    return [...new Map(read.map((row) => [row.code, row])).values()];
  }),
);

const tokenData = z
  .string('a token (a string)')
  .check(z.trim(), z.regex(/^\S{1,8192}$/, 'a token without spaces'));

/** A missing or unreadable balance is an error: read as 0, it would cause a top-up. `readAmount` has already turned text into numbers. */
const money = z.number(
  'a number, or a string without thousands separators (with separators, set VENDOR_FIELDS={"thousands":"."} or ",")',
);

/** A row of the member's list, in any form. A hotline with `allow_call: false` is left out. */
const assignedHotline = z.union([
  textOrNumber,
  z.pipe(
    z.record(z.string(), z.unknown()),
    z.transform((one, context): string | undefined => {
      const fields = new Map(Object.entries(one).map(([key, value]) => [plain(key), value]));
      if (fields.get('allowcall') === false) return undefined;
      const known = ['hotlinenumber', 'hotlinecode', 'number', 'code'].map((key) =>
        textOrNumber.safeParse(fields.get(key)),
      );
      const told = known.find(({ success }) => success)?.data;
      if (told === undefined) context.issues.push({ code: 'custom', message: 'no number', input: one });
      return told;
    }),
  ),
]);

/** The vendor's document does not name the field of this list. A list that cannot be read counts as absent. */
function assignedHotlines({ hotlines, ...row }: Readonly<Record<string, unknown>>): string[] | undefined {
  const others = Object.entries(row).filter(([key]) => /hotline/i.test(key));
  const read = [hotlines, ...others.map(([, value]) => value)].map((value) =>
    z.array(assignedHotline).safeParse(value),
  );
  return read.find(({ success }) => success)?.data?.filter((one) => one !== undefined);
}

/** Only ISO 8601: `Date.parse` would read 05/12/2026 as 12 May. Without a zone, a time is Vietnam's; without a time, a day lasts to its end. */
const isoDate = z.pipe(
  z.string().check(z.regex(ISO)),
  z.transform((date) => {
    const { day, time = '23:59:59', zone = '+07:00' } = ISO.exec(date)?.groups ?? {};
    return `${day}T${time}${zone.replace(/^(...):?(..)?$/, '$1:$2').replace(/:$/, ':00')}`;
  }),
);

const memberData = z.pipe(
  z.looseObject(
    {
      member_no: textOrNumber,
      member_name: optional(printable),
      member_ext_number: optional(textOrNumber),
      member_status: optional(z.number()),
      member_money: money,
      expiration_date: optional(isoDate),
    },
    'a member',
  ),
  z.transform((row) => ({
    memberNo: row.member_no,
    name: row.member_name || undefined,
    extension: row.member_ext_number ?? undefined,
    /** Not explained by the vendor: shown to people, never decided on. */
    status: row.member_status ?? undefined,
    /** VND, with whatever decimals the vendor keeps: round sums with `rounded`. */
    balance: row.member_money,
    /** ISO 8601. */
    expiresAt: row.expiration_date || undefined,
    /** Numbers or codes of the hotlines assigned; undefined: the answer does not say, which is not "none". */
    hotlines: assignedHotlines(row),
  })),
);

/** The body of a success is not documented. `false` is taken for a refusal: then the member's list decides. */
const assignmentResult = z.unknown().check(z.refine((result) => result !== false, 'anything but false'));

const ofMember = { member_no: memberNoSchema };

const ENDPOINTS = {
  listHotlines: get('api/hotline/getAll', {}, hotlineList, HOTLINE_ROWS),
  /** A second token does no harm. */
  issueToken: repeatablePost(
    'api/sdk/tokenSdk',
    { ...ofMember, hotline_codes: z.optional(z.array(text)) },
    tokenData,
    TOKEN_VALUE,
  ),
  readMember: get('api/member/getByMemberNo', ofMember, z.nullable(memberData), MEMBER_ROW),
  addMoney: post('api/member/addMoney', { ...ofMember, money: z.number().check(z.positive()) }, z.unknown()),
  /** The format of the times is not documented: they pass as they are. */
  assignHotline: repeatablePost(
    'api/hotline/member/add',
    {
      ...ofMember,
      hotline_number: text,
      allow_call: z.boolean(),
      start_time: z.string(),
      end_time: z.string(),
    },
    assignmentResult,
  ),
  readAdminBalance: get('api/account/balance', {}, money, BALANCE_VALUE),
};

/** Every method throws a VendorError and nothing else. */
export class OpenApi {
  /** For the vendor's other endpoints. */
  readonly client: VendorClient;
  /** Members who got a token here, and so exist at the vendor. */
  readonly known = new LRUCache<MemberNo, true>({ max: 20_000 });

  constructor(vendor: Vendor, options?: VendorOptions) {
    this.client = new VendorClient(vendor, options);
  }

  listHotlines(): Promise<readonly HotlineRow[]> {
    return this.client.call(ENDPOINTS.listHotlines, {});
  }

  /** Creates an unknown member, linked to the hotlines of these codes; a known member just gets a token. */
  async issueToken(memberNo: MemberNo, hotlineCodes: readonly string[]): Promise<string> {
    const input = { member_no: memberNo, hotline_codes: [...hotlineCodes] };
    const token = await this.client.call(ENDPOINTS.issueToken, input);
    this.known.set(memberNo, true);
    return token;
  }

  async readMember(memberNo: MemberNo): Promise<MemberRow> {
    const member = await this.client.call(ENDPOINTS.readMember, { member_no: memberNo });
    if (!member)
      throw new VendorError('refused', 'The vendor does not know this member.', { vendorCode: 404 });
    // Payments depend on this response: it has to be about this member.
    if (memberKey(member.memberNo) !== memberKey(memberNo)) {
      const found = `another member, ${describeValue(member.memberNo)}`;
      const mismatch = describeMismatch({ path: 'data.member_no', expected: 'the requested member', found });
      throw new VendorError('invalid-answer', `The vendor returned another member: ${mismatch}.`);
    }
    return member;
  }

  /** Sent once. After an error, the money may have moved, unless it was refused or never sent. For money/send.ts only. */
  async addMoney(memberNo: MemberNo, vnd: number): Promise<void> {
    await this.client.call(ENDPOINTS.addMoney, { member_no: memberNo, money: vnd });
  }

  /** By number, for all hours. */
  async assignHotline(memberNo: MemberNo, number: string): Promise<void> {
    const assignment = { member_no: memberNo, hotline_number: number, allow_call: true };
    await this.client.call(ENDPOINTS.assignHotline, { ...assignment, start_time: '', end_time: '' });
  }

  /** VND on the partner's own account, which top-ups are paid from. */
  adminBalance(): Promise<number> {
    return this.client.call(ENDPOINTS.readAdminBalance, {});
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
