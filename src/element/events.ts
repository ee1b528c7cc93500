/** The DOM events of `<partner-dialer>`: all bubble and leave shadow roots; those with a veto are cancelable. */
import type { Hotline } from '../broker/contract.ts';
import type { CallInfo } from '../dialer/call.ts';
import type { Confidence } from '../sdk/calling-sdk.ts';
import type { DialerNotification } from '../dialer/notifications.ts';
import type { BlockSource, DialerState } from '../dialer/state.ts';
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

/** The DOM event for a notification. */
export function toDomEvent(notification: DialerNotification, state: DialerState): CustomEvent {
  const name = `dialer-${notification.name}`;
  switch (notification.name) {
    case 'ready':
      return new DialerReadyEvent(name, { hotlines: state.hotlines });
    case 'beforecall': {
      const { hotline, externalCallId } = notification.options;
      return new DialerBeforeCallEvent(name, { number: notification.number, hotline, externalCallId }, true);
    }
    case 'callfail': {
      const { call, code, reason, confidence } = notification;
      return new DialerCallFailEvent(name, { call, code, reason, confidence });
    }
    case 'blocked':
      return new DialerBlockedEvent(name, { reason: notification.reason, source: notification.source }, true);
    case 'topuprequest':
    case 'hotlinerequest':
      return new DialerHelpRequestEvent(name, { memberNo: state.member?.memberNo }, true);
    case 'error':
      return new DialerErrorEvent(name, { error: notification.error });
    default:
      return new DialerCallEvent(name, { call: notification.call });
  }
}
