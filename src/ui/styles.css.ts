/** The look: calm and dense, in the host page's own font. */
import { css } from 'lit';

export const styles = css`
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
  }
  :host([hidden]) {
    display: none;
  }
  :host([floating]) {
    position: fixed;
    inset: auto 16px 16px auto;
    z-index: 2147483000;
    width: auto;
    min-width: 0;
    max-width: calc(100vw - 32px);
  }
  :host([floating]) .card {
    width: var(--_width);
    max-width: calc(100vw - 32px);
    box-shadow: 0 12px 32px rgb(0 0 0 / 0.18);
    margin-bottom: 8px;
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
    overflow: hidden;
  }
  .status {
    display: flex;
    align-items: center;
    gap: 8px;
    padding: 10px 16px;
    border-bottom: 1px solid var(--_border);
    font-size: 13px;
  }
  .word {
    font-weight: 600;
  }
  .who {
    margin-inline-start: auto;
    max-width: 50%;
    overflow: hidden;
    white-space: nowrap;
    text-overflow: ellipsis;
    color: var(--_muted);
  }
  .dot {
    flex: none;
    width: 8px;
    height: 8px;
    border-radius: 50%;
    background: var(--_muted);
  }
  .dot.good {
    background: var(--_call);
  }
  .dot.bad {
    background: var(--_danger);
  }
  .status .icon {
    color: var(--_warning);
  }
  .body {
    padding: 16px;
    animation: appear 150ms ease-out;
  }
  @keyframes appear {
    from {
      transform: translateY(4px);
    }
  }
  .icon {
    flex: none;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.5;
    stroke-linecap: round;
    stroke-linejoin: round;
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
    transition: background-color 120ms;
  }
  button:disabled,
  button[aria-disabled='true'] {
    cursor: default;
  }
  button:disabled {
    opacity: 0.4;
  }
  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
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
  .primary:hover {
    filter: brightness(0.94);
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
    border: 1px solid var(--_border);
    font-weight: 500;
  }
  .secondary:hover,
  .key:hover,
  .tool:hover,
  .icon-button:hover:enabled {
    background: var(--_hover);
  }
  .link {
    min-height: 24px;
    padding: 0;
    color: var(--_accent);
    text-decoration: underline;
    text-underline-offset: 3px;
  }
  .muted {
    color: var(--_muted);
    font-size: 13px;
  }
  .center-text {
    text-align: center;
  }
  .dialpad,
  .guide,
  .in-call {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 12px;
  }
  .number-row {
    display: flex;
    align-items: center;
    border-bottom: 1px solid var(--_border);
  }
  .number {
    flex: 1;
    min-width: 0;
    padding: 4px;
    border: 0;
    background: none;
    font-size: 22px;
    font-variant-numeric: tabular-nums;
  }
  .number::placeholder {
    color: var(--_muted);
    font-size: 15px;
    opacity: 1;
  }
  .icon-button {
    display: grid;
    place-items: center;
    width: 40px;
  }
  .hint {
    color: var(--_danger);
    font-size: 13px;
  }
  .hint:empty,
  .notice:empty,
  .tones:empty {
    display: none;
  }
  .hotline {
    display: flex;
    align-items: baseline;
    gap: 8px;
    min-width: 0;
    font-size: 13px;
  }
  .hotline select {
    flex: 1;
    min-width: 0;
    min-height: 32px;
    padding: 4px;
    border: 1px solid var(--_border);
    border-radius: 8px;
    background: var(--_surface);
    text-overflow: ellipsis;
  }
  .keypad {
    display: grid;
    grid-template-columns: repeat(3, 1fr);
    gap: 4px;
  }
  .key {
    font-size: 20px;
    min-height: 44px;
  }
  .key:active {
    background: var(--_tint);
  }
  .footer {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 2px 12px;
  }
  .center {
    display: grid;
    justify-items: center;
    gap: 16px;
    padding: 40px 0;
    color: var(--_muted);
  }
  .spinner {
    width: 28px;
    height: 28px;
    border: 3px solid var(--_border);
    border-top-color: var(--_accent);
    border-radius: 50%;
    animation: turn 900ms linear infinite;
  }
  @keyframes turn {
    to {
      transform: rotate(1turn);
    }
  }
  .party {
    padding: 16px 0;
    text-align: center;
  }
  .party-number {
    font-size: 28px;
    font-variant-numeric: tabular-nums;
    line-height: 1.2;
  }
  .detail {
    font-variant-numeric: tabular-nums;
  }
  .incoming .party-number {
    color: var(--_call);
  }
  .pair {
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: 8px;
  }
  .tools {
    display: grid;
    grid-template-columns: repeat(3, 1fr);
    gap: 8px;
  }
  .tool {
    display: grid;
    justify-items: center;
    gap: 4px;
    padding: 8px 4px;
    font-size: 13px;
  }
  .tool.on {
    background: var(--_tint);
    color: var(--_accent);
  }
  .tones {
    min-height: 31px;
    overflow-wrap: anywhere;
    text-align: center;
    font-size: 22px;
    font-variant-numeric: tabular-nums;
  }
  .notice {
    padding: 8px 12px;
    border-radius: 8px;
    background: var(--_hover);
    font-size: 13px;
  }
  .waiting-number {
    padding-top: 12px;
    border-top: 1px solid var(--_border);
    font-variant-numeric: tabular-nums;
  }
  .support,
  .links {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 4px 12px;
    font-size: 13px;
  }
  .bubble {
    display: grid;
    place-items: center;
    width: 56px;
    height: 56px;
    margin-inline-start: auto;
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
  @media (prefers-reduced-motion: reduce) {
    .body,
    .spinner,
    button {
      animation: none;
      transition: none;
    }
  }
`;
