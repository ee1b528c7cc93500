/** The addresses that a page gives. */
import { DialerError } from '../errors.ts';

/** The vendor's CDN keeps a version for good; the address without a version would change under the page. */
export const DEFAULT_SDK_URL = 'https://cdn.vbot.vn/vbot-sdk/1.0.11/vbot-sdk.umd.js';

/** @throws {DialerError} `configuration` when it is no address that a page may fetch from */
export function webAddress(attribute: string, value: string): string {
  const address = URL.parse(value, document.baseURI);
  const hasUser = address !== null && (address.username !== '' || address.password !== '');
  if (address && /^https?:$/.test(address.protocol) && !hasUser) return address.href;
  // Before an @ there may be a password.
  const shown = value.includes('@') ? '' : `: "${value}"`;
  throw new DialerError('configuration', `The attribute ${attribute} is no plain web address${shown}.`);
}
