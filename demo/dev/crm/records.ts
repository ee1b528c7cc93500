/** The customers of the demo's CRM, which are the vendor's: listed, searched, read and changed. */
import type { CustomerRow, FieldSearch, FormField } from '../../server/customers/endpoints.ts';
import { readInteractions, type Interaction } from '../../server/customers/customer.ts';
import { readPhone, spellingsOf } from '../../server/customers/phone.ts';
import type { Endpoints } from '../../tools/open-api/endpoints.ts';

export interface Choice {
  readonly code: string;
  readonly name: string;
  /** What it stands under in a list; empty: nothing. */
  readonly group: string;
}

export interface Field {
  readonly code: string;
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly value: string;
  readonly choices: readonly Choice[];
  /** Codes of choices. */
  readonly chosen: readonly string[];
}

export interface Row {
  readonly code: string;
  readonly name: string;
  readonly number: string;
  /** What people read of the columns. */
  readonly cells: readonly string[];
}

export interface Page {
  readonly customers: readonly Row[];
  readonly total: number;
  /** Names of the columns besides name and number. */
  readonly columns: readonly string[];
}

export const PAGE_SIZE = 10;
const FORM_MS = 60_000;
const HISTORY = 50;
const COLUMNS = 2;
const COLUMN_TYPES = ['STRING', 'SELECT', 'RADIO', 'NUMBER', 'DATE'];
const ALWAYS_THERE = ['name', 'customer_code', 'phone', 'member_no'];

export class CustomerRecords {
  readonly #vendor: Endpoints;
  #form: { readonly fields: Promise<readonly Field[]>; readonly until: number } | undefined;
  #firstPage: Promise<0 | 1> | undefined;

  constructor(vendor: Endpoints) {
    this.#vendor = vendor;
  }

  /** The blank form of a new customer. */
  form(): Promise<readonly Field[]> {
    if (!this.#form || this.#form.until < performance.now()) {
      const fields = this.#readForm();
      const form = { fields, until: performance.now() + FORM_MS };
      this.#form = form;
      fields.catch(() => (this.#form === form ? (this.#form = undefined) : undefined));
    }
    return this.#form.fields;
  }

  /**
   * @param text a part of a name, or a whole number in any spelling; empty: all
   * @param page from 0
   */
  async list(text: string, page: number): Promise<Page> {
    const columns = (await this.form())
      .filter(({ code, type }) => !ALWAYS_THERE.includes(code) && COLUMN_TYPES.includes(type))
      .slice(0, COLUMNS);
    const shown = ['customer_code', 'name', 'phone', ...columns.map(({ code }) => code)];
    const read = (row: CustomerRow) =>
      readRow(
        row,
        columns.map(({ code }) => code),
      );
    const phone = readPhone(text);
    if (phone !== undefined) {
      const found = await Promise.all(
        spellingsOf(phone).map((spelling) =>
          this.#vendor.listCustomers({
            size: PAGE_SIZE,
            field_search: searchFor('phone', spelling, 'EQUAL', shown),
          }),
        ),
      );
      const customers = found.flat().map(read);
      return { customers, total: customers.length, columns: columns.map(({ name }) => name) };
    }
    const field_search = searchFor('name', text, 'CONTAIN', shown);
    const [rows, total] = await Promise.all([
      this.#vendor.listCustomers({
        size: PAGE_SIZE,
        field_search,
        ...(page > 0 && { page: page + (await this.#findFirstPage()) }),
      }),
      this.#vendor.countCustomers({ field_search }),
    ]);
    return { customers: rows.map(read), total, columns: columns.map(({ name }) => name) };
  }

  /** Undefined: there is no such customer. */
  async read(
    code: string,
  ): Promise<
    { readonly fields: readonly Field[]; readonly interactions: readonly Interaction[] } | undefined
  > {
    const [detail, rows] = await Promise.all([
      this.#vendor.readCustomer({ customer_code: code }),
      this.#vendor.listInteractions({ customer_code: code, size: HISTORY }),
    ]);
    if (!detail) return undefined;
    return { fields: detail.fields.map(readField), interactions: readInteractions(rows, code) };
  }

  async insert(fields: Readonly<Record<string, string>>): Promise<void> {
    await this.#vendor.insertCustomer({ fields });
  }

  async update(code: string, fields: Readonly<Record<string, string>>): Promise<void> {
    await this.#vendor.updateCustomer({ customer_code: code, fields });
  }

  async remove(code: string): Promise<void> {
    await this.#vendor.deleteCustomer({ customer_code: code });
  }

  async #readForm(): Promise<readonly Field[]> {
    const form = await this.#vendor.readCustomer({ customer_code: '' });
    return (form?.fields ?? []).map(readField);
  }

  /** Not stated: whoever counts from 1 has the same customers, or none, on page 0. */
  #findFirstPage(): Promise<0 | 1> {
    this.#firstPage ??= Promise.all(
      [0, 1].map((page) => this.#vendor.listCustomers({ page, size: 1 }).catch(() => [])),
    ).then(([zero, one]) => {
      const [first, second] = [zero, one].map((rows) => rows?.[0] && readRow(rows[0], []).code);
      return first === undefined || first === second ? 1 : 0;
    });
    this.#firstPage.catch(() => (this.#firstPage = undefined));
    return this.#firstPage;
  }
}

function searchFor(
  code: string,
  value: string,
  type: FieldSearch['type'],
  shown: readonly string[],
): FieldSearch[] {
  const show = { value: '', type: 'EQUAL', is_search: false } as const;
  return [
    ...(value === '' ? [] : [{ customer_field_code: code, value, type, is_search: true }]),
    ...shown
      .filter((one) => value === '' || one !== code)
      .map((one) => ({ customer_field_code: one, ...show })),
  ];
}

function readRow({ customer_field_items: items }: CustomerRow, columns: readonly string[]): Row {
  const text = (wanted: string) => {
    const item = items.find(({ code }) => code === wanted);
    const chosen = item?.value_option.map(({ value, code }) => value || code).join(', ');
    return chosen || (item?.value ?? '');
  };
  const code = text('customer_code');
  return { code, name: text('name') || code, number: text('phone'), cells: columns.map(text) };
}

function readField(field: FormField): Field {
  const { code, name, type, value, value_options: options } = field;
  const groups = new Map(options.flatMap((one) => (one.type === 'OPTGROUP' ? [[one.code, one.name]] : [])));
  const choices = options.filter((one) => one.type !== 'OPTGROUP');
  return {
    code,
    name: name || code,
    type,
    isRequired: field.is_required ?? false,
    value,
    choices: choices.map((one) => ({
      code: one.code,
      name: one.name || one.code,
      // Not explained on the pages; the sandbox has the option's group there.
      group: groups.get(one.customer_field_option_code) ?? '',
    })),
    chosen: choices.filter((one) => one.is_select).map((one) => one.code),
  };
}
