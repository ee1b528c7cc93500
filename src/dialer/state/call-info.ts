/** The data of one call, for the page and the views. */
import type { Customer } from '../../broker/contract.ts';
import type { DialerErrorCode } from '../../errors.ts';
import type { CallQuality } from '../../quality/quality.ts';
import type { CallOutcome, Confidence, SdkCall } from '../../sdk/calling-sdk.ts';

export type { CallOutcome };

/** What every event about a call carries. Times are epoch milliseconds. */
export interface CallInfo extends SdkCall {
  /** Name of the other party: from the page; otherwise from the customers with this number; otherwise from the vendor. */
  readonly name?: string | undefined;
  /** The customer with this number, once known; absent if several have it. */
  readonly customer?: Customer | undefined;
  /** All customers with this number, once known. */
  readonly customers?: readonly Customer[] | undefined;
  readonly hotline?: string | undefined;
  readonly startedAt: number;
  readonly answeredAt?: number | undefined;
  readonly endedAt?: number | undefined;
  readonly outcome?: CallOutcome | undefined;
  /** SIP status of a refusal, if it is known. The vendor's table of call results explains it. */
  readonly status?: number | undefined;
  /** Cost in VND; absent if the call was free or has not been charged yet. */
  readonly cost?: number | undefined;
  /** Call quality so far; absent if the agent has received no sound. */
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
  /** The vendor's error text; may be empty. */
  readonly reason: string;
  /** How reliable `code` is. */
  readonly confidence: Confidence;
}

export interface CallOptions {
  /** Name of the person called; for this call only. */
  readonly name?: string | undefined;
  /** One of the member's own caller numbers. Default: the one that the agent or `hotline` has set last, then the first assigned one. */
  readonly hotline?: string | undefined;
  /** Your ID for this call: up to 32 characters, a-z and 0-9. */
  readonly externalCallId?: string | undefined;
}

export interface LinkOptions extends CallOptions {
  /** Text of the link that was clicked: the name, until a customer with this number is found. */
  readonly linkText?: string | undefined;
}

/** A call that begins. @param options what it was placed with; none for an incoming call */
export function createCallInfo(call: SdkCall, options: LinkOptions, startedAt: number): CallInfo {
  return {
    ...call,
    name: options.name ?? options.linkText ?? call.name,
    hotline: options.hotline,
    externalCallId: options.externalCallId ?? call.externalCallId,
    startedAt,
  };
}

/** The error code of a failed call; `undefined`: somebody on this side ended it on purpose. */
export const FAILURE_CODES: Readonly<Record<CallOutcome, DialerErrorCode | undefined>> = {
  answered: undefined,
  missed: undefined,
  declined: undefined,
  cancelled: undefined,
  'answered-elsewhere': undefined,
  busy: 'call-rejected',
  'no-answer': 'call-rejected',
  'wrong-number': 'call-rejected',
  rejected: 'call-rejected',
  'insufficient-funds': 'insufficient-funds',
  'no-hotline': 'no-hotline',
  'exchange-trouble': 'call-rejected',
  'network-lost': 'network-lost',
  failed: 'call-rejected',
};
