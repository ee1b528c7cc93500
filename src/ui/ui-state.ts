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

/**
 * What is in the display, and whose it is. It is hidden while its owner is signed out.
 *
 *     nobody's ──a member signs in──▶ the member's ──another one signs in──▶ empty
 *     hidden ──its member signs in again──▶ in sight
 *     hidden ──another number is typed or shown──▶ nobody's: of whoever signs in next
 */
export interface Display {
  /** `undefined`: nobody's; empty: of a member whom the broker does not name. */
  readonly owner: string | undefined;
  /** The number that the agent typed, or the page gave; kept until a call to it was answered. */
  readonly typedNumber: string;
  /** What the page gave for a call to it; gone as soon as another number is in the display. */
  readonly callOptions: LinkOptions;
  /** How often the page has put another number here: a press that began before does not call it. */
  readonly given: number;
  readonly lastCall: CallInfo | undefined;
}

export interface UiState {
  readonly display: Display;
  /** Why the last press of "Call" placed no call, or one of "Hold" changed nothing. */
  readonly refusal: Refusal | undefined;
  /** How many presses were refused: a screen reader says the same reason again. */
  readonly refusals: number;
  /** This button was pressed, and the SDK has not responded yet. */
  readonly pending: Pending | undefined;
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

export const EMPTY_DISPLAY: Display = {
  owner: undefined,
  typedNumber: '',
  callOptions: {},
  given: 0,
  lastCall: undefined,
};

export const INITIAL_UI_STATE: UiState = {
  display: EMPTY_DISPLAY,
  refusal: undefined,
  refusals: 0,
  pending: undefined,
  topUp: undefined,
  microphoneWillAsk: false,
  cardOpen: false,
  panel: undefined,
  tones: '',
  helpOpen: false,
  detailsCopied: undefined,
};

type Change = Partial<UiState>;

/** What is in sight: a member's display is for this member only. */
export function displayInSight({ display }: UiState, state: DialerState): Display {
  const isInSight = display.owner === undefined || display.owner === presentOwner(state);
  return isInSight ? display : EMPTY_DISPLAY;
}

/** A different number loses the page's options. What covers the display closes; during a call nothing does. */
export function typed(ui: UiState, text: string, state: DialerState, options?: LinkOptions): Change {
  const before = displayInSight(ui, state);
  const typedNumber = onOneLine(text);
  const callOptions = options ?? (isSameNumber(typedNumber, before.typedNumber) ? before.callOptions : {});
  const given = before.given + Number(options !== undefined && typedNumber !== before.typedNumber);
  const display = { ...before, typedNumber, callOptions, given };
  return { display, refusal: undefined, panel: isBusy(state.call) ? ui.panel : undefined };
}

/** The page shows a number; an empty one only clears the display. */
export function prefilled(ui: UiState, number: string, callOptions: LinkOptions, state: DialerState): Change {
  return { ...typed(ui, number, state, callOptions), cardOpen: ui.cardOpen || number.trim() !== '' };
}

/** During a call, a number clicked on the page is refused and does not replace the typed one. */
export function callRequested(ui: UiState, number: string, options: LinkOptions, state: DialerState): Change {
  const shown = isBusy(state.call) ? { refusal: undefined } : prefilled(ui, number, options, state);
  return { ...shown, cardOpen: true };
}

/** A guide or the view of a failed connection says why already. */
export function callRefused(ui: UiState, refusal: Refusal, state: DialerState): Change {
  if (['blocked', 'failed'].includes(viewKey(state))) return {};
  return { refusal, refusals: ui.refusals + 1 };
}

export function costKnown({ display }: UiState, call: CallInfo): Change {
  const { lastCall } = display;
  if (!lastCall || !isSameCall(lastCall, call)) return {};
  return { display: { ...display, lastCall: { ...lastCall, cost: call.cost } } };
}

export function stateChanged(ui: UiState, from: DialerState, to: DialerState): UiState {
  const { call } = to;
  const isNew = call !== from.call && (call.is === 'dialing' || call.is === 'incoming');
  const isOtherStatus = to.status !== from.status;
  // An open panel does not hide a guide. The list stays open when the last call's outcome is dismissed.
  const isNewGuide = viewKey(to) !== viewKey(from) && ['blocked', 'failed'].includes(viewKey(to));
  const keepsPanel = !isNewGuide && (call.is === from.call.is || (ui.panel === 'recent' && !isBusy(call)));
  const owner = presentOwner(from);
  const display = displayOf(to, displayAfterCall(ui.display, from, to));
  // A member who was not named, and becomes known, is the same.
  const isKnownNow = owner === '' && to.owner !== undefined;
  if (owner !== undefined && !isKnownNow && isOtherOwner(presentOwner(to), owner)) {
    const { microphoneWillAsk, cardOpen } = ui;
    const panel = ui.panel === 'devices' ? 'devices' : undefined;
    return { ...INITIAL_UI_STATE, display, microphoneWillAsk, cardOpen, panel };
  }
  return {
    ...ui,
    display,
    refusal: isOtherStatus ? undefined : ui.refusal,
    pending: isLive(from.call) ? ui.pending : undefined,
    // With the next call, the agent may ask again.
    topUp: isNew || to.member?.balance !== from.member?.balance ? undefined : ui.topUp,
    cardOpen: ui.cardOpen || (to.status === 'incoming' && isOtherStatus),
    panel: keepsPanel ? ui.panel : undefined,
    tones: isNew ? '' : ui.tones,
    helpOpen: ui.helpOpen && !isOtherStatus,
  };
}

/** An answered number is cleared; any other stays for the next attempt. */
function displayAfterCall(display: Display, { call: before }: DialerState, { call }: DialerState): Display {
  if (call === before || call.is === 'none' || call.is === 'placing') return display;
  const isAnswered = call.is === 'active' && before.is !== 'active' && call.info.direction === 'outgoing';
  if (isAnswered && isSameNumber(call.info.number, display.typedNumber))
    return { ...display, typedNumber: '', callOptions: {} };
  return call.is === 'ended' ? { ...display, lastCall: withKnownCost(display, call.info) } : display;
}

/** The display in this state. */
function displayOf(state: DialerState, display: Display): Display {
  const owner = presentOwner(state);
  if (owner === undefined && display.owner === '')
    // A member without a name cannot be known again after a sign-out.
    return state.owner === undefined ? EMPTY_DISPLAY : { ...display, owner };
  if (owner === undefined) return display;
  return isOtherOwner(owner, display.owner) ? { ...EMPTY_DISPLAY, owner } : { ...display, owner };
}

/** A name that comes late does not take away the cost. */
function withKnownCost({ lastCall: known }: Display, call: CallInfo): CallInfo {
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
