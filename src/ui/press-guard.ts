/**
 * Ignores presses that were meant for something else. An agent presses twice, holds a key down or types on while the view changes:
 * for 0.5 s, and until typing pauses as long, what is new or means something else ignores presses. A script's `click()` always counts.
 */
import type { ReactiveElement, ReactiveController } from 'lit';
import type { DialerState } from '../dialer/state/state.ts';
import { liveCallKey, viewKey } from './status.ts';

/** Longer than the pause within a double press, and than an agent needs to see that the view has changed. */
const GUARD_MS = 500;
/** Longer than between two repeats of a key that is held down: some remote desktops send each as a press of its own. */
const REPEAT_MS = 100;
/** How far a pointer moves between the two presses of a double press. */
const DOUBLE_PRESS_PX = 10;
const CAPTURE = { capture: true };

/** Of a button; of the dialer for the keys that mean something in the whole view. */
interface Sight {
  /** The same button may now stand for another call. */
  readonly about: string | undefined;
  /** A press that began earlier was not aimed at it. */
  notBefore: number;
  /** The press on it whose click has not come yet. */
  began: number | undefined;
  /** The agent has pressed this switch, so its next change does not make it new. */
  isSwitching?: boolean;
}

interface PointerPress {
  readonly x: number;
  readonly y: number;
  readonly at: number;
  readonly isDouble: boolean;
  /** Of the second press of a double press: what the first one was on. */
  readonly button: HTMLButtonElement | undefined;
}

export class PressGuard implements ReactiveController {
  readonly #element: ReactiveElement;
  readonly #view: { readonly state: DialerState };
  readonly #sights = new WeakMap<EventTarget, Sight>();
  /** The latest one, in the dialer or beside it. */
  #press: PointerPress | undefined;
  /** Which paints the dialer. */
  #window: Window | null = null;

  constructor(element: ReactiveElement, view: { readonly state: DialerState }) {
    this.#element = element;
    this.#view = view;
    element.addEventListener('pointerdown', this.#onPointerDown, CAPTURE);
    element.addEventListener('mousedown', (event) => this.#onMouseDown(event), CAPTURE);
    element.addEventListener('keydown', (event) => this.#onKeyDown(event), CAPTURE);
    element.addEventListener('keypress', (event) => isHeld(event) && ignore(event), CAPTURE);
    element.addEventListener('click', (event) => this.#onClick(event), CAPTURE);
  }

  /** A button of the page may go when it is pressed, and bring one of the dialer's under the pointer. */
  hostConnected(): void {
    document.addEventListener('pointerdown', this.#onPointerDown, CAPTURE);
  }

  hostDisconnected(): void {
    document.removeEventListener('pointerdown', this.#onPointerDown, CAPTURE);
  }

  hostUpdated(): void {
    const isFirst = !this.#sights.has(this.#element);
    // The dialer may be in a window of its own. One that is closed paints nothing any more.
    const { defaultView } = this.#element.ownerDocument;
    const isMoved = defaultView !== this.#window;
    this.#window = defaultView;
    const visible = this.#visible();
    for (const each of visible) {
      const sight = this.#sights.get(each);
      // What the agent has asked of the switch was refused: its next change is not theirs.
      if (sight && sight.about === this.#about(each) && each.ariaBusy !== 'true') sight.isSwitching = false;
    }
    const fresh = visible
      .filter((each) => {
        const sight = this.#sights.get(each);
        return !sight || sight.about !== this.#about(each) || (isMoved && sight.notBefore === Infinity);
      })
      .map((each) => {
        const { began, isSwitching, notBefore: earlier = Infinity } = this.#sights.get(each) ?? {};
        const isExpected = isFirst || each.dataset['quick'] === 'at-once';
        const notBefore = isExpected ? -Infinity : isSwitching ? earlier : Infinity;
        const sight: Sight = { about: this.#about(each), notBefore, began };
        this.#sights.set(each, sight);
        return sight;
      })
      .filter(({ notBefore }) => notBefore === Infinity);
    if (fresh.length === 0) return;
    // A busy page paints late, right after the animation callbacks.
    defaultView?.requestAnimationFrame(() => {
      for (const sight of fresh) sight.notBefore = performance.now() + GUARD_MS;
    });
  }

  /** Was this key pressed for what is visible now? `button`: what it stands for, a switch expects its change; absent: the view. */
  isAimed(event: KeyboardEvent, button?: string): boolean {
    const target = button === undefined ? this.#element : this.#element.renderRoot.querySelector(button);
    const sight = target && this.#sights.get(target);
    const isAimed = !event.repeat && (!event.isTrusted || timeOf(event) >= (sight?.notBefore ?? -Infinity));
    if (sight && isAimed) sight.isSwitching = target.ariaPressed !== null;
    return isAimed;
  }

  #visible(): HTMLElement[] {
    return [this.#element, ...this.#element.renderRoot.querySelectorAll('button')];
  }

  /** For the dialer: the view, and whose call. */
  #about(each: HTMLElement): string | undefined {
    const { state } = this.#view;
    return each === this.#element ? `${viewKey(state)} ${liveCallKey(state) ?? ''}` : each.dataset['about'];
  }

  /** The first press of a double press may have moved another button under the pointer: the second one is not aimed at that. */
  readonly #onPointerDown = (event: PointerEvent) => {
    const { clientX: x, clientY: y } = event;
    const at = timeOf(event);
    const button = findButton(event);
    const before = this.#press;
    // The document hears of each press first; of one in a closed shadow root it does not see the button.
    const isDouble =
      before !== undefined &&
      (before.at === at
        ? before.isDouble
        : at < before.at + GUARD_MS && Math.hypot(x - before.x, y - before.y) < DOUBLE_PRESS_PX);
    this.#press = { x, y, at, isDouble, button: isDouble ? before.button : button };
    if (button) this.#begin(button, this.#press.button === button ? at : -Infinity);
  };

  /** What ignores the press does not take the focus either: a Space that is typed next would press it. */
  #onMouseDown(event: MouseEvent): void {
    const button = findButton(event);
    const sight = button && this.#sights.get(button);
    if (sight?.began !== undefined && sight.began <= sight.notBefore) event.preventDefault();
  }

  #onKeyDown(event: KeyboardEvent): void {
    if (isHeld(event)) return ignore(event);
    const at = timeOf(event);
    const [target] = event.composedPath();
    // Enter in the field presses "Call".
    const pressed = target instanceof HTMLInputElement ? target.form?.querySelector('[type=submit]') : target;
    if (pressed) this.#begin(pressed, at);
    if (!isTyping(event)) return;
    const pause = at + (event.key === 'Enter' ? REPEAT_MS : GUARD_MS);
    for (const sight of this.#visible().map((each) => this.#sights.get(each)))
      if (sight && sight.notBefore > at) sight.notBefore = Math.max(sight.notBefore, pause);
  }

  #begin(target: EventTarget, at: number): void {
    const sight = this.#sights.get(target);
    if (sight) sight.began = at;
  }

  #onClick(event: MouseEvent): void {
    const button = findButton(event);
    if (!event.isTrusted || !button) return;
    const sight = this.#sights.get(button);
    // A screen reader clicks without a press.
    const began = sight?.began ?? timeOf(event);
    if (sight) sight.began = undefined;
    if (!sight || began <= sight.notBefore) return ignore(event);
    // A double press counts once, except on the keypad: otherwise a double press would mute and unmute.
    if (!('quick' in button.dataset)) sight.notBefore = timeOf(event) + GUARD_MS;
    sight.isSwitching = button.ariaPressed !== null;
  }
}

/** As `performance.now()` counts. In a window that was opened later, such as one for picture-in-picture, events count from that. */
function timeOf({ timeStamp, view }: UIEvent): number {
  return timeStamp + (view ?? globalThis).performance.timeOrigin - performance.timeOrigin;
}

/** A key that is held down acts once, but it goes on erasing and moving the cursor. */
function isHeld({ key, repeat, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return repeat && (key === 'Enter' || key.length === 1) && !ctrlKey && !metaKey && !altKey;
}

function isTyping({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return (key.length === 1 || /^(?:Enter|Backspace|Delete)$/.test(key)) && !ctrlKey && !metaKey;
}

export function findButton(event: Event): HTMLButtonElement | undefined {
  return event.composedPath().find((each) => each instanceof HTMLButtonElement);
}

function ignore(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}
