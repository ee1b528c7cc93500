/** The vendor's element as far as we use it, and the one place of the page for it. */
import * as z from 'zod/mini';
import { attempt } from '../../errors.ts';
import { pause } from '../../wait.ts';
import type { Sounds } from '../calling-sdk.ts';
import { callDataSchema, type VbotCallData } from './messages.ts';

export interface VbotElement extends HTMLElement {
  makeCall(number: string, hotline?: string, externalCallId?: string): Promise<unknown>;
  answerCall(): Promise<unknown>;
  hangupCall(): void;
  sendDTMF(tone: string): void;
  getCallData(): unknown;
  getCallState(): unknown;
  /** Turns the microphone on or off, also in a call on hold; the SDK's own call screen shows that. */
  toggleMuteMicrophone(): void;
  isMicrophoneMuted?(): unknown;
  /** Resolves to whether it could be opened. Absent before 1.0.7: a call keeps its microphone. */
  setAudioInputDevice?(id: string): Promise<unknown>;
  setAudioOutputDevice?(id: string): Promise<unknown>;
}

const TAG = 'vbot-widget';

export const isSdkDefined = () => customElements.get(TAG) !== undefined;

export function createElement(token: string, baseUrl: string, vendorUi: boolean): VbotElement {
  const element = document.createElement(TAG) as VbotElement;
  element.setAttribute('token', token);
  element.setAttribute('base-url', baseUrl);
  element.setAttribute('headless', String(!vendorUi));
  return element;
}

/** Do the SDK's own call screens show? */
export function isVisible(element: HTMLElement): boolean {
  return element.getAttribute('headless') === 'false';
}

/**
 * An invalid address: the browser requests nothing, so the page's policy need not allow it. With an empty address the SDK
 * plays its own ringtone, and with the volume at 0 its sound at the end of a call would be silent, too.
 */
const NO_SOUND = 'https://';

/** Only the attribute `config` works at run time; the public build ignores the one named after the disconnect sound. */
export function configure(element: VbotElement, sounds: Sounds): void {
  const config = {
    headless: !isVisible(element),
    enableFloatingBubble: isVisible(element),
    ...(sounds.disconnect && { disconnectSoundUrl: sounds.disconnect }),
    ...(sounds.ringtone && { ringtoneUrl: sounds.ringtone }),
    ...(sounds.ringsItself && { ringtoneUrl: NO_SOUND }),
    ...(sounds.holdMusic && { holdMusicUrl: sounds.holdMusic }),
  };
  const text = JSON.stringify(config);
  // The SDK starts its sounds anew.
  if (element.getAttribute('config') !== text) element.setAttribute('config', text);
}

/** The SDK's own state; `undefined`: it fails. */
export function readState(element: VbotElement): unknown {
  return attempt(() => element.getCallState());
}

/** Has the agent muted, by the SDK's own account? `undefined`: it does not tell. */
export function readMuted(element: VbotElement): unknown {
  return attempt(() => element.isMicrophoneMuted?.());
}

/**
 * Takes the presses on "Chấp nhận" (answer) of the SDK's own call screen. There, a second press would lose the call; and if the
 * caller gave up while the browser asks for the microphone, it would stay open.
 */
export function onAnswerPress(element: VbotElement, signal: AbortSignal, pressed: () => void): void {
  const onClick = (event: Event) => {
    // The screen has shadow roots of its own.
    const [target] = event.composedPath();
    const button = target instanceof Element ? target.closest('button') : undefined;
    if (!/chấp nhận/i.test(`${button?.textContent}`)) return;
    event.stopPropagation();
    pressed();
  };
  element.addEventListener('click', onClick, { capture: true, signal });
}

const LIVE: ReadonlySet<unknown> = new Set(['dialing', 'ringing', 'in-call']);

/** Does the SDK say that it has a call? */
export function isInCall(element: VbotElement): boolean {
  return LIVE.has(readState(element));
}

/** The call that the SDK is in, or was in last. */
export function readCall(element: VbotElement): VbotCallData | undefined {
  return attempt(() => z.safeParse(callDataSchema, element.getCallData()).data);
}

/** The vendor advises to wait this long between two registrations of one member. */
const REST_MS = 1000;

/** The vendor's SDK supports one element per page: the next one waits for the end of the last. */
let vacated = Promise.resolve();
/** The closed shadow root of an element, so that no other code reads the token. It never moves: a move ends the call. */
let stage: ShadowRoot | undefined;

/**
 * Inserts the vendor's element, which starts the SDK, and removes it when the signal aborts.
 *
 * @param unused called after the signal: resolves when the element can be removed
 * @param onRemoved the page has removed it
 * @throws the signal's reason
 */
export async function mountWidget(
  element: HTMLElement,
  unused: () => Promise<void>,
  onRemoved: () => void,
  signal: AbortSignal,
): Promise<void> {
  await vacated;
  signal.throwIfAborted();
  const remove = async () => {
    await unused();
    element.remove();
    await pause(REST_MS, new AbortController().signal);
  };
  signal.addEventListener('abort', () => (vacated = remove()));
  const { host } = (stage ??= createStage());
  host.toggleAttribute('hidden', !isVisible(element));
  if (!host.isConnected) document.documentElement.append(host);
  stage.append(element);
  watchRemoval(element, signal, onRemoved);
}

/** A framework that draws the whole document removes what it did not draw. The SDK then ends without an event. */
function watchRemoval(element: HTMLElement, signal: AbortSignal, onRemoved: () => void): void {
  const observer = new MutationObserver(() => {
    if (element.isConnected) return;
    observer.disconnect();
    onRemoved();
  });
  for (const parent of [document, document.documentElement]) observer.observe(parent, { childList: true });
  signal.addEventListener('abort', () => observer.disconnect());
}

/** Resolves when the element of the last dialer is gone, and the member can be registered again. */
export function whenVacated(): Promise<void> {
  return vacated;
}

function createStage(): ShadowRoot {
  const host = document.createElement('div');
  host.style.cssText = 'position:fixed;width:0;height:0';
  return host.attachShadow({ mode: 'closed' });
}
