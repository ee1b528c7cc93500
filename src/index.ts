/** Defines `<partner-dialer>` and exports what a page needs to know of it. */
import { PartnerDialer } from './element/partner-dialer.ts';

export { PartnerDialer };
export { DialerError, type DialerErrorCode } from './errors.ts';
export * from './element/events.ts';
export type { CallInfo, CallOptions, CallOutcome } from './dialer/call.ts';
export type { Block, BlockSource, Call, DialerState, DialerStatus, Line } from './dialer/state.ts';
export type { Hotline, Member } from './broker/contract.ts';
export type { HeadersSource } from './broker/headers.ts';

declare global {
  interface HTMLElementTagNameMap {
    'partner-dialer': PartnerDialer;
  }
}

// Two copies of the script on one page must not throw.
if (!customElements.get('partner-dialer')) customElements.define('partner-dialer', PartnerDialer);
