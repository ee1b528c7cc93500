/** The sounds besides the voice of the other side: ringtone, ringback while calling out, and the disconnect sound. */
import * as z from 'zod/mini';
import { toneUrl } from './tones.ts';

const url = z.catch(z.optional(z.string()), undefined);
const volume = z.catch(z.optional(z.number().check(z.minimum(0), z.maximum(1))), undefined);

/** The part of the element's configuration that matters without a user interface; what is nonsense counts as absent. */
const configSchema = z.object({
  ringtoneUrl: url,
  holdMusicUrl: url,
  disconnectSoundUrl: url,
  ringtoneVolume: volume,
  holdMusicVolume: volume,
});
export type SoundConfig = z.infer<typeof configSchema>;

export function parseConfig(config: unknown): SoundConfig {
  return z.catch(configSchema, {}).parse(config);
}

const RINGTONE_VOLUME = 0.8;
const HOLD_MUSIC_VOLUME = 0.4;

export class Sounds {
  readonly #ringtone = new Audio();
  readonly #holdMusic = new Audio();
  readonly #disconnect = new Audio();

  constructor() {
    this.#ringtone.loop = true;
    this.#holdMusic.loop = true;
  }

  /** An empty address means the default sound. The disconnect sound has the volume of the ringtone. */
  configure(config: SoundConfig): void {
    setSound(this.#ringtone, config.ringtoneUrl || toneUrl('ringtone'));
    setSound(this.#holdMusic, config.holdMusicUrl || toneUrl('ringback'));
    setSound(this.#disconnect, config.disconnectSoundUrl || toneUrl('disconnect'));
    this.#ringtone.volume = config.ringtoneVolume ?? RINGTONE_VOLUME;
    this.#disconnect.volume = config.ringtoneVolume ?? RINGTONE_VOLUME;
    this.#holdMusic.volume = config.holdMusicVolume ?? HOLD_MUSIC_VOLUME;
  }

  ring(): void {
    play(this.#ringtone);
  }

  callOut(): void {
    play(this.#holdMusic);
  }

  end(): void {
    this.stop();
    play(this.#disconnect);
  }

  /** Ends what loops. */
  stop(): void {
    for (const audio of [this.#ringtone, this.#holdMusic]) audio.pause();
  }
}

function setSound(audio: HTMLAudioElement, address: string): void {
  // Setting it again would load it again.
  if (audio.getAttribute('src') !== address) audio.src = address;
}

function play(audio: HTMLAudioElement): void {
  audio.currentTime = 0;
  // Browsers refuse it before the first user gesture; it is not tried again.
  audio.play().catch(() => undefined);
}
