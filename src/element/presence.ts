/** When the dialer signs in and out: with its place in the page, with the page itself, or when it is first wanted. */
import type { ReactiveElement, ReactiveController } from 'lit';
import type { Dialer } from '../dialer/dialer.ts';
import { LeaveConfirmation, watchLeaving } from '../page/leaving.ts';
import { connectMode } from './attributes.ts';
import { INTENTS, type Beginning } from './beginning.ts';

type DialerElement = ReactiveElement & { readonly connectMode: string };

export class Presence implements ReactiveController {
  readonly #element: DialerElement;
  readonly #dialer: Dialer;
  /** Until the first stay has begun. */
  #beginning: Beginning | undefined;
  /** From insertion to removal. */
  #stay: AbortController | undefined;
  /** The page was left while the dialer was signed in. */
  #isToReturn = false;
  readonly #confirmation = new LeaveConfirmation();
  /** While the first sign of interest is waited for. */
  #intent = new AbortController();

  /** @param beginning what has happened before: a tag that was inserted already is signed in at once */
  constructor(element: DialerElement, dialer: Dialer, beginning: Beginning) {
    this.#element = element;
    this.#dialer = dialer;
    this.#beginning = beginning;
    element.addController(this);
  }

  hostConnected(): void {
    // Moved: the connection goes on.
    if (this.#stay && !this.#stay.signal.aborted) return;
    this.#stay = new AbortController();
    const { signal } = this.#stay;
    // Properties that a framework sets right after insertion are part of the configuration.
    queueMicrotask(() => this.#begin(signal));
    const listener = {
      leave: () => this.#leave(),
      comeBack: () => this.#isToReturn && this.#connect(),
      isInCall: () => this.#isInCall,
    };
    watchLeaving(listener, signal);
  }

  hostUpdated(): void {
    this.#confirmation.set(this.#isInCall);
  }

  hostDisconnected(): void {
    // A move in the page is not a removal: it is over before this task ends.
    queueMicrotask(() => {
      if (this.#element.isConnected) return;
      this.#stay?.abort();
      void this.#dialer.disconnect();
      this.#confirmation.set(false);
    });
  }

  /** The attributes of the connection have changed; others may follow in the same task. */
  reconfigure(): void {
    queueMicrotask(() => this.#dialer.reconfigure());
  }

  /** When to sign in has changed; it matters to a dialer that has not. */
  modeChanged(): void {
    const stay = this.#stay;
    if (stay && this.#dialer.state.line.is === 'off') queueMicrotask(() => this.#begin(stay.signal));
  }

  #begin(signal: AbortSignal): void {
    const { isWanted, isOwed, isDisconnected } = this.#beginning ?? {};
    this.#beginning = undefined;
    this.#intent.abort();
    if (signal.aborted || isDisconnected) return;
    const mode = connectMode.parse(this.#element.connectMode);
    if (mode === 'auto' || isOwed || (mode === 'interaction' && isWanted)) this.#connect();
    else if (mode === 'interaction') this.#connectOnIntent(signal);
  }

  /** Somebody is talking or ringing out. */
  get #isInCall(): boolean {
    const { status } = this.#dialer.state;
    return status === 'dialing' || status === 'in-call';
  }

  #leave(): void {
    this.#isToReturn = this.#dialer.state.line.is !== 'off';
    this.#dialer.leave();
  }

  #connect(): void {
    // Shown by the view and told by `dialer-error`.
    this.#dialer.connect().catch(() => undefined);
  }

  #connectOnIntent(signal: AbortSignal): void {
    const intent = new AbortController();
    this.#intent = intent;
    const listening = AbortSignal.any([signal, intent.signal]);
    const connect = () => {
      intent.abort();
      this.#connect();
    };
    for (const name of INTENTS) this.#element.addEventListener(name, connect, { signal: listening });
  }
}
