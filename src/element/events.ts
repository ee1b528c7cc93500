/** The DOM events of `<partner-dialer>`. All bubble and are composed; some are cancelable. */
import type { Customer, Hotline } from '../broker/contract.ts';
import type { CallInfo, CallOutcome } from '../dialer/state/call-info.ts';
import type { Confidence } from '../sdk/calling-sdk.ts';
import type { BlockReason, BlockSource, HelpNotice } from '../dialer/state/block.ts';
import type { DialerState } from '../dialer/state/state.ts';
import type { PageEvent } from '../dialer/page-events.ts';
import type { DialerError, DialerErrorCode } from '../errors.ts';
import type { Quality } from '../quality/quality.ts';

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

/** A call that is over. Times are epoch milliseconds. */
export interface EndedCall extends CallInfo {
  readonly outcome: CallOutcome;
  readonly endedAt: number;
  /** How long the call was connected, in milliseconds; 0 if it was never answered. */
  readonly durationMs: number;
}

export class DialerCallEndEvent extends DialerDomEvent<{ readonly call: EndedCall }> {}

export class DialerCallFailEvent extends DialerDomEvent<{
  readonly call: CallInfo;
  readonly code: DialerErrorCode;
  /** The vendor's error text; may be empty. */
  readonly reason: string;
  /** How reliable `code` is. `certain`: from the SIP status, or this side did it; `likely`: from a text or the broker; `unknown`: no source says why. */
  readonly confidence: Confidence;
}> {}

/** Never empty; several customers may have one number. */
export class DialerCustomerEvent extends DialerDomEvent<{
  readonly call: CallInfo;
  readonly customers: readonly Customer[];
}> {}

/** The current call quality. */
export class DialerQualityEvent extends DialerDomEvent<Quality> {}

/** Cancel it to show your own guide. */
export class DialerBlockedEvent extends DialerDomEvent<{
  readonly reason: BlockReason;
  readonly source: BlockSource;
}> {}

/** Cancel it to handle the request yourself. Otherwise, the dialer requests the broker's link. */
export class DialerHelpRequestEvent extends DialerDomEvent<{
  readonly memberNo: string | undefined;
  /** Call it when you have handled the request: the guide shows the result. Until then, at most 30 s, the button waits. */
  readonly done: (notice?: HelpNotice) => void;
}> {}

/** Whether the card of a floating dialer is open now. */
export class DialerToggleEvent extends DialerDomEvent<{ readonly open: boolean }> {}

export class DialerErrorEvent extends DialerDomEvent<{ readonly error: DialerError }> {}

export interface DialerEventMap {
  'dialer-statechange': DialerStateChangeEvent;
  'dialer-ready': DialerReadyEvent;
  'dialer-beforecall': DialerBeforeCallEvent;
  'dialer-callstart': DialerCallEvent;
  'dialer-callincoming': DialerCallEvent;
  'dialer-callconnect': DialerCallEvent;
  'dialer-callend': DialerCallEndEvent;
  'dialer-callcost': DialerCallEndEvent;
  'dialer-callfail': DialerCallFailEvent;
  'dialer-customer': DialerCustomerEvent;
  'dialer-quality': DialerQualityEvent;
  'dialer-blocked': DialerBlockedEvent;
  'dialer-topuprequest': DialerHelpRequestEvent;
  'dialer-hotlinerequest': DialerHelpRequestEvent;
  'dialer-toggle': DialerToggleEvent;
  'dialer-error': DialerErrorEvent;
}

declare global {
  interface HTMLElementEventMap extends DialerEventMap {}
  interface DocumentEventMap extends DialerEventMap {}
  interface WindowEventMap extends DialerEventMap {}
}

/** The DOM event for an event of the dialer. */
export function toDomEvent(event: PageEvent, state: DialerState): CustomEvent {
  const name = `dialer-${event.name}`;
  switch (event.name) {
    case 'ready':
      return new DialerReadyEvent(name, { hotlines: state.hotlines });
    case 'beforecall': {
      const { hotline, externalCallId } = event.options;
      return new DialerBeforeCallEvent(name, { number: event.number, hotline, externalCallId }, true);
    }
    case 'callfail': {
      const { call, code, reason, confidence } = event;
      return new DialerCallFailEvent(name, { call, code, reason, confidence });
    }
    case 'customer':
      return new DialerCustomerEvent(name, { call: event.call, customers: event.customers });
    case 'quality':
      return new DialerQualityEvent(name, event.quality);
    case 'blocked':
      return new DialerBlockedEvent(name, { reason: event.reason, source: event.source }, true);
    case 'topuprequest':
    case 'hotlinerequest':
      return new DialerHelpRequestEvent(name, { memberNo: state.member?.memberNo, done: event.done }, true);
    case 'error':
      return new DialerErrorEvent(name, { error: event.error });
    case 'callend':
    case 'callcost':
      return new DialerCallEndEvent(name, { call: endedCall(event.call) });
    default:
      return new DialerCallEvent(name, { call: event.call });
  }
}

function endedCall(call: CallInfo): EndedCall {
  const { outcome = 'failed', answeredAt, endedAt = Date.now() } = call;
  return { ...call, outcome, endedAt, durationMs: answeredAt === undefined ? 0 : endedAt - answeredAt };
}
