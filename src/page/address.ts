/** The absolute address; `undefined`: not an address. Browsers that are too old for the dialer have no `URL.canParse`. */
export function parseAddress(value: string, base = document.baseURI): URL | undefined {
  try {
    return new URL(value, base);
  } catch {
    return undefined;
  }
}
