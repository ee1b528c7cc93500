/** What is told of a customer: of all the vendor keeps, the name, the number and one field of the partner's choice. */
import { VendorError } from '../vendor/response.ts';
import type { CustomerDetail, CustomerRow, FormField, InteractionRow } from './endpoints.ts';
import { readPhone } from './phone.ts';

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

export interface CustomerWithHistory extends Customer {
  /** The newest first. */
  readonly interactions: readonly Interaction[];
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
  const read = rows.map((row) => {
    const text = textsOf(row);
    return describe(text('customer_code'), text('name'), text('phone') || phone, text(contextField));
  });
  if (read.length > 0 && read.every(({ code }) => code === '')) {
    throw new VendorError('invalid-answer', 'The vendor answered with customers that have no code.');
  }
  const found = read.filter(({ code, number }) => code !== '' && readPhone(number) === phone);
  return [...new Map(found.map((customer) => [customer.code, customer])).values()];
}

/** Of each field of a listed customer what people read; empty where there is nothing to read. */
export function textsOf({ customer_field_items: items }: CustomerRow): (field: string | undefined) => string {
  return (wanted) => {
    const item = items.find(({ code }) => code === wanted);
    const chosen = item?.value_option.map(({ value, code }) => value || code).join(', ');
    return chosen || (item?.value ?? '');
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
