/** The vendor's element, as far as we use it. */

import type { Sounds } from '../calling-sdk.ts';
import { TAG } from './tag.ts';
import { parseCallData, type VbotCallData } from './messages.ts';

export interface VbotElement extends HTMLElement {
  makeCall(number: string, hotline?: string, externalCallId?: string): Promise<unknown>;
  answerCall(): Promise<unknown>;
  hangupCall(): void;
  sendDTMF(tone: string): void;
  getHotlines(): unknown;
  getCallData(): unknown;
  getCallState?(): unknown;
}

/** `undefined`: it does not say. */
export function readState(element: VbotElement): unknown {
  try {
    return element.getCallState?.();
  } catch {
    return undefined;
  }
}

/** Has the SDK no call? */
export function isIdle(element: VbotElement): boolean {
  const state = readState(element);
  return state === undefined ? readCall(element) === undefined : state === 'idle';
}

/** The call that the SDK is in, as it says itself. */
export function readCall(element: VbotElement): VbotCallData | undefined {
  try {
    return parseCallData(element.getCallData());
  } catch {
    return undefined;
  }
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
