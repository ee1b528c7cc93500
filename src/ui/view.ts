/** What every view gets: the state, the words, and what the agent can do. */
import type { CallInfo } from '../dialer/call.ts';
import type { DialerState } from '../dialer/state.ts';
import type { DialerErrorCode } from '../errors.ts';
import type { Words } from '../i18n/words.ts';

export interface ViewActions {
  type(number: string): void;
  pressKey(key: string): void;
  erase(): void;
  call(number: string): void;
  chooseHotline(number: string): void;
  answer(): void;
  hangUp(): void;
  setMuted(on: boolean): void;
  setHeld(on: boolean): void;
  toggleKeys(): void;
  sendDtmf(key: string): void;
  recheck(): void;
  requestHelp(kind: 'topUp' | 'hotline'): void;
  retry(): void;
  dismiss(): void;
  copyDetails(details: string): void;
}

export interface View {
  readonly state: DialerState;
  readonly words: Words;
  /** The number the agent typed or clicked; kept until a call to it was answered. */
  readonly draft: string;
  /** Caller number the next call goes out with. */
  readonly hotline: string | undefined;
  readonly lastCall: CallInfo | undefined;
  /** Are the tone keys open in the call? */
  readonly keysOpen: boolean;
  /** Tones sent in this call. */
  readonly tones: string;
  readonly copied: boolean;
  /** Why the last press had no effect. */
  readonly hint: DialerErrorCode | undefined;
  /** Epoch milliseconds, for the timer. */
  readonly now: number;
  readonly act: ViewActions;
}
