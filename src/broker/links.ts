/** The broker's links lead to the broker itself: whoever is asked gets the page's credentials and extra headers. */
import { DialerError } from '../errors.ts';
import type { Links } from './contract.ts';

/**
 * @param link relative to the broker's address, or absolute within its origin
 * @throws {DialerError} `broker-invalid-answer` for every other origin, scheme, or an address with a user name in it
 */
export function resolveLink(link: string, brokerUrl: string): string {
  const broker = new URL(brokerUrl);
  const address = URL.parse(link, broker);
  // A blob: address has the origin of its page, but another scheme.
  const isOwn = address?.origin === broker.origin && address.protocol === broker.protocol;
  if (isOwn && address.username === '' && address.password === '') return address.href;
  throw new DialerError('broker-invalid-answer', "A link of the broker's leads away from its own origin.");
}

/** At once, so that the mistake shows at sign-in and not when an agent needs the link. */
export function checkLinks(links: Links | undefined, brokerUrl: string): void {
  for (const link of Object.values(links ?? {})) if (link !== undefined) resolveLink(link, brokerUrl);
}
