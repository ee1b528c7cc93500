/** What the value of a customer's field may be. Values are text, whatever the type of the field. */
import { CODE_PATTERN, type CustomerField } from './customer-data.ts';

const STRING_LENGTH = 255;
const NUMBER = /^-?\d{1,18}(?:\.\d{1,6})?$/;
const PHONE = /^\+?\d{3,15}$/;
const MEMBER_NO = /^[A-Za-z0-9]+$/;

/** Whether the field takes this value; an empty one is no value. */
export function acceptsValue(field: CustomerField, value: string): boolean {
  if (value === '') return !field.isRequired;
  if (field.code === 'customer_code') return CODE_PATTERN.test(value);
  // The pages do not say whether the member has to exist; here they need not, as members are made when they sign in.
  if (field.code === 'member_no') return MEMBER_NO.test(value);
  switch (field.type) {
    case 'STRING':
      return value.length <= STRING_LENGTH;
    case 'TEXT':
      return true;
    case 'NUMBER':
      return NUMBER.test(value);
    case 'DATE':
      return parseDay(value) !== undefined;
    case 'PHONE':
      return PHONE.test(value);
    case 'SELECT':
    case 'RADIO':
      return hasOption(field, value);
    case 'CHECKBOX':
      return selectedOptions(field, value).every((code) => hasOption(field, code));
  }
}

/**
 * The codes of the options that a value selects. How several checked boxes are written is not stated; here their codes
 * are separated by commas.
 */
export function selectedOptions({ type }: CustomerField, value: string): readonly string[] {
  if (value === '') return [];
  return type === 'CHECKBOX' ? value.split(',') : [value];
}

/** `dd/MM/yyyy` as a number that grows with time, `yyyyMMdd`; undefined: no such day. */
export function parseDay(text: string): number | undefined {
  const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? [];
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  // A day such as 31/02 is taken for one of March.
  if (Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day)) return undefined;
  return Number(`${year}${month}${day}`);
}

function hasOption({ options }: CustomerField, code: string): boolean {
  return options.some((option) => option.code === code && option.type === 'OPTION');
}
