/**
 * What the agent is asked for at a quiet moment, never on load and never in a call: one click so that calls can be heard, and
 * whether the desktop may tell of them.
 */
import type { DialerState } from '../dialer/state/state.ts';
import { maySound, onFirstTouch } from '../page/autoplay.ts';
import { askForNotifications, notificationPermission } from '../page/call-notification.ts';
import { inDatabase } from '../page/database.ts';

const DECLINED = 'notifications declined';

export class Asks {
  readonly #changed: () => void;
  #stay = new AbortController();
  #isSilent = false;
  #hasLooked = false;
  #hasRung = false;
  #isDeclined = false;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Would a call ring unheard, because nobody has touched the page yet? */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Is it time to ask for notifications? Once a call has come in, an agent knows what they are for. */
  get mayOfferNotifications(): boolean {
    return this.#hasRung && !this.#isDeclined && notificationPermission() === 'default';
  }

  connected(): void {
    this.#stay = new AbortController();
  }

  disconnected(): void {
    this.#stay.abort();
    this.#hasLooked = false;
  }

  stateChanged({ status, call }: DialerState): void {
    if (call.is === 'ended' && call.info.direction === 'incoming') this.#hasRung = true;
    if (status !== 'ready' || this.#hasLooked) return;
    this.#hasLooked = true;
    void this.#look();
  }

  async #look(): Promise<void> {
    const { signal } = this.#stay;
    this.#isDeclined ||= (await inDatabase('choices', 'readonly', (store) => store.get(DECLINED))) === true;
    const isSilent = !(await maySound());
    if (signal.aborted) return;
    this.#set(isSilent);
    if (isSilent) onFirstTouch(() => this.#set(false), signal);
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
    this.#isDeclined = true;
    this.#changed();
    void inDatabase('choices', 'readwrite', (store) => store.put(true, DECLINED));
  }
}
