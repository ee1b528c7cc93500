/** What goes along with calls beside their views: the list of them, the ringing, what is asked at a quiet moment. */
export { isPlayable } from '../page/sound-check.ts';
export { CallLog } from '../dialer/call-log.ts';
export { Asks } from './asks.ts';
export { Ringing } from './ringing.ts';
export { Shortcuts } from './shortcuts.ts';
export { shortcutsHelp } from './shortcuts-help.ts';
