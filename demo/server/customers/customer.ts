/**
 * Customers, as the vendor tells of them. Not documented, and therefore accepted in every form: whether the first page is 0
 * or 1, whether a value is text or a number, how an empty list looks, in which of its spellings a telephone number is kept.
 */
import * as z from 'zod/mini';
import { get, read, rowsOf, VendorError } from '../vendor/response.ts';

/** Of a customer, a field or an option. */
export const codeSchema = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,128}$/));

/** Text that may be missing; control characters would steer terminals and logs. */
const words = z.pipe(
  z.nullish(z.union([z.string(), z.number()])),
  z.transform((given) =>
    String(given ?? '')
      .replaceAll(/\p{Cc}+/gu, ' ')
      .trim(),
  ),
);
/** Of a field of type TEXT it may have several lines. */
const fieldValue = z.pipe(
  z.nullish(z.union([z.string(), z.number()])),
  z.transform((given) => String(given ?? '')),
);
const text = z.string().check(z.minLength(1));
/** Milliseconds since 1970, within what a date can hold. */
const time = z.number().check(z.gte(0), z.lte(8_640_000_000_000_000));

/**
 * `EQUAL` is for every field but those of type TEXT, `CONTAIN` for STRING, `RANGER` (`min|max`) for NUMBER, DATE and
 * `create_at`. With `is_search: false` nothing is compared, and the field is put into the answer.
 */
export const fieldSearch = z.strictObject({
  customer_field_code: codeSchema,
  value: z.string(),
  type: z.enum(['EQUAL', 'CONTAIN', 'RANGER']),
  is_search: z.boolean(),
});

const chosen = z.object({ code: text, text_color: words, value: words });
const listedField = z.object({ code: text, value: words, value_option: rowsOf(chosen) });
const customerRow = z.object({ customer_field_items: z.array(listedField) });

const fieldOption = z.object({
  code: text,
  is_select: z.nullish(z.boolean()),
  name: words,
  type: words,
  customer_field_option_code: words,
});
const formField = z.object({
  code: text,
  name: words,
  type: words,
  is_required: z.nullish(z.boolean()),
  is_unique: z.nullish(z.boolean()),
  value: fieldValue,
  value_options: rowsOf(fieldOption),
});
const customerDetail = z.object({ customer_code: z.nullish(z.string()), fields: z.array(formField) });

const interactionRow = z.object({
  create_at: time,
  member_no: words,
  type: text,
  type_sub: words,
  content: words,
  customer_code: z.nullish(z.string()),
});

export type FieldSearch = z.infer<typeof fieldSearch>;
export type CustomerRow = z.infer<typeof customerRow>;
export type CustomerDetail = z.infer<typeof customerDetail>;
export type FormField = z.infer<typeof formField>;
export type InteractionRow = z.infer<typeof interactionRow>;

const paging = { page: z.optional(z.int()), size: z.optional(z.int()) };
export const CUSTOMER_ENDPOINTS = {
  listCustomers: read(
    'api/customer/get-all',
    { field_search: z.optional(z.array(fieldSearch)), ...paging },
    z.pipe(
      z.nullish(z.array(customerRow)),
      z.transform((rows) => rows ?? []),
    ),
  ),
  /** With an empty code: the blank form, with all fields. */
  readCustomer: get(
    'api/customer/get-detail',
    { customer_code: z.union([z.literal(''), codeSchema]) },
    z.nullish(customerDetail),
  ),
  /** The newest first. */
  listInteractions: get(
    'api/ActionTimeline/get-all',
    { customer_code: codeSchema, ...paging },
    rowsOf(interactionRow),
  ),
};

/** Of all the vendor keeps, the name, the number and one field of the partner's choice. */
export interface Customer {
  readonly code: string;
  readonly name: string;
  /** As the vendor keeps it. */
  readonly number: string;
  /** What the field of CUSTOMER_CONTEXT_FIELD says, if anything. */
  readonly context?: string;
}

export interface Interaction {
  /** ISO 8601. */
  readonly at: string;
  readonly type: string;
  readonly kind: string;
  readonly memberNo: string;
  readonly content: string;
}

/**
 * The customers of these rows, each once; a row of another number is left out, as nobody asked for it.
 *
 * @throws {VendorError} when no row says whose it is
 */
export function readRows(
  rows: readonly CustomerRow[],
  phone: string,
  contextField: string | undefined,
): readonly Customer[] {
  const found = rows.map((row) => {
    const textOf = textsOf(row);
    return describe(textOf('customer_code'), textOf('name'), textOf('phone') || phone, textOf(contextField));
  });
  if (found.length > 0 && found.every(({ code }) => code === '')) {
    throw new VendorError('invalid-answer', 'The vendor answered with customers that have no code.');
  }
  const wanted = found.filter(({ code, number }) => code !== '' && readPhone(number) === phone);
  return [...new Map(wanted.map((customer) => [customer.code, customer])).values()];
}

/** Of each field of a listed customer what people read; empty where there is nothing to read. */
export function textsOf({ customer_field_items: items }: CustomerRow): (field: string | undefined) => string {
  return (wanted) => {
    const item = items.find(({ code }) => code === wanted);
    const names = item?.value_option.map(({ value, code }) => value || code).join(', ');
    return names || (item?.value ?? '');
  };
}

/** Undefined: the blank form, as a vendor may answer that knows no such customer. */
export function readDetail(
  { customer_code, fields }: CustomerDetail,
  asked: string,
  contextField: string | undefined,
): Customer | undefined {
  const field = (wanted: string | undefined) => fields.find(({ code }) => code === wanted);
  const own = customer_code || field('customer_code')?.value || '';
  const name = field('name')?.value;
  if (own === '' && !name) return undefined;
  if (own !== '' && !isSameCode(own, asked)) {
    throw new VendorError('invalid-answer', 'The vendor answered about another customer.');
  }
  const context = field(contextField);
  return describe(own || asked, name, field('phone')?.value, context && selected(context));
}

/** Those of this customer, the newest first. */
export function readInteractions(rows: readonly InteractionRow[], asked: string): readonly Interaction[] {
  return rows
    .filter(({ customer_code }) => !customer_code || isSameCode(customer_code, asked))
    .toSorted((a, b) => b.create_at - a.create_at)
    .map((row) => ({
      at: new Date(row.create_at).toISOString(),
      type: row.type,
      kind: row.type_sub,
      memberNo: row.member_no,
      content: row.content,
    }));
}

function describe(
  code = '',
  name: string | undefined,
  number: string | undefined,
  context: string | undefined,
): Customer {
  return { code, name: name || code, number: number ?? '', ...(context && { context }) };
}

/** The names that people read, where the value is the code of options. */
function selected({ value, value_options }: FormField): string {
  const names = value_options.filter((option) => option.is_select).map(({ name, code }) => name || code);
  return names.join(', ') || value;
}

/** Whether a vendor tells upper from lower case is not stated. */
function isSameCode(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** What people group digits with. */
const MARKS = /[\s\p{Cf}\p{Pd}./()\u2212\u00b7]/gu;
const DIGITS = /^\+?\d{3,17}$/;
/** Behind Vietnam's calling code: a subscriber's number, with or without its zero, or a service number such as 1900… */
const VIETNAMESE = /^84(?:0?(?<subscriber>[2-9]\d{8,9})|(?<service>1[89]00\d{4,6}))$/;
const NATIONAL = /^(?:0\d{9,10}|1[89]00\d{4,6})$/;
/** Shorter ones are dialled as they are and have no calling code. */
const INTERNATIONAL_DIGITS = 8;

/** The one form to compare by: national in Vietnam, else all digits from the calling code on; undefined: no number. */
export function readPhone(written: string): string | undefined {
  const stripped = written.replaceAll(MARKS, '');
  if (!DIGITS.test(stripped)) return undefined;
  const digits = stripped.replace(/^(?:\+|00)/, '');
  const { subscriber, service } = VIETNAMESE.exec(digits)?.groups ?? {};
  return service ?? (subscriber === undefined ? digits : `0${subscriber}`);
}

/** The ways in which somebody may have written this number down, at most three. */
export function spellingsOf(phone: string): readonly string[] {
  if (NATIONAL.test(phone)) {
    const abroad = `84${phone.replace(/^0/, '')}`;
    return [phone, abroad, `+${abroad}`];
  }
  return phone.length < INTERNATIONAL_DIGITS ? [phone] : [phone, `+${phone}`, `00${phone}`];
}
