/** The call, of which there is at most one, and what changes it. */
import type { DialerError } from '../../errors.ts';
import type { Customer } from '../../broker/contract.ts';
import type { SdkEvent } from '../../sdk/calling-sdk.ts';
import type { QualityReport } from '../../quality/monitor.ts';
import { possibleWarnings, type Quality } from '../../quality/quality.ts';
import { FAILURE_CODES, isSameCall, type CallFailure, type CallInfo } from './call-info.ts';
import { withFields } from './fields.ts';

/**
 *     none ──placing──▶ placing ──dialing──▶ dialing ──answered──▶ active ──ended──▶ ended ──dismiss──▶ none
 *                       placing ──not-placed──▶ none
 *     none, placing ──incoming─▶ incoming ─answered──▶ active
 *     none ──dialing──▶ dialing (placed on the SDK's own screen)
 *     dialing, incoming ──ended──▶ ended ──placing, dialing, incoming──▶ as from none
 *
 * In `placing` the SDK has been asked for a call. In `dialing` it has confirmed that the call has begun.
 */
export type Call =
  | { readonly is: 'none' }
  | ({ readonly is: 'placing'; readonly asksMicrophone: boolean } & PlacedCall)
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
      /** How it sounds now; absent: nothing has been measured yet. */
      readonly quality?: Quality | undefined;
    }
  | {
      readonly is: 'ended';
      readonly info: CallInfo;
      /** Absent: somebody on this side ended the call on purpose. */
      readonly failure?: CallFailure | undefined;
    };

type LiveCall = Extract<Call, { is: 'dialing' | 'incoming' | 'active' }>;

type PlacedCall = Pick<CallInfo, 'number' | 'name' | 'hotline'>;

export type CallEvent =
  | Extract<SdkEvent, { type: 'answer-trouble' | 'muted' | 'held' | 'microphone' }>
  | { readonly type: 'placing'; readonly call: PlacedCall }
  /** Before a call is placed or answered. `willAsk`: the browser asks the agent whether it may use the microphone. */
  | { readonly type: 'microphone-checked'; readonly willAsk: boolean }
  | { readonly type: 'not-placed' }
  | { readonly type: 'dialing' | 'incoming'; readonly call: CallInfo }
  | { readonly type: 'ringing' | 'answered'; readonly at: number }
  | ({ readonly type: 'quality' } & QualityReport)
  | EndedEvent
  | CustomersEvent;

type EndedEvent = Extract<SdkEvent, { type: 'ended' }> & { readonly at: number };

/** It may come after the end of the call, as long as that call is still shown. */
interface CustomersEvent {
  readonly type: 'customers';
  readonly of: CallInfo;
  readonly customers: readonly Customer[];
  /** The page has named the other side: that name stays. */
  readonly isNamed: boolean;
}

const HEARD = { muted: false, held: false, microphoneLost: false } as const;

export function moveCall(call: Call, event: CallEvent): Call {
  switch (event.type) {
    case 'placing':
      return isBusy(call) ? call : { is: 'placing', ...event.call, asksMicrophone: false };
    case 'microphone-checked':
      if (call.is === 'placing') return withFields(call, { asksMicrophone: event.willAsk });
      if (call.is !== 'incoming') return call;
      return withFields(call, { asksMicrophone: event.willAsk, trouble: undefined });
    case 'not-placed':
      return call.is === 'placing' ? { is: 'none' } : call;
    case 'dialing':
      return isLive(call) ? call : { is: 'dialing', info: event.call };
    case 'incoming':
      return isLive(call) ? call : { is: 'incoming', info: event.call, asksMicrophone: false };
    case 'answer-trouble':
      return call.is === 'incoming' ? withFields(call, { trouble: event.error }) : call;
    case 'ringing':
      if (call.is !== 'dialing' || call.ringingSince !== undefined) return call;
      return { ...call, ringingSince: event.at };
    case 'answered':
      if (!isLive(call) || call.is === 'active') return call;
      return { is: 'active', info: { ...call.info, answeredAt: event.at }, ...HEARD };
    case 'muted':
      return call.is === 'active' ? withPossibleWarnings(withFields(call, { muted: event.on })) : call;
    case 'held':
      return call.is === 'active' ? withPossibleWarnings(withFields(call, { held: event.on })) : call;
    case 'microphone':
      return call.is === 'active' ? withFields(call, { microphoneLost: event.lost }) : call;
    case 'quality':
      return call.is === 'active' ? withQuality(call, event) : call;
    case 'ended':
      return isLive(call) ? ended(call, event) : call;
    case 'customers':
      return withCustomers(call, event);
  }
}

export type ActiveCall = Extract<Call, { is: 'active' }>;

/** Mute and hold end some warnings at once. */
function withPossibleWarnings(call: ActiveCall): ActiveCall {
  const { quality } = call;
  if (!quality) return call;
  const warnings = possibleWarnings(quality.warnings, call);
  return warnings.length === quality.warnings.length ? call : { ...call, quality: { ...quality, warnings } };
}

function withQuality(call: ActiveCall, { now, summary }: QualityReport): Call {
  const quality = isEqual(now, call.quality) ? call.quality : now;
  if (quality === call.quality && isEqual(summary, call.info.quality)) return call;
  return { ...call, quality, info: { ...call.info, quality: summary } };
}

/** Both are plain data, with their fields in the same order. */
function isEqual(one: object | undefined, other: object | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function withCustomers(call: Call, { of, customers, isNamed }: CustomersEvent): Call {
  if (!('info' in call) || !isSameCall(call.info, of)) return call;
  const { info } = call;
  const [customer, second] = customers;
  const name = isNamed ? info.name : customers.map((one) => one.name).join(', ');
  return { ...call, info: { ...info, name, customers, customer: second ? undefined : customer } };
}

/** A connected call counts as answered, whatever ended it. */
function ended(call: LiveCall, { outcome, status, reason, confidence, at }: EndedEvent): Call {
  const info = { ...call.info, endedAt: at };
  if (call.is === 'active') return { is: 'ended', info: { ...info, outcome: 'answered' } };
  const code = FAILURE_CODES[outcome];
  return { is: 'ended', info: { ...info, outcome, status }, failure: code && { code, reason, confidence } };
}

/** The agent has read how the call ended. */
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
