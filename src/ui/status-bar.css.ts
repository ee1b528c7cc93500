/** The line at the top: a sign, a word, the member. */
import { css } from 'lit';

export const statusBarStyles = css`
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
`;
