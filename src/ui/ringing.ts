/** Shows an incoming call outside the dialer: in front of the page's title, and as a desktop notification. */
import type { DialerState } from '../dialer/state/state.ts';
import type { Words } from '../i18n/words.ts';
import { notifyOfCall } from '../page/notifications.ts';
import { numberText, whom } from './views/call-result.ts';

export class Ringing {
  readonly #show: () => void;
  #over = new AbortController();
  /** What stands in front of the page's title. */
  #prefix = '';

  /** @param show opens the card */
  constructor(show: () => void) {
    this.#show = show;
  }

  follow({ call }: DialerState, words: Words): void {
    const caller = call.is === 'incoming' ? call.info : undefined;
    // The name may come later, from the lookup. The browser turns several blanks in a title into one.
    const title = caller && `📞 ${whom(words, caller)}`.replaceAll(/\s+/g, ' ');
    const prefix = title ? `${title} ·` : '';
    if (prefix === this.#prefix) return;
    // The page may have written around the prefix, or have set another title: both stay.
    document.title = `${prefix} ${document.title.replace(this.#prefix, '')}`.trim();
    this.#prefix = prefix;
    this.#over.abort();
    if (!title) return;
    this.#over = new AbortController();
    notifyOfCall({ title, body: numberText(words, caller.number) }, this.#over.signal, this.#show);
  }
}
