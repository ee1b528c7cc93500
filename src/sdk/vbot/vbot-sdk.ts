/**
 * The adapter to the vendor's `<vbot-widget>`. Its names, its Vietnamese texts and its quirks stop in this folder; this
 * file starts and ends it.
 */
import { DialerError } from '../../errors.ts';
import { blockedByPolicy, watchPolicy, type PolicyWatch } from '../../page/content-security-policy.ts';
import type { BootOptions, CallingSdk, SdkEvent, Sounds } from '../calling-sdk.ts';
import { loadScript, type ScriptOptions } from '../load-script.ts';
import { watchNextSocket } from './sip-socket.ts';
import { VbotCalls } from './calls.ts';
import { bootError, Registration } from './registration.ts';
import { isDefined } from './tag.ts';
import { configure, createElement, type VbotElement } from './widget.ts';
import { queueEvents } from './event-queue.ts';
import type { VbotMessage } from './messages.ts';
import { mountWidget, reserveContainer, unmountWidget, unmountWidgetNow } from './container.ts';

/** The vendor's published address; always handed over, else the SDK would take one from the page's own query string. */
const VENDOR_API_BASE = 'https://open-api-h01.vbot.vn/v3.0';
/** Without a word from the SDK for this long after its start, the agent is told; the SDK may still come up later. */
const BOOT_TIMEOUT_MS = 20_000;
/** `WebSocket.OPEN`, which a wrapper that the page has put in its place may lack. */
const OPEN = 1;
/** After any of these the SDK can be removed without leaving a registration behind. */
const BOOT_ENDS = new Set(['vbot:onConnecting', 'vbot:onUserConnected', 'vbot:onUserConnectionFailed']);

export class VbotSdk implements CallingSdk {
  readonly #script: Omit<ScriptOptions, 'isReady'>;
  readonly #emit: (event: SdkEvent) => void;
  readonly #life = new AbortController();
  readonly #registration: Registration;
  #element: VbotElement | undefined;
  #calls: VbotCalls | undefined;
  #sounds: Sounds = {};
  #visible = false;
  /** To the exchange. */
  #socket: WebSocket | undefined;
  /** Until the SDK is registered. */
  #policy: PolicyWatch | undefined;
  #reserved = false;
  #closed = Promise.resolve();
  #isBootSettled = false;
  #settleBoot: () => void = () => undefined;
  readonly #bootSettled = new Promise<void>((resolve) => {
    this.#settleBoot = () => {
      this.#isBootSettled = true;
      resolve();
    };
  });

  constructor(script: Omit<ScriptOptions, 'isReady'>, emit: (event: SdkEvent) => void) {
    this.#script = script;
    this.#emit = emit;
    this.#registration = new Registration(emit, this.#life.signal);
  }

  async load(): Promise<void> {
    // A page that loads the SDK itself is not made to load it twice.
    if (!isDefined()) await loadScript({ ...this.#script, isReady: isDefined });
  }

  async boot(options: BootOptions, signal: AbortSignal): Promise<void> {
    this.#sounds = options.sounds;
    await reserveContainer(AbortSignal.any([signal, this.#life.signal]));
    this.#reserved = true;
    this.#visible = options.vendorUi;
    const element = createElement();
    this.#element = element;
    const emit = (event: SdkEvent) => {
      if (event.type === 'failed') this.#registration.fail(event.error);
      else this.#emit(event);
    };
    const isReachable = () => this.#socket === undefined || this.#socket.readyState === OPEN;
    this.#calls = new VbotCalls(element, emit, this.#life.signal, isReachable);
    element.setAttribute('token', options.token);
    element.setAttribute('base-url', options.baseUrl ?? VENDOR_API_BASE);
    element.setAttribute('headless', String(!this.#visible));
    // What was set while the place was taken counts.
    this.setSounds(this.#sounds);
    this.#listen(element);
    this.#watchPolicy(options.baseUrl ?? VENDOR_API_BASE);
    mountWidget(element, this.#visible);
  }

  async dial(number: string, hotline: string | undefined, externalCallId: string | undefined): Promise<void> {
    if (!this.#calls || !this.#registration.isUp) {
      throw new DialerError('not-ready', 'The SDK is not registered.');
    }
    await this.#calls.dial(number, hotline, externalCallId);
  }

  answer(): void {
    this.#calls?.answer();
  }

  hangUp(): void {
    this.#calls?.hangUp();
  }

  setMuted(on: boolean): void {
    this.#calls?.setMuted(on);
  }

  setHeld(on: boolean): void {
    this.#calls?.setHeld(on);
  }

  async sendDtmf(tones: string, queued?: () => void): Promise<void> {
    await this.#calls?.sendDtmf(tones, queued);
  }

  setSounds(sounds: Sounds): void {
    this.#sounds = sounds;
    if (this.#element) configure(this.#element, sounds, this.#visible);
  }

  close(): Promise<void> {
    if (this.#life.signal.aborted) return this.#closed;
    this.#life.abort();
    if (this.#reserved) this.#closed = unmountWidget(this.#element, this.#bootSettled);
    return this.#closed;
  }

  leave(): void {
    if (this.#life.signal.aborted) return;
    // An element removed during its boot would register all the same, should the page come back.
    if (!this.#isBootSettled) return void this.close();
    this.#life.abort();
    if (this.#reserved) unmountWidgetNow(this.#element);
    // A frozen page does not meet the challenge to its unregistration; with the socket, the registration ends.
    this.#socket?.close();
  }

  /** A boot that goes on has to be waited for; one that has ended keeps nothing alive. */
  #listen(element: VbotElement): void {
    const listening = new AbortController();
    const timeout = setTimeout(() => this.#onBootTimeout(), BOOT_TIMEOUT_MS);
    const stop = async () => {
      await this.#bootSettled;
      clearTimeout(timeout);
      listening.abort();
    };
    this.#life.signal.addEventListener('abort', () => void stop());
    const reader = {
      peek: (eventName: string) => this.#peek(eventName),
      read: (message: VbotMessage, following: readonly VbotMessage[]) => this.#read(message, following),
    };
    queueEvents(element, reader, { reading: this.#life.signal, listening: listening.signal });
  }

  /** The SDK asks its API, and opens a socket to an exchange whose address only the API tells. */
  #watchPolicy(baseUrl: string): void {
    const { origin } = new URL(baseUrl);
    this.#policy = watchPolicy((blocked) => blocked.startsWith(origin) || /^wss?\b/.test(blocked));
    this.#life.signal.addEventListener('abort', this.#policy.end);
  }

  #blocked(): DialerError | undefined {
    const directive = this.#policy?.directive();
    return directive === undefined ? undefined : blockedByPolicy(directive, 'the calling service');
  }

  #peek(eventName: string): void {
    if (BOOT_ENDS.has(eventName)) this.#settleBoot();
    if (eventName !== 'vbot:onConnecting' || this.#life.signal.aborted) return;
    // At once: the socket opens in this very task.
    watchNextSocket({
      onSocket: (socket) => (this.#socket = socket),
      onReceived: (message) => isOfCall(message) && this.#calls?.noteReceived(message),
      onSent: (message) => isOfCall(message) && this.#calls?.noteSent(message),
    });
  }

  #read(message: VbotMessage, following: readonly VbotMessage[]): void {
    switch (message.type) {
      case 'hotlines':
        this.#registration.noteHotlines(message.hotlines);
        return;
      case 'registered':
        this.#policy?.end();
        void this.#registration.succeed(() => this.#element?.getHotlines());
        this.#calls?.registered();
        return;
      case 'lost':
        this.#registration.lose();
        return;
      case 'failed':
        this.#registration.fail(this.#blocked() ?? bootError(message.text));
        return;
      case 'call':
        this.#calls?.read(
          message,
          following.filter((later) => later.type === 'call'),
        );
    }
  }

  #onBootTimeout(): void {
    this.#settleBoot();
    if (this.#life.signal.aborted || this.#registration.isUp) return;
    const error = new DialerError('registration-failed', 'The exchange has not answered.');
    this.#registration.fail(this.#blocked() ?? error);
  }
}

/** All but the registration and what keeps the socket open, which go on all the time. */
function isOfCall(message: string): boolean {
  return message.trim() !== '' && !/^CSeq\s*:\s*\d+\s+(?:REGISTER|OPTIONS)\b/im.test(message);
}
