/** The list of the latest calls, and what stands for the missed ones elsewhere. */
import { css } from 'lit';

export const recentCallsStyles = css`
  .recent-button {
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
  }
  .recent-button:hover {
    background: var(--_hover);
  }
  .below {
    margin-top: 8px;
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
  /* As tall as the keypad that it stands for. */
  .recent {
    display: flex;
    flex-direction: column;
    height: 444px;
  }
  .recent header {
    display: flex;
    align-items: center;
    justify-content: space-between;
    margin: -8px -8px 0 0;
  }
  .recent h2 {
    margin: 0;
    font-size: inherit;
  }
  .recent ul {
    flex: 1;
    margin: 0 -8px;
    padding: 0;
    overflow-y: auto;
    list-style: none;
  }
  .entry {
    display: grid;
    grid-template-columns: 20px minmax(0, 1fr) auto;
    gap: 0 8px;
    width: 100%;
    padding: 6px 8px;
    text-align: start;
  }
  button.entry:hover {
    background: var(--_hover);
  }
  .entry .who {
    margin: 0;
    overflow-wrap: anywhere;
    white-space: normal;
    color: inherit;
    font-variant-numeric: tabular-nums;
    font-weight: 600;
  }
  .when,
  .what {
    color: var(--_muted);
    font-size: 13px;
    font-variant-numeric: tabular-nums;
  }
  .what {
    display: flex;
    flex-wrap: wrap;
    gap: 0 12px;
    grid-column: 2 / -1;
  }
  .sign {
    grid-row: 1 / 3;
    color: var(--_muted);
  }
  .sign.good {
    color: var(--_call);
  }
  .sign.bad {
    color: var(--_warning);
  }
  .sign.missed {
    color: var(--_danger);
  }
`;
