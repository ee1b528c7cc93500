/** The look of the first view: the card and the bubble, before there is a phone in them. What comes later adds to it. */
import { css } from 'lit';

/** Every colour and measure, each from a custom property of the page or its default. */
const firstTokens = css`
  :host {
    --_accent: var(--partner-dialer-accent, light-dark(#1d4ed8, #93b4ff));
    --_on-accent: light-dark(#fff, #0b1533);
    --_surface: var(--partner-dialer-surface, light-dark(#fff, #171a21));
    --_text: var(--partner-dialer-text, light-dark(#171a21, #f1f3f7));
    --_muted: var(--partner-dialer-muted, light-dark(#565e6c, #a8b0be));
    --_border: var(--partner-dialer-border, light-dark(#d9dee7, #343a46));
    --_radius: var(--partner-dialer-radius, 12px);
    --_width: var(--partner-dialer-width, 320px);
  }
  :host([theme='light']) {
    color-scheme: light;
  }
  :host([theme='dark']) {
    color-scheme: dark;
  }
`;

const firstLayout = css`
  :host {
    display: block;
    box-sizing: border-box;
    width: var(--_width);
    min-width: 280px;
    max-width: min(400px, 100%);
    font: inherit;
    font-family: var(--partner-dialer-font, inherit);
    font-size: 15px;
    line-height: 1.4;
    color: var(--_text);
    /* Its languages are written from left to right, whatever the page around it is. */
    direction: ltr;
    letter-spacing: normal;
    text-align: start;
    text-transform: none;
    white-space: normal;
  }
  :host([hidden]) {
    display: none;
  }
  :host([floating]:not([floating='false'])) {
    position: fixed;
    inset: auto 16px 16px auto;
    z-index: 2147483000;
    display: flex;
    flex-direction: column;
    align-items: flex-end;
    gap: 8px;
    width: auto;
    min-width: 0;
    max-width: calc(100vw - 32px);
    max-height: calc(100dvh - 32px);
    /* Beside the card and the bubble, the page can be pressed. */
    pointer-events: none;
  }
  :host([floating][floating='bottom-left']) {
    inset: auto auto 16px 16px;
  }
  :host([floating][floating='top-right']) {
    inset: 16px 16px auto auto;
  }
  :host([floating][floating='top-left']) {
    inset: 16px auto auto 16px;
  }
  :host([floating][floating^='top-']) {
    flex-direction: column-reverse;
  }
  :host([floating][floating$='-left']) {
    align-items: flex-start;
  }
  :host([floating][hidden]) {
    display: none;
  }
  :host([floating]:not([floating='false'])) .card {
    width: var(--_width);
    max-width: calc(100vw - 32px);
    overflow-y: auto;
    box-shadow: 0 12px 32px rgb(0 0 0 / 0.18);
  }
  .card,
  .bubble {
    pointer-events: auto;
  }
  *,
  *::before {
    box-sizing: border-box;
  }
  p {
    margin: 0;
    overflow-wrap: anywhere;
  }
  .card {
    background: var(--_surface);
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    overflow: clip;
  }
  .body {
    padding: 16px;
  }
  .guide {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 12px;
  }
  /* The keypad and every view of a call are of one height: nothing moves away from under a pointer. */
  .tall {
    min-height: 444px;
  }
  .bubble {
    display: grid;
    flex: none;
    place-items: center;
    width: 56px;
    height: 56px;
    border-radius: 50%;
    background: var(--_accent);
    color: var(--_on-accent);
    box-shadow: 0 6px 20px rgb(0 0 0 / 0.25);
  }
  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .status {
    display: flex;
    align-items: center;
    gap: 8px;
    min-height: 41px;
    padding: 10px 16px;
    border-bottom: 1px solid var(--_border);
    font-size: 13px;
  }
  .word {
    flex: none;
    max-width: 100%;
    font-weight: 600;
  }
  .dot {
    flex: none;
    width: 8px;
    height: 8px;
    border: 2px solid var(--_muted);
    border-radius: 50%;
  }
  button,
  input,
  select {
    font: inherit;
    color: inherit;
  }
  button {
    min-height: 40px;
    border: 0;
    border-radius: 8px;
    background: none;
    cursor: pointer;
  }
  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  .accent {
    background: var(--_accent);
    color: var(--_on-accent);
  }
  .number {
    width: 100%;
    padding: 4px;
    border: 0;
    border-bottom: 1px solid var(--_border);
    background: none;
    font-size: 22px;
    font-variant-numeric: tabular-nums;
  }
  .number::placeholder {
    color: var(--_muted);
    font-size: 15px;
    opacity: 1;
  }
  .center {
    display: grid;
    justify-items: center;
    gap: 16px;
    padding: 40px 0;
    color: var(--_muted);
  }
  .tall > .center {
    min-height: inherit;
    align-content: center;
  }
  .spinner {
    width: 28px;
    height: 28px;
    border: 3px solid var(--_border);
    border-top-color: var(--_accent);
    border-radius: 50%;
  }
  .primary,
  .secondary {
    display: flex;
    align-items: center;
    justify-content: center;
    gap: 8px;
    width: 100%;
    min-height: 44px;
    padding: 8px 12px;
    font-weight: 600;
  }
  @media (prefers-reduced-motion: no-preference) {
    .spinner {
      animation: turn 900ms linear infinite;
    }
    @keyframes turn {
      to {
        transform: rotate(1turn);
      }
    }
  }
`;

export const firstStyles = [firstTokens, firstLayout];
