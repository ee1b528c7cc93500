/** Looks for the token where it must never be. */
import { CANARY } from './world.ts';

/** Anywhere in a value, in the causes of an error too. */
export function holdsToken(value: unknown): boolean {
  const seen = new Set<unknown>();
  const replace = (_key: string, each: unknown): unknown => {
    if (typeof each !== 'object' || each === null) return each;
    if (seen.has(each)) return undefined;
    seen.add(each);
    if (!(each instanceof Error)) return each;
    const { message, stack, cause } = each;
    return { ...each, message, stack, cause };
  };
  return JSON.stringify(value, replace)?.includes(CANARY) ?? false;
}

/** In sight, or in reach of the page's scripts. */
export function showsToken(element: Element): boolean {
  return element.outerHTML.includes(CANARY) || (element.shadowRoot?.innerHTML.includes(CANARY) ?? false);
}
