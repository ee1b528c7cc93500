/** The list of the latest calls. */
import { css } from 'lit';

export const recentCallsStyles = css`
  /* As tall as the keypad that it stands for. */
  .recent {
    display: flex;
    flex-direction: column;
    height: 444px;
  }
  .recent h2 {
    margin: 0 0 8px;
    font-size: inherit;
  }
  .recent ul {
    flex: 1;
    margin: 0 -8px;
    padding: 0;
    overflow-y: auto;
    list-style: none;
  }
  .recent > :not(ul, .actions) {
    flex: none;
  }
  .recent .actions {
    margin-top: auto;
    border-top: 1px solid var(--_border);
    padding-top: 8px;
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
