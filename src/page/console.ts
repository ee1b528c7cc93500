/** Messages in the console for the page's developers, each only once. */
import type { DialerError } from '../errors.ts';

const written = new Set<string>();

export function hasWarned(attribute: string, value: string): boolean {
  return written.has(`${attribute} ${value}`);
}

/** Warns of an attribute value that is ignored. */
export function warnOnce(attribute: string, value: string, why: string): void {
  if (isFirst(`${attribute} ${value}`))
    console.warn(`<partner-dialer>: ${attribute}="${value}" ${why}; it is ignored.`);
}

/** For a mistake of the page, such as `configuration`. */
export function errorOnce({ code, message }: DialerError): void {
  if (isFirst(`${code} ${message}`)) console.error(`<partner-dialer>: ${message} (${code})`);
}

function isFirst(text: string): boolean {
  const { size } = written;
  return written.add(text).size > size;
}
