/**
 * When the view changes, the focus goes on into it, so that an agent can go on with the keyboard: to what they have asked for,
 * else to the card, where no key acts that was meant for something else.
 */
import type { ReactiveController, ReactiveElement } from 'lit';
import type { DialerState } from '../dialer/state/state.ts';
import { viewKey, type ViewKey } from './status.ts';

/** They come by themselves, and their first button acts: only an agent who was on a button of one of them is put there. */
const GUIDES: ReadonlySet<ViewKey | undefined> = new Set(['blocked', 'cleared', 'failed']);
/** Of the dialer: with less of it in sight, somebody reads another part of the page. */
const IN_VIEW = 0.5;

export class FocusFollower implements ReactiveController {
  readonly #element: ReactiveElement;
  readonly #view: { readonly state: DialerState };
  /** The environments of unit tests have none. */
  readonly #observer =
    globalThis.IntersectionObserver &&
    new IntersectionObserver(
      (entries) => (this.#isInView = (entries.at(-1)?.intersectionRatio ?? 0) >= IN_VIEW),
      { threshold: IN_VIEW },
    );
  #isInView = false;
  #before: Element | null = null;
  #drawnKey: ViewKey | undefined;

  constructor(element: ReactiveElement, view: { readonly state: DialerState }) {
    this.#element = element;
    this.#view = view;
  }

  hostConnected(): void {
    this.#observer?.observe(this.#element);
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
  }

  hostUpdate(): void {
    this.#before = this.#focused;
  }

  hostUpdated(): void {
    const key = viewKey(this.#view.state);
    const drawn = this.#drawnKey;
    this.#drawnKey = key;
    // The focused button may have gone although the view has stayed.
    if (!this.#before || ((drawn ?? key) === key && this.#focused)) return;
    const isOnItsWay = GUIDES.has(drawn) && this.#before instanceof HTMLButtonElement;
    // On a phone the field would open the screen's own keys.
    const first = globalThis.matchMedia?.('(pointer: coarse)').matches
      ? '[data-focus]:not(input)'
      : '[data-focus]';
    const target = [...(GUIDES.has(key) && !isOnItsWay ? [] : [first]), '.card', '.bubble']
      .map((selector) => this.#element.renderRoot.querySelector<HTMLElement>(selector))
      .find((found) => found !== null);
    // Scrolling now would force a layout before the browser's own.
    target?.focus({ preventScroll: true });
    if (this.#isInView) requestAnimationFrame(() => target?.scrollIntoView({ block: 'nearest' }));
  }

  get #focused(): Element | null {
    return this.#element.shadowRoot?.activeElement ?? null;
  }
}
