import { attempt } from '../errors.ts';

/** The absolute address; `undefined`: not an address. Browsers that are too old for the dialer have no `URL.canParse`. */
export function parseAddress(value: string, base = document.baseURI): URL | undefined {
  return attempt(() => new URL(value, base));
}
