/** The strips above the keypad, and the warning of a low balance below it. */
import { css } from 'lit';

export const stripStyles = css`
  /* Room for one, or for two of one line each. Below a long result, a second one can be scrolled to. */
  .strips {
    display: grid;
    flex: none;
    grid: auto-flow max-content / minmax(0, 1fr);
    gap: 4px;
    max-height: 76px;
    margin: -4px -4px 0;
    padding: 4px 4px 0;
    overflow-y: auto;
    scrollbar-width: thin;
    overscroll-behavior: contain;
  }
  /* As high as with a button. */
  .strip {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 6px;
    min-height: 42px;
    padding: 4px 8px;
    border: 1px solid transparent;
    border-radius: var(--_button-radius);
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
  /* A long result has the whole width; name and button are below it. */
  .strip.wide {
    display: grid;
    grid-template-columns: 20px minmax(0, 1fr) auto;
    padding-block: 4px 0;
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
    align-self: center;
    overflow: clip;
  }
  /* The close button stays in the same line. */
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
  .strip.wide .link {
    min-height: 24px;
  }
  /* Two strips have one line each. */
  .strips > :not(.wide, :only-child) {
    flex-wrap: nowrap;
    min-height: 34px;
    padding-block: 0;
  }
  .strips > :not(.wide, :only-child) p {
    flex-wrap: nowrap;
    gap: 4px;
    white-space: nowrap;
  }
  .strips > :not(.wide, :only-child) .whom {
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .strips > :not(.wide, :only-child) .separator {
    position: static;
  }
  /* The link, or the answer in its place, has its own line, so that no key moves. */
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
    /* A very long name is cut. */
    max-height: 2.6em;
    overflow-y: clip;
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
  @media (forced-colors: active) {
    .strip {
      border: 1px solid ButtonText;
    }
  }
`;
