/** What is in sight only with a call, a guide, or in answer to a press: it comes with the first panel that needs it. */
import { css } from 'lit';

export const lateStyles = css`
  .shortcuts {
    padding: 4px 16px 12px;
    border-bottom: 1px solid var(--_border);
    font-size: 13px;
  }
  .shortcuts header {
    display: flex;
    align-items: center;
    justify-content: space-between;
  }
  .shortcuts h2 {
    margin: 0;
    font-size: inherit;
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
  .status .icon {
    color: var(--_warning);
  }
  .hang-up {
    background: var(--_danger);
    color: var(--_on-danger);
  }
  .secondary {
    border: 1px solid var(--_border);
    font-weight: 500;
  }
  .link {
    min-height: 24px;
    padding: 0;
    color: var(--_accent);
    text-decoration: underline;
    text-underline-offset: 3px;
  }
  .notice,
  .in-call .hint {
    padding: 8px 12px;
    border: 1px solid transparent;
    border-radius: 8px;
    background: var(--_hover);
    font-size: 13px;
    text-wrap: pretty;
  }
  .center p {
    text-align: center;
  }
  .wrong {
    color: var(--_warning);
  }
  .strips {
    display: grid;
    gap: 4px;
  }
  .strips .over {
    visibility: hidden;
  }
  /* As high without what can be pressed. */
  .strip {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 6px;
    min-height: 42px;
    padding: 4px 8px;
    border: 1px solid transparent;
    border-radius: 8px;
    background: var(--_hover);
    font-size: 13px;
    line-height: 1.3;
  }
  .strip p {
    display: flex;
    flex: 1 1 120px;
    flex-wrap: wrap;
    column-gap: 12px;
    min-width: 0;
    overflow: clip;
  }
  /* A sentence has all the width, and what can be pressed stands below it, beside the name. */
  .strip.wide {
    display: grid;
    grid-template-columns: 20px minmax(0, 1fr) auto;
    padding-block: 8px 2px;
  }
  .strip.wide p {
    display: contents;
  }
  .strip.wide .icon {
    grid-row: 1 / 3;
    align-self: start;
    margin-top: -1px;
  }
  .strip.wide .result {
    grid-column: 2 / -1;
    text-wrap: pretty;
  }
  .strip.wide .whom {
    display: grid;
    grid-column: 2;
    align-items: center;
    min-height: 32px;
    overflow: clip;
  }
  /* What closes it stays in the same line. */
  .strip:has(.icon-button) p {
    flex-basis: 80px;
  }
  .strip .icon {
    color: var(--_muted);
  }
  .strip .link {
    flex: none;
    min-height: 32px;
    margin-inline-start: auto;
    padding-inline-start: 6px;
  }
  /* The link has a line of its own, and what is answered has that line, so that no key moves. */
  .low-balance {
    display: grid;
    grid-template-columns: 20px 1fr;
    justify-items: start;
    gap: 0 8px;
    color: var(--_warning);
    font-size: 13px;
    font-weight: 600;
  }
  .low-balance :is(.link, .answer) {
    grid-column: 2;
  }
  .answer {
    min-height: 24px;
    align-content: center;
    color: var(--_text);
    font-weight: 400;
  }
  .result {
    font-weight: 600;
    font-variant-numeric: tabular-nums;
  }
  .whom {
    position: relative;
    max-width: 100%;
  }
  .separator {
    position: absolute;
    left: -8px;
  }
  .strip.good .icon {
    color: var(--_call);
  }
  .strip.missed .icon {
    color: var(--_danger);
  }
  .strip.bad .icon {
    color: var(--_warning);
  }
  .below {
    margin-top: 8px;
  }
  /* With the way to the latest calls below it as tall as the keypad, which has that in its last row. */
  .tall:not(:last-child) {
    min-height: 392px;
  }
  .badge {
    display: inline-grid;
    place-items: center;
    min-width: 18px;
    height: 18px;
    padding: 0 5px;
    border-radius: 9px;
    background: var(--_danger);
    color: var(--_on-danger);
    font-size: 12px;
    font-weight: 600;
    font-variant-numeric: tabular-nums;
    line-height: 1;
  }
  /* On the corner of the icon: beside the words there is no room for it. */
  .recent-button .badge {
    margin: -18px -4px 0 -14px;
    box-shadow: 0 0 0 2px var(--_surface);
  }
  .notice:empty,
  .tones:empty {
    display: none;
  }
  /* No button: two rings run outwards. They stand still once it was answered, and for who wants nothing to move. */
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
    text-wrap: pretty;
  }
  .caller-number {
    line-height: 1.25;
    text-wrap: balance;
  }
  .whole {
    white-space: nowrap;
  }
  /* A caller number of many lines grows upwards: "Hang up" stays where it is. */
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
    color: var(--_accent);
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
  /* Makes room for the keys: "Hang up" stays where it is. */
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
  /* Somebody waits, or cannot be heard. */
  .dot.waits {
    border-color: var(--_warning);
  }
  .secondary:hover,
  .tool:hover {
    background: var(--_hover);
  }
  @media (forced-colors: active) {
    .strip {
      border: 1px solid ButtonText;
    }
    .link {
      padding: 0 6px;
    }
    .tool.on {
      border: 3px solid Highlight;
      padding: 6px 2px;
    }
  }
`;
