/** Messages in the console for the page's developers, each only once. */
import type { DialerError } from '../errors.ts';

const written = new Set<string>();
const warned: string[] = [];

/** What was warned of so far, for support. */
export function warnings(): readonly string[] {
  return warned;
}

/**
 * Warns of a value that is ignored. The value itself stays out, because it may hold a customer's name or a secret.
 *
 * @param name of the attribute, or of what else the page gave
 */
export function warnOnce(name: string, why: string): void {
  const text = `${name} ${why}; it is ignored.`;
  if (isFirst(text)) warn(text);
}

/**
 * Warns of parts of an answer that are left out.
 *
 * @param paths such as `hotlines.1.number`; the first of a list stands for all
 */
export function warnLeftOut(whose: string, paths: readonly string[]): void {
  const fresh = paths.filter((path) => isFirst(`${whose} ${path.replaceAll(/\d+/g, '*')}`));
  if (fresh.length > 0) warn(`Invalid fields in ${whose} are ignored: ${fresh.join(', ')}.`);
}

/** For a mistake of the page, such as `configuration`. */
export function errorOnce({ code, message }: DialerError): void {
  if (isFirst(`${code} ${message}`)) console.error(`<partner-dialer>: ${message} (${code})`);
}

function warn(text: string): void {
  warned.push(text);
  console.warn(`<partner-dialer>: ${text}`);
}

function isFirst(text: string): boolean {
  const { size } = written;
  return written.add(text).size > size;
}
