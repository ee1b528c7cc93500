/**
 * Where code, message and data stand in the vendor's responses, and how every field is named and read: all of it as data.
 * The document shows one form, the first entry of each list; the others are forms that were tried. VENDOR_FIELDS overrules
 * single entries.
 */
import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';

/**
 * By the documented name: the names under which a field is looked for, in this order. A name is compared exactly first, then without
 * case and underscores: `memberMoney` and `MemberMoney` are `member_money`. A dot leads into an object.
 */
const NAMES = {
  error: ['error', 'errorCode'],
  /** Codes that count only where those of `error` say nothing. */
  code: ['code', 'statusCode', 'status', 'errors'],
  message: ['message', 'msg', 'error_description', 'detail', 'title', 'reason', 'error', 'errors'],
  /** `.` is the whole response. */
  data: ['data', 'result'],
  /** The list in a page. */
  items: ['items', 'content', 'list', 'rows', 'records'],
  token: ['token', 'jwt', 'access_token'],
  balance: ['balance', 'money'],
  hotline_name: ['hotline_name'],
  hotline_number: ['hotline_number'],
  hotline_code: ['hotline_code'],
  hotline_type: ['hotline_type'],
  member_no: ['member_no'],
  member_name: ['member_name'],
  member_ext_number: ['member_ext_number'],
  member_status: ['member_status'],
  member_money: ['member_money'],
  expiration_date: ['expiration_date'],
  /** Of a member. The document names no field: any other list with `hotline` in its name counts as well. */
  hotlines: ['hotlines', 'hotline_numbers'],
} as const;
export type FieldName = keyof typeof NAMES;

export interface Format {
  readonly names: Readonly<Record<FieldName, readonly string[]>>;
  /** Codes that mean success, text in any case. With null in the list, a code that is null or absent means success, too. */
  readonly success: readonly (string | number | boolean | null)[];
  /** Codes of hotline/member/add that mean: the member has this hotline already. */
  readonly assigned: readonly number[];
  /**
   * The mark between the thousands of an amount in text; the other one begins its decimals. Undefined: text has to be a plain number
   * such as `1500` or `1500.50`, and three digits behind the dot are refused: `500.000` may be 500 or 500000.
   */
  readonly thousands: '.' | ',' | undefined;
}

export const USUAL_FORMAT: Format = {
  names: NAMES,
  success: [0, '0', '00', 'SUCCESS', 'OK', 200, '200'],
  assigned: [409],
  thousands: undefined,
};

/** What stands in the data: rows, one row (also as a list of one), or a value (also in an object). Lists may stand in pages. */
export interface DataForm {
  readonly is: 'rows' | 'row' | 'value';
  /** The fields of each row. For a value: its name, if it stands in an object. */
  readonly fields: readonly FieldName[];
}
export const HOTLINE_ROWS: DataForm = {
  is: 'rows',
  fields: ['hotline_name', 'hotline_number', 'hotline_code', 'hotline_type'],
};
export const MEMBER_ROW: DataForm = {
  is: 'row',
  fields: [
    ...(['member_no', 'member_name', 'member_ext_number', 'member_status', 'member_money'] as const),
    ...(['expiration_date', 'hotlines'] as const),
  ],
};
export const TOKEN_VALUE: DataForm = { is: 'value', fields: ['token'] };
export const BALANCE_VALUE: DataForm = { is: 'value', fields: ['balance'] };

/** Amounts in VND. */
const AMOUNTS: readonly FieldName[] = ['member_money', 'balance'];

export function isAmount(name: unknown): boolean {
  return AMOUNTS.some((amount) => amount === name);
}

const name = z.string().check(z.regex(/^[\w$.-]{1,64}$/, 'must be a name without spaces'));
const code = z.union(
  [z.string(), z.number(), z.boolean(), z.null()],
  'must be a string, a number, true, false or null',
);
const listOf = <T>(one: z.ZodMiniType<T>) =>
  z.pipe(
    z.union([z.array(one).check(z.minLength(1)), one], 'must be one such value, or a list of them'),
    z.transform((given): readonly T[] => (Array.isArray(given) ? given : [given])),
  );
const RULES = {
  success: z.optional(listOf(code)),
  assigned: z.optional(listOf(z.int('must be a whole number'))),
  thousands: z.optional(z.enum(['.', ','], 'must be "." or ","')),
};
const overrides = z.catchall(z.object(RULES, 'must be an object'), listOf(name));

/**
 * @param text JSON such as `{"member_money": "soDu", "success": [0, null]}`, or the path of a file with it
 * @throws {Error} whose message says what is wrong with it, or with the file
 */
export function readFormat(text: string): Format {
  const json = /^\s*\{/.test(text) ? text : readFileSync(text, 'utf8');
  const { success, data, error } = overrides.safeParse(JSON.parse(json));
  if (!success) {
    throw new Error(
      error.issues.map(({ path, message }) => `${path.join('.') || 'the top level'}: ${message}`).join('; '),
    );
  }
  const { success: codes, assigned, thousands, ...names } = data;
  const unknown = Object.keys(names).filter((field) => !Object.hasOwn(NAMES, field));
  if (unknown.length > 0) {
    const known = Object.keys({ ...NAMES, ...RULES }).join(', ');
    throw new Error(`${unknown.join(', ')}: unknown field; known fields: ${known}`);
  }
  return {
    names: { ...NAMES, ...names },
    success: codes ?? USUAL_FORMAT.success,
    assigned: assigned ?? USUAL_FORMAT.assigned,
    thousands,
  };
}

export interface Found {
  /** As the response has it. */
  readonly key: string;
  readonly value: unknown;
}

/** The first of the names that the record has. */
export function lookUp(record: unknown, names: readonly string[]): Found | undefined {
  if (!isRecord(record)) return undefined;
  const exact = names.find((one) => Object.hasOwn(record, one));
  if (exact !== undefined) return { key: exact, value: record[exact] };
  for (const one of names) {
    const key = Object.keys(record).find((other) => plain(other) === plain(one));
    if (key !== undefined) return { key, value: record[key] };
    const dot = one.indexOf('.');
    const inner = dot > 0 ? lookUp(record[one.slice(0, dot)], [one.slice(dot + 1)]) : undefined;
    if (inner) return { key: `${one.slice(0, dot)}.${inner.key}`, value: inner.value };
  }
  return undefined;
}

/** All fields with one of these names; null and empty text are left out. */
export function lookUpAll(record: unknown, names: readonly string[]): Found[] {
  return names
    .flatMap((one) => lookUp(record, [one]) ?? [])
    .filter(({ value }) => value !== undefined && value !== null && value !== '');
}

/** Without case and underscores. */
export function plain(key: string): string {
  return key.replaceAll('_', '').toLowerCase();
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An amount in text as a number; whatever cannot be read for certain stays as it is. */
export function readAmount(value: unknown, { thousands }: Format): unknown {
  if (typeof value !== 'string') return value;
  if (thousands === undefined) {
    return /^-?\d{1,15}(?:\.(?:\d{1,2}|\d{4,6}))?$/.test(value) ? Number(value) : value;
  }
  const [mark, decimal] = thousands === '.' ? ['\\.', ','] : [',', '\\.'];
  const grouped = new RegExp(`^-?(?:\\d{1,3}(?:${mark}\\d{3}){0,4}|\\d{1,15})(?:${decimal}\\d{1,6})?$`);
  const number = value.replace(/\s*(?:₫|đ|VND|VNĐ)$/iu, '').trim();
  return grouped.test(number) ? Number(number.replaceAll(thousands, '').replace(',', '.')) : value;
}
