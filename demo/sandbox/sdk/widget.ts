/**
 * A stand-in for the vendor's calling SDK, bundled into the script `/vendor/vbot-sdk.js`: the element `<vbot-widget>`
 * with the attributes, methods and events that a dialer needs, and the behaviour of the vendor's public build in headless
 * mode, defects included.
 * Loading it defines the element; there is nothing to import.
 */
import { effect } from '@preact/signals-core';
import { parseConfig, type SoundConfig } from './audio.ts';
import { Phone } from './phone.ts';
import { VbotState, type CallData, type CallState, type WireHotline } from './state.ts';

const CALL_EVENTS: Readonly<Record<CallState, string>> = {
  ringing: 'onCallIncoming',
  dialing: 'onCallProgress',
  'in-call': 'onCallAccepted',
  idle: 'onCallEnded',
};

/** Silenced for the whole page, as by the vendor's build; a wrapper has to restore them. */
const CONSOLE = ['log', 'warn', 'info', 'error', 'exception', 'table', 'trace'];

/** Beside the script, where the sandbox serves its API; the vendor's build has its own address built in. */
const DEFAULT_BASE = new URL(
  'v3.0',
  (document.currentScript as HTMLScriptElement | null)?.src ?? location.href,
).href;

/** One client per page, whatever the number of elements. */
const state = new VbotState();
const phone = new Phone(state);

class VBotWidget extends HTMLElement {
  static readonly observedAttributes = ['config'];
  /** An element that is not in the page emits nothing. */
  readonly #reports = createReports((name, detail) =>
    this.dispatchEvent(new CustomEvent(`vbot:${name}`, { detail })),
  );
  #stops: (() => void)[] = [];

  constructor() {
    super();
    this.attachShadow({ mode: 'open' }).append(document.createElement('div'));
  }

  connectedCallback(): void {
    phone.loadSounds(this.#config());
    this.#stops = this.#reports.map((report) => effect(report));
    // Read once: a token that is set or changed later counts from the next insertion on.
    const token = this.getAttribute('token');
    if (token) void phone.boot(this.#base(), token);
  }

  disconnectedCallback(): void {
    for (const stop of this.#stops.splice(0)) stop();
    phone.destroy();
  }

  attributeChangedCallback(): void {
    phone.configure(this.#config());
  }

  makeCall(phoneNumber: string, hotline?: string | null, externalCallId?: string): Promise<void> {
    return phone.makeCall(phoneNumber, hotline, externalCallId);
  }

  answerCall(): Promise<void> {
    return phone.calls.answer();
  }

  hangupCall(): void {
    phone.calls.hangUp();
  }

  sendDTMF(tones: string): void {
    phone.calls.sendDtmf(tones);
  }

  toggleMuteMicrophone(): void {
    phone.microphone.toggleMute();
  }

  isMicrophoneMuted(): boolean {
    return phone.microphone.isMuted;
  }

  getHotlines(): { name?: string | undefined; number?: string | undefined }[] {
    return state.hotlines.value.map(toHotline);
  }

  getCallState(): CallState {
    return state.call.value;
  }

  getCallData(): CallData | null {
    return state.callData.value;
  }

  setAudioInputDevice(deviceId: string): Promise<boolean> {
    return phone.microphone.use(deviceId, phone.calls.connection);
  }

  setAudioOutputDevice(deviceId: string): Promise<boolean> {
    return phone.useOutputDevice(deviceId);
  }

  #base(): string {
    // The page's URL comes second, as in the vendor's build: a crafted link can send the token elsewhere.
    const fromPage = new URLSearchParams(location.search).get('vbot_api_url');
    return (this.getAttribute('base-url') || fromPage || DEFAULT_BASE).replace(/\/$/, '');
  }

  #config(): SoundConfig {
    try {
      return parseConfig(JSON.parse(this.getAttribute('config') ?? '{}'));
    } catch {
      return {};
    }
  }
}

/**
 * Turns changes of the shared state into events, from inside the effects that follow it, as the vendor's SDK does: a listener
 * that reads SDK state subscribes the effect to it, and the event comes again later with a stale detail. What was reported last
 * is kept while the element is out of the page; a new element begins with the current values, so that it emits only changes.
 */
function createReports(emit: (name: string, detail?: object) => void): (() => void)[] {
  const { transport, user, call, callData, duration, hotlines, failure, notices } = state;
  const emitIfSet = (name: string, detail: object | undefined) => void (detail && emit(name, { ...detail }));
  let lastCallData: CallData | null = null;
  return [
    onChange(
      () => transport.value,
      transport.peek(),
      (now, before) => {
        if (now === 'connecting') emit('onConnecting');
        else if (now === 'connected') emit('onConnected');
        // A socket that never came up is not reported lost.
        else if (before === 'connected') emit('onDisconnected');
      },
    ),
    onChange(
      () => user.value,
      user.peek(),
      (now, before) => {
        if (now.status === 'registered') return emit('onUserConnected');
        if (before.status === 'registered') emit('onUserDisconnected');
        if (now.status === 'failed') emit('onUserConnectionFailed', { error: now.error });
      },
    ),
    // Every end comes as `onCallEnded`, a failure too.
    onChange(
      () => {
        lastCallData = callData.peek() ?? lastCallData;
        return call.value;
      },
      call.peek(),
      (now) => {
        const data = lastCallData;
        emit('onCallStateChange', { state: now });
        emit(CALL_EVENTS[now], { callData: data });
      },
    ),
    onChange(
      () => duration.value,
      undefined,
      (now) => {
        if (now !== undefined) emit('onCallDuration', { duration: now });
      },
    ),
    onChange<readonly WireHotline[] | undefined>(
      () => hotlines.value,
      undefined,
      (now = []) => emit('onHotlinesUpdated', { hotlines: now.map(toHotline) }),
    ),
    () => emitIfSet('onCallFailed', failure.value),
    () => emitIfSet('onError', notices.error.value),
    () => emitIfSet('onWarning', notices.warning.value),
    () => emitIfSet('onInfo', notices.info.value),
  ];
}

function onChange<T>(read: () => T, initial: T, report: (now: T, before: T) => void): () => void {
  let last = initial;
  return () => {
    const now = read();
    if (now === last) return;
    const before = last;
    last = now;
    report(now, before);
  };
}

/** On the wire it is a `phoneNumber`, in the page a `number`. */
function toHotline({ name, phoneNumber: number }: WireHotline) {
  return { name: name ?? number, number };
}

for (const method of CONSOLE) Reflect.set(console, method, () => undefined);
if (!customElements.get('vbot-widget')) customElements.define('vbot-widget', VBotWidget);
Object.assign(globalThis, { VBotWidget: { VBotWidget } });
