/** What the value of a customer's field may be. Values are text, whatever the type of the field. */
import { CODE_PATTERN, type CustomerField } from './customer-data.ts';

const STRING_LENGTH = 255;
const NUMBER = /^-?\d{1,18}(?:\.\d{1,6})?$/;
const PHONE = /^\+?\d{3,15}$/;
const MEMBER_NO = /^[A-Za-z0-9]+$/;

/** Whether the field accepts this value; empty text means that it has none. */
export function acceptsValue(field: CustomerField, value: string): boolean {
  if (value === '') return !field.isRequired;
  if (field.code === 'customer_code') return CODE_PATTERN.test(value);
  // The vendor's document does not say whether the member must exist. Here they need not: the first sign-in creates a member.
  if (field.code === 'member_no') return MEMBER_NO.test(value);
  switch (field.type) {
    case 'STRING':
      return value.length <= STRING_LENGTH;
    case 'TEXT':
      return true;
    case 'NUMBER':
      return NUMBER.test(value);
    case 'DATE':
      return isDay(value);
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
 * The codes of the options that a value selects. The vendor's document does not say how several checked boxes are written; here
 * their codes are separated by commas.
 */
export function selectedOptions({ type }: CustomerField, value: string): readonly string[] {
  if (value === '') return [];
  return type === 'CHECKBOX' ? value.split(',') : [value];
}

/** Whether the text is a day, as `dd/MM/yyyy`. */
function isDay(text: string): boolean {
  const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? [];
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  // `Date` reads 31/02 as a day in March.
  return !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(day);
}

function hasOption({ options }: CustomerField, code: string): boolean {
  return options.some((option) => option.code === code && option.type === 'OPTION');
}
