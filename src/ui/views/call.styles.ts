/** The views of a call: the ringer, the party, the tools, the tones. */
import { css } from 'lit';

export const callStyles = css`
  .in-call {
    display: flex;
    flex-direction: column;
    gap: 12px;
    min-height: inherit;
  }
  .party {
    display: flex;
    flex: 1;
    flex-direction: column;
    justify-content: center;
    gap: 4px;
    text-align: center;
  }
  .party p {
    text-wrap: balance;
  }
  .party-name {
    /* Else the clip below would cut descenders. */
    flex: none;
    padding-block: 0.1em;
    overflow: hidden;
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 4;
    line-height: 1.2;
  }
  .party-number {
    font-size: 18px;
    font-variant-numeric: tabular-nums;
    line-height: 1.2;
  }
  .party-name,
  .largest {
    font-size: 28px;
  }
  .long {
    font-size: 20px;
  }
  /* Two rings that run outwards. They stand still after "Answer", and with reduced motion. */
  .ringer {
    position: relative;
    display: grid;
    place-items: center;
    flex: none;
    width: 72px;
    height: 72px;
    margin: 28px auto 24px;
    border-radius: 50%;
    background: color-mix(in srgb, var(--_call) 12%, transparent);
    color: var(--_call);
  }
  .ringer .icon {
    width: 36px;
    height: 36px;
  }
  .ringer::before,
  .ringer::after {
    content: '';
    position: absolute;
    inset: 0;
    border: 3px solid var(--_call);
    border-radius: 50%;
    transform: scale(1.2);
    opacity: 0.6;
  }
  .ringer::after {
    transform: scale(1.4);
    opacity: 0.3;
  }
  @media (prefers-reduced-motion: no-preference) {
    .ringer:not(.still)::before,
    .ringer:not(.still)::after {
      animation: ring 1.5s ease-out infinite;
    }
    .ringer:not(.still)::after {
      animation-delay: 0.75s;
    }
    @keyframes ring {
      from {
        transform: scale(1);
        opacity: 0.8;
      }
      to {
        transform: scale(1.5);
        opacity: 0;
      }
    }
  }
  .in-call .hint {
    background: color-mix(in srgb, var(--_danger) 10%, transparent);
  }
  .caller-number {
    line-height: 1.25;
    text-wrap: balance;
  }
  .whole {
    white-space: nowrap;
  }
  /* A long caller number grows upwards: "Hang up" must not move. */
  .actions > :last-child {
    align-self: end;
  }
  .incoming .party {
    flex: none;
  }
  .incoming .actions {
    margin-top: auto;
  }
  .incoming .party-number:not(.largest) {
    font-size: 22px;
  }
  .incoming .party-name,
  .incoming .largest {
    color: var(--_call);
  }
  .detail {
    font-variant-numeric: tabular-nums;
  }
  .quality,
  .time-left {
    white-space: nowrap;
  }
  .quality svg {
    margin-inline-end: 4px;
    fill: currentcolor;
  }
  .quality .off {
    opacity: 0.25;
  }
  .quality.fair {
    color: var(--_warning);
  }
  .quality.poor,
  .time-left.poor {
    color: var(--_danger);
  }
  .detail b {
    font-size: 14px;
    font-weight: 600;
    white-space: nowrap;
  }
  .party-context {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    column-gap: 14px;
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
    background: color-mix(in srgb, currentcolor 12%, transparent);
    color: var(--_link);
  }
  :is(.tool.on, b).waits {
    color: var(--_warning);
  }
  :is(.tool.on, b).mutes {
    color: var(--_danger);
  }
  .tones {
    min-height: 26px;
    white-space: nowrap;
    text-align: center;
    font-size: 18px;
    font-variant-numeric: tabular-nums;
  }
  .tones:empty {
    display: none;
  }
  /* Smaller, to make room for the keys: "Hang up" must not move. */
  .compact .party {
    flex: none;
    gap: 0;
  }
  .compact .party-number {
    font-size: 13px;
  }
  .compact .party-name,
  .compact .largest {
    font-size: 18px;
    -webkit-line-clamp: 2;
  }
  .compact .long {
    font-size: 15px;
  }
  .compact .party-context {
    display: none;
  }
  .in-call.compact {
    gap: 8px;
  }
  .compact .keypad {
    flex: 1;
    gap: 2px;
  }
  .tool:hover {
    background: var(--_hover);
  }
  @media (forced-colors: active) {
    .tool.on {
      border: 3px solid Highlight;
      padding: 6px 2px;
    }
  }
`;
