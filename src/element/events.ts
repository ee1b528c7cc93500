/** The DOM events of `<partner-dialer>`: all bubble and leave shadow roots; those with a veto are cancelable. */
import type { Customer, Hotline } from '../broker/contract.ts';
import type { CallInfo } from '../dialer/state/call-info.ts';
import type { Confidence } from '../sdk/calling-sdk.ts';
import type { BlockSource, DialerState } from '../dialer/state/state.ts';
import type { DialerError, DialerErrorCode } from '../errors.ts';

class DialerDomEvent<T> extends CustomEvent<T> {
  constructor(name: string, detail: T, cancelable = false) {
    super(name, { detail, bubbles: true, composed: true, cancelable });
  }
}

export class DialerStateChangeEvent extends DialerDomEvent<{
  readonly state: DialerState;
  readonly previous: DialerState;
}> {}

export class DialerReadyEvent extends DialerDomEvent<{ readonly hotlines: readonly Hotline[] }> {}

/** Cancel it to keep the call from being placed. */
export class DialerBeforeCallEvent extends DialerDomEvent<{
  readonly number: string;
  readonly hotline: string | undefined;
  readonly externalCallId: string | undefined;
}> {}

export class DialerCallEvent extends DialerDomEvent<{ readonly call: CallInfo }> {}

export class DialerCallFailEvent extends DialerDomEvent<{
  readonly call: CallInfo;
  readonly code: DialerErrorCode;
  /** The vendor's own words, where it gave any. */
  readonly reason: string;
  /** `certain`: a status; `likely`: a phrase or the broker; `unknown`: nobody could tell. */
  readonly confidence: Confidence;
}> {}

/** Never empty; several customers may have one number. */
export class DialerCustomerEvent extends DialerDomEvent<{
  readonly call: CallInfo;
  readonly customers: readonly Customer[];
}> {}

/** Cancel it to draw the guide yourself. */
export class DialerBlockedEvent extends DialerDomEvent<{
  readonly reason: string;
  readonly source: BlockSource;
}> {}

/** Cancel it to handle the request yourself; else the broker's link is asked. */
export class DialerHelpRequestEvent extends DialerDomEvent<{ readonly memberNo: string | undefined }> {}

export class DialerErrorEvent extends DialerDomEvent<{ readonly error: DialerError }> {}

export interface DialerEventMap {
  'dialer-statechange': DialerStateChangeEvent;
  'dialer-ready': DialerReadyEvent;
  'dialer-beforecall': DialerBeforeCallEvent;
  'dialer-callstart': DialerCallEvent;
  'dialer-callincoming': DialerCallEvent;
  'dialer-callconnect': DialerCallEvent;
  'dialer-callend': DialerCallEvent;
  'dialer-callfail': DialerCallFailEvent;
  'dialer-customer': DialerCustomerEvent;
  'dialer-blocked': DialerBlockedEvent;
  'dialer-topuprequest': DialerHelpRequestEvent;
  'dialer-hotlinerequest': DialerHelpRequestEvent;
  'dialer-error': DialerErrorEvent;
}

declare global {
  interface HTMLElementEventMap extends DialerEventMap {}
  interface DocumentEventMap extends DialerEventMap {}
  interface WindowEventMap extends DialerEventMap {}
}
