/** What every view gets: the state, the words, and what the agent can do; and what that takes of the dialer. */
import type { nothing, ReactiveControllerHost, TemplateResult } from 'lit';
import type { GuideNotice } from '../dialer/state/block.ts';
import type { CallInfo, CallOptions } from '../dialer/state/call-info.ts';
import type { LoggedCall } from '../dialer/call-log.ts';
import type { Call, DialerState } from '../dialer/state/state.ts';
import type { NumberCode } from '../dialer/number-code.ts';
import type { DialerErrorCode } from '../errors.ts';
import type { Language } from '../i18n/language.ts';
import type { KeypadWords } from '../i18n/keypad-en.ts';
import type { Words } from '../i18n/words.ts';
import type { Asks } from './asks.ts';

export interface ViewActions {
  type(number: string): void;
  pressKey(key: string): void;
  erase(): void;
  call(number: string, options?: CallOptions): void;
  /** Calls whoever was missed; during a call the number is kept for the time after it. */
  callBack(call: LoggedCall): void;
  /** The browser asks the agent whether the desktop may tell of calls. */
  allowNotifications(): void;
  declineNotifications(): void;
  /** Shows the latest calls, or what was there before. */
  toggleRecent(): void;
  chooseHotline(number: string): void;
  answer(): void;
  hangUp(): void;
  setMuted(on: boolean): void;
  setHeld(on: boolean): void;
  toggleKeys(): void;
  toggleHelp(): void;
  sendDtmf(key: string): void;
  recheck(): void;
  useHere(): void;
  requestHelp(kind: 'topUp' | 'hotline'): void;
  /** Asks for money while there is still some. */
  topUpInTime(): void;
  retry(): void;
  dismiss(): void;
  copyDetails(details: string): void;
}

export interface RecentCallsPanel {
  recentCallsView(view: FullView): TemplateResult;
}

/** What is drawn into. */
export interface PanelHost extends ReactiveControllerHost, HTMLElement {
  readonly renderRoot: HTMLElement | DocumentFragment;
}

/** What stands in the corner of a dialer that floats. */
export interface BubbleFrame {
  readonly language: Language;
  /** Is the card there, too? */
  readonly open: boolean;
  readonly toggle: () => void;
}

export interface BubblePanel {
  bubbleView(view: FullView, frame: BubbleFrame): TemplateResult;
}

/** What is written below the number. */
export interface Reading {
  readonly isWrong: boolean;
  /** Why the last press had no effect. */
  readonly alert: string | undefined;
  readonly line: TemplateResult | typeof nothing;
}

/** What a call brings with it, and a number that is typed. */
export interface CallPanel {
  incomingView(view: FullView, call: Extract<Call, { is: 'incoming' }>): TemplateResult;
  callView(view: FullView, call: Extract<Call, { is: 'placing' | 'dialing' | 'active' }>): TemplateResult;
  strips(view: FullView): TemplateResult | typeof nothing;
  lostCall(view: FullView): TemplateResult | typeof nothing;
  /** Warns of a low balance as long as a number is typed, or as long not. */
  steadyBalance(view: FullView): FullView;
  /** What there is to say of the number that is typed, below it. */
  reading(view: FullView): Reading;
  /** What a screen reader is told, where that is more than the status. */
  announcement(view: FullView): string | undefined;
}

/** What is shown while the member cannot call, or soon will not. */
export interface GuidePanel {
  guideView(view: FullView): TemplateResult;
  failedView(view: FullView): TemplateResult;
  lowBalance(view: FullView, money: string): TemplateResult;
}

export interface RecentCalls {
  readonly isOpen: boolean;
  /** What draws the list; absent while its code is on its way. */
  readonly panel: RecentCallsPanel | undefined;
  /** The newest one first. */
  readonly calls: readonly LoggedCall[];
  /** Those among them that were missed and that nobody has seen yet. */
  readonly missed: readonly LoggedCall[];
}

/** What the views remember beside the dialer's state. */
export interface UiState {
  /** The number the agent typed or clicked; kept until a call to it was answered. */
  readonly draft: string;
  readonly lastCall: CallInfo | undefined;
  /** What came of asking for money before it is used up. */
  readonly topUp: 'asking' | GuideNotice | undefined;
  /** Will the browser ask for the microphone when a call is answered? */
  readonly asksMicrophone: boolean;
  /** What a press has asked of the call, while it has not come to that. */
  readonly asked: 'answer' | 'end' | undefined;
  /** Are the tone keys open in the call? */
  readonly keysOpen: boolean;
  /** Tones sent in this call. */
  readonly tones: string;
  /** Are all the keyboard's keys shown? */
  readonly helpOpen: boolean;
  readonly copied: boolean;
  /** Why the last press had no effect. */
  readonly hint: DialerErrorCode | undefined;
}

export interface View extends UiState {
  readonly state: DialerState;
  readonly words: KeypadWords;
  /** What reads and writes numbers; absent while it is on its way. */
  readonly numbers: NumberCode | undefined;
  /** Caller number the next call goes out with. */
  readonly hotline: string | undefined;
  /** In VND; below it the agent is warned. `0`: never. */
  readonly lowBalance: number;
  readonly recent: RecentCalls;
  /** Absent while their code is on its way. */
  readonly calls: CallPanel | undefined;
  readonly guide: GuidePanel | undefined;
  /** What draws the bubble of a dialer that floats; absent while its code is on its way: a plain one is there then. */
  readonly bubble: BubblePanel | undefined;
  readonly asks: Pick<Asks, 'isSilent' | 'mayOfferNotifications'>;
  /** Epoch milliseconds, for the timer. */
  readonly now: number;
  readonly act: ViewActions;
}

/** For what comes late: all the words are there as well. */
export interface FullView extends View {
  readonly words: Words;
}

/** What the views need of the dialer. */
export interface DialerActions {
  readonly state: DialerState;
  connect(): Promise<void>;
  /** @throws {DialerError} when no call was placed */
  call(number: string, options?: CallOptions): Promise<void>;
  answer(): Promise<void>;
  hangUp(): Promise<void>;
  setMuted(on: boolean): Promise<void>;
  setHeld(on: boolean): Promise<void>;
  sendDtmf(tones: string, queued?: () => void): Promise<void>;
  recheck(): Promise<void>;
  /** Brings the phone into this tab. */
  useHere(): Promise<void>;
  requestHelp(kind: 'topUp' | 'hotline'): Promise<GuideNotice | undefined>;
  /** Leaves the last call's outcome, or "You can call again". */
  dismiss(): void;
}
