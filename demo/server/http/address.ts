/** Where a request comes from, as far as that can be believed. */
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

/** @param proxyHops our own reverse proxies, each of which adds to `X-Forwarded-For`; what others wrote there is ignored */
export function addressOf({ headers, socket }: IncomingMessage, proxyHops: number): string {
  if (proxyHops === 0) return socket.remoteAddress ?? 'unknown';
  const reported = String(headers['x-forwarded-for'] ?? '').split(',');
  return reported.at(-proxyHops)?.trim() || 'unknown';
}

/** One subscriber has a whole /64 of IPv6, so that is what counts as one address. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = '', tail] = (address.split('%')[0] ?? '').toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - groups.length - after.length }, () => '0');
  const all = [...groups, ...zeros, ...after].map((group) => group.replace(/^0+(?=.)/, ''));
  return `${all.slice(0, 4).join(':')}::/64`;
}
