/**
 * Ignores presses that were meant for another button. An agent presses twice, or holds a key down, and the first press
 * changes the view: for half a second the new buttons ignore presses. A script's `click()` always counts.
 */
import type { ReactiveElement, ReactiveController } from 'lit';

/** Longer than the pause within a double press, and than an agent needs to see that the view has changed. */
const GUARD_MS = 500;
/** Nobody can have aimed at a button that was visible for less. */
const SHORTEST_SIGHT_MS = 100;
/** How far a pointer moves between the two presses of a double press. */
const DOUBLE_PRESS_PX = 10;

/** The buttons have changed. */
interface Change {
  /** When it was painted: a busy page paints late. */
  paintedAt: number;
}

/** Of a visible button. */
interface Visible {
  readonly since: number;
  /** The change that showed it: a press that began before it, or right after it, was not aimed at this button. */
  readonly change: Change;
  /** The same button may now stand for another call. */
  readonly about: string | undefined;
}

interface PointerPress {
  readonly x: number;
  readonly y: number;
  readonly at: number;
  readonly target: HTMLButtonElement | undefined;
  /** The second press of a double press; the target is the first one's. */
  readonly isDouble: boolean;
}

export class PressGuard implements ReactiveController {
  readonly #element: ReactiveElement;
  #visible: ReadonlyMap<HTMLElement, Visible> = new Map();
  #hadCard: boolean | undefined;
  /** The last change that removed buttons, or opened the card of a bubble. */
  #change: Change = { paintedAt: -Infinity };
  /** The latest press of each pointer: there may be two fingers. */
  readonly #pointers = new Map<number, PointerPress>();
  #latest: PointerPress | undefined;
  #keyDownAt: number | undefined;
  /** Time of the keydown whose click may come in this task. */
  #keyBegan: number | undefined;
  readonly #pressedAt = new WeakMap<Element, number>();

  constructor(element: ReactiveElement) {
    this.#element = element;
    const listen = <E extends Event>(name: string, listener: (event: E) => void) =>
      element.addEventListener(name, (event) => listener(event as E), { capture: true });
    listen<PointerEvent>('pointerdown', (event) => {
      this.#latest = toPointerPress(event, this.#latest);
      this.#pointers.set(event.pointerId, this.#latest);
    });
    listen<PointerEvent>('pointercancel', ({ pointerId }) => this.#pointers.delete(pointerId));
    for (const name of ['keydown', 'keypress', 'keyup'])
      listen<KeyboardEvent>(name, (event) => this.#onKey(event));
    listen<MouseEvent>('click', (event) => this.#onClick(event));
  }

  hostUpdated(): void {
    const now = performance.now();
    const before = this.#visible;
    const buttons = new Set<HTMLElement>(findButtons(this.#element));
    const hasCard = this.#element.renderRoot.querySelector('.card') !== null;
    const kept = (button: HTMLElement) => {
      const sight = before.get(button);
      return buttons.has(button) && sight?.about === subject(button) ? sight : undefined;
    };
    const isReplaced = [...before].some(
      ([button, { since }]) => !kept(button) && now - since > SHORTEST_SIGHT_MS,
    );
    const isOpened = this.#hadCard === false && hasCard;
    if (isReplaced || isOpened) this.#change = changeNow();
    this.#hadCard = hasCard;
    this.#visible = new Map(
      [...buttons].map((button) => [button, kept(button) ?? this.#visibleSince(button, now)]),
    );
  }

  #visibleSince(button: HTMLElement, since: number): Visible {
    return { since, change: this.#change, about: subject(button) };
  }

  /** Was this key pressed for the view that is visible now? */
  isAimed({ repeat, isTrusted, timeStamp }: KeyboardEvent): boolean {
    return !repeat && (!isTrusted || timeStamp >= this.#change.paintedAt + GUARD_MS);
  }

  #onKey(event: KeyboardEvent): void {
    const { type, key, repeat, ctrlKey, metaKey, altKey, timeStamp } = event;
    // A key that is held down acts once, but it goes on erasing and moving the cursor.
    if (repeat && (key === 'Enter' || key.length === 1) && !ctrlKey && !metaKey && !altKey)
      return ignore(event);
    if (type === 'keydown') this.#keyDownAt = timeStamp;
    // The browser sends the key's click in the task of keypress or keyup. The keyup may go to another element, with the focus.
    this.#keyBegan = this.#keyDownAt;
    setTimeout(() => (this.#keyBegan = undefined));
    if (type === 'keyup') this.#keyDownAt = undefined;
  }

  #onClick(event: MouseEvent): void {
    const button = findButton(event);
    if (!event.isTrusted || !button) return;
    // Not every browser's click has a pointer id.
    const own = event instanceof PointerEvent ? this.#pointers.get(event.pointerId) : undefined;
    const pointer = event.detail > 0 ? (own ?? this.#latest) : undefined;
    const began = (event.detail > 0 ? pointer?.at : this.#keyBegan) ?? event.timeStamp;
    const isMoved = pointer?.isDouble && pointer.target !== button;
    if (isMoved || this.#isMisdirected(button, began)) ignore(event);
    else this.#pressedAt.set(button, event.timeStamp);
  }

  #isMisdirected(button: HTMLButtonElement, began: number): boolean {
    const { paintedAt } = this.#visible.get(button)?.change ?? { paintedAt: Infinity };
    if (began < paintedAt + GUARD_MS) return true;
    // A double press counts once, except on the keypad: otherwise a double press would mute and unmute.
    const pressedAt = this.#pressedAt.get(button) ?? -Infinity;
    return !('quick' in button.dataset) && began < pressedAt + GUARD_MS;
  }
}

/** The browser paints right after the animation callbacks. */
function changeNow(): Change {
  const change = { paintedAt: Infinity };
  requestAnimationFrame(() => (change.paintedAt = performance.now()));
  return change;
}

/** Which missed call the button is about, or whether the bubble is open: it may change during a press. */
function subject({ dataset }: HTMLElement): string | undefined {
  return dataset['about'];
}

/** The first press may have moved another button under the pointer: the second one is not aimed at that. */
function toPointerPress(event: PointerEvent, before: PointerPress | undefined): PointerPress {
  const { clientX: x, clientY: y, timeStamp: at } = event;
  const isDouble =
    before?.target !== undefined &&
    at < before.at + GUARD_MS &&
    Math.hypot(x - before.x, y - before.y) < DOUBLE_PRESS_PX;
  return { x, y, at, target: isDouble ? before.target : findButton(event), isDouble };
}

function findButtons({ renderRoot }: ReactiveElement): HTMLButtonElement[] {
  return [...renderRoot.querySelectorAll('button')];
}

function findButton(event: Event): HTMLButtonElement | undefined {
  return event.composedPath().find((each) => each instanceof HTMLButtonElement);
}

function ignore(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}
