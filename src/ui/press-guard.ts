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

/** Of what can be pressed. */
interface Change {
  /** What is drawn is not seen yet: a page that is busy paints late. */
  shownAt: number;
}

interface Sight {
  readonly since: number;
  /** What brought it: a press that began before, or right after, was not aimed at it. */
  readonly change: Change;
  /** The same button may come to mean another call. */
  readonly about: string | undefined;
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
  #shown: ReadonlyMap<HTMLElement, Sight> = new Map();
  #hadCard: boolean | undefined;
  /** The last one in which buttons went out of sight, or the card of a bubble came into it. */
  #change: Change = { shownAt: -Infinity };
  /** The latest press of each pointer: a second finger does not speak for the first. */
  readonly #pointers = new Map<number, PointerPress>();
  #latest: PointerPress | undefined;
  #keyDownAt: number | undefined;
  /** Of the key whose click may come in this task. */
  #keyBegan: number | undefined;
  readonly #pressedAt = new WeakMap<Element, number>();

  constructor(element: ReactiveElement) {
    this.#element = element;
    const listen = <E extends Event>(name: string, listener: (event: E) => void) =>
      element.addEventListener(name, (event) => listener(event as E), { capture: true });
    listen<PointerEvent>('pointerdown', (event) => {
      this.#latest = pressOf(event, this.#latest);
      this.#pointers.set(event.pointerId, this.#latest);
    });
    listen<PointerEvent>('pointercancel', ({ pointerId }) => this.#pointers.delete(pointerId));
    for (const name of ['keydown', 'keypress', 'keyup'])
      listen<KeyboardEvent>(name, (event) => this.#onKey(event));
    listen<MouseEvent>('click', (event) => this.#onClick(event));
  }

  hostUpdated(): void {
    const now = performance.now();
    const before = this.#shown;
    const buttons = new Set<HTMLElement>(buttonsOf(this.#element));
    const hasCard = this.#element.renderRoot.querySelector('.card') !== null;
    const kept = (button: HTMLElement) => {
      const sight = before.get(button);
      return buttons.has(button) && sight?.about === aboutOf(button) ? sight : undefined;
    };
    const isReplaced = [...before].some(([button, { since }]) => !kept(button) && now - since > GLIMPSE_MS);
    const isOpened = this.#hadCard === false && hasCard;
    if (isReplaced || isOpened) this.#change = seenFromNow();
    this.#hadCard = hasCard;
    this.#shown = new Map([...buttons].map((button) => [button, kept(button) ?? this.#sightOf(button, now)]));
  }

  #sightOf(button: HTMLElement, since: number): Sight {
    return { since, change: this.#change, about: aboutOf(button) };
  }

  /** Was this key pressed for the view in sight? */
  isAimed({ repeat, isTrusted, timeStamp }: KeyboardEvent): boolean {
    return !repeat && (!isTrusted || timeStamp >= this.#change.shownAt + MOMENT_MS);
  }

  #onKey(event: KeyboardEvent): void {
    const { type, key, repeat, ctrlKey, metaKey, altKey, timeStamp } = event;
    // A key kept down acts once. Erasing and moving in the field go on.
    if (repeat && (key === 'Enter' || key.length === 1) && !ctrlKey && !metaKey && !altKey)
      return swallow(event);
    if (type === 'keydown') this.#keyDownAt = timeStamp;
    // A click comes in the task of keypress or keyup. No later: the keyup itself may have gone elsewhere, with the focus.
    this.#keyBegan = this.#keyDownAt;
    setTimeout(() => (this.#keyBegan = undefined));
    if (type === 'keyup') this.#keyDownAt = undefined;
  }

  #onClick(event: MouseEvent): void {
    const button = buttonOf(event);
    if (!event.isTrusted || !button) return;
    // Not every browser says whose click it is.
    const own = event instanceof PointerEvent ? this.#pointers.get(event.pointerId) : undefined;
    const pointer = event.detail > 0 ? (own ?? this.#latest) : undefined;
    const began = (event.detail > 0 ? pointer?.at : this.#keyBegan) ?? event.timeStamp;
    const isMoved = pointer?.isDouble && pointer.target !== button;
    if (isMoved || this.#isMisdirected(button, began)) swallow(event);
    else this.#pressedAt.set(button, event.timeStamp);
  }

  #isMisdirected(button: HTMLButtonElement, began: number): boolean {
    const { shownAt } = this.#shown.get(button)?.change ?? { shownAt: Infinity };
    if (began < shownAt + MOMENT_MS) return true;
    // A double press is one wish, but for the keys: mute is not unmuted, and help is asked for once.
    const pressedAt = this.#pressedAt.get(button) ?? -Infinity;
    return !('quick' in button.dataset) && began < pressedAt + MOMENT_MS;
  }
}

/** What is drawn now can be aimed at once it is painted: right after the animation callbacks of its frame. */
function seenFromNow(): Change {
  const change = { shownAt: Infinity };
  requestAnimationFrame(() => (change.shownAt = performance.now()));
  return change;
}

/** Which missed call a button is about, or whether a bubble is open: that may change before a press that is under way. */
function aboutOf({ dataset }: HTMLElement): string | undefined {
  return dataset['about'];
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
