/** What is heard: the microphone of the page's one client, and the sounds besides the voice of the other side. */
import { signal } from '@preact/signals-core';
import * as z from 'zod/mini';
import { TEXTS, type VbotState } from './state.ts';

export class Microphone {
  readonly #state: VbotState;
  readonly #stream = signal<MediaStream | undefined>(undefined);
  #isMuted = false;

  constructor(state: VbotState) {
    this.#state = state;
  }

  get isMuted(): boolean {
    return this.#isMuted;
  }

  /** No event reports it. Also while idle, until the next call. */
  toggleMute(): void {
    this.#isMuted = !this.#isMuted;
    for (const track of this.#stream.peek()?.getTracks() ?? []) track.enabled = !this.#isMuted;
  }

  /** The open microphone, else a new one. Two calls at once leave the first stream live, as in the vendor's build. */
  async open(): Promise<MediaStream> {
    this.#isMuted = false;
    const open = this.#stream.value;
    if (open) return open;
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true, video: false });
    this.#stream.value = stream;
    return stream;
  }

  /** For an outgoing call; reports why there is none. */
  async openToCall(): Promise<MediaStream | undefined> {
    try {
      return await this.open();
    } catch (error) {
      this.#state.notify('error', failureText(error));
      return undefined;
    }
  }

  /** Before answering; false when the call has to go on ringing. Without a device it is answered all the same. */
  async openToAnswer(): Promise<boolean> {
    try {
      await this.open();
      return true;
    } catch (error) {
      const missing = isNamed(error, 'NotFoundError');
      if (missing) this.#state.notify('warning', TEXTS.microphoneMissingShort);
      else this.#state.notify('error', failureText(error));
      return missing;
    }
  }

  /** Opens another device, also into a running call, where it is not muted; false when it cannot be opened. */
  async use(deviceId: string, connection: RTCPeerConnection | null | undefined): Promise<boolean> {
    try {
      const audio = deviceId === 'default' ? {} : { deviceId: { exact: deviceId } };
      const stream = await navigator.mediaDevices.getUserMedia({ audio, video: false });
      const sender = connection?.getSenders().find(({ track }) => track?.kind === 'audio');
      await sender?.replaceTrack(stream.getAudioTracks()[0] ?? null);
      this.close();
      this.#stream.value = stream;
      return true;
    } catch {
      return false;
    }
  }

  close(): void {
    this.#isMuted = false;
    for (const track of this.#stream.peek()?.getTracks() ?? []) track.stop();
    this.#stream.value = undefined;
  }
}

function failureText(error: unknown): string {
  if (isNamed(error, 'NotFoundError')) return TEXTS.microphoneMissing;
  return isNamed(error, 'NotAllowedError') ? TEXTS.microphoneBlocked : TEXTS.microphoneFailed;
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof DOMException && error.name === name;
}

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

/** The default sounds, generated so that nothing is fetched: short telephone tones as WAV data URLs. */
interface Tone {
  readonly hertz: readonly number[];
  /** Seconds of sound and of silence after it, one after the other. */
  readonly pattern: readonly number[];
}

const TONES = {
  ringtone: { hertz: [440, 554], pattern: [0.4, 0.2, 0.4, 2] },
  ringback: { hertz: [425], pattern: [1, 4] },
  disconnect: { hertz: [425], pattern: [0.2, 0.2, 0.2, 0.2] },
} satisfies Record<string, Tone>;

const SAMPLE_RATE = 4000;
const SILENCE = 128;
const LOUDNESS = 40;

const urls = new Map<string, string>();

function toneUrl(name: keyof typeof TONES): string {
  const made = urls.get(name) ?? `data:audio/wav;base64,${btoa(String.fromCharCode(...wave(TONES[name])))}`;
  urls.set(name, made);
  return made;
}

const text = (value: string) => [...new TextEncoder().encode(value)];
const u16 = (value: number) => [value & 255, value >> 8];
const u32 = (value: number) => [...u16(value & 0xffff), ...u16(value >> 16)];

/** One period of the tone as an 8-bit mono WAV file. */
function wave({ hertz, pattern }: Tone): number[] {
  const samples = pattern.flatMap((seconds, index) =>
    Array.from({ length: seconds * SAMPLE_RATE }, (_, sample) =>
      index % 2 ? SILENCE : level(hertz, sample),
    ),
  );
  const format = [...u16(1), ...u16(1), ...u32(SAMPLE_RATE), ...u32(SAMPLE_RATE), ...u16(1), ...u16(8)];
  const chunk = [
    ...text('WAVEfmt '),
    ...u32(16),
    ...format,
    ...text('data'),
    ...u32(samples.length),
    ...samples,
  ];
  return [...text('RIFF'), ...u32(chunk.length), ...chunk];
}

function level(hertz: readonly number[], sample: number): number {
  const sum = hertz.reduce((total, f) => total + Math.sin((2 * Math.PI * f * sample) / SAMPLE_RATE), 0);
  return Math.round(SILENCE + (LOUDNESS * sum) / hertz.length);
}
