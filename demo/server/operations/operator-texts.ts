/** What operators read: money, times and states in words, in Vietnam's own time whatever the server's. */
import type { MovementState, OpenMovement, TopUpReason } from '../money/movement.ts';
import type { TopUpPolicy } from '../money/rules.ts';
import { TIMING } from '../money/timing.ts';

const ZONE = 'Asia/Ho_Chi_Minh';
export const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: ZONE });
export const TIME = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: ZONE });
export const MOMENT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: ZONE,
});
export const VND = new Intl.NumberFormat('vi-VN', {
  style: 'currency',
  currency: 'VND',
  maximumFractionDigits: 2,
});

export const STATES: Readonly<Record<MovementState, { readonly word: string; readonly tone: string }>> = {
  claimed: { word: 'Reserved', tone: 'wait' },
  sent: { word: 'Sent', tone: 'wait' },
  settled: { word: 'Paid', tone: 'good' },
  failed: { word: 'Refused', tone: 'bad' },
  void: { word: 'Not sent', tone: 'none' },
  unknown: { word: 'In doubt', tone: 'wait' },
  abandoned: { word: 'Given up', tone: 'bad' },
};
export const REASONS: Readonly<Record<TopUpReason, string>> = {
  session: 'Sign-in',
  agent: 'The agent',
  operator: 'Command line',
};
export const MODES: Readonly<Record<TopUpPolicy['mode'], string>> = {
  auto: 'At every sign-in that needs one, and when an agent asks.',
  request: 'Only when an agent asks.',
  off: 'Switched off.',
};

/** What the companion will do with it by itself. */
export function nextOf({ state, overdue, changedAt }: OpenMovement): string {
  if (state === 'unknown') {
    const end = MOMENT.format(changedAt + TIMING.quarantineMs);
    return `Counts as paid once the member's balance is seen to rise; given up at ${end}.`;
  }
  if (overdue <= 0) return state === 'claimed' ? 'Is being sent.' : "Waits for the vendor's answer.";
  return state === 'claimed'
    ? 'Its companion ended before it was sent; will be released within a minute.'
    : "Its companion ended without an answer; will be held against the member's balance within a minute.";
}

/** Given up is the one end that nobody can prove. */
export const GIVEN_UP_NEXT =
  'A person has to ask the vendor whether it arrived. It stays counted for its day.';
