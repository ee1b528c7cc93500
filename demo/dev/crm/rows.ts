/** The vendor's customers as the page gets them: rows of the list, and the fields of one customer. */
import { readTexts, type CustomerRow, type FieldSearch } from '../../companion/features/customers.ts';
import type { FormField } from './card.ts';

/** The only form in which a color may come into a page. */
const COLOR = /^#[\da-f]{6}$/i;

export interface Field {
  readonly code: string;
  readonly name: string;
  readonly type: string;
  /** The names of what was chosen from a list, else the value itself; empty: there is none. */
  readonly values: readonly string[];
}

interface Cell {
  readonly text: string;
  /** Of what was chosen from a list, e.g. `#166534`; else null. */
  readonly color: string | null;
}

export interface Row {
  readonly code: string;
  readonly name: string;
  readonly number: string;
  /** What people read of the columns. */
  readonly cells: readonly Cell[];
}

export function readRow(row: CustomerRow, columns: readonly string[]): Row {
  const text = readTexts(row);
  const code = text('customer_code');
  const cells = columns.map((column) => ({ text: text(column), color: choiceColor(row, column) }));
  return { code, name: text('name') || code, number: text('phone'), cells };
}

function choiceColor({ customer_field_items: items }: CustomerRow, column: string): string | null {
  const [chosen] = items.find(({ code }) => code === column)?.value_option ?? [];
  return chosen && COLOR.test(chosen.text_color) ? chosen.text_color : null;
}

export function readField(field: FormField): Field {
  const { code, name, type, value, value_options: options } = field;
  const chosen = options.filter((one) => one.type !== 'OPTGROUP' && one.is_select);
  const values = chosen.length > 0 ? chosen.map((one) => one.name || one.code) : [value];
  return { code, name: name || code, type, values: values.filter((text) => text !== '') };
}

/** A search for one value, with these fields in the response. An empty value finds everybody. */
export function searchFor(
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
