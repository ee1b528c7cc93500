/**
 * Checks what the browser lacks for a call: as soon as the member is registered, and whenever the result may have changed, so
 * that the agent reads the reason before the first click. The check never opens the microphone.
 */
import {
  microphoneTrouble,
  pageTrouble,
  watchMicrophone,
  type MicrophoneTrouble,
} from '../page/microphone.ts';
import { watchOffline } from '../page/network.ts';
import { watchReturn } from '../page/visibility.ts';
import { nextTask } from '../wait.ts';
import type { BrowserReason } from './state/block.ts';
import type { DialerState } from './state/state.ts';
import type { DialerStore } from './store.ts';

export class BrowserCheck {
  readonly #store: DialerStore;
  readonly #onReturn: () => void;
  /** From `connect()` to `disconnect()`; what follows is about this watch. */
  #watching: AbortController | undefined;
  #isOffline = false;
  #microphone: MicrophoneTrouble | undefined;
  /** The latest check since the watch began; the result of an earlier one is out of date. */
  #checking: Promise<void> | undefined;
  #reported: BrowserReason | undefined;

  /** @param onReturn somebody is back at the page */
  constructor(store: DialerStore, onReturn: () => void) {
    this.#store = store;
    this.#onReturn = onReturn;
  }

  stateChanged({ line }: DialerState, previous: DialerState): void {
    if (line === previous.line) return;
    if (line.is === 'off') this.#watching?.abort();
    else if (previous.line.is === 'off') this.#begin();
    // A machine that says it is offline may still reach an exchange on its local network.
    if (line.is === 'up') this.setOffline(false);
    else if (line.is === 'lost' || line.is === 'failed') this.setOffline(!navigator.onLine);
  }

  /**
   * Checks after a change, or when somebody asks. A call may have failed for a reason that no check finds, such as a
   * microphone in use: if the check finds nothing, the agent may try again.
   */
  async recheck(): Promise<void> {
    await this.#check();
    if (this.#reason === undefined) this.#store.apply({ type: 'browser', reason: undefined });
  }

  setOffline(isOffline: boolean): void {
    this.#isOffline = isOffline;
    this.#report();
  }

  /** The member is registered: before, the browser is asked only when somebody presses. Resolves when it is known what it lacks. */
  async registered(): Promise<void> {
    await (this.#checking ?? this.#check());
  }

  get #reason(): BrowserReason | undefined {
    return this.#isOffline ? 'offline' : this.#microphone;
  }

  #begin(): void {
    this.#watching = new AbortController();
    this.#checking = undefined;
    this.#isOffline = false;
    this.#reported = undefined;
    const { signal } = this.#watching;
    watchReturn(signal, this.#onReturn);
    watchOffline(signal, (isOffline) => {
      if (isOffline) this.setOffline(true);
      // First the connection is replaced, by another listener. Between the two, the page would read that it can call.
      else nextTask(() => this.setOffline(!navigator.onLine));
    });
    this.#microphone = pageTrouble();
    this.#report();
  }

  /** From the first one on, the browser tells of changes. Resolves when the latest check is over. */
  #check(): Promise<void> {
    const signal = this.#watching?.signal;
    if (signal && !this.#checking) {
      void watchMicrophone(signal, () => void this.recheck());
      watchReturn(signal, () => void this.#check());
    }
    const checking: Promise<void> = microphoneTrouble().then((trouble) => {
      if (this.#checking !== checking) return this.#checking;
      this.#microphone = trouble;
      return this.#report();
    });
    this.#checking = checking;
    return checking;
  }

  #report(): void {
    const reason = this.#reason;
    if (this.#watching?.signal.aborted !== false || reason === this.#reported) return;
    this.#reported = reason;
    this.#store.apply({ type: 'browser', reason });
  }
}
