/** The one call there can be. What moves it is in `call-moves.ts`, which comes with the code for calls. */
import type { DialerError } from '../errors.ts';
import type { Customer } from '../broker/contract.ts';
import type { CallFailure, CallInfo, CallOutcome } from './call.ts';

/**
 * The call, if there is one.
 *
 *     none ──placing──▶ placing ──dialing──▶ dialing ──answered──▶ active ──ended──▶ ended ──dismiss──▶ none
 *                       placing ──not-placed──▶ none
 *     none ──incoming─▶ incoming ─answered──▶ active
 *                       incoming ──ended──▶ ended,  dialing ──ended──▶ ended ──placing, incoming──▶ …
 *
 * `placing` is what was asked of the SDK; only `dialing` is its word that a call has begun.
 */
export type Call =
  | { readonly is: 'none' }
  | {
      readonly is: 'placing';
      readonly number: string;
      readonly name?: string | undefined;
      readonly asksMicrophone: boolean;
    }
  | {
      readonly is: 'dialing';
      readonly info: CallInfo;
      /** Epoch milliseconds; absent until the far phone rings. */
      readonly ringingSince?: number;
    }
  | {
      readonly is: 'incoming';
      readonly info: CallInfo;
      readonly asksMicrophone: boolean;
      readonly trouble?: DialerError | undefined;
    }
  | {
      readonly is: 'active';
      readonly info: CallInfo;
      readonly muted: boolean;
      readonly held: boolean;
      /** The microphone was unplugged or its permission taken back: the other side hears nothing. */
      readonly microphoneLost: boolean;
    }
  | {
      readonly is: 'ended';
      readonly info: CallInfo;
      /** Absent: the call ended as somebody on this side wanted. */
      readonly failure?: CallFailure | undefined;
    };

/** Somebody is ringing or talking. */
export type LiveCall = Extract<Call, { is: 'dialing' | 'incoming' | 'active' }>;

type PlacingEvent =
  | { readonly type: 'placing'; readonly number: string; readonly name?: string | undefined }
  | { readonly type: 'microphone-asked' }
  | { readonly type: 'not-placed' };

type BeginningEvent =
  | { readonly type: 'dialing'; readonly call: CallInfo }
  | { readonly type: 'incoming'; readonly call: CallInfo };

export type LiveCallEvent =
  | { readonly type: 'answering'; readonly asksMicrophone: boolean }
  | { readonly type: 'answer-trouble'; readonly error: DialerError | undefined }
  | { readonly type: 'ringing'; readonly at: number }
  | { readonly type: 'answered'; readonly at: number }
  | { readonly type: 'muted'; readonly on: boolean }
  | { readonly type: 'held'; readonly on: boolean }
  | { readonly type: 'microphone-lost' }
  | {
      readonly type: 'ended';
      readonly outcome: CallOutcome;
      readonly status?: number | undefined;
      readonly failure?: CallFailure | undefined;
      readonly at: number;
    };

/** It may come when the call is over, but then it is still the call that is shown. */
export interface CustomersEvent {
  readonly type: 'customers';
  readonly of: CallInfo;
  readonly customers: readonly Customer[];
}

export type CallEvent = PlacingEvent | BeginningEvent | LiveCallEvent | CustomersEvent;

/** The call as it ends when this side leaves: by `disconnect()`, removal, or with the page. */
export function endHere(call: Call, at: number): Call {
  if (!isLive(call)) return call;
  const outcome = OUTCOME_WHEN_LEFT[call.is];
  return { is: 'ended', info: { ...call.info, outcome, endedAt: at } };
}

const OUTCOME_WHEN_LEFT = { active: 'answered', incoming: 'declined', dialing: 'cancelled' } as const;

/** A call that is over has been read about. */
export function withoutEnded(call: Call): Call {
  return call.is === 'ended' ? { is: 'none' } : call;
}

/** Is somebody ringing or talking? */
export function isLive(call: Call): call is LiveCall {
  return call.is === 'dialing' || call.is === 'incoming' || call.is === 'active';
}

/** Is there a call, or is one being placed? */
export function isBusy(call: Call): boolean {
  return call.is === 'placing' || isLive(call);
}
