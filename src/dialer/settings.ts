/** What the page has configured: parsed once where it enters, frozen, and handed down. */
import type { BrokerAddress, BrokerOptions } from '../broker/request.ts';
import type { CustomerLookup } from '../broker/contract.ts';
import { areSameHeaders, type HeadersSource } from '../broker/headers.ts';
import { DialerError } from '../errors.ts';
import type { NumberPlan } from '../numbers/read.ts';
import type { Sounds } from '../sdk/calling-sdk.ts';
import type { VendorScript } from '../sdk/script.ts';

export interface Settings {
  readonly broker: BrokerAddress;
  readonly brokerHeaders: HeadersSource | undefined;
  readonly script: VendorScript;
  /** API base handed to the SDK; absent: the vendor's own. */
  readonly sdkBaseUrl: string | undefined;
  readonly vendorUi: boolean;
  readonly sounds: Sounds;
  /** Caller number to prefer; empty: none. */
  readonly hotline: string;
  /** For the next call, as the attribute has it; empty: none. */
  readonly externalCallId: string;
  readonly lookup: CustomerLookup | undefined;
  /** In VND; below it the agent is warned. `0`: never. */
  readonly lowBalance: number;
  readonly numberPlan: NumberPlan;
}

/**
 * Does the difference take effect only with a new connection?
 *
 * @param isSigningIn the broker has not answered yet: it may refuse the request, which was sent without the new headers
 */
export function needNewConnection(
  one: Settings | DialerError,
  other: Settings | DialerError,
  isSigningIn: boolean,
): boolean {
  if (brokerKey(one) !== brokerKey(other)) return true;
  if (one instanceof DialerError || other instanceof DialerError) return false;
  return (
    one.script.url !== other.script.url ||
    one.sdkBaseUrl !== other.sdkBaseUrl ||
    one.vendorUi !== other.vendorUi ||
    (isSigningIn && !areSameHeaders(one.brokerHeaders, other.brokerHeaders))
  );
}

/** The same for the same broker: what it has said about the member is still valid. A mistake has a key of its own. */
export function brokerKey(settings: Settings | DialerError): string {
  if (settings instanceof DialerError) return `${settings.code} ${settings.message}`;
  const { url, credentials } = settings.broker;
  return `${credentials} ${url}`;
}

/** The broker of these settings, with the page's latest headers, but never with those for another broker. */
export function brokerOf(settings: Settings, latest: () => Settings | undefined): BrokerOptions {
  const headers = () => {
    const now = latest();
    return (now && brokerKey(now) === brokerKey(settings) ? now : settings).brokerHeaders;
  };
  return { ...settings.broker, headers };
}

export function isLow(balance: number | undefined, { lowBalance }: Pick<Settings, 'lowBalance'>): boolean {
  return balance !== undefined && balance < lowBalance;
}
