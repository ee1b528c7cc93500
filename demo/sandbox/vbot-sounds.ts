/** What the agent hears besides the far voice: the ring, the tone while calling out, the sound of the end. */
import { toneUrl } from './vbot-tones.ts';

export interface SoundConfig {
  readonly ringtoneUrl?: string;
  readonly holdMusicUrl?: string;
  readonly disconnectSoundUrl?: string;
  readonly ringtoneVolume?: number;
  readonly holdMusicVolume?: number;
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

  /** An empty address means the default sound. The end takes the volume of the ring. */
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

function setSound(audio: HTMLAudioElement, url: string): void {
  const { href } = new URL(url, document.baseURI);
  if (audio.src !== href) audio.src = href;
}

function play(audio: HTMLAudioElement): void {
  audio.currentTime = 0;
  // Refused as long as nobody has touched the page, and not tried again.
  audio.play().catch(() => undefined);
}
