/**
 * Every state that the element can draw. Whoever adds one adds a row: a new status, reason, outcome, notice or error that has
 * none does not compile. Within a group, each row follows the one before it in an agent's day.
 */
import type { DialerStatus } from '../../src/dialer/state/state.ts';
import {
  connecting,
  idle,
  lowBalance,
  missedCalls,
  noConnection,
  ready,
  soundDevices,
  wrongNumbers,
} from './before-a-call.ts';
import { elsewhere, guides, inGuides, notices } from './blocked.ts';
import { bubbles } from './bubbles.ts';
import { afterwards, callsIn, dialing, inCall, outcomes } from './calls.ts';
import { longNames } from './long-names.ts';
import type { ShownState } from './samples.ts';

export interface Group {
  readonly title: string;
  readonly states: readonly ShownState[];
}

const BY_STATUS: Readonly<Record<DialerStatus, readonly ShownState[]>> = {
  idle,
  connecting,
  ready: [...ready, ...lowBalance, ...missedCalls, ...soundDevices],
  dialing,
  'in-call': inCall,
  ended: afterwards,
  incoming: callsIn,
  blocked: [...guides, ...inGuides, ...notices, ...elsewhere],
  failed: noConnection,
};

export const GROUPS: readonly Group[] = [
  { title: 'Before a call', states: [...BY_STATUS.idle, ...BY_STATUS.connecting, ...BY_STATUS.ready] },
  { title: 'Numbers that are none', states: wrongNumbers },
  { title: 'A call out', states: [...BY_STATUS.dialing, ...BY_STATUS['in-call'], ...BY_STATUS.ended] },
  { title: 'A call in', states: BY_STATUS.incoming },
  { title: 'How a call ended', states: outcomes },
  { title: 'What keeps a member from calling', states: BY_STATUS.blocked },
  { title: 'No connection', states: BY_STATUS.failed },
  { title: 'Bubbles', states: bubbles },
  { title: 'Long names', states: longNames },
];
