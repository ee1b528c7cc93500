/** The UI state: what the views remember beside the dialer's state. Pure functions return its changes. */
import type { GuideNotice } from '../dialer/state/block.ts';
import { isBusy, isLive } from '../dialer/state/call.ts';
import { isSameCall, type CallInfo, type LinkOptions } from '../dialer/state/call-info.ts';
import { isOtherOwner, presentOwner, type DialerState } from '../dialer/state/state.ts';
import type { Words } from '../i18n/words.ts';
import { isSameNumber } from '../numbers/read.ts';
import { viewKey } from './status.ts';

export type Refusal = keyof Words['error'];
export type Pending = 'answer' | 'hold' | 'end';
export type Panel = 'recent' | 'devices' | 'keys';

export interface UiState {
  /** The number that the agent typed, or the page gave; kept until a call to it was answered. */
  readonly typedNumber: string;
  /** What the page gave for a call to it; gone as soon as another number is in the display. */
  readonly callOptions: LinkOptions;
  /** Why the last press of "Call" placed no call, or one of "Hold" changed nothing. */
  readonly refusal: Refusal | undefined;
  /** This button was pressed, and the SDK has not responded yet. */
  readonly pending: Pending | undefined;
  readonly lastCall: CallInfo | undefined;
  /** The display of a member who has signed out: it comes back when they sign in again. */
  readonly setAside: Pick<UiState, 'typedNumber' | 'callOptions' | 'lastCall'> | undefined;
  /** A top-up request while there is still money, or its result. */
  readonly topUp: 'asking' | GuideNotice | undefined;
  /** The browser will ask for the microphone when the agent answers. */
  readonly microphoneWillAsk: boolean;
  /** The card of a floating dialer is open. */
  readonly cardOpen: boolean;
  /** The list of recent calls, the sound devices or, in a call, the keys for tones: one of them is open at a time. */
  readonly panel: Panel | undefined;
  /** Sent in this call. */
  readonly tones: string;
  /** The list of keyboard shortcuts is open. */
  readonly helpOpen: boolean;
  /** Whether the support details could be copied a moment ago. */
  readonly detailsCopied: boolean | undefined;
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
  panel: undefined,
  tones: '',
  helpOpen: false,
  detailsCopied: undefined,
};

type Change = Partial<UiState>;

/** A different number loses the page's options. What covers the display closes; during a call nothing does. */
export function typed(ui: UiState, text: string, { call }: DialerState): Change {
  const typedNumber = onOneLine(text);
  const callOptions = typedNumber === ui.typedNumber ? ui.callOptions : {};
  return { typedNumber, callOptions, refusal: undefined, panel: isBusy(call) ? ui.panel : undefined };
}

/** The page shows a number; an empty one only clears the display. */
export function prefilled(ui: UiState, number: string, callOptions: LinkOptions, state: DialerState): Change {
  return { ...typed(ui, number, state), callOptions, cardOpen: ui.cardOpen || number.trim() !== '' };
}

/** During a call, a number clicked on the page is refused and does not replace the typed one. */
export function callRequested(ui: UiState, number: string, options: LinkOptions, state: DialerState): Change {
  const shown = isBusy(state.call) ? { refusal: undefined } : prefilled(ui, number, options, state);
  return { ...shown, cardOpen: true };
}

/** A guide or the view of a failed connection says why already. */
export function callRefused(code: Refusal, state: DialerState): Change {
  return ['blocked', 'failed'].includes(viewKey(state)) ? {} : { refusal: code };
}

export function costKnown({ lastCall }: UiState, call: CallInfo): Change {
  return lastCall && isSameCall(lastCall, call) ? { lastCall: { ...lastCall, cost: call.cost } } : {};
}

export function stateChanged(ui: UiState, from: DialerState, to: DialerState): UiState {
  const { call } = to;
  const isCallChanged = call !== from.call;
  const isNew = isCallChanged && (call.is === 'dialing' || call.is === 'incoming');
  const isTypedCallAnswered =
    call.is === 'active' && from.call.is !== 'active' && isCallTo(call.info, ui.typedNumber);
  const isOtherStatus = to.status !== from.status;
  // An open panel does not hide a guide. The list stays open when the last call's outcome is dismissed.
  const isNewGuide = viewKey(to) !== viewKey(from) && ['blocked', 'failed'].includes(viewKey(to));
  const keepsPanel = !isNewGuide && (call.is === from.call.is || (ui.panel === 'recent' && !isBusy(call)));
  const next = {
    ...ui,
    // An answered number is cleared; any other stays for the next attempt.
    typedNumber: isTypedCallAnswered ? '' : ui.typedNumber,
    callOptions: isTypedCallAnswered ? {} : ui.callOptions,
    refusal: isOtherStatus ? undefined : ui.refusal,
    pending: isLive(from.call) ? ui.pending : undefined,
    lastCall: isCallChanged && call.is === 'ended' ? withKnownCost(ui, call.info) : ui.lastCall,
    // With the next call, the agent may ask again.
    topUp: isNew || to.member?.balance !== from.member?.balance ? undefined : ui.topUp,
    cardOpen: ui.cardOpen || (to.status === 'incoming' && isOtherStatus),
    panel: keepsPanel ? ui.panel : undefined,
    tones: isNew ? '' : ui.tones,
    helpOpen: ui.helpOpen && !isOtherStatus,
  };
  return followMember(next, from, to);
}

/** A member's number and last call leave with the member. What is typed after a sign-out is for whoever signs in next. */
function followMember(ui: UiState, from: DialerState, to: DialerState): UiState {
  const { typedNumber, callOptions, setAside } = ui;
  const isSignOut = to.line.is === 'off' && presentOwner(from) !== undefined;
  if (isSignOut) return withoutMember(ui, Boolean(to.owner));
  if (isOtherOwner(to.owner, from.owner))
    return from.member ? withoutMember(ui, false) : { ...ui, setAside: undefined };
  if (!setAside || !to.member) return ui;
  const number = typedNumber === '' ? setAside : { typedNumber, callOptions };
  return { ...ui, ...number, lastCall: ui.lastCall ?? setAside.lastCall, setAside: undefined };
}

function withoutMember(ui: UiState, mayReturn: boolean): UiState {
  const { typedNumber, callOptions, lastCall: last, microphoneWillAsk, cardOpen } = ui;
  const setAside = mayReturn ? { typedNumber, callOptions, lastCall: last } : undefined;
  const panel = ui.panel === 'devices' ? 'devices' : undefined;
  return { ...INITIAL_UI_STATE, setAside, microphoneWillAsk, cardOpen, panel };
}

function isCallTo({ direction, number }: CallInfo, text: string): boolean {
  return direction === 'outgoing' && isSameNumber(number, text);
}

/** A name that comes late does not take away the cost. */
function withKnownCost({ lastCall: known }: UiState, call: CallInfo): CallInfo {
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

  set(change: Change): void {
    const previous = this.#state;
    this.#state = { ...previous, ...change };
    this.#changed(previous);
  }
}
