/** What the page has configured: parsed once where it enters, frozen, and handed down. */
import type { BrokerOptions } from '../broker/client.ts';
import type { CustomerLookup } from '../broker/contract.ts';
import { DialerError } from '../errors.ts';
import type { Sounds } from '../sdk/calling-sdk.ts';

export interface SdkScript {
  /** Absolute address. */
  readonly url: string;
  /** SRI hash; empty: none. */
  readonly integrity: string;
  /** CSP nonce; empty: none. */
  readonly nonce: string;
}

export interface Settings {
  readonly broker: BrokerOptions;
  readonly script: SdkScript;
  /** API base handed to the SDK; absent: the vendor's own. */
  readonly sdkBaseUrl: string | undefined;
  readonly vendorUi: boolean;
  readonly sounds: Sounds;
  /** Caller number to prefer; empty: none. */
  readonly hotline: string;
  /** For the next call, as the attribute has it; empty: none. */
  readonly externalCallId: string;
  /** The page's own answer to whose number it is. */
  readonly lookup: CustomerLookup | undefined;
  /** In VND; below it the agent is warned. `0`: never. */
  readonly lowBalance: number;
}

/**
 * Does the difference count only for a new connection?
 *
 * @param isSigningIn the broker has not answered yet: without the new headers it may refuse the request that is under way
 */
export function needNewConnection(
  one: Settings | DialerError,
  other: Settings | DialerError,
  isSigningIn: boolean,
): boolean {
  if (one instanceof DialerError || other instanceof DialerError) return !isSameError(one, other);
  return (
    !isSameBroker(one.broker, other.broker) ||
    one.script.url !== other.script.url ||
    one.sdkBaseUrl !== other.sdkBaseUrl ||
    one.vendorUi !== other.vendorUi ||
    (isSigningIn && one.broker.headers !== other.broker.headers)
  );
}

/** Does what the broker has said of the member still count? */
export function isSameMember(one: Settings | DialerError, other: Settings | DialerError): boolean {
  if (one instanceof DialerError || other instanceof DialerError) return isSameError(one, other);
  return isSameBroker(one.broker, other.broker);
}

/** Extra headers may differ: they count from the next request on. */
export function isSameBroker(one: BrokerOptions, other: BrokerOptions): boolean {
  return one.url === other.url && one.credentials === other.credentials;
}

function isSameError(one: Settings | DialerError, other: Settings | DialerError): boolean {
  const areErrors = one instanceof DialerError && other instanceof DialerError;
  return areErrors && one.code === other.code && one.message === other.message;
}

/** @param threshold in VND; `0`: never */
export function isLow(balance: number | undefined, threshold: number): boolean {
  return balance !== undefined && balance < threshold;
}
