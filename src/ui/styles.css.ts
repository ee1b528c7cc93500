/** The look, calm and dense: a sheet for each view and for what views share. A later sheet wins over an earlier one. */
import { callStyles } from './call.css.ts';
import { connectingStyles } from './connecting.css.ts';
import { controlsStyles } from './controls.css.ts';
import { dialpadStyles } from './dialpad.css.ts';
import { frameStyles } from './frame.css.ts';
import { guideStyles } from './guide.css.ts';
import { liveLineStyles } from './live-line.css.ts';
import { motionStyles } from './motion.css.ts';
import { statusBarStyles } from './status-bar.css.ts';
import { tokens } from './tokens.css.ts';

export const styles = [
  tokens,
  frameStyles,
  statusBarStyles,
  controlsStyles,
  liveLineStyles,
  dialpadStyles,
  connectingStyles,
  callStyles,
  guideStyles,
  motionStyles,
];
