/** The sounds the element's attributes name, without one that turns out not to play. */
import { isPlayable, resolveSounds, warnOnce } from './sounds.ts';
import type { Sounds } from '../sdk/calling-sdk.ts';

interface SoundAttributes {
  readonly disconnectSoundUrl: string;
  readonly ringtoneUrl: string;
  readonly holdMusicUrl: string;
}

export class ElementSounds {
  readonly #attributes: SoundAttributes;
  readonly #changed: (sounds: Sounds) => void;
  #check = new AbortController();

  /** @param changed hears of the sounds anew, should the last ones read not play */
  constructor(attributes: SoundAttributes, changed: (sounds: Sounds) => void) {
    this.#attributes = attributes;
    this.#changed = changed;
  }

  /** As the attributes say now; whether the disconnect sound plays is found out meanwhile. */
  read(): Sounds {
    const { disconnectSoundUrl: disconnect, ringtoneUrl: ringtone, holdMusicUrl } = this.#attributes;
    const sounds = resolveSounds({ disconnect, ringtone, 'hold-music': holdMusicUrl });
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
