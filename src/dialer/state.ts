/**
 * What is going on, and the one function that moves it. Nothing here touches the page, the network or the clock.
 */
import type { Notice, Readiness } from '../broker/parse-answer.ts';
import type { Hotline, Member } from '../broker/contract.ts';
import type { DialerError } from '../errors.ts';
import type { CallInfo, CallOutcome } from './call.ts';

/**
 * The way to the exchange.
 *
 *     off ──connect──▶ connecting ──registered──▶ up ◀──registered── lost
 *                          │  ▲                    │                  ▲
 *                       failed │ connect           └──── lost ────────┘
 *                          ▼   │
 *                         failed ◀──────── failed (from up and lost, too)
 */
export type Line =
  | { readonly is: 'off' }
  | { readonly is: 'connecting' }
  | { readonly is: 'up' }
  /** The socket is gone; the SDK is trying to come back by itself. */
  | { readonly is: 'lost' }
  | {
      readonly is: 'failed';
      readonly error: DialerError;
      /** When it will be tried again by itself, epoch milliseconds; absent: not by itself. */
      readonly retryAt: number | undefined;
    };

/** Who said that the member cannot call. */
export type BlockSource = 'broker' | 'sdk' | 'call' | 'browser';

/** What came of the last press of a button in a guide. */
export type GuideNotice = Notice | 'still-blocked' | 'help-requested' | 'ask-admin' | 'check-failed';

/**
 * What keeps the member from calling out.
 *
 *     none ──blocked──▶ blocked ──readiness without blockers──▶ cleared ──dial or dismiss──▶ none
 *       ▲                  ▲ └─ checking / asking: the agent pressed a button, the answer is awaited
 *       └── a readiness ───┘
 */
export type Block =
  | { readonly is: 'none' }
  | {
      readonly is: 'blocked';
      /** `insufficient-funds`, `no-hotline`, `microphone-denied`, … or whatever else a broker names. */
      readonly reason: string;
      readonly source: BlockSource;
      /** The page took the guide over (it cancelled `dialer-blocked`). */
      readonly drawnByPage: boolean;
      readonly waitingFor?: 'check' | 'help' | undefined;
      readonly notice?: GuideNotice | undefined;
    }
  | { readonly is: 'cleared'; readonly reason: string };

/**
 * The call, if there is one.
 *
 *     none ──placing──▶ placing ──dialing──▶ dialing ──answered──▶ active ──ended──▶ ended ──dismiss──▶ none
 *                       placing ──not-placed──▶ none
 *     none ──incoming─▶ incoming ─answered──▶ active
 *                       incoming ──ended──▶ ended,  dialing ──ended──▶ ended ──placing, incoming──▶ …
 *
 * `placing` is what was asked of the SDK; only `dialing` is its word that a call has begun.
 */
export type Call =
  | { readonly is: 'none' }
  | { readonly is: 'placing'; readonly number: string; readonly asksMicrophone: boolean }
  | { readonly is: 'dialing'; readonly info: CallInfo }
  | {
      readonly is: 'incoming';
      readonly info: CallInfo;
      readonly asksMicrophone: boolean;
      readonly trouble?: DialerError | undefined;
    }
  | {
      readonly is: 'active';
      readonly info: CallInfo;
      readonly muted: boolean;
      readonly held: boolean;
      /** The microphone was unplugged or its permission taken back: the other side hears nothing. */
      readonly microphoneLost: boolean;
    }
  | { readonly is: 'ended'; readonly info: CallInfo };

/** What the agent sees, derived from the three above. */
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
  | { readonly type: 'connect' }
  | { readonly type: 'disconnect' }
  | { readonly type: 'registered'; readonly hotlines: readonly Hotline[] }
  | { readonly type: 'lost' }
  | { readonly type: 'failed'; readonly error: DialerError; readonly retryAt: number | undefined }
  | { readonly type: 'readiness'; readonly readiness: Readiness }
  | { readonly type: 'blocked'; readonly reason: string; readonly source: BlockSource }
  | { readonly type: 'guide-taken' }
  | { readonly type: 'waiting'; readonly for: 'check' | 'help' }
  | { readonly type: 'waited'; readonly notice: GuideNotice }
  | { readonly type: 'cleared' }
  | { readonly type: 'placing'; readonly number: string }
  | { readonly type: 'microphone-asked' }
  | { readonly type: 'not-placed' }
  | { readonly type: 'answering'; readonly asksMicrophone: boolean }
  | { readonly type: 'dialing'; readonly call: CallInfo }
  | { readonly type: 'incoming'; readonly call: CallInfo }
  | { readonly type: 'answer-trouble'; readonly error: DialerError | undefined }
  | { readonly type: 'answered'; readonly at: number }
  | { readonly type: 'muted'; readonly on: boolean }
  | { readonly type: 'held'; readonly on: boolean }
  | { readonly type: 'microphone-lost' }
  | {
      readonly type: 'ended';
      readonly outcome: CallOutcome;
      readonly status?: number | undefined;
      readonly at: number;
    }
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
    case 'connect':
      if (state.line.is === 'connecting' || state.line.is === 'up') return state;
      return move(state, { line: { is: 'connecting' } });
    case 'disconnect':
      return state === INITIAL_STATE ? state : INITIAL_STATE;
    case 'registered':
      return move(state, {
        line: { is: 'up' },
        hotlines: event.hotlines.length > 0 ? event.hotlines : state.hotlines,
      });
    case 'lost':
      return state.line.is === 'up' ? move(state, { line: { is: 'lost' } }) : state;
    case 'failed':
      return state.line.is === 'off'
        ? state
        : move(state, { line: { is: 'failed', error: event.error, retryAt: event.retryAt } });
    case 'readiness':
      return move(state, {
        member: event.readiness.member ?? state.member,
        hotlines: event.readiness.hotlines ?? state.hotlines,
      });
    case 'blocked':
    case 'guide-taken':
    case 'waiting':
    case 'waited':
    case 'cleared': {
      const block = moveBlock(state.block, event);
      return block === state.block ? state : move(state, { block });
    }
    case 'dismiss':
      return dismiss(state);
    case 'placing':
      if (isBusy(state.call)) return state;
      // Dialing is the answer to "You can call again": the guide has done its work.
      return move(state, {
        call: { is: 'placing', number: event.number, asksMicrophone: false },
        block: state.block.is === 'cleared' ? { is: 'none' } : state.block,
      });
    case 'microphone-asked':
      if (state.call.is !== 'placing') return state;
      return move(state, { call: { ...state.call, asksMicrophone: true } });
    case 'not-placed':
      return state.call.is === 'placing' ? move(state, { call: { is: 'none' } }) : state;
    case 'dialing':
      return isLive(state.call) ? state : move(state, { call: { is: 'dialing', info: event.call } });
    case 'incoming':
      if (isLive(state.call)) return state;
      return move(state, { call: { is: 'incoming', info: event.call, asksMicrophone: false } });
    default: {
      const call = moveCall(state.call, event);
      return call === state.call ? state : move(state, { call });
    }
  }
}

type BlockEvent = Extract<
  DialerEvent,
  { type: 'blocked' | 'guide-taken' | 'waiting' | 'waited' | 'cleared' }
>;

function moveBlock(block: Block, event: BlockEvent): Block {
  if (event.type === 'blocked') {
    const { reason, source } = event;
    if (block.is !== 'blocked' || block.reason !== reason) {
      return { is: 'blocked', reason, source, drawnByPage: false };
    }
    return { ...block, source };
  }
  if (block.is !== 'blocked') return block;
  switch (event.type) {
    case 'guide-taken':
      return { ...block, drawnByPage: true };
    case 'waiting':
      return { ...block, waitingFor: event.for, notice: undefined };
    case 'waited':
      return { ...block, waitingFor: undefined, notice: event.notice };
    case 'cleared':
      return { is: 'cleared', reason: block.reason };
  }
}

type CallEvent = Extract<
  DialerEvent,
  { type: 'answering' | 'answer-trouble' | 'answered' | 'muted' | 'held' | 'microphone-lost' | 'ended' }
>;

function moveCall(call: Call, event: CallEvent): Call {
  if (!isLive(call)) return call;
  switch (event.type) {
    case 'answering':
      if (call.is !== 'incoming') return call;
      return { ...call, asksMicrophone: event.asksMicrophone, trouble: undefined };
    case 'answer-trouble':
      return call.is === 'incoming' && call.trouble !== event.error
        ? { ...call, trouble: event.error }
        : call;
    case 'answered':
      if (call.is === 'active') return call;
      return {
        is: 'active',
        info: { ...call.info, answeredAt: event.at },
        muted: false,
        held: false,
        microphoneLost: false,
      };
    case 'muted':
      return call.is === 'active' && call.muted !== event.on ? { ...call, muted: event.on } : call;
    case 'held':
      return call.is === 'active' && call.held !== event.on ? { ...call, held: event.on } : call;
    case 'microphone-lost':
      return call.is === 'active' && !call.microphoneLost ? { ...call, microphoneLost: true } : call;
    case 'ended':
      return {
        is: 'ended',
        info: { ...call.info, outcome: event.outcome, status: event.status, endedAt: event.at },
      };
  }
}

function dismiss(state: DialerState): DialerState {
  if (state.call.is !== 'ended' && state.block.is !== 'cleared') return state;
  return move(state, {
    call: state.call.is === 'ended' ? { is: 'none' } : state.call,
    block: state.block.is === 'cleared' ? { is: 'none' } : state.block,
  });
}

function move(state: DialerState, change: Partial<Parts>): DialerState {
  return withStatus({ ...state, ...change });
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

/** Is somebody ringing or talking? */
export function isLive(call: Call): call is Extract<Call, { is: 'dialing' | 'incoming' | 'active' }> {
  return call.is === 'dialing' || call.is === 'incoming' || call.is === 'active';
}

/** Is there a call, or is one being placed? */
export function isBusy(call: Call): boolean {
  return call.is === 'placing' || isLive(call);
}
