/** The sounds that the page has configured. The dialer warns once of a sound that cannot be played, and leaves it out. */
import { isPlayable } from '../page/sound.ts';
import { hasWarned, warnOnce } from '../page/console.ts';
import type { Sounds } from '../sdk/calling-sdk.ts';
import { parseAddress, parseText } from './attributes.ts';

export interface RawSounds {
  readonly disconnectSoundUrl: unknown;
  readonly ringtoneUrl: unknown;
  readonly holdMusicUrl: unknown;
}

export function parseSounds({ disconnectSoundUrl, ringtoneUrl, holdMusicUrl }: RawSounds): Sounds {
  return {
    disconnect: usableSound('disconnect-sound-url', parseText(disconnectSoundUrl)),
    ringtone: usableSound('ringtone-url', parseText(ringtoneUrl)),
    holdMusic: usableSound('hold-music-url', parseText(holdMusicUrl)),
  };
}

/** Asks the browser whether it can play the disconnect sound: without it the vendor's own sound is the better choice. */
export class DisconnectSoundCheck {
  readonly #onUnplayable: () => void;
  #checked = '';
  #check = new AbortController();

  constructor(onUnplayable: () => void) {
    this.#onUnplayable = onUnplayable;
  }

  /** @param attribute as the page has written it */
  async check(attribute: string): Promise<void> {
    const address = soundAddress(attribute);
    if (attribute === this.#checked) return;
    this.#checked = attribute;
    this.#check.abort();
    this.#check = new AbortController();
    const { signal } = this.#check;
    if (address === undefined || (await isPlayable(address, signal)) || signal.aborted) return;
    warnOnce('disconnect-sound-url', attribute, 'cannot be loaded or played');
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
