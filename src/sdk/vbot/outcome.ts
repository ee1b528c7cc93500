/** How a call ended, from what this side did, the SIP status and the little the SDK says. */
import type { CallOutcome, Confidence } from '../calling-sdk.ts';
import { plain } from './plain-text.ts';

/** All that is known of an ended call. */
export interface CallEnd {
  readonly direction: 'outgoing' | 'incoming';
  readonly isAnswered: boolean;
  /** This side wanted to answer it. */
  readonly isAnswering: boolean;
  /** This side ended it. */
  readonly isHungUp: boolean;
  /** The audio was gone for good before anybody ended it. */
  readonly isAudioLost: boolean;
  /** The exchange cancelled it because another device has answered. */
  readonly isElsewhere: boolean;
  readonly status: number | undefined;
  /** The SDK's text of a failure; absent: it named none. */
  readonly text: string | undefined;
}

export interface Verdict {
  readonly outcome: CallOutcome;
  readonly confidence: Confidence;
}

/** By SIP status, where its class does not say enough; as the vendor's table of call results has them. */
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

/** What the exchange has against the member, not against the number: the broker may know what to do about it. */
const ABOUT_THE_MEMBER = new Set([406, 407, 412, 415, 416]);

/** Texts without diacritics, lower case; the first match counts. Operators change their phrases, hence patterns. */
const BY_TEXT: readonly (readonly [RegExp, CallOutcome])[] = [
  [
    /payment required|insufficient (funds|balance)|out of money|not enough (money|credit)/,
    'insufficient-funds',
  ],
  [/(khong du|het) (so du|tien)|so du .*(khong du|da het|bang 0)/, 'insufficient-funds'],
  [/dang ban|\bbusy\b/, 'busy'],
  [/service unavailable|bad gateway|server (internal )?(error|time-?out)|internal error/, 'exchange-trouble'],
  [/not found|gone|address incomplete|khong ton tai|khong dung so/, 'wrong-number'],
  [
    /khong the lien lac|no answer|khong (tra loi|nghe may)|request timeout|unavailable|no user response/,
    'no-answer',
  ],
  [/connection error|rtp timeout/, 'network-lost'],
  [/rejected|declined?|forbidden|redirected|tu choi|da ket thuc/, 'rejected'],
];

const CANCELLED = /da bi huy|cancell?ed/;

export function outcomeOf(end: CallEnd): Verdict {
  if (end.isAnswered) return certain('answered');
  if (end.isElsewhere) return certain('answered-elsewhere');
  if (end.isAudioLost) return certain('network-lost');
  if (end.isHungUp) return certain(end.direction === 'incoming' ? 'declined' : 'cancelled');
  return end.direction === 'incoming' ? incomingOutcome(end) : outgoingOutcome(end);
}

/** Unanswered, and not by this side's choice; an answer that came to nothing is no missed call. */
function incomingOutcome({ isAnswering, text = '' }: CallEnd): Verdict {
  if (!isAnswering || text === '' || CANCELLED.test(plain(text))) return certain('missed');
  return { outcome: 'failed', confidence: 'likely' };
}

function outgoingOutcome({ status, text = '' }: CallEnd): Verdict {
  if (status !== undefined) {
    const byClass = status >= 500 && status < 600 ? 'exchange-trouble' : 'rejected';
    const outcome = BY_STATUS[status] ?? byClass;
    return { outcome, confidence: ABOUT_THE_MEMBER.has(status) ? 'unknown' : 'certain' };
  }
  const words = plain(text);
  // Nobody here hung up: a "cancelled" call was ended by a silent exchange or a lost socket.
  if (CANCELLED.test(words)) return { outcome: 'network-lost', confidence: 'likely' };
  const known = BY_TEXT.find(([pattern]) => pattern.test(words));
  return known ? { outcome: known[1], confidence: 'likely' } : { outcome: 'failed', confidence: 'unknown' };
}

function certain(outcome: CallOutcome): Verdict {
  return { outcome, confidence: 'certain' };
}
