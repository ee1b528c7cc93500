/** What the phone will need first, asked for while its own code is still on the way. */
import { EarlySession } from '../broker/early-session.ts';
import { preloadScript } from '../sdk/preload-script.ts';
import { isDefined } from '../sdk/vbot/tag.ts';
import { DEFAULT_SDK_URL, plainAddress } from './addresses.ts';
import { brokerCredentials } from './attributes.ts';

interface SdkSettings {
  readonly sdkUrl: string;
  readonly sdkIntegrity: string;
  readonly nonce?: string;
}

interface Settings extends SdkSettings {
  readonly brokerUrl: string;
  readonly brokerCredentials: string;
  readonly brokerHeaders: unknown;
}

/** Tags whose SDK was asked for before they were defined. */
const preloaded = new WeakSet<object>();

/** @returns `false` where the address is none: mistakes in the settings are for the phone to tell */
export function preloadSdk(tag: object, { sdkUrl, sdkIntegrity, nonce = '' }: SdkSettings): boolean {
  const url = plainAddress(sdkUrl || DEFAULT_SDK_URL);
  if (url !== undefined && !preloaded.has(tag) && !isDefined())
    preloadScript({ url, integrity: sdkIntegrity, nonce });
  preloaded.add(tag);
  return url !== undefined;
}

/**
 * Fetches the SDK's script, and asks for a session where that takes no headers of the page's. In the order in which they are
 * needed, because the first ones get the connections that are open: a session takes the broker's time as well, the phone's code
 * only that of the network.
 *
 * @param loadPhone fetches the phone's code
 * @returns `undefined`: there is nothing to ask for yet
 */
export function headStart(tag: Settings, loadPhone: () => void): EarlySession | undefined {
  const broker = tag.brokerUrl === '' ? undefined : plainAddress(tag.brokerUrl);
  const isComplete = broker !== undefined && preloadSdk(tag, tag);
  const credentials = brokerCredentials.parse(tag.brokerCredentials);
  const early = isComplete && tag.brokerHeaders == null ? new EarlySession(broker, credentials) : undefined;
  loadPhone();
  return early;
}
