/** All styles. A later sheet overrides an earlier one. */
import { css } from 'lit';
import { bubbleStyles } from './bubble.ts';
import { callStyles } from './call.ts';
import { cardStyles } from './card.ts';
import { controlStyles } from './controls.ts';
import { deviceStyles } from './devices.ts';
import { dialpadStyles } from './dialpad.ts';
import { guideStyles } from './guide.ts';
import { recentCallsStyles } from './recent-calls.ts';
import { stripStyles } from './strips.ts';
import { tokenStyles } from './tokens.ts';

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
