/** The customers of the demo's CRM, which are the vendor's: listed, searched and read. */
import * as z from 'zod/mini';
import { fieldSearch, listCustomers, readPhone, listSpellings } from '../../companion/features/customers.ts';
import type { VendorClient } from '../../companion/vbot/client.ts';
import { repeatablePost } from '../../companion/vbot/endpoint.ts';
import { VendorError } from '../../companion/vbot/errors.ts';
import { listInteractions, readCustomer, type Interaction } from './card.ts';
import { readField, readRow, searchFor, type Field, type Row } from './rows.ts';

const COUNT = repeatablePost(
  'api/customer/count-all',
  { field_search: z.optional(z.array(fieldSearch)) },
  z.int().check(z.nonnegative()),
);

export interface Page {
  readonly customers: readonly Row[];
  readonly total: number;
  /** Names of the columns besides name and number. */
  readonly columns: readonly string[];
}

interface Card {
  readonly fields: readonly Field[];
  /** The newest first; null: they cannot be read. */
  readonly interactions: readonly Interaction[] | null;
}

export const PAGE_SIZE = 10;
/** Interactions that a card shows. */
const HISTORY = 50;
const COLUMNS = 2;
const COLUMN_TYPES = ['STRING', 'SELECT', 'RADIO', 'NUMBER', 'DATE'];
const ALWAYS_THERE = ['name', 'customer_code', 'phone', 'member_no'];

export class CustomerRecords {
  readonly #vendor: VendorClient;
  #columns: Promise<readonly Field[]> | undefined;
  #firstPage: Promise<0 | 1> | undefined;

  constructor(vendor: VendorClient) {
    this.#vendor = vendor;
  }

  /**
   * @param text a part of a name, or a whole number in any spelling; empty: all
   * @param page from 0
   */
  async list(text: string, page: number): Promise<Page> {
    const columns = await this.#readColumns();
    const codes = columns.map(({ code }) => code);
    const phone = readPhone(text);
    const byNumber = phone === undefined ? [] : await this.#searchNumber(phone, codes);
    const found =
      byNumber.length > 0
        ? { customers: byNumber.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE), total: byNumber.length }
        : await this.#searchName(text, page, codes);
    return { ...found, columns: columns.map(({ name }) => name) };
  }

  /** Undefined: there is no such customer. */
  async read(code: string): Promise<Card | undefined> {
    const asked = { customer_code: code };
    const [detail, rows] = await Promise.all([
      this.#vendor.call(readCustomer, asked),
      this.#vendor.call(listInteractions, { ...asked, size: HISTORY }).catch(() => null),
    ]);
    const fields = (detail?.fields ?? []).map(readField);
    // Else it is the blank form: the vendor does not know the customer.
    if (!fields.some(({ code: one, values }) => one === 'name' && values.length > 0)) return undefined;
    return { fields, interactions: rows && rows.toSorted((a, b) => b.at.localeCompare(a.at)) };
  }

  /** Fields that the project has added; read once. */
  #readColumns(): Promise<readonly Field[]> {
    const read = async () => {
      const form = await this.#vendor.call(readCustomer, { customer_code: '' });
      return (form?.fields ?? [])
        .map(readField)
        .filter(({ code, type }) => !ALWAYS_THERE.includes(code) && COLUMN_TYPES.includes(type))
        .slice(0, COLUMNS);
    };
    this.#columns ??= read();
    this.#columns.catch(() => (this.#columns = undefined));
    return this.#columns;
  }

  async #searchNumber(phone: string, columns: readonly string[]): Promise<readonly Row[]> {
    const shown = ['customer_code', 'name', ...columns];
    const found = await Promise.all(
      listSpellings(phone).map((spelling) =>
        this.#vendor.call(listCustomers, { field_search: searchFor('phone', spelling, 'EQUAL', shown) }),
      ),
    );
    const rows = found.flat().map((row) => readRow(row, columns));
    return [...new Map(rows.map((row) => [row.code, row])).values()];
  }

  async #searchName(
    text: string,
    page: number,
    columns: readonly string[],
  ): Promise<{ readonly customers: readonly Row[]; readonly total: number }> {
    const field_search = searchFor('name', text, 'CONTAIN', ['customer_code', 'name', 'phone', ...columns]);
    const [rows, total] = await Promise.all([
      this.#vendor.call(listCustomers, {
        size: PAGE_SIZE,
        field_search,
        ...(page > 0 && { page: page + (await this.#findFirstPage()) }),
      }),
      this.#vendor.call(COUNT, { field_search }),
    ]);
    return { customers: rows.map((row) => readRow(row, columns)), total };
  }

  /** The vendor's document does not say. A vendor that counts from 1 has the same customers on page 0 as on page 1, or none. */
  #findFirstPage(): Promise<0 | 1> {
    const codeOn = async (page: number) => {
      const [row] = await this.#vendor.call(listCustomers, { page, size: 1 });
      return row && readRow(row, []).code;
    };
    this.#firstPage ??= Promise.all([codeOn(0).catch(ignoreRefusal), codeOn(1)]).then(([zero, one]) =>
      zero === undefined || zero === one ? 1 : 0,
    );
    this.#firstPage.catch(() => (this.#firstPage = undefined));
    return this.#firstPage;
  }
}

/** A vendor that counts from 1 may refuse page 0. */
function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof VendorError && error.code === 'refused')) throw error;
}
