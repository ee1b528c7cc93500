/** Why a call ended, from the little an SDK says. */
import { plain } from './plain-text.ts';
import type { SdkEvent } from '../calling-sdk.ts';
import type { CallInfo, CallOutcome } from '../../dialer/call.ts';

type Ended = Extract<SdkEvent, { type: 'ended' }>;

/** `certain`: a status or our own doing; `likely`: a phrase; `unknown`: somebody else has to be asked. */
export type Confidence = 'certain' | 'likely' | 'unknown';

export interface Verdict {
  readonly outcome: CallOutcome;
  readonly confidence: Confidence;
}

/** By SIP status, as the vendor's table of call results has them. */
const BY_STATUS: Readonly<Record<number, CallOutcome>> = {
  402: 'insufficient-funds',
  408: 'no-answer',
  480: 'no-answer',
  486: 'busy',
  600: 'busy',
  603: 'rejected',
};

/** What the exchange has against the member, not against the number: the broker may know what to do about it. */
const ABOUT_THE_MEMBER = new Set([406, 407, 412, 415, 416]);

/** Texts without diacritics, lower case. Operators change their phrases, hence patterns. */
const BY_TEXT: readonly (readonly [RegExp, CallOutcome])[] = [
  [
    /payment required|insufficient (funds|balance)|out of money|not enough (money|credit)/,
    'insufficient-funds',
  ],
  [/(khong du|het) (so du|tien)|so du .*(khong du|da het|bang 0)|khong du so du/, 'insufficient-funds'],
  [/dang ban|\bbusy\b/, 'busy'],
  [
    /khong the lien lac|no answer|khong (tra loi|nghe may)|request timeout|temporarily unavailable/,
    'no-answer',
  ],
  [/da bi huy|canceled|cancelled/, 'cancelled'],
  [/rejected|declined?|forbidden|not found|tu choi|khong ton tai|da ket thuc/, 'rejected'],
];

export function classifyFailure(call: CallInfo, ended: Ended): Verdict {
  if (ended.lost) return { outcome: 'network-lost', confidence: 'certain' };
  if (call.answeredAt !== undefined) return { outcome: 'answered', confidence: 'certain' };
  if (ended.hungUpHere) {
    return { outcome: call.direction === 'incoming' ? 'declined' : 'cancelled', confidence: 'certain' };
  }
  if (call.direction === 'incoming') return { outcome: 'missed', confidence: 'certain' };
  if (!ended.failure) return { outcome: 'failed', confidence: 'unknown' };

  const { status, text } = ended.failure;
  if (status !== undefined) {
    const confidence = ABOUT_THE_MEMBER.has(status) ? 'unknown' : 'certain';
    return { outcome: BY_STATUS[status] ?? 'rejected', confidence };
  }
  const words = plain(text);
  const known = BY_TEXT.find(([pattern]) => pattern.test(words));
  if (!known) return { outcome: 'failed', confidence: 'unknown' };
  // Nobody here hung up: a "cancelled" call was ended by a silent exchange or a lost socket.
  if (known[1] === 'cancelled') return { outcome: 'network-lost', confidence: 'likely' };
  return { outcome: known[1], confidence: 'likely' };
}
