/** When the dialer signs in and out: with its element's place in the page, or on the first sign that it is wanted. */
import type { LitElement, ReactiveController } from 'lit';
import type { Dialer } from '../dialer/dialer.ts';
import { connectMode } from './attributes.ts';

/** The first signs that an agent wants the dialer. */
const INTENTS = ['pointerenter', 'focusin', 'click'] as const;

type DialerElement = LitElement & { readonly connectMode: string };

export class Presence implements ReactiveController {
  readonly #element: DialerElement;
  readonly #dialer: Dialer;
  /** From insertion to removal. */
  #stay: AbortController | undefined;

  constructor(element: DialerElement, dialer: Dialer) {
    this.#element = element;
    this.#dialer = dialer;
    element.addController(this);
  }

  hostConnected(): void {
    // Moved: the connection goes on.
    if (this.#stay && !this.#stay.signal.aborted) return;
    this.#stay = new AbortController();
    const { signal } = this.#stay;
    // Properties that a framework sets right after insertion are part of the configuration.
    queueMicrotask(() => {
      if (signal.aborted) return;
      const mode = connectMode.parse(this.#element.connectMode);
      if (mode === 'auto') this.#connect();
      if (mode === 'interaction') this.#connectOnIntent(signal);
    });
  }

  hostDisconnected(): void {
    // A move in the page is not a removal: it is over before this task ends.
    queueMicrotask(() => {
      if (this.#element.isConnected) return;
      this.#stay?.abort();
      this.#dialer.disconnect();
    });
  }

  /** Signs in anew with what the attributes say now; a change during a call waits for the next connection. */
  renew(): void {
    queueMicrotask(() => {
      const { status } = this.#dialer.state;
      if (status === 'idle' || status === 'dialing' || status === 'incoming' || status === 'in-call') return;
      this.#dialer.disconnect();
      this.#connect();
    });
  }

  #connect(): void {
    // Shown by the view and told by `dialer-error`.
    this.#dialer.connect().catch(() => undefined);
  }

  #connectOnIntent(signal: AbortSignal): void {
    const intent = new AbortController();
    const listening = AbortSignal.any([signal, intent.signal]);
    const connect = () => {
      intent.abort();
      this.#connect();
    };
    for (const name of INTENTS) this.#element.addEventListener(name, connect, { signal: listening });
  }
}
