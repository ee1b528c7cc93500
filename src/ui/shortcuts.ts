/** Keyboard shortcuts: while the dialer has the focus, and, with `hotkeys`, on the whole page. */
import type { ReactiveElement, ReactiveController } from 'lit';
import type { DialerState } from '../dialer/state/state.ts';
import type { Actions } from './actions.ts';
import { findButton, type PressGuard } from './press-guard.ts';
import { viewKey } from './status.ts';
import type { ViewSettings } from './view.ts';

interface Parts {
  readonly guard: PressGuard;
  readonly actions: Actions;
  readonly view: { readonly state: DialerState; readonly settings: ViewSettings };
}

/** Where the focus is. A list is also a row of checkboxes; a bubble is one without its card. */
type Place = 'field' | 'list' | 'bubble' | 'button' | 'card';
type Key = 'ArrowUp' | 'Enter' | '?' | 'digit' | 'letter';
/** @returns whether the key did something */
type Deed = (key: string, event: KeyboardEvent) => boolean;

/** The browser and the page's own keys need them, too. */
const NOT_OURS = /^(?:Escape|Tab|Shift|Control|Alt|Meta)$/;

export class Shortcuts implements ReactiveController {
  readonly #element: ReactiveElement;
  readonly #parts: Parts;
  /** What each key does. What is missing is left to the browser: it types, looks for an entry of a list, presses a button. */
  readonly #deeds: Readonly<Record<Place, Readonly<Partial<Record<Key, Deed>>>>>;
  /** Pressed and not released yet. */
  readonly #down = new Set<string>();
  /** The letter of the last combination with which something was done. */
  #lastDone: string | undefined;
  /** While the keys of the whole page count. */
  #onPage: AbortController | undefined;

  constructor(element: ReactiveElement, parts: Parts) {
    this.#element = element;
    this.#parts = parts;
    const toggle: Deed = (key, event) => this.#toggle(key, event);
    const press: Deed = (key) => this.#press(key);
    const inCard = { letter: toggle, digit: press, '?': () => parts.actions.toggleHelp() };
    this.#deeds = {
      field: { ArrowUp: () => parts.actions.recall() },
      list: {},
      bubble: { letter: toggle },
      button: inCard,
      card: { ...inCard, Enter: (_key, event) => this.#begin(event) },
    };
    for (const name of ['keydown', 'keypress', 'keyup'] as const)
      element.addEventListener(name, (event) => this.#onKey(event));
    element.addEventListener('click', giveFocusToCard);
  }

  hostUpdated(): void {
    // A removed element is drawn once more, because it signs out.
    const isOn = this.#parts.view.settings.hotkeys && this.#element.isConnected;
    if (isOn === Boolean(this.#onPage)) return;
    if (this.#onPage) return this.hostDisconnected();
    this.#onPage = new AbortController();
    const listener = (event: KeyboardEvent) => this.#onPageKey(event);
    // In the capture phase: a text field of the page may stop the event.
    document.addEventListener('keydown', listener, { capture: true, signal: this.#onPage.signal });
  }

  hostDisconnected(): void {
    this.#onPage?.abort();
    this.#onPage = undefined;
  }

  /** A key typed into the dialer reaches none of the page's own shortcuts. */
  #onKey(event: KeyboardEvent): void {
    const { type, key, code, ctrlKey, metaKey, altKey } = event;
    const isDone = type === 'keydown' && !event.defaultPrevented && this.#act(event);
    if (isDone) event.preventDefault();
    // The page has heard of a key that was pressed before the focus came here.
    const isTyped = type === 'keyup' ? this.#down.delete(code) : !ctrlKey && !metaKey && !altKey;
    if (!isDone && (!isTyped || NOT_OURS.test(key))) return;
    if (type === 'keydown') this.#down.add(code);
    event.stopPropagation();
  }

  /** @returns whether the key did something */
  #act(event: KeyboardEvent): boolean {
    const { key, ctrlKey, metaKey, altKey, repeat, isComposing } = event;
    if (ctrlKey || metaKey || altKey || repeat || isComposing) return false;
    if (key === 'Escape') return this.#parts.actions.close(this.#parts.view.settings.floating !== false);
    const digit = readDigit(event);
    const kind = key === 'ArrowUp' || key === 'Enter' || key === '?' ? key : digit ? 'digit' : 'letter';
    const deed = this.#deeds[placeOf(event.composedPath()[0])][kind];
    return deed !== undefined && this.#parts.guard.isAimed(event) && deed(digit ?? readLetter(event), event);
  }

  #begin(event: KeyboardEvent): boolean {
    const { view, guard, actions } = this.#parts;
    const key = viewKey(view.state);
    if (key !== 'incoming' && key !== 'keypad') return false;
    if (key === 'incoming') actions.answer();
    else if (guard.isAimed(event, '[type=submit]')) actions.callTypedNumber();
    return true;
  }

  #press(key: string): boolean {
    const { state } = this.#parts.view;
    if (state.call.is === 'active') this.#parts.actions.sendDtmf(key);
    else if (viewKey(state) === 'keypad') this.#parts.actions.pressKey(key);
    else return false;
    return true;
  }

  /** If the page has just muted or held the call, the key was pressed for the same, and must not undo it. */
  #toggle(key: string, event: KeyboardEvent): boolean {
    const { view, guard, actions } = this.#parts;
    const { call } = view.state;
    if (call.is !== 'active' || (key !== 'm' && key !== 'h')) return false;
    const isOn = key === 'm' ? call.muted : call.held;
    const isAimed = guard.isAimed(event, `[aria-keyshortcuts=${key}]`);
    if (isAimed || !isOn) actions[key === 'm' ? 'setMuted' : 'setHeld'](!isOn);
    return true;
  }

  #onPageKey(event: KeyboardEvent): void {
    const { ctrlKey, metaKey, shiftKey, altKey, repeat } = event;
    if (!(ctrlKey || metaKey) || !shiftKey || altKey) return;
    const letter = readLetter(event);
    if (!repeat) this.#lastDone = this.#pageAction(letter, event) ? letter : undefined;
    // Kept down, it does nothing more. The browser would open a window of its own.
    if (letter !== this.#lastDone) return;
    event.preventDefault();
    event.stopPropagation();
  }

  #pageAction(key: string, event: KeyboardEvent): boolean {
    const { call } = this.#parts.view.state;
    // The page may begin the next call at once: a second press must not end that one, too.
    if (key !== 'm' && !this.#parts.guard.isAimed(event)) return false;
    if (key === 'a' && call.is === 'incoming') this.#parts.actions.answer();
    else if (key === 'h' && (call.is === 'placing' || call.is === 'dialing' || call.is === 'active'))
      this.#parts.actions.hangUp();
    else return key === 'm' && this.#toggle(key, event);
    return true;
  }
}

/** By the place of the key if the layout has no Latin letters. */
function readLetter({ key, code }: KeyboardEvent): string {
  return (/^[a-z]$/i.test(key) ? key : code.replace('Key', '')).toLowerCase();
}

/** Vietnamese and French layouts have letters and signs on the digit keys. */
function readDigit({ key, code, shiftKey }: KeyboardEvent): string | undefined {
  if (/^[\d*#+]$/.test(key)) return key;
  return shiftKey ? undefined : /^Digit(\d)$/.exec(code)?.[1];
}

/** After a click on a key of the keypad, Enter calls. After Tab, Enter presses the key that has the focus. */
function giveFocusToCard(event: MouseEvent): void {
  const button = findButton(event);
  if (event.detail > 0 && button && 'quick' in button.dataset)
    findCard(button)?.focus({ preventScroll: true });
}

function placeOf(target: EventTarget | undefined): Place {
  if (target instanceof HTMLInputElement && target.type === 'tel') return 'field';
  if (target instanceof HTMLSelectElement || target instanceof HTMLInputElement) return 'list';
  if (!(target instanceof Element) || !findCard(target)) return 'bubble';
  return target instanceof HTMLButtonElement ? 'button' : 'card';
}

function findCard(within: Element): HTMLElement | null {
  const root = within.getRootNode();
  return root instanceof ShadowRoot ? root.querySelector<HTMLElement>('.card') : null;
}
