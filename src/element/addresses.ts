/** The addresses that a page gives. */

/** The vendor's CDN keeps a version for good; the address without a version would change under the page. */
export const DEFAULT_SDK_URL = 'https://cdn.vbot.vn/vbot-sdk/1.0.11/vbot-sdk.umd.js';

/** The absolute address, or `undefined` where a page may not fetch from it. */
export function plainAddress(value: string): string | undefined {
  const address = URL.parse(value, document.baseURI);
  const isPlain =
    address && address.protocol.startsWith('http') && address.username + address.password === '';
  return isPlain ? address.href : undefined;
}
