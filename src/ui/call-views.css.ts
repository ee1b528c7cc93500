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
  .party-name {
    overflow: hidden;
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 3;
    font-size: 28px;
    line-height: 1.2;
  }
  .party-number {
    font-size: 18px;
    font-variant-numeric: tabular-nums;
    line-height: 1.2;
  }
  .party-number.largest {
    font-size: 28px;
  }
  /* Makes room for the keys: "Hang up" stays where it is. */
  .compact .party {
    flex: none;
    gap: 0;
  }
  .compact .party-name,
  .compact .party-number.largest {
    font-size: 18px;
  }
  .compact .party-number {
    font-size: 13px;
  }
  .compact .party-context {
    display: none;
  }
  .compact .keypad {
    flex: 1;
  }
  .detail {
    font-variant-numeric: tabular-nums;
  }
  .incoming .party-name,
  .incoming .largest {
    color: var(--_call);
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
    min-height: 26px;
    overflow-wrap: anywhere;
    text-align: center;
    font-size: 18px;
    font-variant-numeric: tabular-nums;
  }
`;
