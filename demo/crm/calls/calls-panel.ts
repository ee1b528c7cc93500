/** The agent's calls at the vendor, kept up to date: by the vendor's events, and without them by the dialer's. */
import type { PartnerDialer } from '../../../src/index.ts';
import { describeError, lookForCall } from '../companion.ts';
import { names } from '../customers/known-names.ts';
import { byId, write } from '../dom.ts';
import { onLanguage, words } from '../words/language.ts';
import { CallList } from './call-list.ts';
import { CallMe } from './call-me.ts';
import { drawCall } from './call-row.ts';
import { listenToCalls } from './call-stream.ts';
import type { CallEvent } from './calls-client.ts';

const MINUTE_MS = 60_000;
/** A call that ends is reported in several events. */
const GATHER_MS = 500;

export class CallsPanel {
  readonly #list = new CallList();
  readonly #callMe: CallMe;
  readonly #more = byId('calls-more', HTMLButtonElement);
  readonly #retry = byId('calls-retry', HTMLButtonElement);
  /** Ends with the agent's session; undefined before the first sign-in. */
  #session: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(dialer: PartnerDialer) {
    this.#callMe = new CallMe(dialer);
    this.#list.addEventListener('change', () => this.draw());
    onLanguage(() => this.draw());
    setInterval(() => this.draw(), MINUTE_MS);
    names.addEventListener('change', () => this.draw());
    this.#more.addEventListener('click', () => void this.#showMore());
    this.#retry.addEventListener('click', () => void this.#readAgain());
    dialer.addEventListener('dialer-callend', () => void this.#lookForNewest());
  }

  /** Shows the calls of the agent who has just signed in, and follows their events only. */
  follow(): void {
    this.#session?.abort();
    this.#session = new AbortController();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#callMe.forget();
    this.#list.clear();
    void this.#list.refresh();
    const onReconnect = async () => {
      await this.#list.refresh();
      return this.#list.error?.code !== 'broker-unauthorized';
    };
    listenToCalls({ onEvent: (event) => this.#handle(event), onReconnect }, this.#session.signal);
  }

  /** Anew, too: "12 minutes ago" does not stay true. */
  draw(): void {
    if (!this.#session) return;
    const { rows, error, isReading, hasMore } = this.#list;
    const { reading, none } = words().calls;
    const focused = document.activeElement?.closest<HTMLElement>('[data-call]')?.dataset['call'];
    byId('calls-rows', HTMLElement).replaceChildren(
      ...rows.map((call) =>
        drawCall(call, {
          badges: this.#list.findBadges(call),
          sound: this.#list.findSound(call),
          askSound: () => void this.#list.askSound(call),
        }),
      ),
    );
    if (focused !== undefined) this.#focusSound(focused);
    byId('calls-table', HTMLElement).hidden = rows.length === 0;
    byId('calls-empty', HTMLElement).hidden = rows.length > 0 || error !== undefined;
    byId('calls-empty', HTMLElement).textContent = isReading ? reading : none;
    write('calls-why', error ? (isReading ? reading : describeError(error)) : '');
    this.#retry.hidden = error === undefined;
    this.#more.parentElement?.toggleAttribute('hidden', rows.length === 0 || !hasMore);
  }

  #handle(event: CallEvent): void {
    if (this.#list.note(event)) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#list.refresh();
    }, GATHER_MS);
  }

  async #showMore(): Promise<void> {
    await this.#list.readMore();
    if (!this.#list.hasMore) this.#keepFocus();
  }

  async #readAgain(): Promise<void> {
    await this.#list.refresh();
    if (!this.#list.error) this.#keepFocus();
  }

  #focusSound(transId: string): void {
    const row = byId('calls-rows', HTMLElement).querySelector(`[data-call="${CSS.escape(transId)}"]`);
    row?.querySelector<HTMLElement>('.sound')?.focus();
  }

  /** The button has gone from under the keyboard. */
  #keepFocus(): void {
    byId('calls-title', HTMLElement).focus();
  }

  /** Until the call that has just ended is listed; an event is usually quicker. */
  async #lookForNewest(): Promise<void> {
    const session = this.#session;
    const before = this.#list.newest;
    await lookForCall(async () => {
      if (session !== this.#session || this.#list.newest !== before) return true;
      await this.#list.refresh();
      return false;
    });
  }
}
