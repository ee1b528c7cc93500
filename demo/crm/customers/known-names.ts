/** Whose number it is, as far as the page has read it: in its list, on a card, or in the dialer's own lookup. */
import { toNational } from './phone.ts';

interface Known {
  readonly code: string;
  readonly name: string;
  readonly number?: string | undefined;
}

/** By the code of the customer: they may have another number or name now. */
const known = new Map<string, Known>();

/** Emits `change` whenever there is something new to draw. */
export const names = new EventTarget();

export function remember(customers: readonly Known[]): void {
  for (const customer of customers) known.set(customer.code, customer);
  names.dispatchEvent(new Event('change'));
}

/** All who have this number; undefined: nobody is known to have it. */
export function findName(number: string): string | undefined {
  const wanted = toNational(number);
  const found = [...known.values()].filter(({ number: own }) => own && toNational(own) === wanted);
  return found.length > 0 ? found.map(({ name }) => name).join(', ') : undefined;
}

/** Two letters that stand for a picture; Vietnamese people are called by the last of their names. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : ''];
  return ([...first][0] ?? '').toUpperCase() + ([...last][0] ?? '').toUpperCase();
}
