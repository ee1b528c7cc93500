/** When another view takes over, the focus goes where the work is: an agent at the keyboard goes on from there. */
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
    // The focused button may be gone while its view stays.
    if (!this.#hadFocus || (!isReplaced && this.#focused)) return;
    const target = ['[data-focus]', '.card', '.bubble']
      .map((selector) => this.#element.renderRoot.querySelector<HTMLElement>(selector))
      .find((found) => found !== null);
    // Scrolling here would lay the page out now, and once more for the paint.
    target?.focus({ preventScroll: true });
    requestAnimationFrame(() => target?.scrollIntoView({ block: 'nearest' }));
  }

  get #focused(): Element | null {
    return this.#element.shadowRoot?.activeElement ?? null;
  }
}
