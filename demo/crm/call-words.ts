/** The vendor's facts about a call, worded for an agent. */
import type { CallsErrorCode, VendorCall } from './calls-client.ts';
import { findByPhone, formatPhone } from './customers.ts';

const RESULTS: Readonly<Record<string, string>> = {
  ANSWER: 'Answered',
  BAD_REQUEST: 'Refused',
  UNAUTHORIZED: 'Refused',
  OUT_OF_MONEY: 'Balance used up',
  NOT_MONEY: 'Balance used up',
  NOT_FOUND: 'Number does not exist',
  NOT_FOUND_PRICE: 'No price for this number',
  NOT_FOUND_TELCO: 'Network not known',
  DO_NOT_CALL: 'Takes no advertising calls',
  CALL_INTERVAL_NOT_ALLOWED: 'Not allowed at this hour',
  MEMBER_NOT_ACTIVATED: 'You may not call yet',
  MEMBER_NOT_IN_PROJECT: 'You belong to another project',
  TIME_OUT: 'No answer',
  DO_NOT_DISTURB: 'Not to be disturbed',
  GONE: 'Number has changed',
  ABSENT: 'Nobody there',
  PACKAGE_EXPIRED: 'Calling plan has ended',
  HOTLINE_NOT_SUPPORT_TELCO: 'Hotline cannot reach this network',
  TELCO_NOT_FOUND: 'Network not known',
  INVALID_PARAMETER: 'Something was not right',
  PROJECT_EXPIRED: 'Project has ended',
  NOANSWER: 'No answer',
  BUSY: 'Line busy',
  CANCEL: 'Cancelled',
  SERVER_ERROR: 'Connection failed',
  BAD_GATEWAY: 'Line disturbed',
  DECLINE: 'Declined',
};
/** Seen from the agent who was called. */
const RESULTS_INCOMING: Readonly<Record<string, string>> = {
  NOANSWER: 'Missed',
  TIME_OUT: 'Missed',
  CANCEL: 'Missed',
  BUSY: 'You were busy',
};

/** A code that is new to us is shown as it is, only easier to read. */
export function describeResult(disposition: string | undefined, direction: VendorCall['direction']): string {
  if (disposition === undefined) return 'Result not known';
  const incoming = direction === 'incoming' ? RESULTS_INCOMING[disposition] : undefined;
  const plain = disposition.replaceAll('_', ' ').toLowerCase();
  return incoming ?? RESULTS[disposition] ?? plain.replace(/^./, (first) => first.toUpperCase());
}

export function describeParty({ automatic, number }: VendorCall): string {
  if (automatic || !number) return 'Automatic call';
  return findByPhone(number)?.name ?? formatPhone(number);
}

const VND = new Intl.NumberFormat('vi-VN', { maximumFractionDigits: 0 });

/** `1.200 ₫`, as people in Vietnam write it. */
export function formatCost(vnd: number): string {
  return `${VND.format(vnd)}\u00a0₫`;
}

/** From which MOS on people call a line so; what is below them all is bad. */
const SOUND = [
  [4, 'Good'],
  [3.6, 'Fair'],
  [3.1, 'Poor'],
] as const;

/** `Good, 4.4/5`, by the side with the worse audio; undefined: nobody measured. */
export function describeQuality({ quality }: VendorCall): string | undefined {
  const scores = [quality?.mos.caller, quality?.mos.callee].filter((mos) => typeof mos === 'number');
  if (scores.length === 0) return undefined;
  const worse = Math.min(...scores);
  const word = SOUND.find(([least]) => worse >= least)?.[1] ?? 'Bad';
  return `${word}, ${worse.toFixed(1)}/5`;
}

const ERROR_TEXTS: Readonly<Record<CallsErrorCode, string>> = {
  'no-answer': 'The companion does not answer. Is the demo still running?',
  'not-understood': 'The companion’s answer is not understood. Reload the page.',
  'broker-unauthorized': 'You are not signed in. Sign in, and reload the page.',
  'no-script': 'No script at the vendor can call you. Ask an admin to activate one.',
  'too-many-requests': 'That was too often. Try again in a minute.',
  'vendor-refused': 'The vendor refused. Try again; if it stays so, an admin has to look.',
  'vendor-invalid-answer': 'The vendor’s answer is not understood. Try again; if it stays so, tell an admin.',
  'vendor-unreachable': 'The vendor cannot be reached. Try again in a minute.',
  failed: 'The companion failed. Try again; if it stays so, its log says why.',
};

export function describeError({
  code,
  retryAfter,
}: {
  code: CallsErrorCode;
  retryAfter: number | undefined;
}): string {
  if (code !== 'too-many-requests' || retryAfter === undefined) return ERROR_TEXTS[code];
  return `That was too often. Try again in ${retryAfter} s.`;
}
