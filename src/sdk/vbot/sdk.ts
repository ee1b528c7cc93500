/**
 * The adapter to the vendor's `<vbot-widget>`: starts it and ends it. Its names, its Vietnamese texts and its quirks stay in
 * this folder.
 */
import { DialerError } from '../../errors.ts';
import { aborted, later } from '../../wait.ts';
import type { BootOptions, CallDevices, CallingSdk, SdkEvent, SdkListener, Sounds } from '../calling-sdk.ts';
import { loadScript, type VendorScript } from '../script.ts';
import type { VbotCall } from './call.ts';
import { VbotCalls } from './calls.ts';
import { openInbox, type VbotMessage } from './messages.ts';
import { Registration, watchBoot, type ReadBootError } from './registration.ts';
import { SipSocket } from './sip-socket.ts';
import { configure, createElement, isSdkDefined, mountWidget, whenVacated } from './widget.ts';

/** The vendor's published address. It is always passed, else the SDK takes one from the page's query string. */
const VENDOR_API_BASE = 'https://open-api-h01.vbot.vn/v3.0';
/** After this long without a registration, the agent is told; the SDK may still come up later. */
const BOOT_TIMEOUT_MS = 20_000;
/** Firefox records a failed request a moment after the SDK reports the failure. */
const RECORDED_AFTER_MS = 100;

export class VbotSdk implements CallingSdk {
  readonly #script: VendorScript;
  readonly #emit: (event: SdkEvent) => void;
  /** From the boot to `close()`; everything below ends with it. */
  readonly #session = new AbortController();
  /** Aborted when the SDK is out of the page, or about to be. */
  readonly #gone = new AbortController();
  /** Aborted when the boot has ended: now the SDK can be removed without leaving a registration behind. */
  readonly #booted = new AbortController();
  /** Aborts when the SDK has registered for the first time. */
  readonly #registered = new AbortController();
  readonly #registration: Registration;
  readonly #socket = new SipSocket();
  #calls: VbotCalls | undefined;

  constructor(script: VendorScript, listener: SdkListener) {
    this.#script = script;
    this.#emit = (event) => !this.#session.signal.aborted && listener.onEvent(event);
    this.#registration = new Registration({ ...listener, onEvent: this.#emit });
  }

  get call(): VbotCall | undefined {
    return this.#calls?.call;
  }

  get leaving(): Promise<void> | undefined {
    return this.#calls?.leaving;
  }

  async load(): Promise<void> {
    if (!isSdkDefined()) await loadScript(this.#script, isSdkDefined);
  }

  async boot({ token, baseUrl, sounds, devices, vendorUi }: BootOptions, lease: AbortSignal): Promise<void> {
    const { signal } = this.#session;
    lease.throwIfAborted();
    lease.addEventListener('abort', () => void this.close(), { signal });
    const apiBase = baseUrl ?? VENDOR_API_BASE;
    const element = createElement(token, apiBase, vendorUi);
    const emit = (event: SdkEvent) =>
      event.type === 'failed' ? this.#registration.fail(event.error) : this.#emit(event);
    const calls = new VbotCalls(element, emit, this.#socket);
    this.#calls = calls;
    signal.addEventListener('abort', () => calls.close());
    this.#gone.signal.addEventListener('abort', () => calls.removed());
    this.setSounds(sounds);
    this.useDevices(devices);
    const readError = watchBoot(apiBase, AbortSignal.any([signal, this.#registered.signal]));
    openInbox(
      element,
      {
        arrived: (message) => this.#onArrival(message),
        read: (message, following) => this.#read(message, following, readError),
      },
      this.#gone.signal,
    );
    const onRemoved = () => {
      calls.removed();
      this.#registration.fail(new DialerError('registration-failed', 'The page has removed the SDK.'));
    };
    await mountWidget(element, () => this.#untilUnused(), onRemoved, signal);
    const decided = AbortSignal.any([this.#gone.signal, this.#registered.signal]);
    later(BOOT_TIMEOUT_MS, decided, () => {
      this.#booted.abort();
      this.#registration.fail(readError());
    });
  }

  async dial(number: string, hotline: string | undefined, externalCallId: string | undefined): Promise<void> {
    const isOpen = !this.#session.signal.aborted && this.#registration.isUp;
    // The element may be out of the page since this task began.
    if (!isOpen || !this.#calls?.element.isConnected)
      throw new DialerError('not-ready', 'The SDK is not registered.');
    await this.#calls.dial(number, hotline, externalCallId);
  }

  hangUp(): void {
    this.#calls?.hangUp();
  }

  useDevices(devices: CallDevices): void {
    this.#calls?.useDevices(devices);
  }

  setSounds(sounds: Sounds): void {
    if (this.#calls) configure(this.#calls.element, sounds);
  }

  close(): Promise<void> {
    this.#session.abort();
    return whenVacated();
  }

  leave(): void {
    if (this.#gone.signal.aborted) return;
    this.#session.abort();
    // If the page comes back, an element that was removed during its boot would still register.
    if (!this.#booted.signal.aborted) return;
    this.#calls?.element.remove();
    this.#gone.abort();
    // A frozen page does not answer the challenge to its unregistration; the end of the socket ends the registration.
    this.#socket.close();
  }

  /** Until its boot has ended, and the exchange knows that no call is left. */
  async #untilUnused(): Promise<void> {
    await aborted(this.#booted.signal);
    addEventListener('pagehide', () => this.leave(), { signal: this.#gone.signal });
    await this.leaving;
    this.#gone.abort();
    // Until the exchange replies to a REGISTER, JsSIP keeps its socket, and the member would be registered by it.
    if (!this.#registration.isUp) this.#socket.close();
  }

  #onArrival({ type }: VbotMessage): void {
    if (type === 'connecting' || type === 'registered' || type === 'failed') this.#booted.abort();
    // At once: the SDK opens its socket in this task, and the one that it has registered over is still open.
    if (type === 'connecting') this.#socket.watchNext((event) => this.#calls?.onSip(event));
    if (type === 'registered') this.#socket.registered();
  }

  #read(message: VbotMessage, following: readonly VbotMessage[], readError: ReadBootError): void {
    switch (message.type) {
      case 'hotlines':
        return this.#registration.noteHotlines(message.hotlines);
      case 'registered':
        this.#registered.abort();
        void this.#registration.succeed();
        return this.#calls?.endLeft();
      case 'lost':
        return this.#registration.lose();
      case 'failed': {
        const fail = () => this.#registration.fail(readError(message.text));
        const registered = this.#registered.signal;
        return registered.aborted ? fail() : later(RECORDED_AFTER_MS, registered, fail);
      }
      default:
        return this.#calls?.read(message, following);
    }
  }
}
