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

/** What the history of a customer holds: its types, and the kinds of each. */
export const INTERACTION_KINDS = {
  CUSTOMER: ['CUSTOMER_CREATE', 'CUSTOMER_UPDATE'],
  NOTE: ['NOTE_INSERT', 'NOTE_UPDATE', 'NOTE_DELETE'],
  HISTORY_CALL: ['HISTORY_CALL_IN', 'HISTORY_CALL_OUT', 'HISTORY_MISS_CALL'],
  TICKET: ['NEW_TICKET', 'REOPEN_TICKET', 'UPDATE_STATUS_TICKET', 'UPDATE_ASSIGNEE_TICKET'],
  TODO: ['NEW_TODO', 'REOPEN_TODO', 'UPDATE_STATUS_TODO', 'UPDATE_ASSIGNEE_TODO'],
} as const;
export type InteractionType = keyof typeof INTERACTION_KINDS;
export type InteractionKind = (typeof INTERACTION_KINDS)[InteractionType][number];

export interface Interaction {
  readonly createdAt: number;
  readonly customerCode: string;
  readonly memberNo: string;
  readonly type: InteractionType;
  readonly kind: InteractionKind;
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

/** Why a change was refused. */
export type Refusal = 'invalid' | 'not-found' | 'exists';

/** The next data, or why there is none. */
export type Change = CustomerData | Refusal;

export function codeOf({ values }: Customer): string {
  return values['customer_code'] ?? '';
}

export function findCustomer({ customers }: CustomerData, code: string): Customer | undefined {
  return customers.find((customer) => codeOf(customer) === code);
}

export function findField({ fields }: CustomerData, code: string): CustomerField | undefined {
  return fields.find((field) => field.code === code);
}
