/** `tel:` links of the page dial through the element while it has the attribute `click-to-call`. */
import type { ReactiveController, ReactiveElement } from 'lit';
import type { LinkOptions } from '../dialer/state/call-info.ts';
import { watchTelLinks } from '../page/tel-links.ts';

type DialerElement = ReactiveElement & {
  readonly clickToCall: boolean;
  call(number: string, options: LinkOptions): Promise<void>;
};

export class ClickToCall implements ReactiveController {
  readonly #element: DialerElement;
  #watching: AbortController | undefined;

  constructor(element: DialerElement) {
    this.#element = element;
  }

  hostConnected(): void {
    this.hostUpdated();
  }

  hostUpdated(): void {
    const { clickToCall, isConnected } = this.#element;
    if (!clickToCall || !isConnected) return this.hostDisconnected();
    if (this.#watching) return;
    this.#watching = new AbortController();
    watchTelLinks(this.#watching.signal, ({ address, ...options }) => {
      // The dialer shows why a call is not placed, and events tell the page.
      this.#element.call(address, options).catch(() => undefined);
    });
  }

  hostDisconnected(): void {
    this.#watching?.abort();
    this.#watching = undefined;
  }
}
