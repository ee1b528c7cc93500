/** What is in sight only with a call, a guide, or in answer to a press: it comes with the first panel that needs it. */
import { css } from 'lit';
import { callToolStyles } from './call-tools.css.ts';
import { stripStyles } from './strips.css.ts';

const ownStyles = css`
  .shortcuts {
    padding: 4px 16px 12px;
    border-bottom: 1px solid var(--_border);
    font-size: 13px;
  }
  .shortcuts header {
    display: flex;
    align-items: center;
    justify-content: space-between;
  }
  .shortcuts h2 {
    margin: 0;
    font-size: inherit;
  }
  .shortcuts dl {
    display: grid;
    grid-template-columns: max-content 1fr;
    gap: 4px 12px;
    margin: 0;
  }
  .shortcuts dt {
    font-weight: 600;
  }
  .shortcuts dd {
    margin: 0;
    color: var(--_muted);
  }
  .status .icon {
    color: var(--_warning);
  }
  .hang-up {
    background: var(--_danger);
    color: var(--_on-danger);
  }
  .secondary {
    border: 1px solid var(--_border);
    font-weight: 500;
  }
  .link {
    min-height: 24px;
    padding: 0;
    color: var(--_accent);
    text-decoration: underline;
    text-underline-offset: 3px;
  }
  .notice,
  .in-call .hint {
    padding: 8px 12px;
    border: 1px solid transparent;
    border-radius: 8px;
    background: var(--_hover);
    font-size: 13px;
    text-wrap: pretty;
  }
  .center p {
    text-align: center;
  }
  .wrong {
    color: var(--_warning);
  }
  .below {
    margin-top: 8px;
  }
  /* With the way to the latest calls below it as tall as the keypad, which has that in its last row. */
  .tall:not(:last-child) {
    min-height: 392px;
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
  /* On the corner of the icon: beside the words there is no room for it. */
  .recent-button .badge {
    margin: -18px -4px 0 -14px;
    box-shadow: 0 0 0 2px var(--_surface);
  }
  .notice:empty {
    display: none;
  }
  /* Somebody waits, or cannot be heard. */
  .dot.waits {
    border-color: var(--_warning);
  }
  .secondary:hover {
    background: var(--_hover);
  }
  @media (forced-colors: active) {
    .link {
      padding: 0 6px;
    }
  }
`;

export const lateStyles = [ownStyles, stripStyles, callToolStyles];
