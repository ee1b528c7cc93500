/** A call, from its first ring to its end: who it is, the tools, the tones sent. */
import { css } from 'lit';

export const callStyles = css`
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
  .in-call .hint {
    background: color-mix(in srgb, var(--_danger) 10%, transparent);
    text-wrap: pretty;
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
  }
  .compact .party-context {
    display: none;
  }
  .in-call.compact {
    gap: 8px;
  }
  .compact .keypad {
    flex: 1;
  }
  .caller-number {
    line-height: 1.25;
    text-wrap: balance;
  }
  .whole {
    white-space: nowrap;
  }
  .detail {
    font-variant-numeric: tabular-nums;
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
  .tones {
    min-height: 26px;
    overflow-wrap: anywhere;
    text-align: center;
    font-size: 18px;
    font-variant-numeric: tabular-nums;
  }
`;
