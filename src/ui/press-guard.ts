/**
 * Keeps a press from acting on what it was not aimed at. An agent presses twice, or keeps a key down, and meanwhile another
 * view has taken over: its buttons ignore presses for a moment. Only what a person does is held back, no script's `click()`.
 */
import type { ReactiveElement, ReactiveController } from 'lit';

/** Longer than the pause in a double press, and than it takes to see that a view has changed. */
const MOMENT_MS = 500;
/** Nobody has aimed at what was in sight for less. */
const GLIMPSE_MS = 100;
/** How far a pointer slips between the two presses of a double press. */
const SLIP_PX = 10;

interface Sight {
  readonly since: number;
  /** A press that began before was not aimed at it. */
  readonly from: number;
}

interface PointerPress {
  readonly x: number;
  readonly y: number;
  readonly at: number;
  readonly target: HTMLButtonElement | undefined;
  /** Another one was at the same place a moment ago; the target is that of the first one. */
  readonly isDouble: boolean;
}

export class PressGuard implements ReactiveController {
  readonly #element: ReactiveElement;
  /** The buttons in sight. */
  #shown: ReadonlyMap<Element, Sight>;
  #hadCard: boolean | undefined;
  /** When buttons last went out of sight, or the card of a bubble came into it. */
  #changedAt = -Infinity;
  /** The latest press of each pointer: a second finger does not speak for the first. */
  readonly #pointers = new Map<number, PointerPress>();
  #latest: PointerPress | undefined;
  #keyDownAt: number | undefined;
  readonly #pressedAt = new WeakMap<Element, number>();

  constructor(element: ReactiveElement) {
    this.#element = element;
    // What is there already has been aimed at; what takes its place has not.
    this.#shown = new Map(buttonsOf(element).map((button) => [button, { since: 0, from: 0 }]));
    const listen = <E extends Event>(name: string, listener: (event: E) => void) =>
      element.addEventListener(name, (event) => listener(event as E), { capture: true });
    listen<PointerEvent>('pointerdown', (event) => {
      this.#latest = pressOf(event, this.#latest);
      this.#pointers.set(event.pointerId, this.#latest);
    });
    listen<KeyboardEvent>('keydown', (event) => this.#onKeyDown(event));
    // The click of a space bar comes after its keyup, in the same task.
    listen<KeyboardEvent>('keyup', () => setTimeout(() => (this.#keyDownAt = undefined)));
    // The keyup of a key goes where the focus is by then.
    listen<FocusEvent>('focusout', ({ target }) => target === element && (this.#keyDownAt = undefined));
    listen<MouseEvent>('click', (event) => this.#onClick(event));
  }

  hostUpdated(): void {
    const now = performance.now();
    const before = this.#shown;
    const buttons = new Set<Element>(buttonsOf(this.#element));
    const hasCard = this.#element.renderRoot.querySelector('.card') !== null;
    const isReplaced = [...before].some(
      ([button, { since }]) => !buttons.has(button) && now - since > GLIMPSE_MS,
    );
    const isOpened = this.#hadCard === false && hasCard;
    if (isReplaced || isOpened) this.#changedAt = now;
    this.#hadCard = hasCard;
    const fresh = { since: now, from: this.#changedAt + MOMENT_MS };
    this.#shown = new Map([...buttons].map((button) => [button, before.get(button) ?? fresh]));
  }

  /** Was this key pressed for the view in sight? */
  isAimed({ repeat, isTrusted, timeStamp }: KeyboardEvent): boolean {
    return !repeat && (!isTrusted || timeStamp >= this.#changedAt + MOMENT_MS);
  }

  #onKeyDown(event: KeyboardEvent): void {
    const { key, repeat, ctrlKey, metaKey, altKey } = event;
    if (!repeat) this.#keyDownAt = event.timeStamp;
    // A key kept down acts once. Erasing and moving in the field go on.
    else if ((key === 'Enter' || key.length === 1) && !ctrlKey && !metaKey && !altKey) swallow(event);
  }

  #onClick(event: MouseEvent): void {
    const button = buttonOf(event);
    if (!event.isTrusted || !button) return;
    // Not every browser says whose click it is.
    const own = event instanceof PointerEvent ? this.#pointers.get(event.pointerId) : undefined;
    const pointer = event.detail > 0 ? (own ?? this.#latest) : undefined;
    const began = (event.detail > 0 ? pointer?.at : this.#keyDownAt) ?? event.timeStamp;
    const isMoved = pointer?.isDouble && pointer.target !== button;
    if (isMoved || this.#isMisdirected(button, began)) swallow(event);
    else this.#pressedAt.set(button, event.timeStamp);
  }

  #isMisdirected(button: HTMLButtonElement, began: number): boolean {
    if (began < (this.#shown.get(button)?.from ?? Infinity)) return true;
    // A double press is one wish, but for the keys: mute is not unmuted, and help is asked for once.
    const pressedAt = this.#pressedAt.get(button) ?? -Infinity;
    return !('quick' in button.dataset) && began < pressedAt + MOMENT_MS;
  }
}

/** What a first press has moved under the pointer was not aimed at by the second one. */
function pressOf(event: PointerEvent, before: PointerPress | undefined): PointerPress {
  const { clientX: x, clientY: y, timeStamp: at } = event;
  const isDouble =
    before?.target !== undefined &&
    at < before.at + MOMENT_MS &&
    Math.hypot(x - before.x, y - before.y) < SLIP_PX;
  return { x, y, at, target: isDouble ? before.target : buttonOf(event), isDouble };
}

function buttonsOf({ renderRoot }: ReactiveElement): HTMLButtonElement[] {
  return [...renderRoot.querySelectorAll('button')];
}

function buttonOf(event: Event): HTMLButtonElement | undefined {
  return event.composedPath().find((each) => each instanceof HTMLButtonElement);
}

function swallow(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}
