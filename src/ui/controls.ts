/** What the views are made of: icons, keys, the red button, lines that come and go. */
import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';

const HANDSET = svg`<path d="M4.2 2.8h2.5l1.3 3.4-1.7 1.1a9 9 0 0 0 4.4 4.4l1.1-1.7 3.4 1.3v2.5c0 .9-.7 1.6-1.6 1.6C8 15.4 2.6 10 2.6 4.4c0-.9.7-1.6 1.6-1.6Z" transform="translate(1 1)"/>`;

/** 20 px, 1.5 px strokes, in the colour of the text around it. */
export const SHAPES = {
  call: HANDSET,
  erase: svg`<path d="M7 4.500h9.500v11H7L2.5 10ZM9.5 8l4 4M13.5 8l-4 4"/>`,
  warning: svg`<path d="M10 3.2 17.5 16h-15ZM10 8.200v3.600M10 13.800h.01"/>`,
  clock: svg`<circle cx="10" cy="10" r="7"/><path d="M10 6v4.200l2.800 1.800"/>`,
  close: svg`<path d="m5 5 10 10M15 5 5 15"/>`,
};

type Shapes = Readonly<Record<string, SVGTemplateResult>>;

export const icon = iconOf(SHAPES);

/** Draws one of these by its name. */
export function iconOf<S extends Shapes>(shapes: S): (name: keyof S) => TemplateResult {
  return (name) =>
    html`<svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      ${shapes[name]}
    </svg>`;
}

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'];

/** For dialling and for tones. */
export function keypad(label: string, press: (key: string) => void): TemplateResult {
  return html`<div class="keypad" role="group" aria-label=${label}>
    ${KEYS.map((key) => html`<button type="button" class="key" part="key" data-quick @click=${() => press(key)}>${key}</button>`)}
  </div>`;
}

/**
 * The last row of the keypad and of a call. What begins a call is always on the left and what ends one on the right, so that
 * none ever lies where the other was: a press too many does nothing.
 */
export function actions(left: unknown, right: unknown): TemplateResult {
  return html`<div class="actions">
    <div>${left}</div>
    <div>${right}</div>
  </div>`;
}

/*
 * Lines that come and go while a view stays. They are always in the document, because screen readers read changes
 * only, and take no room while empty: `:empty` counts blanks, hence no line break inside.
 */

export function alertLine(text: string | undefined): TemplateResult {
  return html`<p class="hint" role="alert">${text ?? nothing}</p>`;
}
