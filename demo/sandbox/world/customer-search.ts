/** Searching customers by the values of their fields. */
import { findField, type Customer, type CustomerData, type CustomerField } from './customer-data.ts';
import { selectedOptions } from './customer-values.ts';

export interface FieldSearch {
  /** Of a field. */
  readonly code: string;
  readonly value: string;
  readonly type: 'EQUAL' | 'CONTAIN';
  /** False: the response contains the field, and the value filters nothing. */
  readonly isSearch: boolean;
}

type Test = (customer: Customer) => boolean;

/**
 * The customers that match every search, newest first; undefined: a search is invalid, as its field is unknown or its field's
 * type has no such comparison.
 */
export function searchCustomers(
  data: CustomerData,
  searches: readonly FieldSearch[],
): readonly Customer[] | undefined {
  const tests: Test[] = [];
  for (const search of searches) {
    const test = testFor(data, search);
    if (!test) return undefined;
    tests.push(test);
  }
  return data.customers.filter((customer) => tests.every((test) => test(customer)));
}

function testFor(data: CustomerData, { code, value, type, isSearch }: FieldSearch): Test | undefined {
  const field = findField(data, code);
  if (!field) return undefined;
  if (!isSearch) return () => true;
  const test = comparison(field, type, value);
  return test && (({ values }) => test(values[code] ?? ''));
}

function comparison(
  field: CustomerField,
  type: FieldSearch['type'],
  wanted: string,
): ((value: string) => boolean) | undefined {
  if (field.type === 'TEXT') return undefined;
  if (field.type === 'STRING') {
    const folded = fold(wanted);
    return type === 'EQUAL' ? (value) => fold(value) === folded : (value) => fold(value).includes(folded);
  }
  if (type === 'CONTAIN') return undefined;
  if (field.type === 'CHECKBOX') {
    return (value) => (wanted === '' ? value === '' : selectedOptions(field, value).includes(wanted));
  }
  // A telephone number is compared as text: another spelling of the same number is another value.
  return (value) => value === wanted;
}

/** The vendor's document does not say how text is compared. Here case, diacritics and the Unicode form make no difference. */
function fold(text: string): string {
  return text.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('đ', 'd');
}
