/** The vendor's element, as far as we use it. */

import type { Sounds } from '../calling-sdk.ts';
import { TAG } from './tag.ts';

export interface VbotElement extends HTMLElement {
  makeCall(number: string, hotline?: string, externalCallId?: string): Promise<unknown>;
  answerCall(): Promise<unknown>;
  hangupCall(): void;
  sendDTMF(tone: string): void;
  getHotlines(): unknown;
  getCallData(): unknown;
  getCallState?(): unknown;
}

export function createElement(): VbotElement {
  return document.createElement(TAG) as VbotElement;
}

/** Only the attribute `config` works at run time; the one named after the disconnect sound is ignored by the public build. */
export function configure(element: VbotElement, sounds: Sounds, visible: boolean): void {
  const config = {
    headless: !visible,
    enableFloatingBubble: visible,
    ...(sounds.disconnect && { disconnectSoundUrl: sounds.disconnect }),
    ...(sounds.ringtone && { ringtoneUrl: sounds.ringtone }),
    ...(sounds.holdMusic && { holdMusicUrl: sounds.holdMusic }),
  };
  element.setAttribute('config', JSON.stringify(config));
}
