/**
 * What runs in the page before anything else: it notes what happens and touches nothing. The functions are sent to the
 * page as text, so they may use nothing of this module.
 */

/** What the page gets when it asks for one. */
export type Microphone = 'granted' | 'denied' | 'absent';

/** What is worth comparing of a call's data; the session itself is alive and cannot be copied. */
interface CallCopy {
  readonly phoneNumber: string | null;
  readonly displayName?: string | undefined;
  readonly direction: string;
  readonly externalCallId?: string | undefined;
  readonly session: boolean;
}

export interface PageEvent {
  /** The SDK's event without its prefix, or the page's own word for what it noticed. */
  readonly name: string;
  /** By the page's clock, in milliseconds. */
  readonly at?: number;
  readonly detail: {
    readonly state?: string;
    readonly error?: string;
    readonly message?: string;
    readonly hotlines?: readonly { readonly name?: string; readonly number?: string }[];
    readonly call?: CallCopy;
    readonly value?: string;
    /** Which element it came from, where there are two. */
    readonly on?: string;
  };
}

/** The vendor's element, as far as a page may use it. */
interface RawWidget extends HTMLElement {
  makeCall(number: unknown, hotline?: string | null, externalCallId?: string): Promise<unknown>;
  answerCall(): Promise<unknown>;
  hangupCall(): unknown;
  sendDTMF(tones: string): unknown;
  getHotlines(): { name?: string; number?: string }[];
  getCallState(): string;
  getCallData(): RawCallData | null;
  toggleMuteMicrophone(): void;
  isMicrophoneMuted(): boolean;
  setAudioInputDevice(deviceId: string): Promise<unknown>;
  setAudioOutputDevice(deviceId: string): Promise<unknown>;
}

interface RawCallData {
  readonly phoneNumber: string;
  readonly session?: RawSession;
}

interface RawSession {
  readonly connection: RTCPeerConnection;
  hold(): boolean;
  unhold(): boolean;
  mute(options: { audio: boolean }): void;
  unmute(options: { audio: boolean }): void;
  on(event: 'failed', listener: (end: { readonly message?: { readonly status_code: number } }) => void): void;
}

declare global {
  var note: (event: PageEvent) => Promise<void>;
  var watch: (widget: HTMLElement, name?: string) => void;
  /** The element most scenarios are about. */
  var widget: RawWidget;
  /** Every microphone track the page was given, in order. */
  var microphones: MediaStreamTrack[];
  /** What the page had before the SDK came. */
  var pristine: {
    readonly console: Readonly<Partial<Console>>;
    readonly fetch: unknown;
    readonly WebSocket: unknown;
    readonly defineProperty: unknown;
  };
}

const EVENTS = [
  'onConnecting',
  'onConnected',
  'onDisconnected',
  'onUserConnected',
  'onUserDisconnected',
  'onUserConnectionFailed',
  'onHotlinesUpdated',
  'onCallStateChange',
  'onCallIncoming',
  'onCallProgress',
  'onCallAccepted',
  'onCallDuration',
  'onCallEnded',
  'onCallFailed',
  'onError',
  'onWarning',
  'onInfo',
];

/** The script to run in the page before any other. */
export function observerScript(microphone: Microphone): string {
  // The compiler names inner functions with a helper of its own, which the page does not have.
  const helper = 'globalThis.__name = (named) => named;';
  return `${helper}(${observe.toString()})(${JSON.stringify(EVENTS)}, ${JSON.stringify(microphone)});`;
}

function observe(events: readonly string[], microphone: Microphone): void {
  const { defineProperty } = Object;
  globalThis.pristine = { console: { ...console }, fetch, WebSocket, defineProperty };
  globalThis.microphones = [];

  globalThis.watch = (widget, on) => {
    for (const name of events) {
      widget.addEventListener(`vbot:${name}`, (event) => {
        const { callData, ...detail } = ((event as CustomEvent).detail ?? {}) as { callData?: RawCallData };
        const call = callData && { ...callData, session: Boolean(callData.session) };
        // By way of JSON: what cannot be copied is left out.
        const copy = JSON.parse(JSON.stringify({ ...detail, ...(call && { call }), on }));
        void note({ name, at: performance.now(), detail: copy });
      });
    }
  };

  const devices = navigator.mediaDevices;
  const open = devices.getUserMedia.bind(devices);
  devices.getUserMedia = async (constraints) => {
    void note({ name: 'microphone asked for', detail: {} });
    if (microphone === 'denied') throw new DOMException('Permission denied', 'NotAllowedError');
    if (microphone === 'absent') throw new DOMException('Requested device not found', 'NotFoundError');
    const stream = await open(constraints);
    microphones.push(...stream.getAudioTracks());
    return stream;
  };

  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = function notedPlay() {
    const value = this.srcObject ? 'a stream' : this.currentSrc || this.src;
    if (!value.startsWith('data:')) void note({ name: 'play', detail: { value } });
    return play.call(this);
  };
}
