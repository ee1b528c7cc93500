/** Searching customers by the values of their fields. */
import { findField, type Customer, type CustomerData, type CustomerField } from './customer-data.ts';
import { dayOf, decimalOf, selectedIn } from './customer-values.ts';

export interface FieldSearch {
  /** Code of a field, or `create_at`. */
  readonly code: string;
  readonly value: string;
  readonly type: 'EQUAL' | 'CONTAIN' | 'RANGER';
  /** False: no filter, the field is only put into the answer. */
  readonly isSearch: boolean;
}

type Test = (customer: Customer) => boolean;

/** Days are those of Vietnam. */
const VIETNAM_MS = 7 * 3_600_000;

/**
 * The customers that fit every search, newest first; undefined when a search makes no sense: an unknown field, a
 * comparison its type does not have, or a range that cannot be read.
 */
export function searchCustomers(
  data: CustomerData,
  searches: readonly FieldSearch[],
  diacritics: 'ignored' | 'significant',
): readonly Customer[] | undefined {
  const tests: Test[] = [];
  for (const search of searches) {
    const test = testFor(data, search, diacritics);
    if (!test) return undefined;
    tests.push(test);
  }
  return data.customers.filter((customer) => tests.every((test) => test(customer)));
}

function testFor(
  data: CustomerData,
  { code, value, type, isSearch }: FieldSearch,
  diacritics: 'ignored' | 'significant',
): Test | undefined {
  if (code === 'create_at') {
    if (!isSearch) return () => true;
    const isWithin = type === 'RANGER' ? rangeOf(value, dayOf) : undefined;
    return isWithin && (({ createdAt }) => isWithin(dayOf(vietnameseDate(createdAt))));
  }
  const field = findField(data, code);
  if (!field) return undefined;
  if (!isSearch) return () => true;
  const test = comparison(field, type, value, diacritics);
  return test && (({ values }) => test(values[code] ?? ''));
}

function comparison(
  field: CustomerField,
  type: FieldSearch['type'],
  wanted: string,
  diacritics: 'ignored' | 'significant',
): ((value: string) => boolean) | undefined {
  if (field.type === 'TEXT') return undefined;
  if (type === 'RANGER') {
    if (field.type !== 'NUMBER' && field.type !== 'DATE') return undefined;
    const parse: (text: string) => number | bigint | undefined = field.type === 'DATE' ? dayOf : decimalOf;
    const isWithin = rangeOf(wanted, parse);
    return isWithin && ((value) => isWithin(parse(value)));
  }
  if (field.type === 'STRING') {
    const folded = fold(wanted, diacritics);
    return type === 'EQUAL'
      ? (value) => fold(value, diacritics) === folded
      : (value) => fold(value, diacritics).includes(folded);
  }
  if (type === 'CONTAIN') return undefined;
  if (field.type === 'CHECKBOX') {
    return (value) => (wanted === '' ? value === '' : selectedIn(field, value).includes(wanted));
  }
  // A telephone number is compared as it is kept: the same number in another spelling is another value.
  return (value) => value === wanted;
}

/** `min|max`, both included. Whether one side may be empty is not stated; here it is then open. */
function rangeOf<T extends number | bigint>(
  range: string,
  parse: (text: string) => T | undefined,
): ((value: T | undefined) => boolean) | undefined {
  const [low = '', high = '', ...more] = range.split('|');
  const [min, max] = [parse(low), parse(high)];
  const isReadable = (low === '' || min !== undefined) && (high === '' || max !== undefined);
  if (!range.includes('|') || more.length > 0 || !isReadable) return undefined;
  return (value) =>
    value !== undefined && (min === undefined || value >= min) && (max === undefined || value <= max);
}

/**
 * How text is compared is not stated. Here upper and lower case are the same, and so are letters with and without
 * diacritics unless the sandbox is set otherwise; the two Unicode forms of one letter always are.
 */
function fold(text: string, diacritics: 'ignored' | 'significant'): string {
  const lower = text.normalize('NFC').toLowerCase();
  if (diacritics === 'significant') return lower;
  return lower.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('đ', 'd');
}

function vietnameseDate(time: number): string {
  const [year, month, day] = new Date(time + VIETNAM_MS).toISOString().slice(0, 10).split('-');
  return `${day}/${month}/${year}`;
}
