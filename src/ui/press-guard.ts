/**
 * Keeps a press from acting on what it was not aimed at. An agent presses twice, or keeps a key down, and meanwhile another
 * view has taken over: its buttons ignore presses for a moment. Only what a person does is held back, no script's `click()`.
 */
import type { ReactiveElement, ReactiveController } from 'lit';

/** Longer than the pause in a double press, and than it takes to see that a view has changed. */
const MOMENT_MS = 500;
/** Nobody has aimed at what was in sight for less. */
const GLIMPSE_MS = 100;

export class PressGuard implements ReactiveController {
  readonly #element: ReactiveElement;
  /** When each button in sight appeared. */
  #shown = new Map<Element, number>();
  #hadCard: boolean | undefined;
  /** When buttons last went out of sight, or the card of a bubble came into it. */
  #changedAt = -Infinity;
  #pointerDownAt: number | undefined;
  #keyDownAt: number | undefined;
  readonly #pressedAt = new WeakMap<Element, number>();

  constructor(element: ReactiveElement) {
    this.#element = element;
    const listen = <E extends Event>(name: string, listener: (event: E) => void) =>
      element.addEventListener(name, (event) => listener(event as E), { capture: true });
    listen<PointerEvent>('pointerdown', (event) => {
      this.#pointerDownAt = event.timeStamp;
    });
    listen<KeyboardEvent>('keydown', (event) => this.#onKeyDown(event));
    // The click of a space bar comes after its keyup, in the same task.
    listen<KeyboardEvent>('keyup', () => setTimeout(() => (this.#keyDownAt = undefined)));
    listen<MouseEvent>('click', (event) => this.#onClick(event));
  }

  hostUpdated(): void {
    const now = performance.now();
    const root = this.#element.renderRoot;
    const before = this.#shown;
    this.#shown = new Map(
      [...root.querySelectorAll('button')].map((button) => [button, before.get(button) ?? now]),
    );
    const hasCard = root.querySelector('.card') !== null;
    const isReplaced = [...before].some(
      ([button, shownAt]) => !this.#shown.has(button) && now - shownAt > GLIMPSE_MS,
    );
    const isOpened = this.#hadCard === false && hasCard;
    if (isReplaced || isOpened) this.#changedAt = now;
    this.#hadCard = hasCard;
  }

  /** Was this key pressed for the view in sight? */
  isAimed(event: KeyboardEvent): boolean {
    return !event.repeat && event.timeStamp >= this.#changedAt + MOMENT_MS;
  }

  #onKeyDown(event: KeyboardEvent): void {
    const { key, repeat, ctrlKey, metaKey, altKey } = event;
    if (!repeat) this.#keyDownAt = event.timeStamp;
    // A key kept down acts once. Erasing and moving in the field go on.
    else if ((key === 'Enter' || key.length === 1) && !ctrlKey && !metaKey && !altKey) swallow(event);
  }

  #onClick(event: MouseEvent): void {
    const button = event.composedPath().find((each) => each instanceof HTMLButtonElement);
    if (!event.isTrusted || !button) return;
    const began = (event.detail > 0 ? this.#pointerDownAt : this.#keyDownAt) ?? event.timeStamp;
    if (this.#isMisdirected(button, began)) swallow(event);
    else this.#pressedAt.set(button, event.timeStamp);
  }

  #isMisdirected(button: HTMLButtonElement, began: number): boolean {
    const appearedAt = this.#shown.get(button) ?? Infinity;
    if (appearedAt >= this.#changedAt && began < this.#changedAt + MOMENT_MS) return true;
    // A double press is one wish, but for the keys: mute is not unmuted, and help is asked for once.
    const pressedAt = this.#pressedAt.get(button) ?? -Infinity;
    return !('quick' in button.dataset) && began < pressedAt + MOMENT_MS;
  }
}

function swallow(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}
