/** The keypad view: the number, the caller number, the balance. */
import { css } from 'lit';

export const dialpadStyles = css`
  .dialpad {
    display: flex;
    flex-direction: column;
    gap: 8px;
    min-height: inherit;
  }
  /* What the keys leave: the strips at its top, the number in the middle of the rest. */
  .display {
    display: flex;
    flex: 1;
    flex-direction: column;
    gap: 4px;
  }
  .number-row {
    display: flex;
    align-items: center;
    border-bottom: 1px solid var(--_border);
  }
  .number {
    flex: 1;
    min-width: 0;
    padding: 4px;
    border: 0;
    background: none;
    font-size: 24px;
    font-variant-numeric: tabular-nums;
    text-overflow: ellipsis;
  }
  .number::placeholder {
    color: var(--_muted);
    font-size: 15px;
    opacity: 1;
  }
  .wrong {
    color: var(--_warning);
  }
  .number.long {
    font-size: 17px;
  }
  .dialpad .number-row {
    margin-top: auto;
  }
  /* Always as high as one line, so that no key moves while a number is typed. */
  .reading {
    min-height: 20px;
    margin-block: 4px auto;
    padding: 0 4px;
    font-size: 13px;
    font-variant-numeric: tabular-nums;
  }
  /* As high as the select: a second caller number may come at any time. */
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
    border-radius: var(--_button-radius);
    background: var(--_surface);
    text-overflow: ellipsis;
  }
  /* As high as the warning of a low balance. */
  .balance {
    display: grid;
    align-content: center;
    min-height: 44px;
  }
`;
