/** What the dialer needs of whoever shows it: its settings, an SDK, and somebody to notify. */
import type { BrokerOptions } from '../broker/client.ts';
import type { CustomerLookup } from '../broker/contract.ts';
import type { CallingSdk, SdkEvent, Sounds } from '../sdk/calling-sdk.ts';
import type { CallInfo } from './state/call-info.ts';
import type { DialerNotification } from './notifications.ts';
import type { DialerState } from './state/state.ts';

export interface DialerSettings {
  readonly broker: BrokerOptions;
  /** API base handed to the SDK; absent: the vendor's own. */
  readonly sdkBaseUrl: string | undefined;
  readonly sounds: Sounds;
  readonly vendorUi: boolean;
}

export interface CallPreferences {
  /** Caller numbers, the more important ones first; the member may have none of them. */
  readonly hotlines: readonly (string | undefined)[];
  /** The attribute's, as it is; empty: none. */
  readonly externalCallId: string;
  /** The page's own answer to whose number it is. */
  readonly lookup?: CustomerLookup | undefined;
  /** In VND; below it the agent is warned. */
  readonly lowBalance: number;
}

/** @param threshold in VND; `0`: never */
export function isLow(balance: number | undefined, threshold: number): boolean {
  return balance !== undefined && balance < threshold;
}

export interface DialerHost {
  /** What is not in a page is never removed from it, and would stay registered for ever. */
  isInPage(): boolean;
  /**
   * Read at each connection, so that attributes may change in between.
   *
   * @throws {DialerError} `configuration`
   */
  settings(): DialerSettings;
  /** @throws {DialerError} `configuration` */
  createSdk(listener: (event: SdkEvent) => void): CallingSdk;
  /** What agent and page would like for the next call. */
  preferences(): CallPreferences;
  changed(state: DialerState, previous: DialerState): void;
  /** Somebody called while the line was taken. */
  missed(call: CallInfo): void;
  /** @returns `false` when the page wants to handle it itself. */
  notify(notification: DialerNotification): boolean;
}
