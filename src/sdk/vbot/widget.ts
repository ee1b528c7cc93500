/** The vendor's element, as far as we use it. */

export const TAG = 'vbot-widget';

export interface VbotElement extends HTMLElement {
  makeCall(number: string, hotline?: string, externalCallId?: string): Promise<unknown>;
  answerCall(): Promise<unknown>;
  hangupCall(): void;
  sendDTMF(tone: string): void;
  getHotlines(): unknown;
  getCallData(): unknown;
}

export const isDefined = () => customElements.get(TAG) !== undefined;

export function createElement(): VbotElement {
  return document.createElement(TAG) as VbotElement;
}
