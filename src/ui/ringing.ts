/** Shows an incoming call outside the dialer: in the page's title and icon, and as a desktop notification. */
import type { DialerState } from '../dialer/state/state.ts';
import type { Words } from '../i18n/words.ts';
import { notifyOfCall } from '../page/notifications.ts';
import { setTitleBadge } from '../page/title.ts';
import { numberText, whom } from './views/call-result.ts';

export class Ringing {
  readonly #show: () => void;
  #over: AbortController | undefined;
  #title: string | undefined;

  /** @param show opens the card */
  constructor(show: () => void) {
    this.#show = show;
  }

  follow({ call }: DialerState, words: Words): void {
    const caller = call.is === 'incoming' ? call.info : undefined;
    // The name may come later, from the lookup.
    const title = caller && `📞 ${whom(words, caller)}`;
    setTitleBadge(this, title);
    if (title === this.#title) return;
    this.#title = title;
    this.#over?.abort();
    this.#over = undefined;
    if (!title) return;
    this.#over = new AbortController();
    notifyOfCall({ title, body: numberText(words, caller.number) }, this.#over.signal, this.#show);
  }
}
