/** The look, calm and dense. A later sheet wins over an earlier one. */
import { css } from 'lit';
import { controlsStyles } from './controls.css.ts';
import { dialpadStyles } from './dialpad.css.ts';
import { firstStyles } from './first.css.ts';
import { frameStyles } from './frame.css.ts';
import { missedCallsStyles } from './missed-calls.css.ts';

/** The colours and measures that the first view does without. */
const tokens = css`
  :host {
    --_call: var(--partner-dialer-call, light-dark(#15803d, #4ade80));
    --_on-call: light-dark(#fff, #052e13);
    --_danger: var(--partner-dialer-danger, light-dark(#c81e1e, #f87171));
    --_on-danger: light-dark(#fff, #330505);
    --_warning: var(--partner-dialer-warning, light-dark(#92400e, #fbbf24));
    --_hover: color-mix(in srgb, var(--_text) 7%, transparent);
    --_tint: color-mix(in srgb, var(--_accent) 14%, transparent);
  }
`;

/** With the colours of the system, a border shows what a background would have. */
const forcedStyles = css`
  @media (forced-colors: active) {
    button {
      border: 1px solid ButtonText;
    }
    /* A drawing keeps its own colour otherwise. */
    .icon {
      color: inherit !important;
    }
  }
`;

export const styles = [
  ...firstStyles,
  tokens,
  frameStyles,
  controlsStyles,
  dialpadStyles,
  missedCallsStyles,
  forcedStyles,
];
