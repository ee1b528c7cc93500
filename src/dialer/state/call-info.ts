/** The data of one call, for the page and the views. */
import type { Customer } from '../../broker/contract.ts';
import type { DialerErrorCode } from '../../errors.ts';
import type { CallQuality } from '../../quality/quality.ts';
import type { CallOutcome, Confidence, SdkCall } from '../../sdk/calling-sdk.ts';

export type { CallOutcome };

/** What every event about a call carries. Times are epoch milliseconds. */
export interface CallInfo {
  readonly id: string;
  readonly direction: 'outgoing' | 'incoming';
  readonly number: string;
  /** The other side's name: the page's, else that of the customers with this number, else what the vendor knows. */
  readonly name?: string | undefined;
  /** The customer with this number, once known; absent if several have it. */
  readonly customer?: Customer | undefined;
  /** All customers with this number, once they are known. */
  readonly customers?: readonly Customer[] | undefined;
  readonly hotline?: string | undefined;
  readonly externalCallId?: string | undefined;
  readonly startedAt: number;
  readonly answeredAt?: number | undefined;
  readonly endedAt?: number | undefined;
  readonly outcome?: CallOutcome | undefined;
  /** SIP status of a refusal, if it is known. The vendor's table of call results explains it. */
  readonly status?: number | undefined;
  /** In VND; absent: nothing, or the vendor has not charged it yet. */
  readonly cost?: number | undefined;
  /** How it has sounded so far; absent: nothing was measured. */
  readonly quality?: CallQuality | undefined;
}

type CallKey = Pick<CallInfo, 'id' | 'startedAt'>;

/** Ids are unique in one session of the SDK only. */
export function isSameCall(one: CallKey, other: CallKey): boolean {
  return one.id === other.id && one.startedAt === other.startedAt;
}

/** Why a call failed, if nobody on this side ended it. */
export interface CallFailure {
  readonly code: DialerErrorCode;
  /** The vendor's own words, where it gave any. */
  readonly reason: string;
  /** How sure the code is. */
  readonly confidence: Confidence;
}

export interface CallOptions {
  /** Who is called; for this call only. */
  readonly name?: string | undefined;
  /** Caller number to use, one of the member's own; else the element's `hotline`, else the first assigned one. */
  readonly hotline?: string | undefined;
  /** The CRM's own id for this call: at most 32 of a-z0-9. */
  readonly externalCallId?: string | undefined;
}

/** A call that begins. @param options what it was placed with; none for an incoming call */
export function callInfoOf(call: SdkCall, options: CallOptions, startedAt: number): CallInfo {
  return {
    ...call,
    name: options.name ?? call.name,
    hotline: options.hotline,
    externalCallId: options.externalCallId ?? call.externalCallId,
    startedAt,
  };
}

/** The error code of a failed call; `undefined`: somebody on this side ended it on purpose. */
export function failureCode(outcome: CallOutcome): DialerErrorCode | undefined {
  switch (outcome) {
    case 'answered':
    case 'missed':
    case 'declined':
    case 'cancelled':
    case 'answered-elsewhere':
      return undefined;
    case 'insufficient-funds':
    case 'no-hotline':
    case 'network-lost':
      return outcome;
    case 'busy':
    case 'no-answer':
    case 'wrong-number':
    case 'rejected':
    case 'exchange-trouble':
    case 'failed':
      return 'call-rejected';
  }
}
