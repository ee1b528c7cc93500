/**
 * The list of the recent calls, as tall as the keypad that it replaces, and the button that opens it. It ends above the place
 * of "Decline": no entry, which calls, may lie there. A shadow at its end says that more entries follow; the first gradient
 * scrolls with the list and covers it after the last one. Number, result and cost of an entry have one line: where there is no
 * room, the number is wrapped into a line above, out of sight.
 */
import { css } from 'lit';

export const recentCallsStyles = css`
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
    line-height: 1;
  }
  .recent-button .badge {
    margin: -16px -4px 0 -18px;
    box-shadow: 0 0 0 2px var(--_sunken);
  }
  .recent {
    display: flex;
    flex-direction: column;
    gap: 8px;
    height: var(--_tall);
  }
  .recent .actions {
    margin-top: 8px;
  }
  .recent > .muted {
    display: grid;
    flex: 1;
    place-content: center;
    border-radius: var(--_button-radius);
    background: var(--_sunken);
  }
  .recent ul {
    flex: 1;
    margin: 0 -8px;
    padding: 0;
    overflow-y: auto;
    list-style: none;
    background:
      linear-gradient(var(--_surface) 0 0) bottom / 100% 24px no-repeat local,
      linear-gradient(transparent, color-mix(in srgb, var(--_text) 14%, transparent)) bottom / 100% 12px
        no-repeat;
  }
  .entry {
    display: grid;
    grid-template-columns: 20px minmax(0, 1fr) auto;
    gap: 0 8px;
    width: 100%;
    padding: 6px 8px;
    font-size: 13px;
    line-height: 20px;
    text-align: start;
  }
  .entry .who {
    color: inherit;
    text-align: start;
    font-size: 15px;
    font-weight: 600;
  }
  .when,
  .what {
    color: var(--_muted);
  }
  .what {
    display: flex;
    flex-wrap: wrap;
    grid-area: 2 / 2 / 3 / -1;
    align-content: end;
    height: 20px;
    margin-inline-end: 20px;
    overflow: hidden;
    white-space: pre;
  }
  .entry > .icon {
    grid-area: 2 / 3;
    place-self: center end;
    color: var(--_call);
  }
  @media (hover: hover) {
    .entry:not(:hover, :focus-visible) > .icon {
      opacity: 0;
    }
  }
  .entry > .sign {
    grid-row: 1 / 3;
    color: var(--_muted);
  }
`;
