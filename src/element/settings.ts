/** Attributes as they come, parsed at the door: nonsense becomes a default, a warning or a configuration error. */
import type { EarlySession } from '../broker/early-session.ts';
import type { HeadersSource } from '../broker/headers.ts';
import type { DialerSettings } from '../dialer/host.ts';
import { DialerError } from '../errors.ts';
import type { Sounds } from '../sdk/calling-sdk.ts';
import { plainAddress } from './addresses.ts';
import { brokerCredentials } from './attributes.ts';

export interface RawSettings {
  readonly brokerUrl: string;
  readonly brokerCredentials: string;
  readonly brokerHeaders: HeadersSource | undefined;
  readonly sdkBaseUrl: string;
  readonly vendorUi: boolean;
}

/**
 * @param early a session that has been asked for already
 * @throws {DialerError} `configuration`
 */
export function parseSettings(
  raw: RawSettings,
  sounds: Sounds,
  early: EarlySession | undefined,
): DialerSettings {
  if (raw.brokerUrl === '') throw new DialerError('configuration', 'The attribute broker-url is missing.');
  return {
    broker: {
      url: webAddress('broker-url', raw.brokerUrl),
      credentials: brokerCredentials.parse(raw.brokerCredentials),
      headers: raw.brokerHeaders,
      early,
    },
    sdkBaseUrl:
      raw.sdkBaseUrl === '' ? undefined : webAddress('sdk-base-url', raw.sdkBaseUrl).replace(/\/$/, ''),
    sounds,
    vendorUi: raw.vendorUi,
  };
}

/** @throws {DialerError} `configuration` when it is no address that a page may fetch from */
export function webAddress(attribute: string, value: string): string {
  const address = plainAddress(value);
  if (address !== undefined) return address;
  // Before an @ there may be a password.
  const shown = value.includes('@') ? '' : `: "${value}"`;
  throw new DialerError('configuration', `The attribute ${attribute} is no plain web address${shown}.`);
}
