/** Attributes as they come, parsed at the door: nonsense becomes a default, a warning or a configuration error. */
import type { HeadersSource } from '../broker/headers.ts';
import type { DialerSettings } from '../dialer/host.ts';
import { DialerError } from '../errors.ts';
import type { Sounds } from '../sdk/calling-sdk.ts';
import { brokerCredentials } from './attributes.ts';

/** The vendor's CDN keeps a version for good; the address without a version would change under the page. */
export const DEFAULT_SDK_URL = 'https://cdn.vbot.vn/vbot-sdk/1.0.11/vbot-sdk.umd.js';

export interface RawSettings {
  readonly brokerUrl: string;
  readonly brokerCredentials: string;
  readonly brokerHeaders: HeadersSource | undefined;
  readonly sdkBaseUrl: string;
  readonly vendorUi: boolean;
}

/** @throws {DialerError} `configuration` */
export function parseSettings(raw: RawSettings, sounds: Sounds): DialerSettings {
  if (raw.brokerUrl === '') throw new DialerError('configuration', 'The attribute broker-url is missing.');
  return {
    broker: {
      url: webAddress('broker-url', raw.brokerUrl),
      credentials: brokerCredentials.parse(raw.brokerCredentials),
      headers: raw.brokerHeaders,
    },
    sdkBaseUrl:
      raw.sdkBaseUrl === '' ? undefined : webAddress('sdk-base-url', raw.sdkBaseUrl).replace(/\/$/, ''),
    sounds,
    vendorUi: raw.vendorUi,
  };
}

/** @throws {DialerError} `configuration` when it is no address that a page may fetch from */
export function webAddress(attribute: string, value: string): string {
  const address = URL.parse(value, document.baseURI);
  const hasUser = address !== null && (address.username !== '' || address.password !== '');
  if (address && /^https?:$/.test(address.protocol) && !hasUser) return address.href;
  // Before an @ there may be a password.
  const shown = value.includes('@') ? '' : `: "${value}"`;
  throw new DialerError('configuration', `The attribute ${attribute} is no plain web address${shown}.`);
}

/** The absolute address of a sound, or `undefined` when it cannot be one. */
export function soundAddress(value: string): string | undefined {
  const address = URL.parse(value, document.baseURI);
  if (!address) return undefined;
  const playable = /^(https?|blob):$/.test(address.protocol) || address.href.startsWith('data:audio/');
  return playable ? address.href : undefined;
}
