/** The `data` of the vendor's responses, as schemas that end in our own words. */
import * as z from 'zod/mini';

/** A member number the vendor accepts: only this schema makes one, so that no request carries anything else. */
export const memberNoSchema = z
  .string()
  .check(z.regex(/^[A-Za-z0-9]{1,64}$/))
  .brand<'MemberNo'>();
export type MemberNo = z.infer<typeof memberNoSchema>;

export interface HotlineRow {
  readonly name: string;
  readonly number: string;
  readonly code: string;
  readonly type: 'HOTLINE' | 'ALIAS' | undefined;
}

export interface MemberRow {
  readonly memberNo: string;
  readonly name: string | undefined;
  readonly extension: string | undefined;
  /** What the vendor does not explain: shown to people, never decided on. */
  readonly status: number | undefined;
  /** VND, with whatever decimals the vendor keeps: compared, never added to. */
  readonly balance: number;
  /** ISO 8601. */
  readonly expiresAt: string | undefined;
  /** Numbers (or codes) of the hotlines assigned; undefined: the answer does not say, which is not "none". */
  readonly hotlines: readonly string[] | undefined;
}

/** An account past its date cannot call, whatever its balance. */
export function hasEnded({ expiresAt }: MemberRow): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
}

/** The vendor's texts reach terminals and logs, which control characters would steer. */
const printable = z.pipe(
  z.string(),
  z.transform((text) => text.replaceAll(/\p{Cc}+/gu, ' ').trim()),
);
const text = z.pipe(printable, z.string().check(z.minLength(1)));
const textOrNumber = z.pipe(z.union([text, z.number()]), z.transform(String));

const hotline = z.pipe(
  z.object({
    hotline_name: z.nullish(printable),
    hotline_number: textOrNumber,
    hotline_code: textOrNumber,
    hotline_type: z.nullish(z.string()),
  }),
  z.transform((row): HotlineRow => ({
    name: row.hotline_name ?? row.hotline_number,
    number: row.hotline_number,
    code: row.hotline_code,
    type: row.hotline_type === 'HOTLINE' || row.hotline_type === 'ALIAS' ? row.hotline_type : undefined,
  })),
);

/** One row that cannot be read is not offered; only when none can, the answer means nothing. */
export const hotlineList = z.pipe(
  z.nullish(
    z
      .array(z.catch(z.nullable(hotline), null))
      .check(z.refine((rows) => rows.length === 0 || rows.some((row) => row !== null), 'no row can be read')),
  ),
  z.transform((rows): HotlineRow[] => (rows ?? []).filter((row) => row !== null)),
);

export const tokenData = z.string().check(z.regex(/^\S{1,8192}$/));

/** A missing or unreadable balance is an error: taken for 0 it would be topped up. */
export const money = z.union([
  z.number(),
  z.pipe(z.string().check(z.regex(/^-?\d{1,15}(?:\.\d{1,6})?$/)), z.transform(Number)),
]);

const assignedHotline = z.union([
  textOrNumber,
  z.pipe(
    z.object({ hotline_number: textOrNumber }),
    z.transform((one) => one.hotline_number),
  ),
]);
/** The interface names no field for this list, so one that cannot be read is as good as absent. */
const assignedHotlines = z.catch(z.optional(z.array(assignedHotline)), undefined);

export const memberData = z.pipe(
  z.object({
    member_no: textOrNumber,
    member_name: z.nullish(printable),
    member_ext_number: z.nullish(textOrNumber),
    member_status: z.catch(z.nullish(z.number()), undefined),
    member_money: money,
    expiration_date: z.nullish(z.string()),
    hotlines: assignedHotlines,
    hotline_numbers: assignedHotlines,
  }),
  z.transform((row): MemberRow => ({
    memberNo: row.member_no,
    name: row.member_name ?? undefined,
    extension: row.member_ext_number ?? undefined,
    status: row.member_status ?? undefined,
    balance: row.member_money,
    expiresAt: row.expiration_date ?? undefined,
    hotlines: row.hotlines ?? row.hotline_numbers,
  })),
);
