/** What the page's console is told of an attribute that is of no use. */

const warned = new Set<string>();

export function hasWarned(attribute: string, value: string): boolean {
  return warned.has(`${attribute} ${value}`);
}

/** Once for each value. */
export function warnOnce(attribute: string, value: string, why: string): void {
  if (hasWarned(attribute, value)) return;
  warned.add(`${attribute} ${value}`);
  console.warn(`<partner-dialer>: ${attribute}="${value}" ${why}; it is ignored.`);
}
