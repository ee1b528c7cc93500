/** The list of the recent calls, and the button that opens it. */
import { css } from 'lit';

export const recentCallsStyles = css`
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
    color: var(--_link);
    font-size: 13px;
    line-height: 1.2;
    text-align: start;
    text-wrap: balance;
  }
  :is(.recent-button, .close):hover {
    background: var(--_hover);
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
  /* On the corner of the icon: there is no room beside the words. */
  .recent-button .badge {
    margin: -18px -4px 0 -14px;
    box-shadow: 0 0 0 2px var(--_surface);
  }
  /* As tall as the keypad that it replaces. */
  .recent {
    display: flex;
    flex-direction: column;
    height: var(--_tall);
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
    /* A shadow at the bottom while more entries follow. The first gradient scrolls with the list and covers it at the end. */
    background:
      linear-gradient(var(--_surface) 0 0) bottom / 100% 24px no-repeat local,
      linear-gradient(transparent, color-mix(in srgb, var(--_text) 18%, transparent)) bottom / 100% 16px
        no-repeat;
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
    grid-template-columns: 20px minmax(0, 1fr) auto 20px;
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
    /* A very long name is cut. */
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 5;
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
    grid-column: 2 / 4;
  }
  .entry > .icon {
    grid-area: 1 / 4 / 3;
    align-self: center;
    color: var(--_call);
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
