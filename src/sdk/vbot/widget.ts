/** The vendor's element, as far as we use it. */

import { callDataSchema, type VbotCallData } from './messages.ts';

export const TAG = 'vbot-widget';

export interface VbotElement extends HTMLElement {
  makeCall(number: string, hotline?: string, externalCallId?: string): Promise<unknown>;
  answerCall(): Promise<unknown>;
  hangupCall(): void;
  sendDTMF(tone: string): void;
  getHotlines(): unknown;
  getCallData(): unknown;
  getCallState?(): unknown;
}

/** Has the SDK no call? `undefined`: it does not say. */
export function isIdle(element: VbotElement): boolean | undefined {
  try {
    const state = element.getCallState?.();
    return state === undefined ? element.getCallData() === null : state === 'idle';
  } catch {
    return undefined;
  }
}

/** The call that the SDK is in, as it says itself. */
export function readCall(element: VbotElement): VbotCallData | undefined {
  try {
    return callDataSchema.safeParse(element.getCallData()).data;
  } catch {
    return undefined;
  }
}

export const isDefined = () => customElements.get(TAG) !== undefined;

export function createElement(): VbotElement {
  return document.createElement(TAG) as VbotElement;
}
