/**
 * What is going on, and the one function that moves it. Nothing here touches the page, the network or the clock.
 * The line, the block and the call each move by their own rules, in a file of their own; this one puts them together.
 */
import type { Hotline, Member } from '../broker/contract.ts';
import type { Readiness } from '../broker/parse-answer.ts';
import { moveBlock, withoutCleared, type Block, type BlockEvent } from './block-state.ts';
import { moveCall, withoutEnded, type Call, type CallEvent } from './call-state.ts';
import { moveLine, type Line, type LineEvent } from './line-state.ts';

export type { Block, BlockSource } from './block-state.ts';
export type { Call } from './call-state.ts';
export type { Line } from './line-state.ts';

/** What the agent sees, derived from line, block and call. */
export type DialerStatus =
  | 'idle'
  | 'connecting'
  | 'ready'
  | 'blocked'
  | 'failed'
  | 'dialing'
  | 'incoming'
  | 'in-call'
  | 'ended';

export interface DialerState {
  readonly status: DialerStatus;
  readonly line: Line;
  readonly block: Block;
  readonly call: Call;
  readonly member?: Member | undefined;
  readonly hotlines: readonly Hotline[];
}

export type DialerEvent =
  | LineEvent
  | BlockEvent
  | CallEvent
  | { readonly type: 'disconnect' }
  | { readonly type: 'readiness'; readonly readiness: Readiness }
  | { readonly type: 'dismiss' };

type Parts = Omit<DialerState, 'status'>;

export const INITIAL_STATE: DialerState = withStatus({
  line: { is: 'off' },
  block: { is: 'none' },
  call: { is: 'none' },
  hotlines: [],
});

/** The next state; the very same object when the event means nothing now, so that late SDK events are harmless. */
export function transition(state: DialerState, event: DialerEvent): DialerState {
  switch (event.type) {
    case 'disconnect':
      return INITIAL_STATE;
    case 'registered': {
      const hotlines = event.hotlines.length > 0 ? event.hotlines : state.hotlines;
      return withStatus({ ...state, line: moveLine(state.line, event), hotlines });
    }
    case 'connect':
    case 'lost':
    case 'failed':
      return move(state, { line: moveLine(state.line, event) });
    case 'readiness': {
      const { member = state.member, hotlines = state.hotlines } = event.readiness;
      return withStatus({ ...state, member, hotlines });
    }
    case 'blocked':
    case 'guide-taken':
    case 'waiting':
    case 'waited':
    case 'cleared':
      return move(state, { block: moveBlock(state.block, event) });
    case 'placing': {
      const call = moveCall(state.call, event);
      // Dialing is the answer to "You can call again".
      return call === state.call ? state : move(state, { call, block: withoutCleared(state.block) });
    }
    case 'dismiss':
      return move(state, { call: withoutEnded(state.call), block: withoutCleared(state.block) });
    default:
      return move(state, { call: moveCall(state.call, event) });
  }
}

function move(state: DialerState, change: Partial<Pick<Parts, 'line' | 'block' | 'call'>>): DialerState {
  const { line, block, call } = { ...state, ...change };
  if (line === state.line && block === state.block && call === state.call) return state;
  return withStatus({ ...state, line, block, call });
}

function withStatus(parts: Parts): DialerState {
  return { ...parts, status: statusOf(parts) };
}

function statusOf({ line, block, call }: Parts): DialerStatus {
  if (call.is === 'active') return 'in-call';
  if (call.is === 'placing') return 'dialing';
  if (call.is === 'dialing' || call.is === 'incoming') return call.is;
  // A guide says more than the bare outcome of the call that led to it.
  if (block.is === 'blocked' || block.is === 'cleared') return 'blocked';
  if (call.is === 'ended') return 'ended';
  if (line.is === 'failed') return 'failed';
  if (line.is === 'off') return 'idle';
  return line.is === 'up' ? 'ready' : 'connecting';
}
