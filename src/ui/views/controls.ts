/** The parts of the views: icons, buttons, keys, alert and notice lines. */
import { html, nothing, svg, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { later } from '../../wait.ts';
import { liveCallKey } from '../status.ts';
import type { View } from '../view.ts';

/** 20 px, 1.5 px strokes, in the colour of the text around it. */
const SHAPES = {
  call: svg`<path d="M4.2 2.8h2.5l1.3 3.4-1.7 1.1a9 9 0 0 0 4.4 4.4l1.1-1.7 3.4 1.3v2.5c0 .9-.7 1.6-1.6 1.6C8 15.4 2.6 10 2.6 4.4c0-.9.7-1.6 1.6-1.6Z" transform="translate(1 1)"/>`,
  erase: svg`<path d="M7 4.5h9.5v11H7L2.5 10ZM9.5 8l4 4M13.5 8l-4 4"/>`,
  warning: svg`<path d="M10 3.2 17.5 16h-15ZM10 8.2v3.6M10 13.8h.01"/>`,
  clock: svg`<circle cx="10" cy="10" r="7"/><path d="M10 6v4.2l2.8 1.8"/>`,
  close: svg`<path d="m5 5 10 10M15 5 5 15"/>`,
  hangUp: svg`<path d="M2.6 11.4c4-4 10.8-4 14.8 0 .6.6.6 1.5.1 2.2l-.9 1.1-3.3-1.4.2-2a9 9 0 0 0-7 0l.2 2-3.3 1.4-.9-1.1c-.5-.7-.5-1.6.1-2.2Z"/>`,
  mic: svg`<rect x="7.5" y="2.5" width="5" height="9" rx="2.5"/><path d="M4.5 9.5a5.5 5.5 0 0 0 11 0M10 15v2.5"/>`,
  micOff: svg`<path d="M7.5 7.5V9a2.5 2.5 0 0 0 3.9 2.1M12.5 8V5a2.5 2.5 0 0 0-4.9-.7M4.5 9.5A5.5 5.5 0 0 0 13 14M15.5 9.5c0 .6-.1 1.2-.3 1.7M10 15v2.5M3.5 3.5l13 13"/>`,
  pause: svg`<path d="M7.5 4.5v11M12.5 4.5v11"/>`,
  keypad: svg`<path d="M5 5h.01M10 5h.01M15 5h.01M5 10h.01M10 10h.01M15 10h.01M5 15h.01M10 15h.01M15 15h.01" stroke-width="2.6"/>`,
  headset: svg`<path d="M3.5 12v-1.5a6.5 6.5 0 0 1 13 0V12M16.5 15v.5a2 2 0 0 1-2 2H11"/><rect x="3" y="11" width="3.5" height="5" rx="1.2"/><rect x="13.5" y="11" width="3.5" height="5" rx="1.2"/>`,
  circle: svg`<circle cx="10" cy="10" r="5.5"/>`,
  missed: svg`<path d="m4 5.5 6 6 6-6M4 10V5.5h4.5M4.5 15h11"/>`,
  bell: svg`<path d="M5 13.5V9a5 5 0 0 1 10 0v4.5l1.5 1.5h-13ZM8.5 17.5h3"/>`,
  check: svg`<path d="m4 10.5 4 4 8-9"/>`,
  person: svg`<circle cx="10" cy="7" r="3.2"/><path d="M4 17a6 6 0 0 1 12 0"/>`,
  wallet: svg`<path d="M3 6.5a2 2 0 0 1 2-2h9.5v3M3 6.5v7a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-4a2 2 0 0 0-2-2H4a1 1 0 0 1-1-1ZM13.5 11.5h.01"/>`,
  lock: svg`<rect x="4" y="9" width="12" height="8" rx="2"/><path d="M6.5 9V6.5a3.5 3.5 0 0 1 7 0V9"/>`,
  cloud: svg`<path d="M6 15.5a3.5 3.5 0 0 1-.3-7 4.5 4.5 0 0 1 8.6-.7A3.9 3.9 0 0 1 14 15.5Z"/>`,
  offline: svg`<path d="M3 8.5a10 10 0 0 1 3.5-2.2M10 5.5a10 10 0 0 1 7 3M6 11.5a6 6 0 0 1 2-1.3M12 10.2a6 6 0 0 1 2 1.3M10 15h.01M4 3.5l12 13"/>`,
  code: svg`<path d="m7 6-4 4 4 4M13 6l4 4-4 4"/>`,
  browser: svg`<rect x="2.5" y="4" width="15" height="12" rx="2"/><path d="M2.5 8h15M5.5 6h.01"/>`,
  tabs: svg`<rect x="2.5" y="7" width="10.5" height="9" rx="2"/><path d="M7 4h8.5a2 2 0 0 1 2 2v7"/>`,
};

export type IconName = keyof typeof SHAPES;

export function icon(name: IconName): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
    ${SHAPES[name]}
  </svg>`;
}

export interface ButtonOptions {
  readonly look: string;
  readonly part?: string;
  /** Of a button that shows only an icon, or less than its name. */
  readonly name?: string;
  /** What a press acts on: see `PressGuard`. Absent: it switches `pressed`. */
  readonly about?: string | undefined;
  /** Takes the focus when the view opens. */
  readonly isFirst?: boolean;
  /** It was pressed, and the answer has not come yet: another press does nothing. */
  readonly isWaiting?: boolean;
  readonly pressed?: boolean;
  readonly expanded?: boolean;
  readonly isBusy?: boolean;
  /** Of the keyboard. */
  readonly key?: string;
}

/** Lit draws two buttons of one place as one element: buttons that take turns there differ in `about`. */
export function button(
  content: unknown,
  press: (event: Event) => void,
  { look, part, name, about, isFirst = false, isWaiting = false, ...more }: ButtonOptions,
): TemplateResult {
  return html`<button
    type="button"
    class=${look}
    part=${part ?? nothing}
    ?data-focus=${isFirst}
    data-about=${about ?? more.pressed ?? nothing}
    aria-label=${name ?? nothing}
    title=${name ?? nothing}
    aria-pressed=${more.pressed ?? nothing}
    aria-expanded=${more.expanded ?? nothing}
    aria-busy=${more.isBusy ?? nothing}
    aria-keyshortcuts=${more.key ?? nothing}
    aria-disabled=${isWaiting}
    @click=${(event: Event) => !isWaiting && press(event)}
  >
    ${content}
  </button>`;
}

/** For the content of a button. */
export function labelled(name: IconName, label: string): TemplateResult {
  return html`${icon(name)}<span>${label}</span>`;
}

/** Each with the letters on it, which the style draws. */
const KEYS = ['1', '2ABC', '3DEF', '4GHI', '5JKL', '6MNO', '7PQRS', '8TUV', '9WXYZ', '*', '0+', '#'];

/**
 * For dialling and for tones. The label keeps screen readers from reading the letters.
 *
 * @param hasPlus the key 0 types a plus when a pointer holds it down
 */
export function keypad(label: string, press: (key: string) => void, hasPlus = false): TemplateResult {
  // The keys for tones come only when the agent asks for them, and are pressed at once.
  const quick = hasPlus ? '' : 'at-once';
  const onPointerDown = (event: PointerEvent, letters: string) => {
    if (hasPlus && letters === '+') longPress(event, () => press(letters));
  };
  const key = (name: string, letters: string) =>
    html`<button
      type="button"
      class="key"
      part="key"
      data-quick=${quick}
      data-letters=${letters || nothing}
      aria-label=${name}
      @pointerdown=${(event: PointerEvent) => onPointerDown(event, letters)}
      @click=${(event: MouseEvent) => !isEndOfLongPress(event) && press(name)}
    >
      ${name}
    </button>`;
  return html`<div class="keypad" role="group" aria-label=${label}>
    ${KEYS.map((each) => key(each.charAt(0), each.slice(1)))}
  </div>`;
}

const LONG_PRESS_MS = 600;
/** Keys that a pointer has held down for so long: the click that may follow does nothing more. */
const longPressed = new WeakSet<EventTarget>();

function longPress(event: PointerEvent, act: () => void): void {
  const { currentTarget: key } = event;
  if (!(key instanceof HTMLElement)) return;
  longPressed.delete(key);
  if (event.button !== 0) return;
  const over = new AbortController();
  for (const name of ['pointerup', 'pointercancel', 'pointerleave'])
    key.addEventListener(name, () => over.abort(), { signal: over.signal });
  later(LONG_PRESS_MS, over.signal, () => {
    over.abort();
    // Another view may have taken its place.
    if (!key.isConnected) return;
    longPressed.add(key);
    act();
  });
}

/** A click by a key or a script has no `detail`. */
function isEndOfLongPress({ currentTarget: key, detail }: MouseEvent): boolean {
  return detail > 0 && key !== null && longPressed.delete(key);
}

/**
 * The last row of the keypad and of a call. The button that begins a call is on the left, the one that ends it on the right,
 * so that one press too many never does the opposite.
 */
export function actionRow(left: unknown, right: unknown): TemplateResult {
  return html`<div class="actions">
    <div>${left}</div>
    <div>${right}</div>
  </div>`;
}

type CallButton = Pick<ButtonOptions, 'look' | 'name' | 'isFirst'>;

export function answerButton({ actions, ui, state }: View, content: TemplateResult, options: CallButton) {
  const isWaiting = ui.pending !== undefined;
  const about = liveCallKey(state);
  return button(content, () => actions.answer(), { part: 'call-button', about, isWaiting, ...options });
}

/** Ends, cancels or declines. */
export function endButton({ actions, ui, state }: View, content: TemplateResult, options: CallButton) {
  const isWaiting = ui.pending === 'end';
  const about = liveCallKey(state);
  return button(content, () => actions.hangUp(), { part: 'hangup-button', about, isWaiting, ...options });
}

/** Closes the panel whose button was in its place. */
export function closeButton({ words }: View, name: string, close: () => void): TemplateResult {
  return button(labelled('close', words.recent.close), close, {
    look: 'secondary close',
    name,
    isFirst: true,
  });
}

/*
 * Alert and notice lines are always in the document and never `display: none`, because screen readers announce only changes of
 * what they know. While empty they take no room. `:empty` counts blanks, so there is no line break inside the element.
 */

/** @param key another one than before: a screen reader says the same text again */
export function alertLine(text: string | undefined, key: number): TemplateResult {
  return html`${keyed(key, html`<p class="hint" part="notice" role="alert">${text ?? nothing}</p>`)}`;
}

export function noticeLine(text: string | undefined, tone = ''): TemplateResult {
  return html`<p class=${`notice ${tone}`} part="notice" role="status">${text ?? nothing}</p>`;
}
