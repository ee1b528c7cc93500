/**
 * A stand-in for the vendor's calling SDK, bundled into the script `/vendor/vbot-sdk.js`: the element `<vbot-widget>`
 * with the attributes, methods, events and behaviour of the vendor's public build in headless mode, defects included.
 * Loading it defines the element; there is nothing to import.
 */
import { silenceConsole } from './console.ts';
import { Phone } from './phone.ts';
import { parseConfig, type SoundConfig } from './sounds.ts';
import { VbotState, type CallData, type CallState } from './state.ts';
import { toHotline, WidgetEvents } from './widget-events.ts';

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
  readonly #events = new WidgetEvents(this, state);

  constructor() {
    super();
    this.attachShadow({ mode: 'open' }).append(document.createElement('div'));
  }

  connectedCallback(): void {
    phone.loadSounds(this.#config());
    this.#events.start();
    // Read once: a token that is set or changed later counts from the next insertion on.
    const token = this.getAttribute('token');
    if (token) void phone.boot(this.#base(), token);
  }

  disconnectedCallback(): void {
    this.#events.stop();
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

  getHotlines(): { name?: string | undefined; number?: string | undefined }[] {
    return state.hotlines.value.map(toHotline);
  }

  setDialHotline(hotline: string | null): void {
    phone.setDialHotline(hotline);
  }

  getCallState(): CallState {
    return state.call.value;
  }

  getCallData(): CallData | null {
    return state.callData.value;
  }

  toggleMuteMicrophone(): void {
    phone.microphone.toggleMute();
  }

  isMicrophoneMuted(): boolean {
    return phone.microphone.muted;
  }

  setAudioInputDevice(deviceId: string): Promise<boolean> {
    return phone.microphone.use(deviceId, phone.calls.connection);
  }

  setAudioOutputDevice(deviceId: string): Promise<boolean> {
    return phone.useOutputDevice(deviceId);
  }

  /** Without effect, as in the vendor's build: the attribute is applied again inside the same call. */
  updateWidgetConfig(config: unknown): void {
    phone.configure(parseConfig(config));
    phone.configure(this.#config());
  }

  /** There is no user interface to show or to hide. */
  showCallUI(): void {}

  dismissCallUI(): void {}

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

silenceConsole();
if (!customElements.get('vbot-widget')) customElements.define('vbot-widget', VBotWidget);
Object.assign(globalThis, { VBotWidget: { VBotWidget } });
