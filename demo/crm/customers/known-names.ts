/** Whose number it is, as far as the page has read it: in its list, on a card, or in the dialer's own lookup. */
import { toNational } from './phone.ts';

interface Known {
  readonly code: string;
  readonly name: string;
  readonly number?: string | undefined;
}

/** Names by number and by the code of the customer, as several may have one number. */
const known = new Map<string, Map<string, string>>();

/** Emits `change` whenever there is something new to draw. */
export const names = new EventTarget();

/** Replaces what was known of these customers: they may have another number or name now. */
export function remember(customers: readonly Known[]): void {
  const before = JSON.stringify([...known].map(([number, byCode]) => [number, ...byCode]));
  for (const { code, name, number } of customers) {
    forget(code);
    if (!number) continue;
    const key = toNational(number);
    known.set(key, (known.get(key) ?? new Map<string, string>()).set(code, name));
  }
  const after = JSON.stringify([...known].map(([number, byCode]) => [number, ...byCode]));
  if (after !== before) names.dispatchEvent(new Event('change'));
}

function forget(code: string): void {
  for (const byCode of known.values()) byCode.delete(code);
}

/** Undefined: nobody is known to have this number. */
export function findName(number: string): string | undefined {
  const byCode = known.get(toNational(number));
  return byCode && byCode.size > 0 ? [...byCode.values()].join(', ') : undefined;
}

/** Two letters that stand for a picture; Vietnamese people are called by the last of their names. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : ''];
  return ([...first][0] ?? '').toUpperCase() + ([...last][0] ?? '').toUpperCase();
}
