/** Buttons, keys, inputs and links, the focus ring, the one notice of a view. */
import { css } from 'lit';

export const controlStyles = css`
  button,
  input,
  select {
    font: inherit;
    color: inherit;
    border: 0;
    background: none;
  }
  button {
    min-height: 44px;
    padding: 0;
    border-radius: var(--_button-radius);
    cursor: pointer;
    transition: background-color 100ms;
    /* Two quick presses, or a long one, are presses: they neither zoom the page nor select the text. */
    touch-action: manipulation;
    -webkit-user-select: none;
    user-select: none;
  }
  :focus-visible {
    outline: 2px solid var(--_link);
    outline-offset: 2px;
  }
  .primary,
  .secondary {
    display: flex;
    align-items: center;
    justify-content: center;
    gap: 8px;
    width: 100%;
    padding: 4px 8px;
    font-weight: 600;
    line-height: 1.2;
  }
  .primary {
    transition: filter 100ms;
  }
  .accent {
    background: var(--_accent);
    color: var(--_on-accent);
  }
  .call {
    background: var(--_call);
    color: var(--_on-call);
  }
  .hang-up {
    background: var(--_danger);
    color: var(--_on-danger);
  }
  .secondary {
    font-weight: 500;
  }
  .key,
  .secondary,
  .disc,
  .test,
  .devices select {
    background: var(--_sunken);
  }
  .icon {
    flex: none;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.5;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  button[aria-disabled='true'] {
    cursor: default;
  }
  .icon-button[aria-disabled='true'] {
    opacity: 0.4;
  }
  :is(.primary, .secondary, .link, .mini)[aria-disabled='true'] {
    opacity: 0.6;
  }
  .primary:hover {
    filter: brightness(0.94);
  }
  .primary:active {
    filter: brightness(0.86);
  }
  :is(.key, .icon-button, .secondary, .test, button.entry):hover,
  .tool:hover .disc {
    background-color: var(--_hover);
  }
  :is(.key, .icon-button, .secondary, .test, button.entry):active,
  .tool:active .disc {
    background-color: var(--_pressed);
  }
  .icon-button {
    display: grid;
    flex: none;
    place-items: center;
    width: 44px;
  }
  .keypad {
    display: grid;
    grid-template-columns: repeat(3, 1fr);
    gap: 8px;
  }
  .key {
    display: grid;
    align-content: center;
    height: 48px;
    font-size: 20px;
    line-height: 22px;
  }
  .key[data-letters]::after {
    content: attr(data-letters);
    /* Not read by screen readers. */
    content: attr(data-letters) / '';
    height: 12px;
    color: var(--_muted);
    font-size: 9px;
    font-weight: 600;
    line-height: 12px;
    letter-spacing: 0.12em;
    text-indent: 0.12em;
  }
  .actions {
    display: grid;
    align-items: center;
    grid: auto / repeat(2, minmax(0, 1fr));
    gap: 8px;
    min-height: 44px;
  }
  /* A low window is smaller than the card, with its bubble: the buttons that answer and end a call stay visible. */
  @media (max-height: 634px) {
    .actions {
      position: sticky;
      bottom: 8px;
      background: var(--_surface);
      box-shadow: 0 0 0 8px var(--_surface);
    }
    :is(button, select) {
      scroll-margin-bottom: 60px;
    }
  }
  .actions :is(.primary, .secondary) {
    gap: 6px;
    padding-inline: 4px;
    overflow-wrap: anywhere;
  }
  .actions .secondary {
    font-size: 13px;
  }
  .link {
    min-height: 24px;
    color: var(--_link);
    font-size: 13px;
    font-weight: 600;
  }
  .link:hover {
    text-decoration: underline;
    text-underline-offset: 3px;
  }
  .hint,
  .notice {
    padding: 8px 12px;
    border-radius: var(--_button-radius);
    background: var(--_sunken);
    font-size: 13px;
    line-height: 1.35;
    text-wrap: pretty;
  }
  .hint,
  .warns,
  .chip:is(.fair, .poor, .waits, .mutes) {
    background: color-mix(in srgb, currentcolor 8%, var(--_surface));
  }
  .hint,
  .poor,
  .mutes {
    color: var(--_danger);
  }
  .warns,
  .fair,
  .waits {
    color: var(--_warning);
  }
  :is(.hint, .notice, .low-balance):empty {
    position: absolute;
    padding: 0;
    clip-path: inset(50%);
  }
`;
