/** Keyboard shortcuts: while the dialer has the focus, and, with `hotkeys`, on the whole page. */
import type { ReactiveElement, ReactiveController } from 'lit';
import type { DialerState } from '../dialer/state/state.ts';
import type { Actions } from './actions.ts';
import type { PressGuard } from './press-guard.ts';
import { viewKey } from './status.ts';
import type { ViewSettings } from './view.ts';

interface Parts {
  readonly guard: PressGuard;
  readonly actions: Actions;
  readonly view: { readonly state: DialerState; readonly settings: ViewSettings };
}

export class Shortcuts implements ReactiveController {
  readonly #view: Parts['view'];
  readonly #guard: PressGuard;
  readonly #actions: Actions;
  /** From insertion into the page to removal. */
  #inPage = new AbortController();

  constructor(element: ReactiveElement, { guard, actions, view }: Parts) {
    this.#guard = guard;
    this.#actions = actions;
    this.#view = view;
    element.addEventListener('keydown', (event) => {
      if (!event.defaultPrevented && this.#onKey(event)) consume(event);
    });
    element.addEventListener('click', giveFocusToCard);
  }

  hostConnected(): void {
    this.#inPage = new AbortController();
    const { signal } = this.#inPage;
    const listener = (event: KeyboardEvent) => this.#view.settings.hotkeys && this.#onPageKey(event);
    // In the capture phase: a text field of the page may stop the event.
    document.addEventListener('keydown', listener, { capture: true, signal });
  }

  hostDisconnected(): void {
    this.#inPage.abort();
  }

  /** @returns whether the key did something */
  #onKey(event: KeyboardEvent): boolean {
    const { key, ctrlKey, metaKey, altKey, repeat, isComposing } = event;
    if (ctrlKey || metaKey || altKey || repeat || isComposing) return false;
    if (key === 'Escape') return this.#actions.close(this.#view.settings.floating !== false);
    const target = event.composedPath()[0];
    if (target instanceof HTMLInputElement) {
      // The page may have shortcuts of one letter, and does not see that the target is a text field.
      if (key.length === 1) event.stopPropagation();
      return key === 'ArrowUp' && target.value === '' && this.#actions.recall();
    }
    // A letter or a digit looks for an entry of the list, Enter opens it.
    if (target instanceof HTMLSelectElement || !this.#guard.isAimed(event)) return false;
    const digit = readDigit(event);
    const isLetter = digit === undefined && key !== '?' && key !== 'Enter';
    if (isLetter) return this.#toggle(readLetter(event));
    // A closed bubble would not show it.
    if (!(target instanceof Element) || !findCard(target)) return false;
    if (key === '?') return this.#help();
    // Enter presses the button that has the focus.
    if (digit === undefined) return !(target instanceof HTMLButtonElement) && this.#begin();
    return this.#press(digit);
  }

  #help(): boolean {
    this.#actions.toggleHelp();
    return true;
  }

  #begin(): boolean {
    const view = viewKey(this.#view.state);
    if (view === 'incoming') this.#actions.answer();
    else if (view === 'keypad') this.#actions.callTypedNumber();
    else return false;
    return true;
  }

  #press(key: string): boolean {
    const { state } = this.#view;
    if (state.call.is === 'active') this.#actions.sendDtmf(key);
    else if (viewKey(state) === 'keypad') this.#actions.pressKey(key);
    else return false;
    return true;
  }

  #toggle(key: string): boolean {
    const { call } = this.#view.state;
    if (call.is !== 'active') return false;
    if (key === 'm') this.#actions.setMuted(!call.muted);
    else if (key === 'h') this.#actions.setHeld(!call.held);
    else return false;
    return true;
  }

  #onPageKey(event: KeyboardEvent): void {
    const { ctrlKey, metaKey, shiftKey, altKey, repeat } = event;
    if (!(ctrlKey || metaKey) || !shiftKey || altKey || repeat) return;
    const letter = readLetter(event);
    // The page may begin the next call at once: a second press must not end that one, too.
    if (letter !== 'm' && !this.#guard.isAimed(event)) return;
    if (this.#pageAction(letter)) consume(event);
  }

  #pageAction(key: string): boolean {
    const { call } = this.#view.state;
    if (key === 'a' && call.is === 'incoming') this.#actions.answer();
    else if (key === 'h' && (call.is === 'placing' || call.is === 'dialing' || call.is === 'active'))
      this.#actions.hangUp();
    else if (key === 'm' && call.is === 'active') this.#actions.setMuted(!call.muted);
    else return false;
    return true;
  }
}

/** By the place of the key if the layout has no Latin letters. */
function readLetter({ key, code }: KeyboardEvent): string {
  return (/^[a-z]$/i.test(key) ? key : code.replace('Key', '')).toLowerCase();
}

/** Vietnamese and French layouts have letters and signs on the digit keys. */
function readDigit({ key, code, shiftKey }: KeyboardEvent): string | undefined {
  if (/^[\d*#]$/.test(key)) return key;
  return shiftKey ? undefined : /^Digit(\d)$/.exec(code)?.[1];
}

/** After a click on a key of the keypad, Enter calls. After Tab, Enter presses the key that has the focus. */
function giveFocusToCard(event: MouseEvent): void {
  const button = event.composedPath().find((each) => each instanceof HTMLButtonElement);
  if (event.detail > 0 && button && 'quick' in button.dataset)
    findCard(button)?.focus({ preventScroll: true });
}

function findCard(within: Element): HTMLElement | null {
  const root = within.getRootNode();
  return root instanceof ShadowRoot ? root.querySelector<HTMLElement>('.card') : null;
}

/** Neither the browser nor the page acts on the event any more. */
function consume(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}
