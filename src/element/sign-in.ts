/** When the dialer signs in and out: when the tag is inserted or removed, on the first interaction, when the page is left. */
import type { ReactiveController, ReactiveElement } from 'lit';
import type { Dialer } from '../dialer/dialer.ts';
import { LeaveConfirmation, watchLeaving } from '../page/leaving.ts';
import { isPrerendering } from '../page/visibility.ts';

/** The first interaction. */
const INTENTS = ['pointerenter', 'focusin', 'click'] as const;

type DialerElement = ReactiveElement & { readonly connectMode: string };

export class SignIn implements ReactiveController {
  readonly #element: DialerElement;
  readonly #dialer: Dialer;
  readonly #connect: () => void;
  readonly #leaveConfirmation = new LeaveConfirmation();
  /** From insertion to removal. */
  #inPage: AbortController | undefined;
  /** A sign-in that is still to come; aborted when it begins, or when it must not. */
  #pending: AbortController | undefined;
  /** When the page was left, the dialer was signed in, and the page has not signed out since. */
  #wasSignedIn = false;

  /** @param connect signs in; the view and an event report what fails */
  constructor(element: DialerElement, dialer: Dialer, connect: () => void) {
    this.#element = element;
    this.#dialer = dialer;
    this.#connect = connect;
    element.addController(this);
  }

  hostConnected(): void {
    this.#inPage = new AbortController();
    const { signal } = this.#inPage;
    this.#plan();
    const listener = {
      leave: () => this.#leave(),
      comeBack: () => this.#wasSignedIn && this.#connect(),
      isInCall: () => this.#isInCall,
    };
    watchLeaving(listener, signal);
  }

  hostUpdated(): void {
    this.#leaveConfirmation.set(this.#isInCall);
  }

  hostDisconnected(): void {
    this.#inPage?.abort();
    this.#pending?.abort();
    void this.#dialer.disconnect();
    this.#leaveConfirmation.set(false);
  }

  /** `connect-mode` has changed, or the tag was moved. It matters until the dialer has signed in, or the page has signed out. */
  planAgain(): void {
    const isPending = this.#pending?.signal.aborted === false;
    if (isPending && this.#dialer.state.line.is === 'off') this.#plan();
  }

  /** The page has signed out itself. */
  cancel(): void {
    this.#pending?.abort();
    this.#wasSignedIn = false;
  }

  /**
   * Signs in, or waits for the first interaction. `Phone` runs this as the first update begins: only then does Lit know the
   * properties that the page set before the tag was defined. The SDK's script is requested at once, and the broker after the
   * first render, in the same task: a later render would wait for the script to run. A page that nobody has opened does not sign
   * in: the broker might pay for somebody who never comes.
   */
  start(): void {
    const signal = this.#pending?.signal;
    const mode = this.#element.connectMode;
    if (!signal || signal.aborted || !this.#element.isConnected || mode === 'manual') return;
    if (isPrerendering()) document.addEventListener('prerenderingchange', () => this.start(), { signal });
    else if (mode === 'auto') this.#begin();
    else for (const name of INTENTS) this.#element.addEventListener(name, () => this.#begin(), { signal });
  }

  /** In a microtask: frameworks set properties right after the insertion, in the same task. */
  #plan(): void {
    this.#pending?.abort();
    this.#pending = new AbortController();
    const { signal } = this.#pending;
    if (this.#element.hasUpdated) queueMicrotask(() => !signal.aborted && this.start());
  }

  /** The abort makes this happen once: if the first render throws, the next update calls `start()` again. */
  #begin(): void {
    this.#pending?.abort();
    this.#connect();
  }

  /** An outgoing call is being placed or rings, or there is a conversation. */
  get #isInCall(): boolean {
    const { status } = this.#dialer.state;
    return status === 'dialing' || status === 'in-call';
  }

  #leave(): void {
    this.#wasSignedIn = this.#dialer.state.line.is !== 'off';
    this.#dialer.leave();
  }
}
