/** Changes of the customers' fields and of their options. A renamed or removed one takes the values along. */
import {
  CODE_PATTERN,
  findField,
  type Change,
  type Customer,
  type CustomerData,
  type CustomerField,
  type FieldOption,
} from './customer-data.ts';
import { selectedIn } from './customer-values.ts';

/** What of a field or of an option can change. */
export type FieldFacts = Omit<CustomerField, 'code' | 'isDefault' | 'createdAt' | 'options'>;
export type OptionFacts = Omit<FieldOption, 'code' | 'type' | 'createdAt'>;

const CHOICES: readonly string[] = ['SELECT', 'CHECKBOX', 'RADIO'];

export function insertField(data: CustomerData, code: string, facts: FieldFacts, now: number): Change {
  if (!CODE_PATTERN.test(code)) return 'invalid';
  if (findField(data, code)) return 'exists';
  const field = { ...facts, code, isDefault: false, createdAt: now, options: [] };
  return { ...data, fields: [...data.fields, field] };
}

/** A field's type never changes. Values that are there already are not checked again. */
export function updateField(data: CustomerData, code: string, facts: FieldFacts): Change {
  const field = changeable(data, code);
  if (typeof field === 'string') return field;
  if (facts.type !== field.type) return 'not-allowed';
  return replaceField(data, { ...field, ...facts });
}

export function renameField(data: CustomerData, code: string, to: string): Change {
  const field = changeable(data, code);
  if (typeof field === 'string') return field;
  if (!CODE_PATTERN.test(to)) return 'invalid';
  if (to !== code && findField(data, to)) return 'exists';
  const fields = data.fields.map((one) => (one === field ? { ...one, code: to } : one));
  const customers = changeValues(data, code, (value) => [to, value]);
  return { ...data, fields, customers };
}

export function removeField(data: CustomerData, code: string): Change {
  const field = changeable(data, code);
  if (typeof field === 'string') return field;
  const fields = data.fields.filter((one) => one !== field);
  return { ...data, fields, customers: changeValues(data, code, () => undefined) };
}

export function insertOption(data: CustomerData, code: string, option: FieldOption): Change {
  const field = changeable(data, code);
  if (typeof field === 'string') return field;
  if (!CHOICES.includes(field.type) || !CODE_PATTERN.test(option.code)) return 'invalid';
  if (option.type === 'OPTGROUP' && field.type !== 'SELECT') return 'invalid';
  if (!isGroup(field, option.groupCode)) return 'invalid';
  if (findOption(field, option.code)) return 'exists';
  return replaceField(data, { ...field, options: [...field.options, option] });
}

export function updateOption(
  data: CustomerData,
  code: string,
  optionCode: string,
  facts: OptionFacts,
): Change {
  const field = changeable(data, code);
  if (typeof field === 'string') return field;
  const option = findOption(field, optionCode);
  if (!option) return 'not-found';
  if (!isGroup(field, facts.groupCode) || facts.groupCode === optionCode) return 'invalid';
  return replaceField(data, {
    ...field,
    options: field.options.map((one) => (one === option ? { ...one, ...facts } : one)),
  });
}

export function renameOption(data: CustomerData, code: string, optionCode: string, to: string): Change {
  const field = changeable(data, code);
  if (typeof field === 'string') return field;
  const option = findOption(field, optionCode);
  if (!option) return 'not-found';
  if (!CODE_PATTERN.test(to)) return 'invalid';
  if (to !== optionCode && findOption(field, to)) return 'exists';
  const renamed = (one: string) => (one === optionCode ? to : one);
  const options = field.options.map((one) => ({
    ...one,
    code: renamed(one.code),
    groupCode: renamed(one.groupCode),
  }));
  return selectAnew(replaceField(data, { ...field, options }), field, (codes) => codes.map(renamed));
}

/** Not stated on the pages: customers lose the removed option, and the options of a removed group stay without one. */
export function removeOption(data: CustomerData, code: string, optionCode: string): Change {
  const field = changeable(data, code);
  if (typeof field === 'string') return field;
  if (!findOption(field, optionCode)) return 'not-found';
  const options = field.options
    .filter((one) => one.code !== optionCode)
    .map((one) => (one.groupCode === optionCode ? { ...one, groupCode: '' } : one));
  return selectAnew(replaceField(data, { ...field, options }), field, (codes) =>
    codes.filter((one) => one !== optionCode),
  );
}

function changeable(data: CustomerData, code: string): CustomerField | 'not-found' | 'not-allowed' {
  const field = findField(data, code);
  if (!field) return 'not-found';
  return field.isDefault ? 'not-allowed' : field;
}

function findOption({ options }: CustomerField, code: string): FieldOption | undefined {
  return options.find((option) => option.code === code);
}

function isGroup(field: CustomerField, code: string): boolean {
  return code === '' || findOption(field, code)?.type === 'OPTGROUP';
}

function replaceField(data: CustomerData, field: CustomerField): CustomerData {
  return { ...data, fields: data.fields.map((one) => (one.code === field.code ? field : one)) };
}

function selectAnew(
  data: CustomerData,
  field: CustomerField,
  select: (codes: readonly string[]) => readonly string[],
): CustomerData {
  const customers = changeValues(data, field.code, (value) => [
    field.code,
    select(selectedIn(field, value)).join(','),
  ]);
  return { ...data, customers };
}

/** @param change from a value to the code and the value that take its place; undefined: none */
function changeValues(
  { customers }: CustomerData,
  code: string,
  change: (value: string) => readonly [string, string] | undefined,
): readonly Customer[] {
  return customers.map((customer) => {
    const { [code]: value, ...others } = customer.values;
    if (value === undefined) return customer;
    const next = change(value);
    return { ...customer, values: next ? { ...others, [next[0]]: next[1] } : others };
  });
}
