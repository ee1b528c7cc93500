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

/**
 * Fetches the SDK's script, and asks for a session where that takes no headers of the page's. In the order in which they are
 * needed, because the first ones get the connections that are open: a session takes the broker's time as well, the phone's code
 * only that of the network.
 *
 * @param loadPhone fetches the phone's code
 * @returns `undefined`: there is nothing to ask for yet; mistakes in the settings are for the phone to tell
 */
export function headStart(settings: Settings, loadPhone: () => void): EarlySession | undefined {
  const { brokerUrl, brokerHeaders, sdkUrl, sdkIntegrity, nonce = '' } = settings;
  const broker = plainAddress(brokerUrl);
  const url = plainAddress(sdkUrl || DEFAULT_SDK_URL);
  const isComplete = brokerUrl !== '' && broker !== undefined && url !== undefined;
  if (isComplete && !isDefined()) preloadScript({ url, integrity: sdkIntegrity, nonce });
  const credentials = brokerCredentials.parse(settings.brokerCredentials);
  const early = isComplete && brokerHeaders == null ? new EarlySession(broker, credentials) : undefined;
  loadPhone();
  return early;
}
