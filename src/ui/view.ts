/** What every view gets: the states, the words, the actions. */
import type { LoggedCall } from '../dialer/calls/call-log.ts';
import type { WaitingCall } from '../dialer/calls/outgoing-calls.ts';
import type { DevicesState } from '../devices/state.ts';
import type { DialerState } from '../dialer/state/state.ts';
import type { Words } from '../i18n/words.ts';
import type { NumberPlan } from '../numbers/read.ts';
import type { Actions } from './actions.ts';
import type { PermissionPrompts } from './permission-prompts.ts';
import type { Display, UiState } from './ui-state.ts';

/** The page's settings for the views. */
export interface ViewSettings {
  /** Caller number to prefer; empty: none. */
  readonly hotline: string;
  /** In VND; below it the agent is warned. `0`: never. */
  readonly lowBalance: number;
  readonly numberPlan: NumberPlan;
  /** `off`: no call is listed or stored. */
  readonly recentCalls: 'on' | 'off';
  /** The corner of the bubble; `false`: the dialer stands inline. */
  readonly floating: string | boolean;
  /** Keys for the whole page. */
  readonly hotkeys: boolean;
  /** This one and the next: for support. */
  readonly brokerUrl: string;
  readonly sdkUrl: string;
}

export interface View {
  readonly state: DialerState;
  readonly ui: UiState;
  /** What of it is in sight. */
  readonly display: Display;
  readonly settings: Pick<ViewSettings, 'lowBalance' | 'floating' | 'numberPlan' | 'recentCalls'>;
  readonly words: Words;
  /** The next call goes out with it. */
  readonly callerNumber: string | undefined;
  /** The call that is placed as soon as the dialer is connected. */
  readonly waitingCall: WaitingCall | undefined;
  /** The call log, the newest call first. */
  readonly calls: readonly LoggedCall[];
  readonly prompts: Pick<PermissionPrompts, 'isSilent' | 'mayOfferNotifications'>;
  readonly devices: DevicesState;
  /** Epoch milliseconds, for the timers. */
  readonly now: number;
  readonly actions: ViewActions;
}

/** What a press can do. */
export type ViewActions = Pick<Actions, keyof Actions>;
