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

/** With forced colours, a border replaces the background colour; a thick border shows that a button is on. */
const forcedColorStyles = css`
  @media (forced-colors: active) {
    button:not(.tool),
    select,
    .disc,
    .avatar,
    .chip,
    .display,
    .strip,
    .notice,
    .hint,
    .meter,
    .shortcuts {
      border: 1px solid ButtonText;
    }
    .tool.on .disc,
    .mini.mute.on,
    [aria-expanded='true']:not(.tool, .bubble),
    .test[aria-pressed='true'] {
      border: 3px solid Highlight;
    }
    .link {
      padding-inline: 6px;
    }
    /* Else an SVG would keep its own colour. */
    .icon {
      color: inherit !important;
    }
    .bubble > .sign {
      background: Canvas;
      color: CanvasText;
    }
  }
`;

export const styles = [
  tokenStyles,
  cardStyles,
  controlStyles,
  dialpadStyles,
  stripStyles,
  callStyles,
  guideStyles,
  recentCallsStyles,
  deviceStyles,
  bubbleStyles,
  forcedColorStyles,
];
