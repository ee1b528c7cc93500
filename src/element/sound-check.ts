/** The page's sounds. The dialer warns once of a sound that cannot be played, and does not use it. */
import { parseAddress } from '../page/address.ts';
import { soundTrouble } from '../page/sound.ts';
import { warnOnce } from '../page/console.ts';
import type { Sounds } from '../sdk/calling-sdk.ts';

const ATTRIBUTES = {
  disconnectSoundUrl: 'disconnect-sound-url',
  ringtoneUrl: 'ringtone-url',
  holdMusicUrl: 'hold-music-url',
} as const;

type RawSounds = Readonly<Record<keyof typeof ATTRIBUTES, string>>;

/** Asks the browser whether it can play the page's sounds; if not, the vendor's own sound is used. */
export class SoundCheck {
  readonly #onChanged: () => void;
  readonly #checks = new Map<string, { readonly value: string; readonly abort: AbortController }>();
  /** Values that cannot be loaded or played. */
  readonly #unplayable = new Set<string>();

  /** @param onChanged a sound cannot be used any more, or can be used again */
  constructor(onChanged: () => void) {
    this.#onChanged = onChanged;
  }

  parse({ disconnectSoundUrl, ringtoneUrl, holdMusicUrl }: RawSounds): Sounds {
    return {
      disconnect: this.#usable(ATTRIBUTES.disconnectSoundUrl, disconnectSoundUrl),
      ringtone: this.#usable(ATTRIBUTES.ringtoneUrl, ringtoneUrl),
      holdMusic: this.#usable(ATTRIBUTES.holdMusicUrl, holdMusicUrl),
    };
  }

  check(sounds: RawSounds): void {
    for (const [property, attribute] of Object.entries(ATTRIBUTES))
      void this.#check(attribute, sounds[property as keyof RawSounds]);
  }

  /** Perhaps the server of a sound was unreachable: the next `check()` loads again what could not be loaded. */
  retry(): void {
    for (const [attribute, { value }] of this.#checks)
      if (this.#unplayable.has(value)) this.#checks.delete(attribute);
  }

  async #check(attribute: string, value: string): Promise<void> {
    const last = this.#checks.get(attribute);
    if (value === (last?.value ?? '')) return;
    last?.abort.abort();
    const abort = new AbortController();
    this.#checks.set(attribute, { value, abort });
    const address = soundAddress(value);
    const trouble = address === undefined ? undefined : await soundTrouble(address, abort.signal);
    if (abort.signal.aborted || (trouble !== undefined) === this.#unplayable.has(value)) return;
    if (trouble === undefined) this.#unplayable.delete(value);
    else {
      this.#unplayable.add(value);
      warnOnce(attribute, trouble);
    }
    this.#onChanged();
  }

  #usable(attribute: string, value: string): string | undefined {
    if (value === '' || this.#unplayable.has(value)) return undefined;
    const address = soundAddress(value);
    if (address === undefined) warnOnce(attribute, 'is not an http, https, blob or data:audio URL');
    return address;
  }
}

/** The absolute address of a sound, or `undefined` when it cannot be one. */
function soundAddress(value: string): string | undefined {
  const { protocol = '', href = '' } = parseAddress(value) ?? {};
  return /^(https?|blob):$/.test(protocol) || href.startsWith('data:audio/') ? href : undefined;
}
