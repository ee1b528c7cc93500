/**
 * A tag that is in the page before the plain script runs: SDK and phone are asked for in that very task, before the tag is
 * defined, drawn and read, which takes a slow machine as long as a request. Not as the first thing in it, though: by its end
 * the connection that brought the script is free again, and it is the SDK that needs it most. So the session is asked for a
 * little later, by the tag.
 */
import { plainAddress } from './addresses.ts';
import { connectMode } from './attributes.ts';
import { preloadSdk } from './head-start.ts';
import { chunks } from './phone-code.ts';

for (const tag of document.querySelectorAll<HTMLElement>('partner-dialer')) {
  const read = (name: string) => tag.getAttribute(name) ?? '';
  // Properties that the page has set count, too, and are read once the tag is defined; one that is defined has some.
  const isPlain = Object.keys(tag).length === 0 && connectMode.parse(read('connect-mode')) === 'auto';
  if (!isPlain || read('broker-url') === '' || !plainAddress(read('broker-url'))) continue;
  preloadSdk(tag, { sdkUrl: read('sdk-url'), sdkIntegrity: read('sdk-integrity'), nonce: tag.nonce });
  // What fails is asked for again, and told, by the tag.
  chunks.phone.load().catch(() => undefined);
}
