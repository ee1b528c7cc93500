/** Changes of the customers themselves, and of their histories. */
import {
  codeOf,
  findCustomer,
  findField,
  INTERACTION_KINDS,
  type Change,
  type Customer,
  type CustomerData,
  type Interaction,
  type InteractionKind,
  type InteractionType,
} from './customer-data.ts';
import { acceptsValue } from './customer-values.ts';
import { toNational } from './numbers.ts';
import type { CallRecord } from './records.ts';

type Values = Readonly<Record<string, string>>;

/** A demo that runs for long must not fill the memory. */
const INTERACTIONS_KEPT = 5000;

export function insertCustomer(data: CustomerData, values: Values, now: number): Change {
  const isComplete = data.fields.every(({ code, isRequired }) => !isRequired || values[code]);
  if (!isComplete || !areAccepted(data, values)) return 'invalid';
  if (collides(data, values)) return 'exists';
  const customer: Customer = { createdAt: now, values };
  return record({ ...data, customers: [customer, ...data.customers] }, customer, 'CUSTOMER_CREATE', now);
}

/** Only what is given changes; a new `customer_code` renames the customer, and their history goes along. */
export function updateCustomer(data: CustomerData, code: string, values: Values, now: number): Change {
  const customer = findCustomer(data, code);
  if (!customer) return 'not-found';
  if (!areAccepted(data, values)) return 'invalid';
  if (collides(data, values, code)) return 'exists';
  const changed = { ...customer, values: { ...customer.values, ...values } };
  const renamed = codeOf(changed);
  return record(
    {
      ...data,
      customers: data.customers.map((one) => (one === customer ? changed : one)),
      interactions: data.interactions.map((one) =>
        one.customerCode === code ? { ...one, customerCode: renamed } : one,
      ),
    },
    changed,
    'CUSTOMER_UPDATE',
    now,
  );
}

/** The history of a removed customer is removed with them. */
export function removeCustomer(data: CustomerData, code: string): Change {
  const customer = findCustomer(data, code);
  if (!customer) return 'not-found';
  return {
    ...data,
    customers: data.customers.filter((one) => one !== customer),
    interactions: data.interactions.filter(({ customerCode }) => customerCode !== code),
  };
}

/** Whether another customer has this value of a unique field already. */
function isTaken({ customers }: CustomerData, field: string, value: string, own = ''): boolean {
  return (
    value !== '' && customers.some((customer) => customer.values[field] === value && codeOf(customer) !== own)
  );
}

export function addInteraction(data: CustomerData, interaction: Interaction): Change {
  if (!findCustomer(data, interaction.customerCode)) return 'not-found';
  const kinds: readonly string[] = INTERACTION_KINDS[interaction.type];
  if (!kinds.includes(interaction.kind)) return 'invalid';
  return withInteractions(data, [interaction]);
}

/** Writes a call that is over into the history of every customer with its number. */
export function addCall(data: CustomerData, call: CallRecord): CustomerData {
  const added = customersWith(data, call.number).map((customer) => describeCall(codeOf(customer), call));
  return added.length === 0 ? data : withInteractions(data, added);
}

/** The customers with this number in a PHONE field, in any spelling. */
export function customersWith({ fields, customers }: CustomerData, number: string): readonly Customer[] {
  const national = toNational(number);
  const phones = fields.filter(({ type }) => type === 'PHONE').map(({ code }) => code);
  return customers.filter(({ values }) =>
    phones.some((code) => values[code] && toNational(values[code]) === national),
  );
}

/** What `content` holds is not stated; here it is a sentence for people. */
function describeCall(customerCode: string, call: CallRecord): Interaction {
  const { direction, memberNo, number, answeredAt, startedAt, endedAt = startedAt } = call;
  const incoming = direction === 'incoming';
  const missed = incoming && answeredAt === undefined;
  const talked = answeredAt === undefined ? 'not answered' : `${Math.round((endedAt - answeredAt) / 1000)} s`;
  return {
    createdAt: endedAt,
    customerCode,
    memberNo,
    type: 'HISTORY_CALL',
    kind: missed ? 'HISTORY_MISS_CALL' : incoming ? 'HISTORY_CALL_IN' : 'HISTORY_CALL_OUT',
    content: `${incoming ? 'Call from' : 'Call to'} ${number}, ${talked}`,
  };
}

function record(data: CustomerData, customer: Customer, kind: InteractionKind, now: number): CustomerData {
  const type: InteractionType = 'CUSTOMER';
  const memberNo = customer.values['member_no'] ?? '';
  const content = customer.values['name'] ?? '';
  const interaction = { createdAt: now, customerCode: codeOf(customer), memberNo, type, kind, content };
  return withInteractions(data, [interaction]);
}

function withInteractions(data: CustomerData, added: readonly Interaction[]): CustomerData {
  return { ...data, interactions: [...added, ...data.interactions].slice(0, INTERACTIONS_KEPT) };
}

function areAccepted(data: CustomerData, values: Values): boolean {
  return Object.entries(values).every(([code, value]) => {
    const field = findField(data, code);
    return field !== undefined && acceptsValue(field, value);
  });
}

function collides(data: CustomerData, values: Values, own = ''): boolean {
  return Object.entries(values).some(
    ([code, value]) => findField(data, code)?.isUnique && isTaken(data, code, value, own),
  );
}
