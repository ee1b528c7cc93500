/** How a call ended, from what this side did, the SIP status and the vendor's texts. */
import { DialerError, type DialerErrorCode } from '../../errors.ts';
import type { CallOutcome, SdkEvent } from '../calling-sdk.ts';

/** Who or what on this side ended the call; absent: the far end, the exchange or the SDK did. */
export type EndCause = 'hung-up' | 'network-lost' | 'answered-elsewhere';

/** All that is known of an ended call. */
export interface CallEnd {
  readonly direction: 'outgoing' | 'incoming';
  readonly isAnswered: boolean;
  /** This side was answering it. */
  readonly isAnswering: boolean;
  readonly cause: EndCause | undefined;
  readonly status: number | undefined;
  /** The SDK's text of a failure; absent: it named none. */
  readonly text: string | undefined;
}

type Verdict = Pick<Extract<SdkEvent, { type: 'ended' }>, 'outcome' | 'confidence'>;

/** By SIP status, from the vendor's table of call results. Other statuses are judged by their class. */
const BY_STATUS: Readonly<Record<number, CallOutcome>> = {
  402: 'insufficient-funds',
  404: 'wrong-number',
  408: 'no-answer',
  410: 'wrong-number',
  411: 'no-answer',
  480: 'no-answer',
  484: 'wrong-number',
  486: 'busy',
  600: 'busy',
};

/** The exchange refuses the member, not the number: the broker may know why. */
const ABOUT_THE_MEMBER = new Set([406, 407, 412, 415, 416]);

/** Patterns for `plain` texts, because operators change their phrases; the first match is used. */
const BY_TEXT: readonly (readonly [RegExp, CallOutcome])[] = [
  [/payment required|insufficient (funds|balance)/, 'insufficient-funds'],
  [/out of money|not enough (money|credit)/, 'insufficient-funds'],
  [/(khong du|het) (so du|tien)|so du .*(khong du|da het|bang 0)/, 'insufficient-funds'],
  [/dang ban|\bbusy\b/, 'busy'],
  [/service unavailable|bad gateway|server (internal )?(error|time-?out)|internal error/, 'exchange-trouble'],
  [/not found|gone|address incomplete|khong ton tai|khong dung so/, 'wrong-number'],
  [/khong the lien lac|khong (tra loi|nghe may)/, 'no-answer'],
  [/no answer|request timeout|unavailable|no user response/, 'no-answer'],
  [/connection error|rtp timeout/, 'network-lost'],
  [/rejected|declined?|forbidden|redirected|tu choi|da ket thuc/, 'rejected'],
];

const CANCELLED = /da bi huy|cancell?ed/;

export function judgeOutcome(end: CallEnd): Verdict {
  if (end.isAnswered) return certain('answered');
  if (end.cause === 'answered-elsewhere') return certain(end.cause);
  return end.direction === 'incoming' ? incomingOutcome(end) : outgoingOutcome(end);
}

/** If answering failed, the call was not missed. */
function incomingOutcome({ cause, isAnswering, text = '' }: CallEnd): Verdict {
  if (cause === 'hung-up') return certain('declined');
  if (cause === 'network-lost') return certain(isAnswering ? cause : 'missed');
  if (!isAnswering || text === '' || CANCELLED.test(plain(text))) return certain('missed');
  return { outcome: 'failed', confidence: 'likely' };
}

function outgoingOutcome({ cause, status, text = '' }: CallEnd): Verdict {
  if (cause === 'network-lost') return certain(cause);
  if (cause === 'hung-up') return certain('cancelled');
  if (status !== undefined) {
    const byClass = status >= 500 && status < 600 ? 'exchange-trouble' : 'rejected';
    const outcome = BY_STATUS[status] ?? byClass;
    return { outcome, confidence: ABOUT_THE_MEMBER.has(status) ? 'unknown' : 'certain' };
  }
  const words = plain(text);
  // This side did not hang up: a silent exchange or a lost socket ended a call that the SDK calls cancelled.
  if (CANCELLED.test(words)) return { outcome: 'network-lost', confidence: 'likely' };
  const known = BY_TEXT.find(([pattern]) => pattern.test(words));
  return known ? { outcome: known[1], confidence: 'likely' } : { outcome: 'failed', confidence: 'unknown' };
}

function certain(outcome: CallOutcome): Verdict {
  return { outcome, confidence: 'certain' };
}

/** What the SDK says when it cannot place or answer a call. The browser's own errors are known by their names. */
const TROUBLES: readonly (readonly [RegExp, DialerErrorCode, string])[] = [
  [
    /khong tim thay thiet bi|khong the truy cap microphone|no device|device not found|notfounderror/,
    'microphone-missing',
    'No microphone was found.',
  ],
  [
    /quyen (microphone|truy cap)|permission (denied|dismissed)|notallowederror/,
    'microphone-denied',
    'The browser blocks the microphone.',
  ],
  [/cuoc goi khac/, 'busy', 'The SDK is in another call.'],
  [/chua (duoc khoi tao|dang ky)/, 'not-ready', 'The SDK is not registered.'],
];

/** @param texts of the SDK's errors; the first that is understood decides */
export function troubleError(texts: readonly string[], otherwise: string): DialerError {
  for (const text of texts.map(plain)) {
    const known = TROUBLES.find(([pattern]) => pattern.test(text));
    if (known) return new DialerError(known[1], known[2]);
  }
  return new DialerError('call-rejected', otherwise);
}

/** For comparison: no diacritics, no capitals. */
function plain(text: string): string {
  const decomposed = text.normalize('NFD').replace(/\p{M}/gu, '');
  return decomposed.replaceAll('đ', 'd').replaceAll('Đ', 'D').toLowerCase();
}
