/** Tells of a call that rings where the dialer is not in sight: in the page's title and icon, and on the desktop. */
import { formatNumber } from '../numbers/read.ts';
import type { DialerState } from '../dialer/state/state.ts';
import { notifyOfCall } from '../page/notifications.ts';
import { setTitleBadge } from '../page/title.ts';

export class Ringing {
  readonly #show: () => void;
  #over: AbortController | undefined;

  /** @param show brings the call into sight */
  constructor(show: () => void) {
    this.#show = show;
  }

  stateChanged({ call }: DialerState, previous: DialerState): void {
    const caller = call.is === 'incoming' ? call.info : undefined;
    // A name that has to be looked up comes a moment later.
    const title = caller && `📞 ${caller.name || formatNumber(caller.number)}`;
    setTitleBadge(this, title);
    if (previous.call.is === 'incoming' && previous.call.info.id === caller?.id) return;
    this.#over?.abort();
    this.#over = undefined;
    if (!title) return;
    this.#over = new AbortController();
    notifyOfCall({ title, body: formatNumber(caller.number) }, this.#over.signal, this.#show);
  }
}
