/**
 * The bubble, and the buttons beside it in a call. The whole bar keeps its width during a call: "Hang up" stays where "Decline"
 * was. For the time of a double press, the shield covers the places of buttons that have gone.
 */
import { css } from 'lit';

export const bubbleStyles = css`
  .bubble-bar {
    --_gap: 8px;
    --_mini: 44px;
    position: relative;
    display: flex;
    flex: none;
    align-items: center;
    gap: var(--_gap);
    pointer-events: auto;
  }
  :host([floating$='left']) .bubble-bar {
    flex-direction: row-reverse;
  }
  .bubble {
    position: relative;
    display: flex;
    flex: none;
    align-items: center;
    justify-content: center;
    gap: 8px;
    width: 56px;
    height: 56px;
    border-radius: 28px;
    background: var(--_accent);
    color: var(--_on-accent);
    box-shadow: 0 4px 16px rgb(0 0 0 / 0.25);
  }
  .bubble.off {
    border: 1px solid var(--_border);
    background: var(--_surface);
    color: var(--_muted);
  }
  .bubble:is(.rings, .talks) {
    --_call-width: min(200px, 100vw - 32px - 2 * (var(--_gap) + var(--_mini)));
    width: var(--_call-width);
    padding: 0 14px;
    background: var(--_call);
    color: var(--_on-call);
    font-weight: 600;
  }
  .bubble.waits {
    background: var(--_warning);
    color: var(--_on-warning);
  }
  .mute ~ .bubble.talks {
    width: calc(var(--_call-width) - var(--_gap) - var(--_mini));
  }
  .bubble > .text {
    min-width: 0;
  }
  .text::before {
    content: attr(data-time);
  }
  .text:not([data-time]):empty {
    display: none;
  }
  .bubble.rings::before {
    content: '';
    position: absolute;
    inset: -5px;
    border: 3px solid var(--_call);
    border-radius: 33px;
  }
  .bubble > .sign {
    position: absolute;
    top: -4px;
    min-width: 22px;
    height: 22px;
    border: 2px solid var(--_surface);
    border-radius: 11px;
  }
  .bubble > .badge {
    inset-inline-end: -4px;
  }
  .bubble > .badge::before {
    content: attr(data-count);
  }
  .bubble > .warns {
    inset-inline-start: -4px;
    display: grid;
    place-items: center;
    border-color: var(--_warning);
    font-size: 14px;
    font-weight: 700;
    line-height: 1;
    background: var(--_surface);
    color: var(--_warning);
  }
  .mini {
    position: relative;
    display: grid;
    flex: none;
    place-items: center;
    width: var(--_mini);
    height: var(--_mini);
    border-radius: 50%;
    box-shadow: 0 4px 12px rgb(0 0 0 / 0.2);
  }
  .mini.mute {
    border: 1px solid var(--_border);
    background: var(--_surface);
    color: var(--_text);
  }
  .mini.mute.on {
    color: var(--_danger);
  }
  .shield {
    position: absolute;
    inset: 0 0 0 auto;
    width: calc(200px + 2 * (var(--_gap) + var(--_mini)));
    max-width: calc(100vw - 32px);
    animation: gone 0s 500ms forwards;
  }
  :host([floating$='left']) .shield {
    inset: 0 auto 0 0;
  }
  @keyframes gone {
    to {
      visibility: hidden;
    }
  }
  @media (prefers-reduced-motion: no-preference) {
    .bubble.rings::before {
      animation: beat 1s ease-in-out infinite alternate;
    }
    @keyframes beat {
      from {
        opacity: 0.15;
      }
    }
  }
`;
