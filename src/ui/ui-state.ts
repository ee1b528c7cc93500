/** The UI state: what the views remember beside the dialer's state. One pure function changes it. */
import type { GuideNotice } from '../dialer/state/block.ts';
import { isBusy, isLive } from '../dialer/state/call.ts';
import { isSameCall, type CallInfo, type CallOptions } from '../dialer/state/call-info.ts';
import { isOther, presentOwner, type DialerState } from '../dialer/state/state.ts';
import type { Words } from '../i18n/words.ts';
import { readNumber } from '../numbers/read.ts';
import { viewKey } from './status.ts';

export type Refusal = keyof Words['error'];
export type Pending = 'answer' | 'hold' | 'end';

export interface UiState {
  /** The number that the agent typed, or the page gave; kept until a call to it was answered. */
  readonly typedNumber: string;
  /** What the page gave for a call to it; gone as soon as another number is in the display. */
  readonly callOptions: CallOptions;
  /** Why the last press of "Call" placed no call, or one of "Hold" changed nothing. */
  readonly refusal: Refusal | undefined;
  /** What was pressed, and the SDK has not done it yet. */
  readonly pending: Pending | undefined;
  readonly lastCall: CallInfo | undefined;
  /** What a member who has signed out had in the display: it comes back with them. */
  readonly setAside: Pick<UiState, 'typedNumber' | 'callOptions' | 'lastCall'> | undefined;
  /** A top-up request while there is still money, or what came of it. */
  readonly topUp: 'asking' | GuideNotice | undefined;
  /** The browser will ask for the microphone when the agent answers. */
  readonly microphoneWillAsk: boolean;
  /** The card of a floating dialer is open. */
  readonly cardOpen: boolean;
  /** How many calls the open list of recent calls shows; `undefined`: the list is closed. */
  readonly listedCalls: number | undefined;
  /** The keys for tones are open. */
  readonly keysOpen: boolean;
  /** Sent in this call. */
  readonly tones: string;
  /** The list of keyboard shortcuts is open. */
  readonly helpOpen: boolean;
  /** The panel of the sound devices is open. */
  readonly devicesOpen: boolean;
  /** The details were copied a moment ago. */
  readonly copied: boolean;
}

export const INITIAL_UI_STATE: UiState = {
  typedNumber: '',
  callOptions: {},
  refusal: undefined,
  pending: undefined,
  lastCall: undefined,
  setAside: undefined,
  topUp: undefined,
  microphoneWillAsk: false,
  cardOpen: false,
  listedCalls: undefined,
  keysOpen: false,
  tones: '',
  helpOpen: false,
  devicesOpen: false,
  copied: false,
};

interface CallRequested {
  readonly type: 'call-requested';
  readonly number: string;
  readonly options: CallOptions;
  readonly state: DialerState;
}

type UiEvent =
  | { readonly type: 'typed'; readonly number: string }
  | { readonly type: 'key'; readonly key: string }
  | { readonly type: 'erased' }
  /** The agent or the page wants to call; nothing is checked yet. */
  | CallRequested
  | { readonly type: 'prefilled'; readonly number: string; readonly options: CallOptions }
  /** The agent's choice counts, not the page's. */
  | { readonly type: 'hotline-chosen' }
  | { readonly type: 'call-refused'; readonly code: Refusal; readonly state: DialerState }
  | { readonly type: 'refusal-expired' }
  | { readonly type: 'pressed'; readonly what: Pending }
  /** What was pressed is done, or has failed. */
  | { readonly type: 'press-settled'; readonly what: Pending }
  | { readonly type: 'tone-sent'; readonly key: string }
  | { readonly type: 'cost-known'; readonly call: CallInfo }
  | { readonly type: 'top-up'; readonly is: UiState['topUp'] }
  | { readonly type: 'microphone'; readonly willAsk: boolean }
  | { readonly type: 'card'; readonly open: boolean }
  /** `calls`: how many to list; `undefined` closes the list. */
  | { readonly type: 'recent-calls'; readonly calls: number | undefined }
  | { readonly type: 'keys'; readonly open: boolean }
  | { readonly type: 'help'; readonly open: boolean }
  | { readonly type: 'devices'; readonly open: boolean }
  | { readonly type: 'copied'; readonly justNow: boolean }
  | { readonly type: 'state-changed'; readonly from: DialerState; readonly to: DialerState };

function reduceUi(ui: UiState, event: UiEvent): UiState {
  switch (event.type) {
    case 'typed':
      return typed(ui, event.number);
    case 'key':
      return typed(ui, ui.typedNumber + event.key);
    case 'erased':
      return typed(ui, [...ui.typedNumber].slice(0, -1).join(''));
    case 'call-requested':
      return callRequested(ui, event);
    case 'prefilled':
      return { ...typed(ui, event.number), callOptions: event.options, cardOpen: true };
    case 'hotline-chosen':
      return { ...ui, callOptions: { ...ui.callOptions, hotline: undefined } };
    case 'call-refused':
      return isExplained(event.code, event.state) ? ui : { ...ui, refusal: event.code };
    case 'refusal-expired':
      return { ...ui, refusal: undefined };
    case 'pressed':
      // What ends the call stays in sight.
      return ui.pending === 'end' ? ui : { ...ui, pending: event.what };
    case 'press-settled':
      return ui.pending === event.what ? { ...ui, pending: undefined } : ui;
    case 'tone-sent':
      return { ...ui, tones: ui.tones + event.key };
    case 'cost-known':
      return ui.lastCall && isSameCall(ui.lastCall, event.call)
        ? { ...ui, lastCall: { ...ui.lastCall, cost: event.call.cost } }
        : ui;
    case 'top-up':
      return { ...ui, topUp: event.is };
    case 'microphone':
      return { ...ui, microphoneWillAsk: event.willAsk };
    case 'card':
      return { ...ui, cardOpen: event.open };
    case 'recent-calls':
      return { ...ui, listedCalls: event.calls, devicesOpen: false };
    case 'keys':
      return { ...ui, keysOpen: event.open, devicesOpen: false };
    case 'help':
      return { ...ui, helpOpen: event.open };
    case 'devices':
      return { ...ui, devicesOpen: event.open, listedCalls: undefined, keysOpen: false };
    case 'copied':
      return { ...ui, copied: event.justNow };
    case 'state-changed':
      return ofMember(stateChanged(ui, event.from, event.to), event.from, event.to);
  }
}

function typed(ui: UiState, number: string): UiState {
  return { ...withNumber(ui, number), refusal: undefined, listedCalls: undefined, devicesOpen: false };
}

function withNumber(ui: UiState, text: string): UiState {
  const typedNumber = onOneLine(text);
  return typedNumber === ui.typedNumber ? ui : { ...ui, typedNumber, callOptions: {} };
}

/** During a call, a number clicked on the page is refused and does not replace the typed one. */
function callRequested(ui: UiState, { number, options, state }: CallRequested): UiState {
  const shown = isBusy(state.call) ? ui : { ...typed(ui, number), callOptions: options };
  return { ...shown, refusal: undefined, cardOpen: true };
}

/** A guide or the view of a failed connection says why already. A second press while the first one waits needs no answer. */
function isExplained(code: Refusal, state: DialerState): boolean {
  const key = viewKey(state);
  return key === 'blocked' || key === 'failed' || (code === 'busy' && !isBusy(state.call));
}

function stateChanged(ui: UiState, from: DialerState, to: DialerState): UiState {
  const { call } = to;
  const isMove = call !== from.call;
  const isNew = isMove && (call.is === 'dialing' || call.is === 'incoming');
  const isSpent = call.is === 'active' && from.call.is !== 'active' && isCallTo(call.info, ui.typedNumber);
  const isOtherStatus = to.status !== from.status;
  // A guide is not hidden by what is open.
  const isGuided = viewKey(to) !== viewKey(from) && ['blocked', 'failed'].includes(viewKey(to));
  return {
    ...ui,
    // An answered number is cleared; any other stays for the next attempt.
    typedNumber: isSpent ? '' : ui.typedNumber,
    callOptions: isSpent ? {} : ui.callOptions,
    refusal: isOtherStatus ? undefined : ui.refusal,
    pending: isLive(from.call) ? ui.pending : undefined,
    lastCall: isMove && call.is === 'ended' ? lastCall(ui, call.info) : ui.lastCall,
    // With the next call, the agent may ask again.
    topUp: isNew || to.member?.balance !== from.member?.balance ? undefined : ui.topUp,
    cardOpen: ui.cardOpen || (to.status === 'incoming' && isOtherStatus),
    listedCalls: isGuided || (isMove && isBusy(call)) ? undefined : ui.listedCalls,
    keysOpen: ui.keysOpen && (!isMove || call.is === 'active'),
    devicesOpen: ui.devicesOpen && call.is === from.call.is && !isGuided,
    tones: isNew ? '' : ui.tones,
    helpOpen: ui.helpOpen && !isOtherStatus,
  };
}

/** What belongs to a member goes with them. What is typed or given after a sign-out is for whoever signs in next. */
function ofMember(ui: UiState, from: DialerState, to: DialerState): UiState {
  const { typedNumber, callOptions, setAside } = ui;
  const isSignOut = to.line.is === 'off' && presentOwner(from) !== undefined;
  if (isSignOut) return withoutMember(ui, Boolean(to.owner));
  if (isOther(to.owner, from.owner))
    return from.member ? withoutMember(ui, false) : { ...ui, setAside: undefined };
  if (!setAside || !to.member) return ui;
  const number = typedNumber === '' ? setAside : { typedNumber, callOptions };
  return { ...ui, ...number, lastCall: ui.lastCall ?? setAside.lastCall, setAside: undefined };
}

function withoutMember(ui: UiState, mayReturn: boolean): UiState {
  const { typedNumber, callOptions, lastCall: last, microphoneWillAsk, cardOpen, devicesOpen } = ui;
  const setAside = mayReturn ? { typedNumber, callOptions, lastCall: last } : undefined;
  return { ...INITIAL_UI_STATE, setAside, microphoneWillAsk, cardOpen, devicesOpen };
}

function isCallTo({ direction, number }: CallInfo, text: string): boolean {
  return direction === 'outgoing' && isSameNumber(number, text);
}

/** In whatever spelling. */
export function isSameNumber(one: string, other: string): boolean {
  const [first, second] = [readNumber(one), readNumber(other)];
  return first.is === 'number' && second.is === 'number' && first.dialled === second.dialled;
}

/** A name that comes late does not take away the cost. */
function lastCall({ lastCall: known }: UiState, call: CallInfo): CallInfo {
  return known && isSameCall(known, call) ? { ...call, cost: known.cost } : call;
}

/** The input would drop line breaks, and join the numbers of two lines. */
function onOneLine(text: string): string {
  return text.replace(/^[\r\n]+|[\r\n]+$/g, '').replace(/[\r\n\v\f\u2028\u2029]+/g, '; ');
}

/** Holds the UI state of one dialer. */
export class UiStore {
  readonly #changed: (previous: UiState) => void;
  #state = INITIAL_UI_STATE;

  constructor(changed: (previous: UiState) => void) {
    this.#changed = changed;
  }

  get state(): UiState {
    return this.#state;
  }

  dispatch(event: UiEvent): void {
    const previous = this.#state;
    this.#state = reduceUi(previous, event);
    this.#changed(previous);
  }
}
