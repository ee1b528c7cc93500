/** What the dialer needs of whoever shows it: its settings, an SDK, and somebody to tell. */
import type { BrokerOptions } from '../broker/client.ts';
import type { DialerError, DialerErrorCode } from '../errors.ts';
import type { CallingSdk, Confidence, SdkEvent, Sounds } from '../sdk/calling-sdk.ts';
import type { CallInfo, CallOptions } from './call.ts';
import type { BlockSource, DialerState } from './state.ts';

export interface DialerSettings {
  readonly broker: BrokerOptions;
  /** API base handed to the SDK; absent: the vendor's own. */
  readonly sdkBaseUrl: string | undefined;
  readonly sounds: Sounds;
  readonly vendorUi: boolean;
}

/** What the page is told. */
export type DialerNotification =
  | { readonly name: 'ready' }
  | { readonly name: 'beforecall'; readonly number: string; readonly options: CallOptions }
  | { readonly name: 'callstart' | 'callincoming' | 'callconnect' | 'callend'; readonly call: CallInfo }
  | {
      readonly name: 'callfail';
      readonly call: CallInfo;
      readonly code: DialerErrorCode;
      /** The vendor's own words, where it gave any. */
      readonly reason: string;
      /** How sure the code is. */
      readonly confidence: Confidence;
    }
  | { readonly name: 'blocked'; readonly reason: string; readonly source: BlockSource }
  | { readonly name: 'topuprequest' }
  | { readonly name: 'hotlinerequest' }
  | { readonly name: 'error'; readonly error: DialerError };

export interface DialerHost {
  /**
   * Read at each connection, so that attributes may change in between.
   *
   * @throws {DialerError} `configuration`
   */
  settings(): DialerSettings;
  createSdk(listener: (event: SdkEvent) => void): CallingSdk;
  /** Caller number to prefer. */
  preferredHotline(): string | undefined;
  changed(state: DialerState, previous: DialerState): void;
  /** @returns `false` when the page wants to handle it itself. */
  notify(news: DialerNotification): boolean;
}
