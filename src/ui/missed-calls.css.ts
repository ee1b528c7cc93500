/** The way to the latest calls and back, with how many were missed. */
import { css } from 'lit';

export const missedCallsStyles = css`
  .recent-button,
  .close {
    position: relative;
    display: flex;
    align-items: center;
    justify-content: center;
    gap: 6px;
    width: 100%;
    min-height: 44px;
    padding: 4px;
    color: var(--_accent);
    font-size: 13px;
    line-height: 1.2;
    text-align: start;
    text-wrap: balance;
  }
  :is(.recent-button, .close):hover {
    background: var(--_hover);
  }
`;
