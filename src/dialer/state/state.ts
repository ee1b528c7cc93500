/**
 * The state of the dialer and the pure function that moves it. Line, block and call each have their own reducer in their own
 * file; this file combines them.
 */
import { CALL_BLOCKERS, type Hotline, type Member } from '../../broker/contract.ts';
import type { Readiness } from '../../broker/answers.ts';
import { isBlockedBy, moveBlock, withoutCleared, type Block, type BlockEvent } from './block.ts';
import { isLive, moveCall, withoutEnded, type Call, type CallEvent } from './call.ts';
import { withFields } from './fields.ts';
import { moveLine, type Line, type LineEvent } from './line.ts';

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
  /** True while a call can be placed now: in `ready`, and in `ended` until the next call. */
  readonly canCall: boolean;
  readonly line: Line;
  readonly block: Block;
  readonly call: Call;
  readonly member?: Member | undefined;
  readonly hotlines: readonly Hotline[];
  /**
   * The owner of the calls and choices: the broker's origin and the member's number; empty: the broker names no member. After a
   * sign-out, a named owner stays until somebody else signs in.
   */
  readonly owner?: string | undefined;
  /** The caller number that the agent or the page has chosen last; it need not be one of the member's. */
  readonly chosenHotline?: string | undefined;
}

export type DialerEvent =
  | LineEvent
  | BlockEvent
  | CallEvent
  /** `at`: epoch milliseconds; a call in progress ends with it. */
  | { readonly type: 'disconnect'; readonly at: number }
  | { readonly type: 'signed-in'; readonly owner: string }
  | {
      readonly type: 'readiness';
      readonly readiness: Readiness;
      /** Could a member without blockers call on the present connection? The SDK reads its hotlines once. */
      readonly isUsable: boolean;
    }
  | { readonly type: 'hotline-chosen'; readonly number: string }
  | { readonly type: 'dismiss' };

type Parts = Omit<DialerState, 'status' | 'canCall'>;

export const INITIAL_STATE: DialerState = {
  status: 'idle',
  canCall: false,
  line: { is: 'off' },
  block: { is: 'none' },
  call: { is: 'none' },
  hotlines: [],
};

/** Each reducer returns the next state, or the same object when the event changes nothing: late SDK events are harmless. */
export function transition(state: DialerState, event: DialerEvent): DialerState {
  switch (event.type) {
    case 'disconnect':
      return disconnected(state, event.at);
    case 'signed-in':
      return signedIn(state, event.owner);
    case 'registered':
      return registered(state, event);
    case 'connect':
    case 'lost':
    case 'failed': {
      // Another member may sign in now, so the last call's outcome goes.
      const call = state.line.is === 'off' ? withoutEnded(state.call) : state.call;
      return move(state, { line: moveLine(state.line, event), call });
    }
    case 'readiness':
      return afterReadiness(state, event);
    case 'elsewhere':
      if (state.line.is === 'off') return state;
      return move(state, {
        block: moveBlock(state.block, event),
        // A failure stays: no attempt is under way that would wait for the phone.
        line: moveLine(state.line, { type: 'connect', isQuiet: true }),
      });
    case 'blocked':
    case 'browser':
    case 'cleared':
    case 'here':
    case 'guide-drawn':
    case 'guide-asked':
    case 'guide-answered':
    case 'help-result':
      return withBlock(state, moveBlock(state.block, event));
    case 'hotline-chosen':
      return move(state, { chosenHotline: event.number });
    case 'dismiss':
      return move(state, { call: withoutEnded(state.call), block: withoutCleared(state.block) });
    default:
      return afterCallEvent(state, event);
  }
}

function afterCallEvent(state: DialerState, event: CallEvent): DialerState {
  const call = moveCall(state.call, event);
  if (call === state.call) return state;
  // The agent dials after "You can call again", so that message goes.
  if (event.type === 'placing') return move(state, { call, block: withoutCleared(state.block) });
  const outcome = call.is === 'ended' && event.type === 'ended' ? call.info.outcome : undefined;
  const reason = CALL_BLOCKERS.find((each) => each === outcome);
  if (!reason) return move(state, { call });
  return move(state, { call, block: moveBlock(state.block, { type: 'blocked', reason, source: 'call' }) });
}

/** When the member can call again, the last call's outcome is dropped. */
function withBlock(state: DialerState, block: Block): DialerState {
  const isFree = state.block.is === 'blocked' && block.is !== 'blocked';
  return move(state, { block, call: isFree ? withoutEnded(state.call) : state.call });
}

function disconnected(state: DialerState, at: number): DialerState {
  // This side leaves.
  const outcome = state.call.is === 'incoming' ? 'declined' : 'cancelled';
  const call = moveCall(state.call, { type: 'ended', outcome, confidence: 'certain', reason: '', at });
  if (state.line.is === 'off' && state.block.is === 'none' && call === state.call) return state;
  const { owner, chosenHotline } = state;
  // Without an owner, the next member may be another one.
  const kept = owner === '' ? {} : { owner, chosenHotline };
  return move(INITIAL_STATE, { ...kept, call: isLive(state.call) ? call : { is: 'none' } });
}

/** What belongs to a member goes when somebody else has signed in. */
function signedIn(state: DialerState, owner: string): DialerState {
  // While a member is signed in, an answer without a member is about the same member.
  if (owner === state.owner || (owner === '' && state.member)) return state;
  if (!isOtherOwner(owner, state.owner)) return move(state, { owner });
  const block = withoutCleared(moveBlock(state.block, { type: 'cleared' }));
  return move(INITIAL_STATE, { line: state.line, block, call: withoutEnded(state.call), owner });
}

/** Whose calls and requests may be seen now; `undefined`: nobody is signed in. */
export function presentOwner({ member, owner }: DialerState): string | undefined {
  return member || owner === '' ? owner : undefined;
}

/** Does the owner change? An owner that was unknown (empty) and becomes known is the same. */
export function isOtherOwner(owner: string | undefined, before: string | undefined): boolean {
  return before !== undefined && owner !== before && !(before === '' && owner !== undefined);
}

/** The event has all the caller numbers, whoever names them. */
function registered(state: DialerState, event: Extract<LineEvent, { type: 'registered' }>): DialerState {
  const line = moveLine(state.line, event);
  if (line.is !== 'up') return state;
  const { hotlines } = event;
  const block = blockAfterRegistration(state.block, hotlines.length > 0);
  // After an interruption of the connection, the last call's outcome is not shown again.
  const call = line === state.line ? state.call : withoutEnded(state.call);
  return move(state, { line, hotlines, block, call });
}

function blockAfterRegistration(block: Block, hasHotlines: boolean): Block {
  const source = block.is === 'blocked' ? block.source : 'sdk';
  if (!hasHotlines && (source === 'sdk' || source === 'browser'))
    return moveBlock(block, { type: 'blocked', reason: 'no-hotline', source: 'sdk' });
  return source === 'sdk' ? moveBlock(block, { type: 'cleared' }) : block;
}

/** A block that the broker named is over when the broker says that there is none any more. */
function afterReadiness(
  state: DialerState,
  { readiness, isUsable }: Extract<DialerEvent, { type: 'readiness' }>,
): DialerState {
  const { member = state.member, hotlines = state.hotlines } = readiness;
  const isKnown = JSON.stringify([member, hotlines]) === JSON.stringify([state.member, state.hotlines]);
  const known = isKnown ? state : move(state, { member, hotlines });
  if (!readiness.blockers) return known;
  const [reason] = readiness.blockers;
  if (reason !== undefined) return transition(known, { type: 'blocked', reason, source: 'broker' });
  const isOver = isUsable && isBlockedBy(state.block, 'broker');
  return isOver ? transition(known, { type: 'cleared' }) : known;
}

function move(state: DialerState, change: Partial<Parts>): DialerState {
  const parts = withFields<DialerState>(state, change);
  if (parts === state) return state;
  const status = statusOf(parts);
  return { ...parts, status, canCall: status === 'ready' || status === 'ended' };
}

function statusOf({ line, block, call }: Parts): DialerStatus {
  if (call.is === 'active') return 'in-call';
  if (call.is === 'placing') return 'dialing';
  if (call.is === 'dialing' || call.is === 'incoming') return call.is;
  // A guide says more than the outcome of the call that led to it.
  if (block.is === 'blocked') return 'blocked';
  if (line.is === 'failed') return 'failed';
  if (line.is === 'off') return 'idle';
  if (line.is !== 'up') return 'connecting';
  return call.is === 'ended' ? 'ended' : 'ready';
}
