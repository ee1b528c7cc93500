/** What the page's developers read in the console: each thing once, however often it happens. */
import type { DialerError } from '../errors.ts';

const written = new Set<string>();

export function hasWarned(attribute: string, value: string): boolean {
  return written.has(`${attribute} ${value}`);
}

/** Warns of an attribute's value that is of no use. */
export function warnOnce(attribute: string, value: string, why: string): void {
  if (isFirst(`${attribute} ${value}`))
    console.warn(`<partner-dialer>: ${attribute}="${value}" ${why}; it is ignored.`);
}

/** For a mistake that only the page's developers can mend, such as `configuration`. */
export function errorOnce({ code, message }: DialerError): void {
  if (isFirst(`${code} ${message}`)) console.error(`<partner-dialer>: ${message} (${code})`);
}

function isFirst(text: string): boolean {
  const { size } = written;
  return written.add(text).size > size;
}
