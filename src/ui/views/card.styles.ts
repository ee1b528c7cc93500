/** The element, inline or in a corner of the page, its card, the status line and the list of shortcuts. */
import { css } from 'lit';

export const cardStyles = css`
  :host {
    display: block;
    box-sizing: border-box;
    width: var(--_width);
    min-width: 280px;
    max-width: min(400px, 100%);
  }
  /* Not on the host: a page's rule for all elements would override it. */
  :host > * {
    font: inherit;
    font-family: var(--partner-dialer-font, inherit);
    font-size: 15px;
    font-variant-numeric: tabular-nums;
    line-height: 1.4;
    color: var(--_text);
    /* Drawn from left to right in every language, also on a right-to-left page. */
    direction: ltr;
    letter-spacing: normal;
    text-align: start;
    text-transform: none;
    white-space: normal;
  }
  :host([hidden]) {
    display: none !important;
  }
  :host([floating]:not([floating='false'])) {
    position: fixed;
    inset: auto 16px 16px auto;
    z-index: 2147483000;
    /* On a right-to-left page, the card would open on the other side, and move the bubble. */
    direction: ltr !important;
    display: flex;
    flex-direction: column;
    align-items: flex-end;
    gap: 8px;
    width: auto;
    min-width: 0;
    max-width: calc(100vw - 32px);
    max-height: calc(100dvh - 32px);
    /* Presses beside the card and the bubble reach the page. */
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
  :host([floating]:not([floating='false'])) .card {
    width: var(--_width);
    max-width: calc(100vw - 32px);
    overflow-y: auto;
    box-shadow: 0 8px 32px rgb(0 0 0 / 0.2);
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
    container-type: inline-size;
    pointer-events: auto;
    background: var(--_surface);
    border: 1px solid var(--_border);
    border-radius: calc(var(--_radius) * 1.25);
    box-shadow: 0 1px 3px light-dark(rgb(0 0 0 / 0.08), transparent);
    overflow: clip;
  }
  .body {
    padding: 4px 16px 16px;
  }
  .tall {
    min-height: var(--_tall);
  }
  /* The button for the recent calls is below; together they are as tall as the keypad. */
  .tall:not(:last-child) {
    min-height: calc(var(--_tall) - 52px);
  }
  .below {
    margin-top: 8px;
  }
  .who,
  .whom,
  .bubble > .text,
  .caller-number > *,
  .compact :is(.party-name, .largest) {
    display: block;
    overflow: hidden;
    white-space: nowrap;
    text-overflow: ellipsis;
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
    height: 44px;
    padding-inline: 16px;
    font-size: 13px;
  }
  .word {
    font-weight: 600;
  }
  .dot {
    flex: none;
    width: 8px;
    height: 8px;
    border: 2px solid var(--_muted);
    border-radius: 50%;
  }
  .card:focus-visible {
    outline-offset: -2px;
  }
  .muted {
    color: var(--_muted);
    font-size: 13px;
  }
  /* The name shrinks first. The status wraps only if it does not fit into the whole line. */
  .who {
    flex: 1;
    min-width: 0;
    text-align: end;
    color: var(--_muted);
  }
  .dot.good {
    border-width: 4px;
    border-color: var(--_call);
  }
  .dot.busy {
    border-radius: 1px;
  }
  .dot.waits {
    border-color: var(--_warning);
  }
  .dot.turns {
    width: 12px;
    height: 12px;
    border-top-color: transparent;
  }
  @media (prefers-reduced-motion: no-preference) {
    .dot.turns {
      animation: turn 900ms linear infinite;
    }
    @keyframes turn {
      to {
        transform: rotate(1turn);
      }
    }
  }
  .status > .icon {
    color: var(--_warning);
  }
  .shortcuts {
    margin: 4px 16px 12px;
    padding: 0 12px 12px;
    border-radius: var(--_button-radius);
    background: var(--_sunken);
    font-size: 13px;
  }
  .shortcuts header {
    display: flex;
    align-items: center;
    justify-content: space-between;
    margin-inline-end: -12px;
  }
  h2 {
    margin: 0;
    font-size: 15px;
  }
  .shortcuts dl {
    display: grid;
    grid-template-columns: max-content 1fr;
    gap: 4px 12px;
    margin: 0;
  }
  .shortcuts dt {
    font-weight: 600;
  }
  .shortcuts dd {
    margin: 0;
    color: var(--_muted);
  }
`;
