/**
 * The keypad view. The display has the number in its upper half, and below it what the number means, or a strip; it never
 * grows. The caller number has a row as high as a select, the balance one as high as the warning of a low one with its link.
 */
import { css } from 'lit';

export const dialpadStyles = css`
  .display {
    display: grid;
    grid: 48px 48px / 100%;
    padding: 4px;
    border-radius: var(--_button-radius);
    background: var(--_sunken);
  }
  .display > :not(:first-child) {
    grid-area: 2 / 1;
  }
  .number-row {
    display: flex;
    position: relative;
  }
  .number {
    width: 100%;
    min-width: 0;
    padding: 0 44px;
    border-radius: inherit;
    font-size: min(26px, 8.2cqi);
    font-weight: 500;
    text-align: center;
    text-overflow: ellipsis;
  }
  .number::placeholder {
    color: var(--_muted);
    font-size: 15px;
    font-weight: 400;
    opacity: 1;
  }
  .number.long {
    padding-inline-start: 4px;
    font-size: min(20px, 6.6cqi);
  }
  .number.longer {
    font-size: min(17px, 5.4cqi);
  }
  .number-row .icon-button {
    position: absolute;
    inset: 2px 0 auto auto;
  }
  .reading {
    padding-inline: 8px;
    font-size: 13px;
    line-height: 1.3;
    text-align: center;
    text-wrap: balance;
  }
  .reading .hint {
    padding: 0;
    background: none;
  }
  .wrong {
    color: var(--_warning);
  }
  .hotline {
    display: flex;
    align-items: center;
    gap: 8px;
    height: 32px;
    margin-block: 8px;
    padding-inline-start: 4px;
    font-size: 13px;
    white-space: nowrap;
  }
  .hotline > :last-child {
    flex: 1;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .hotline select {
    min-width: 0;
    height: max(32px, var(--_touch));
    margin-inline-start: -4px;
    border-radius: var(--_button-radius);
  }
  .hotline select:hover {
    background: var(--_sunken);
  }
  .balance {
    display: grid;
    place-content: center;
    height: 44px;
    margin-block: 8px;
  }
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
`;
