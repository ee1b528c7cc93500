/**
 * What the browser lacks for a call, so that the agent reads it before the first click: looked at as soon as the dialer
 * connects, and again whenever it may have changed. Nothing here opens the microphone.
 */
import { microphoneTrouble, watchMicrophone, type MicrophoneTrouble } from '../page/microphone.ts';
import { watchOffline } from '../page/network.ts';
import { watchReturn } from '../page/visibility.ts';
import type { DialerState } from './state/state.ts';
import type { DialerStore } from './store.ts';

/** `offline`: the machine has no network. */
export type BrowserReason = MicrophoneTrouble | 'offline';

export class BrowserCheck {
  readonly #store: DialerStore;
  readonly #onReturn: () => void;
  #watching: AbortController | undefined;
  #isOffline = false;
  #microphone: MicrophoneTrouble | undefined;
  /** The last look that was begun: what an earlier one finds later is out of date. */
  #looking: Promise<void> = Promise.resolve();
  #reported: BrowserReason | undefined;

  /** @param onReturn somebody is back at the page */
  constructor(store: DialerStore, onReturn: () => void) {
    this.#store = store;
    this.#onReturn = onReturn;
  }

  stateChanged({ line }: DialerState, previous: DialerState): void {
    if (line === previous.line) return;
    if (line.is === 'off') this.#end();
    else if (previous.line.is === 'off') this.#begin();
    // A machine may take itself for offline, and yet reach what it needs on its own network.
    if (line.is === 'up') this.#setOffline(false);
    else if (line.is === 'lost' || line.is === 'failed') this.#setOffline(!navigator.onLine);
  }

  /**
   * For after a change, or when somebody asks: a call may also have failed for what no look can find, such as a microphone
   * in use, and may now be tried again.
   */
  async lookAgain(): Promise<void> {
    await this.#look();
    if (this.#reason === undefined) this.#store.apply({ type: 'browser', reason: undefined });
  }

  /** Something has answered over the network. */
  reached(): void {
    this.#setOffline(false);
  }

  get #reason(): BrowserReason | undefined {
    return this.#isOffline ? 'offline' : this.#microphone;
  }

  #begin(): void {
    this.#watching = new AbortController();
    const { signal } = this.#watching;
    void watchMicrophone(signal, () => void this.lookAgain());
    watchReturn(signal, () => {
      void this.#look();
      this.#onReturn();
    });
    watchOffline(signal, (isOffline) => this.#setOffline(isOffline));
    void this.#look();
  }

  #end(): void {
    this.#watching?.abort();
    this.#watching = undefined;
    this.#isOffline = false;
    this.#microphone = undefined;
    this.#reported = undefined;
  }

  /** Resolves when the last look that was begun is over. */
  async #look(): Promise<void> {
    const signal = this.#watching?.signal;
    const looking = this.#lookAtMicrophone(() => this.#looking === looking && signal?.aborted === false);
    this.#looking = looking;
    await looking;
    if (this.#looking !== looking) await this.#looking;
  }

  async #lookAtMicrophone(isCurrent: () => boolean): Promise<void> {
    const trouble = await microphoneTrouble();
    if (!isCurrent()) return;
    this.#microphone = trouble;
    this.#report();
  }

  #setOffline(isOffline: boolean): void {
    if (!this.#watching || this.#isOffline === isOffline) return;
    this.#isOffline = isOffline;
    this.#report();
  }

  #report(): void {
    const reason = this.#reason;
    if (reason === this.#reported) return;
    this.#reported = reason;
    this.#store.apply({ type: 'browser', reason });
  }
}
