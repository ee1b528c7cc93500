/** The page's sounds. The dialer warns once of a sound that cannot be played, and does not use it. */
import { parseAddress } from '../page/address.ts';
import { soundTrouble } from '../page/sound.ts';
import { hasWarned, warnOnce } from '../page/console.ts';
import type { Sounds } from '../sdk/calling-sdk.ts';
import { parseText } from './attributes.ts';

const ATTRIBUTES = {
  disconnectSoundUrl: 'disconnect-sound-url',
  ringtoneUrl: 'ringtone-url',
  holdMusicUrl: 'hold-music-url',
} as const;

export type RawSounds = Readonly<Record<keyof typeof ATTRIBUTES, unknown>>;

export function parseSounds({ disconnectSoundUrl, ringtoneUrl, holdMusicUrl }: RawSounds): Sounds {
  return {
    disconnect: usableSound(ATTRIBUTES.disconnectSoundUrl, parseText(disconnectSoundUrl)),
    ringtone: usableSound(ATTRIBUTES.ringtoneUrl, parseText(ringtoneUrl)),
    holdMusic: usableSound(ATTRIBUTES.holdMusicUrl, parseText(holdMusicUrl)),
  };
}

/** Asks the browser whether it can play the page's sounds; if not, the vendor's own sound is used. */
export class SoundCheck {
  readonly #onUnplayable: () => void;
  readonly #checks = new Map<string, { readonly value: string; readonly abort: AbortController }>();

  constructor(onUnplayable: () => void) {
    this.#onUnplayable = onUnplayable;
  }

  check(sounds: RawSounds): void {
    for (const [property, attribute] of Object.entries(ATTRIBUTES))
      void this.#check(attribute, parseText(sounds[property as keyof RawSounds]));
  }

  async #check(attribute: string, value: string): Promise<void> {
    const last = this.#checks.get(attribute);
    if (value === (last?.value ?? '')) return;
    last?.abort.abort();
    const abort = new AbortController();
    this.#checks.set(attribute, { value, abort });
    const address = soundAddress(value);
    const trouble = address === undefined ? undefined : await soundTrouble(address, abort.signal);
    if (trouble === undefined || abort.signal.aborted) return;
    warnOnce(attribute, value, trouble);
    this.#onUnplayable();
  }
}

function usableSound(attribute: string, value: string): string | undefined {
  if (value === '' || hasWarned(attribute, value)) return undefined;
  const address = soundAddress(value);
  if (address === undefined) warnOnce(attribute, value, 'is not the address of a sound');
  return address;
}

/** The absolute address of a sound, or `undefined` when it cannot be one. */
function soundAddress(value: string): string | undefined {
  const { protocol = '', href = '' } = parseAddress(value) ?? {};
  return /^(https?|blob):$/.test(protocol) || href.startsWith('data:audio/') ? href : undefined;
}
