/** The class alone: nothing is registered, so that a page may choose the tag. */
export { PartnerDialer } from './element/partner-dialer.ts';
export {
  DialerBeforeCallEvent,
  DialerBlockedEvent,
  DialerCallEndEvent,
  DialerCallEvent,
  DialerCallFailEvent,
  DialerCustomerEvent,
  DialerErrorEvent,
  DialerHelpRequestEvent,
  DialerQualityEvent,
  DialerReadyEvent,
  DialerStateChangeEvent,
  DialerToggleEvent,
  type DialerEventMap,
  type EndedCall,
} from './element/events.ts';
export { DialerError, type DialerErrorCode } from './errors.ts';
export type { CallInfo, CallOptions, CallOutcome } from './dialer/state/call-info.ts';
export type { CallQuality, Quality, QualityLevel, QualityWarning } from './quality/quality.ts';
export type { Block, BlockReason, BlockSource, HelpNotice } from './dialer/state/block.ts';
export type { Call } from './dialer/state/call.ts';
export type { Line } from './dialer/state/line.ts';
export type { DialerState, DialerStatus } from './dialer/state/state.ts';
export type { Customer, CustomerLookup, Hotline, Member } from './broker/contract.ts';
export type { SessionSource } from './broker/given-session.ts';
export type { HeadersSource } from './broker/headers.ts';
export type { DialerWords } from './i18n/page-words.ts';
