/** Parses the attributes into one frozen object. A mistake becomes a default, a warning or a configuration error. */
import type { HeadersSource } from '../broker/headers.ts';
import type { CustomerLookup } from '../broker/contract.ts';
import type { Settings } from '../dialer/settings.ts';
import { DialerError } from '../errors.ts';
import { parseAddress } from '../page/address.ts';
import type { Sounds } from '../sdk/calling-sdk.ts';
import { DEFAULT_SDK_URL } from './attributes.ts';

/** The properties from which settings and sounds are parsed. */
export const SETTING_NAMES = [
  'brokerUrl',
  'brokerCredentials',
  'brokerHeaders',
  'lookup',
  'sdkUrl',
  'sdkIntegrity',
  'nonce',
  'sdkBaseUrl',
  'vendorUi',
  'hotline',
  'externalCallId',
  'lowBalance',
  'numberPlan',
  'disconnectSoundUrl',
  'ringtoneUrl',
  'holdMusicUrl',
] as const;

type Parsed = Pick<Settings, 'hotline' | 'externalCallId' | 'lowBalance' | 'numberPlan' | 'vendorUi'>;
type Other = 'brokerCredentials' | 'brokerHeaders' | 'lookup' | 'nonce';
type TextName = Exclude<(typeof SETTING_NAMES)[number], keyof Parsed | Other>;

/** The properties of the tag. Frameworks set those without an attribute to null, too. */
export interface RawSettings extends Parsed, Readonly<Record<TextName, string>> {
  readonly brokerCredentials: RequestCredentials;
  readonly brokerHeaders: HeadersSource | null | undefined;
  readonly lookup: CustomerLookup | null | undefined;
  nonce: string;
}

/**
 * @param usedCallId the `external-call-id` that a call has used: no other call gets it
 * @returns the settings, or what is wrong with the page's configuration or with the browser
 */
export function parseSettings(raw: RawSettings, sounds: Sounds, usedCallId: string): Settings | DialerError {
  if (!isSupportedBrowser()) {
    return new DialerError('unsupported-browser', 'This browser is too old for the dialer.');
  }
  const { sdkBaseUrl: baseUrl } = raw;
  try {
    return Object.freeze({
      broker: {
        url: webAddress('broker-url', raw.brokerUrl),
        credentials: raw.brokerCredentials,
      },
      brokerHeaders: raw.brokerHeaders ?? undefined,
      script: {
        url: webAddress('sdk-url', raw.sdkUrl || DEFAULT_SDK_URL),
        integrity: raw.sdkIntegrity,
        nonce: raw.nonce,
      },
      sdkBaseUrl: baseUrl === '' ? undefined : webAddress('sdk-base-url', baseUrl).replace(/\/$/, ''),
      vendorUi: raw.vendorUi,
      sounds,
      hotline: raw.hotline,
      externalCallId: raw.externalCallId === usedCallId ? '' : raw.externalCallId,
      lookup: typeof raw.lookup === 'function' ? raw.lookup : undefined,
      lowBalance: raw.lowBalance,
      numberPlan: raw.numberPlan,
    });
  } catch (error) {
    if (error instanceof DialerError) return error;
    throw error;
  }
}

/** Chrome 123, Firefox 124, Safari 17.5 and later have all that the dialer is built on. */
function isSupportedBrowser(): boolean {
  return (
    typeof AbortSignal.any === 'function' &&
    typeof URL.canParse === 'function' &&
    Boolean(globalThis.CSS?.supports('color', 'light-dark(red, red)'))
  );
}

/** @throws {DialerError} `configuration`: a page cannot fetch from this address */
function webAddress(attribute: string, value: string): string {
  if (value === '') throw new DialerError('configuration', `The attribute ${attribute} is missing.`);
  const address = parseAddress(value);
  if (address?.protocol.startsWith('http') && address.username + address.password === '') return address.href;
  throw new DialerError('configuration', `${attribute} must be an http(s) URL without credentials.`);
}
