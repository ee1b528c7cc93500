/** All styles. A later sheet overrides an earlier one. */
import { css } from 'lit';
import { bubbleStyles } from './bubble.styles.ts';
import { callStyles } from './call.styles.ts';
import { cardStyles } from './card.styles.ts';
import { controlStyles } from './controls.styles.ts';
import { deviceStyles } from './devices.styles.ts';
import { dialpadStyles } from './dialpad.styles.ts';
import { guideStyles } from './guide.styles.ts';
import { recentCallsStyles } from './recent-calls.styles.ts';
import { stripStyles } from './strips.styles.ts';
import { tokenStyles } from './tokens.styles.ts';

/** With forced colours, a border replaces the background. */
const forcedColorStyles = css`
  @media (forced-colors: active) {
    button {
      border: 1px solid ButtonText;
    }
    /* Else an SVG would keep its own colour. */
    .icon {
      color: inherit !important;
    }
  }
`;

export const styles = [
  tokenStyles,
  cardStyles,
  controlStyles,
  dialpadStyles,
  forcedColorStyles,
  stripStyles,
  callStyles,
  guideStyles,
  recentCallsStyles,
  deviceStyles,
  bubbleStyles,
];
