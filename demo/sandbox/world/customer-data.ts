/** The customers of the project: their fields, their values, and what happened with them. */

export const FIELD_TYPES = [
  'STRING',
  'TEXT',
  'NUMBER',
  'DATE',
  'PHONE',
  'SELECT',
  'CHECKBOX',
  'RADIO',
] as const;
type FieldType = (typeof FIELD_TYPES)[number];

/** Code of a customer, a field or an option. */
export const CODE_PATTERN = /^[A-Za-z0-9_-]{1,64}$/;

export interface FieldOption {
  readonly code: string;
  /** A group has a name and no value; only a SELECT has groups. */
  readonly type: 'OPTION' | 'OPTGROUP';
  /** The group it belongs to; empty: none. */
  readonly groupCode: string;
  readonly name: string;
  readonly color: string;
  readonly textColor: string;
  /** Its place in the list. */
  readonly number: number;
  readonly createdAt: number;
}

export interface CustomerField {
  readonly code: string;
  readonly type: FieldType;
  readonly name: string;
  readonly description: string;
  readonly color: string;
  readonly textColor: string;
  readonly number: number;
  readonly isRequired: boolean;
  readonly isUnique: boolean;
  /** One of the four that are always there: it can be neither changed nor removed. */
  readonly isDefault: boolean;
  readonly createdAt: number;
  /** Of SELECT, CHECKBOX and RADIO. */
  readonly options: readonly FieldOption[];
}

export interface Customer {
  readonly createdAt: number;
  /** By the code of the field, `customer_code` among them; a field without a value is absent or empty. */
  readonly values: Readonly<Record<string, string>>;
}

/** The vendor's types and kinds of an interaction, as far as the sandbox writes them. */
export const INTERACTION_TYPES = ['CUSTOMER', 'NOTE', 'HISTORY_CALL'] as const;
export const INTERACTION_KINDS = [
  'CUSTOMER_CREATE',
  'NOTE_INSERT',
  'HISTORY_CALL_IN',
  'HISTORY_CALL_OUT',
  'HISTORY_MISS_CALL',
] as const;

export interface Interaction {
  readonly createdAt: number;
  readonly customerCode: string;
  readonly memberNo: string;
  readonly type: (typeof INTERACTION_TYPES)[number];
  readonly kind: (typeof INTERACTION_KINDS)[number];
  readonly content: string;
}

/** Immutable: every change is a function from one of these to the next. */
export interface CustomerData {
  readonly fields: readonly CustomerField[];
  /** Newest first. */
  readonly customers: readonly Customer[];
  /** Newest first. */
  readonly interactions: readonly Interaction[];
}

export function readCode({ values }: Customer): string {
  return values['customer_code'] ?? '';
}

export function findCustomer({ customers }: CustomerData, code: string): Customer | undefined {
  return customers.find((customer) => readCode(customer) === code);
}

export function findField({ fields }: CustomerData, code: string): CustomerField | undefined {
  return fields.find((field) => field.code === code);
}
