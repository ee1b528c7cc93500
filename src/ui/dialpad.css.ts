/** Where a call begins: the number, the caller number, the last line. */
import { css } from 'lit';

export const dialpadStyles = css`
  .number-row {
    display: flex;
    align-items: center;
    border-bottom: 1px solid var(--_border);
  }
  .number {
    flex: 1;
    min-width: 0;
    border: 0;
  }
  .number::placeholder {
    color: var(--_muted);
    font-size: 15px;
    opacity: 1;
  }
  /* Room for one line is kept, so that no key moves under a pointer while a number is typed. */
  .reading {
    min-height: 20px;
    margin-top: -4px;
    padding: 0 4px;
    font-size: 13px;
    font-variant-numeric: tabular-nums;
  }
  .wrong {
    color: var(--_warning);
  }
  .hotline {
    display: flex;
    align-items: baseline;
    gap: 8px;
    min-width: 0;
    font-size: 13px;
  }
  .hotline select {
    flex: 1;
    min-width: 0;
    min-height: 32px;
    padding: 4px;
    border: 1px solid var(--_border);
    border-radius: 8px;
    background: var(--_surface);
    text-overflow: ellipsis;
  }
  .dialpad .keypad {
    flex: 1;
  }
  .strips {
    display: grid;
    gap: 4px;
  }
  .strip {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 8px;
    padding: 4px 10px;
    border: 1px solid transparent;
    border-radius: 8px;
    background: var(--_hover);
    font-size: 13px;
    line-height: 1.3;
  }
  .strip p {
    flex: 1 1 120px;
    min-width: 0;
  }
  /* What closes it stays in the same line. */
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
  }
  /* The link has a line of its own, so that no key moves when its words change. */
  .low-balance {
    display: grid;
    grid-template-columns: 20px 1fr;
    justify-items: start;
    gap: 0 8px;
    color: var(--_warning);
    font-size: 13px;
    font-weight: 600;
  }
  .low-balance .link {
    grid-column: 2;
  }
  .result {
    font-weight: 600;
    font-variant-numeric: tabular-nums;
  }
  /* In one piece, where there is room. */
  .whom {
    display: inline-block;
    max-width: 100%;
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
`;
