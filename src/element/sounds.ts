/** The sounds a page configured. One that cannot be played is left out, with one warning that says which and why. */
import type { Sounds } from '../sdk/calling-sdk.ts';

/** A file that is neither there nor refused after this is left to the SDK. */
const TRY_OUT_TIMEOUT_MS = 20_000;

const warned = new Set<string>();

export interface SoundAttributes {
  readonly disconnectSoundUrl: string;
  readonly ringtoneUrl: string;
  readonly holdMusicUrl: string;
}

export class ElementSounds {
  readonly #attributes: SoundAttributes;
  readonly #changed: (sounds: Sounds) => void;
  #check = new AbortController();

  /** @param changed is given the sounds anew when one of the last turns out not to play */
  constructor(attributes: SoundAttributes, changed: (sounds: Sounds) => void) {
    this.#attributes = attributes;
    this.#changed = changed;
  }

  /** As the attributes say now; whether the disconnect sound plays is found out meanwhile. */
  read(): Sounds {
    const { disconnectSoundUrl: disconnect, ringtoneUrl: ringtone, holdMusicUrl } = this.#attributes;
    const sounds = {
      disconnect: resolve('disconnect-sound-url', disconnect),
      ringtone: resolve('ringtone-url', ringtone),
      holdMusic: resolve('hold-music-url', holdMusicUrl),
    };
    this.#check.abort();
    this.#check = new AbortController();
    if (sounds.disconnect) void this.#tryOut(sounds.disconnect, disconnect, this.#check.signal);
    return sounds;
  }

  async #tryOut(address: string, value: string, signal: AbortSignal): Promise<void> {
    if (await isPlayable(address, signal)) return;
    warnOnce('disconnect-sound-url', value, 'cannot be loaded or played');
    if (!signal.aborted) this.#changed(this.read());
  }
}

function resolve(attribute: string, value: string): string | undefined {
  if (value === '' || warned.has(`${attribute} ${value}`)) return undefined;
  const address = soundAddress(value);
  if (address === undefined) warnOnce(attribute, value, 'is not the address of a sound');
  return address;
}

/** Only the browser knows whether it can fetch and play an address. What it has not told in time counts as playable. */
async function isPlayable(address: string, signal: AbortSignal): Promise<boolean> {
  const audio = new Audio();
  const over = AbortSignal.any([signal, AbortSignal.timeout(TRY_OUT_TIMEOUT_MS)]);
  return new Promise((settle) => {
    const end = (playable: boolean) => {
      audio.removeAttribute('src');
      settle(playable);
    };
    audio.addEventListener('loadedmetadata', () => end(true), { signal: over });
    audio.addEventListener('error', () => audio.hasAttribute('src') && end(false), { signal: over });
    over.addEventListener('abort', () => end(true), { once: true });
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

/** The absolute address of a sound, or `undefined` when it cannot be one. */
function soundAddress(value: string): string | undefined {
  const address = URL.parse(value, document.baseURI);
  if (!address) return undefined;
  const playable = /^(https?|blob):$/.test(address.protocol) || address.href.startsWith('data:audio/');
  return playable ? address.href : undefined;
}
