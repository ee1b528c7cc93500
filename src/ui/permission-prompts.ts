/**
 * Asks the agent for one click on the page, because the browser plays no ringtone before it, and for desktop notifications.
 * It asks neither on load nor in a call.
 */
import * as z from 'zod/mini';
import type { DialerState } from '../dialer/state/state.ts';
import { mayPlaySound, onFirstInteraction } from '../page/sound.ts';
import { askForNotifications, notificationPermission } from '../page/notifications.ts';
import { Stored } from '../page/stored.ts';

const declined = new Stored('notifications declined', z.boolean());

export class PermissionPrompts {
  readonly #changed: () => void;
  /** From insertion into the page to removal. */
  #inPage = new AbortController();
  #isSilent = false;
  #hasBeenReady = false;
  #hasRung = false;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** The browser keeps an incoming call silent: nobody has clicked on the page yet. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** After the first incoming call, an agent knows what notifications are for. */
  get mayOfferNotifications(): boolean {
    return this.#hasRung && !declined.read() && notificationPermission() === 'default';
  }

  connected(): void {
    this.#inPage = new AbortController();
    // The element was put back: its removal has ended the listener for the first click.
    if (this.#hasBeenReady) void this.#check();
  }

  disconnected(): void {
    this.#inPage.abort();
  }

  stateChanged({ status, call }: DialerState): void {
    if (call.is === 'ended' && call.info.direction === 'incoming') this.#hasRung = true;
    if (status !== 'ready' || this.#hasBeenReady) return;
    this.#hasBeenReady = true;
    void this.#check();
  }

  async #check(): Promise<void> {
    const { signal } = this.#inPage;
    const isSilent = !(await mayPlaySound());
    if (signal.aborted) return;
    this.#set(isSilent);
    if (isSilent) onFirstInteraction(() => this.#set(false), signal);
  }

  #set(isSilent: boolean): void {
    this.#isSilent = isSilent;
    this.#changed();
  }

  /** The agent has pressed "Turn on". */
  async allowNotifications(): Promise<void> {
    await askForNotifications();
    this.#changed();
  }

  declineNotifications(): void {
    declined.write(true);
    this.#changed();
  }
}
