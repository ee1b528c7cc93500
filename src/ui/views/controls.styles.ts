/** Buttons, inputs and links, the focus ring, alert and notice lines. */
import { css } from 'lit';

export const controlStyles = css`
  button,
  input,
  select {
    font: inherit;
    color: inherit;
  }
  button {
    min-height: 40px;
    border: 0;
    border-radius: var(--_button-radius);
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
  .call {
    background: var(--_call);
    color: var(--_on-call);
  }
  .key:hover,
  .icon-button:hover {
    background: var(--_hover);
  }
  .icon-button {
    display: grid;
    place-items: center;
    width: 40px;
  }
  .keypad {
    display: grid;
    grid-template-columns: repeat(3, 1fr);
    gap: 4px;
  }
  .key {
    min-height: var(--_key);
    font-size: 20px;
  }
  .actions {
    display: grid;
    align-items: center;
    grid-template-columns: 1fr 1fr;
    gap: 8px;
  }
  /* A low window is smaller than the card: the buttons that answer and end a call stay visible. */
  @media (max-height: 540px) {
    .actions {
      position: sticky;
      bottom: 8px;
      background: var(--_surface);
      box-shadow: 0 0 0 8px var(--_surface);
    }
    .key {
      scroll-margin-bottom: 60px;
    }
  }
  .actions .primary {
    padding-inline: 6px;
    white-space: nowrap;
  }
  .key:active {
    background: var(--_tint);
  }
  .hint {
    color: var(--_danger);
    font-size: 13px;
  }
  .hint:empty {
    display: none;
  }
  .hang-up {
    background: var(--_danger);
    color: var(--_on-danger);
  }
  .secondary {
    border: 1px solid var(--_border);
    font-weight: 500;
  }
  .secondary:hover {
    background: var(--_hover);
  }
  .link {
    min-height: 24px;
    padding: 0;
    color: var(--_link);
    text-decoration: underline;
    text-underline-offset: 3px;
  }
  .notice,
  .in-call .hint {
    padding: 8px 12px;
    border: 1px solid transparent;
    border-radius: var(--_button-radius);
    background: var(--_hover);
    font-size: 13px;
    text-wrap: pretty;
  }
  .notice:empty {
    display: none;
  }
  @media (forced-colors: active) {
    .link {
      padding: 0 6px;
    }
  }
`;
