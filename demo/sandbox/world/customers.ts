/** New customers, and what calls add to their histories. */
import { readCode, findField, type Customer, type CustomerData, type Interaction } from './customer-data.ts';
import { acceptsValue } from './customer-values.ts';
import { toNational } from './numbers.ts';
import type { CallRecord } from './records.ts';

type Values = Readonly<Record<string, string>>;

/** A demo that runs for long must not fill the memory. */
const INTERACTIONS_KEPT = 5000;

/** The data with the new customer, or why they were refused. */
export function insertCustomer(
  data: CustomerData,
  values: Values,
  now: number,
): CustomerData | 'invalid' | 'exists' {
  const isComplete = data.fields.every(({ code, isRequired }) => !isRequired || values[code]);
  if (!isComplete || !areAccepted(data, values)) return 'invalid';
  if (isTaken(data, values)) return 'exists';
  const customer: Customer = { createdAt: now, values };
  const created: Interaction = {
    createdAt: now,
    customerCode: readCode(customer),
    memberNo: values['member_no'] ?? '',
    type: 'CUSTOMER',
    kind: 'CUSTOMER_CREATE',
    content: values['name'] ?? '',
  };
  return withInteractions({ ...data, customers: [customer, ...data.customers] }, [created]);
}

/** Writes a call that is over into the history of every customer with its number. */
export function addCall(data: CustomerData, call: CallRecord): CustomerData {
  const added = customersWith(data, call.number).map((customer) => describeCall(readCode(customer), call));
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

/** The vendor's document does not say what `content` holds; here it is a sentence for people. */
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

function withInteractions(data: CustomerData, added: readonly Interaction[]): CustomerData {
  return { ...data, interactions: [...added, ...data.interactions].slice(0, INTERACTIONS_KEPT) };
}

function areAccepted(data: CustomerData, values: Values): boolean {
  return Object.entries(values).every(([code, value]) => {
    const field = findField(data, code);
    return field !== undefined && acceptsValue(field, value);
  });
}

/** Whether another customer has the value of a unique field already. */
function isTaken({ fields, customers }: CustomerData, values: Values): boolean {
  return fields.some(
    ({ code, isUnique }) =>
      isUnique && values[code] && customers.some((customer) => customer.values[code] === values[code]),
  );
}
