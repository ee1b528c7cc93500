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
    text-overflow: ellipsis;
  }
  .number.long {
    font-size: 17px;
  }
  /* Room for one line is kept, so that no key moves under a pointer while a number is typed. */
  .reading {
    min-height: 20px;
    margin-top: -4px;
    padding: 0 4px;
    font-size: 13px;
    font-variant-numeric: tabular-nums;
  }
  /* As high without a choice: a second caller number may come at any time. */
  .hotline {
    display: flex;
    align-items: center;
    gap: 8px;
    min-width: 0;
    min-height: 32px;
    font-size: 13px;
  }
  .hotline select {
    flex: 1;
    min-width: 0;
    min-height: inherit;
    padding: 4px;
    border: 1px solid var(--_border);
    border-radius: 8px;
    background: var(--_surface);
    text-overflow: ellipsis;
  }
  .dialpad .keypad {
    flex: 1;
  }
`;
