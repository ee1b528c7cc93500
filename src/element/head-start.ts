/** What the phone will need first, asked for while its own code is still on the way. */
import { EarlySession } from '../broker/early-session.ts';
import { preloadScript } from '../sdk/preload-script.ts';
import { isDefined } from '../sdk/vbot/tag.ts';
import { DEFAULT_SDK_URL, plainAddress } from './addresses.ts';
import { brokerCredentials } from './attributes.ts';

interface Settings {
  readonly brokerUrl: string;
  readonly brokerCredentials: string;
  readonly brokerHeaders: unknown;
  readonly sdkUrl: string;
  readonly sdkIntegrity: string;
  readonly nonce?: string;
}

/** @returns `undefined`: there is nothing to ask for yet; mistakes in the settings are for the phone to tell */
function addressesOf({ brokerUrl, sdkUrl }: Settings) {
  const broker = brokerUrl === '' ? undefined : plainAddress(brokerUrl);
  const sdk = plainAddress(sdkUrl || DEFAULT_SDK_URL);
  return broker !== undefined && sdk !== undefined ? { broker, sdk } : undefined;
}

/** Has the browser fetch the SDK's script. */
export function preloadSdk(settings: Settings): void {
  const { sdkIntegrity: integrity, nonce = '' } = settings;
  const addresses = addressesOf(settings);
  if (addresses && !isDefined()) preloadScript({ url: addresses.sdk, integrity, nonce });
}

/** Asks for a session where that takes no headers of the page's. */
export function askForSession(settings: Settings): EarlySession | undefined {
  const addresses = addressesOf(settings);
  if (!addresses || settings.brokerHeaders != null) return undefined;
  return new EarlySession(addresses.broker, brokerCredentials.parse(settings.brokerCredentials));
}
