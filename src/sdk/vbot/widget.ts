/** The vendor's element, as far as we use it. */
import type { Sounds } from '../calling-sdk.ts';
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

const TAG = 'vbot-widget';

/** Has the SDK's script run in this page? */
export const isSdkDefined = () => customElements.get(TAG) !== undefined;

export function createElement(): VbotElement {
  return document.createElement(TAG) as VbotElement;
}

/** Only the attribute `config` works at run time; the public build ignores the one named after the disconnect sound. */
export function configure(element: VbotElement, sounds: Sounds, isVisible: boolean): void {
  const config = {
    headless: !isVisible,
    enableFloatingBubble: isVisible,
    ...(sounds.disconnect && { disconnectSoundUrl: sounds.disconnect }),
    ...(sounds.ringtone && { ringtoneUrl: sounds.ringtone }),
    ...(sounds.holdMusic && { holdMusicUrl: sounds.holdMusic }),
  };
  element.setAttribute('config', JSON.stringify(config));
}

/** The SDK's own state; `undefined`: it does not tell. */
export function readState(element: VbotElement): unknown {
  try {
    return element.getCallState?.();
  } catch {
    return undefined;
  }
}

/** The call that the SDK is in; `undefined`: none, or it does not tell. */
export function readCall(element: VbotElement): VbotCallData | undefined {
  try {
    return parseCallData(element.getCallData());
  } catch {
    return undefined;
  }
}

/** Has the SDK no call? */
export function isIdle(element: VbotElement): boolean {
  const state = readState(element);
  return state === undefined ? readCall(element) === undefined : state === 'idle';
}
