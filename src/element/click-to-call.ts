/** `tel:` links of the page dial through the element while it has the attribute `click-to-call`. */
import type { ReactiveElement, ReactiveController } from 'lit';
import type { CallOptions } from '../dialer/state/call-info.ts';
import { watchTelLinks } from '../page/tel-links.ts';

type DialerElement = ReactiveElement & {
  readonly clickToCall: boolean;
  call(number: string, options: CallOptions): Promise<void>;
};

export class ClickToCall implements ReactiveController {
  readonly #element: DialerElement;
  #watching: AbortController | undefined;

  constructor(element: DialerElement) {
    this.#element = element;
  }

  hostConnected(): void {
    this.#follow();
  }

  hostUpdated(): void {
    this.#follow();
  }

  hostDisconnected(): void {
    this.#watching?.abort();
    this.#watching = undefined;
  }

  #follow(): void {
    const { clickToCall, isConnected } = this.#element;
    if (!clickToCall || !isConnected) return this.hostDisconnected();
    if (this.#watching) return;
    this.#watching = new AbortController();
    watchTelLinks(this.#watching.signal, ({ address, name }) => {
      // What keeps the call from being placed is shown, and said by events.
      this.#element.call(address, { name }).catch(() => undefined);
    });
  }
}
