/** When the view changes, the focus moves to its first button, so that an agent can go on with the keyboard. */
import type { ReactiveController, ReactiveElement } from 'lit';
import type { DialerState } from '../dialer/state/state.ts';
import { viewKey, type ViewKey } from './status.ts';

export class FocusFollower implements ReactiveController {
  readonly #element: ReactiveElement;
  readonly #view: { readonly state: DialerState };
  #hadFocus = false;
  #drawnKey: ViewKey | undefined;

  constructor(element: ReactiveElement, view: { readonly state: DialerState }) {
    this.#element = element;
    this.#view = view;
  }

  hostUpdate(): void {
    this.#hadFocus = this.#focused !== null;
  }

  hostUpdated(): void {
    const key = viewKey(this.#view.state);
    const isReplaced = this.#drawnKey !== undefined && key !== this.#drawnKey;
    this.#drawnKey = key;
    // The focused button may have gone although the view has stayed.
    if (!this.#hadFocus || (!isReplaced && this.#focused)) return;
    // On a phone the field would open the screen's own keys.
    const first = matchMedia('(pointer: coarse)').matches ? '[data-focus]:not(input)' : '[data-focus]';
    const target = [first, '.card', '.bubble']
      .map((selector) => this.#element.renderRoot.querySelector<HTMLElement>(selector))
      .find((found) => found !== null);
    // Scrolling now would force a layout before the browser's own.
    target?.focus({ preventScroll: true });
    requestAnimationFrame(() => target?.scrollIntoView({ block: 'nearest' }));
  }

  get #focused(): Element | null {
    return this.#element.shadowRoot?.activeElement ?? null;
  }
}
