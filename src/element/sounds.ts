/** The sounds a page configured. One that cannot be played is left out, with one warning that says which and why. */
import { hasWarned, warnOnce } from '../page/warn-once.ts';
import type { Sounds } from '../sdk/calling-sdk.ts';

export interface SoundAttributes {
  readonly disconnectSoundUrl: string;
  readonly ringtoneUrl: string;
  readonly holdMusicUrl: string;
}

export class ElementSounds {
  readonly #attributes: SoundAttributes;
  readonly #changed: (sounds: Sounds) => void;
  #check = new AbortController();
  /** The disconnect sound as the attribute has it, until it is known whether it plays. */
  #untried = '';

  /** @param changed is given the sounds anew when one of the last turns out not to play */
  constructor(attributes: SoundAttributes, changed: (sounds: Sounds) => void) {
    this.#attributes = attributes;
    this.#changed = changed;
  }

  /** As the attributes say now; whether the disconnect sound plays is found out later. */
  read(): Sounds {
    const { disconnectSoundUrl: disconnect, ringtoneUrl: ringtone, holdMusicUrl } = this.#attributes;
    const sounds = {
      disconnect: resolve('disconnect-sound-url', disconnect),
      ringtone: resolve('ringtone-url', ringtone),
      holdMusic: resolve('hold-music-url', holdMusicUrl),
    };
    this.#check.abort();
    this.#check = new AbortController();
    this.#untried = sounds.disconnect ? disconnect : '';
    return sounds;
  }

  /** Once there is what plays them: the sounds as they were read last. */
  async tryOut(isPlayable: (address: string, signal: AbortSignal) => Promise<boolean>): Promise<void> {
    const value = this.#untried;
    // Asked after every drawing.
    if (value === '') return;
    const address = soundAddress(value);
    const { signal } = this.#check;
    this.#untried = '';
    if (address === undefined || (await isPlayable(address, signal))) return;
    warnOnce('disconnect-sound-url', value, 'cannot be loaded or played');
    if (!signal.aborted) this.#changed(this.read());
  }
}

function resolve(attribute: string, value: string): string | undefined {
  if (value === '' || hasWarned(attribute, value)) return undefined;
  const address = soundAddress(value);
  if (address === undefined) warnOnce(attribute, value, 'is not the address of a sound');
  return address;
}

/** The absolute address of a sound, or `undefined` when it cannot be one. */
function soundAddress(value: string): string | undefined {
  const address = URL.parse(value, document.baseURI);
  if (!address) return undefined;
  const playable = /^(https?|blob):$/.test(address.protocol) || address.href.startsWith('data:audio/');
  return playable ? address.href : undefined;
}
