/** A call, from its first ring to its end: who it is, the tools, the tones sent. */
import { css } from 'lit';

export const callStyles = css`
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
`;
