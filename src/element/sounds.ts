/** The sounds a page configured; one that cannot be played is ignored, with one warning that says which and why. */
import { soundAddress } from './settings.ts';
import type { Sounds } from '../sdk/calling-sdk.ts';

const warned = new Set<string>();

/**
 * @param raw Attribute values by attribute name.
 */
export function resolveSounds(
  raw: Readonly<Record<'disconnect' | 'ringtone' | 'hold-music', string>>,
): Sounds {
  return {
    disconnect: resolve('disconnect-sound-url', raw.disconnect),
    ringtone: resolve('ringtone-url', raw.ringtone),
    holdMusic: resolve('hold-music-url', raw['hold-music']),
  };
}

function resolve(attribute: string, value: string): string | undefined {
  if (value === '' || warned.has(`${attribute} ${value}`)) return undefined;
  const address = soundAddress(value);
  if (address === undefined) warnOnce(attribute, value, 'is not the address of a sound');
  return address;
}

/** Only the browser knows whether it can fetch and play an address; resolves once it has told. */
export async function isPlayable(address: string, signal: AbortSignal): Promise<boolean> {
  const audio = new Audio();
  return new Promise((settle) => {
    const end = (playable: boolean) => {
      audio.removeAttribute('src');
      settle(playable);
    };
    audio.addEventListener('loadedmetadata', () => end(true), { signal });
    audio.addEventListener('error', () => audio.hasAttribute('src') && end(false), { signal });
    audio.preload = 'metadata';
    audio.src = address;
  });
}

export function warnOnce(attribute: string, value: string, why: string): void {
  const key = `${attribute} ${value}`;
  if (warned.has(key)) return;
  warned.add(key);
  console.warn(`<partner-dialer>: ${attribute}="${value}" ${why}; it is ignored.`);
}
