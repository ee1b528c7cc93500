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
 * Fetches the SDK's script, and asks for a session where that takes no headers of the page's.
 *
 * @returns `undefined`: there is nothing to ask for yet; mistakes in the settings are for the phone to tell
 */
export function headStart(settings: Settings): EarlySession | undefined {
  const { brokerUrl, brokerHeaders, sdkUrl, sdkIntegrity, nonce = '' } = settings;
  const broker = plainAddress(brokerUrl);
  const url = plainAddress(sdkUrl || DEFAULT_SDK_URL);
  if (brokerUrl === '' || broker === undefined || url === undefined) return undefined;
  if (!isDefined()) preloadScript({ url, integrity: sdkIntegrity, nonce });
  if (brokerHeaders != null) return undefined;
  return new EarlySession(broker, brokerCredentials.parse(settings.brokerCredentials));
}
