/** Sentences that depend on more than their language, and how amounts and times are written. */
import type { Words } from './en.ts';

export type { Words };

/** What is told of a `DialerError`: the page's own content security policy is named where it is the cause. */
export function errorText(
  words: Words,
  { code, directive }: { code: keyof Words['error']; directive?: string | undefined },
): string {
  return directive === undefined ? words.error[code] : words.blockedByPolicy(directive);
}

/** One sentence for how a call ended: what the SIP status says is the cause, else the outcome in general. */
export function outcomeText(
  words: Words,
  {
    outcome = 'failed',
    status,
  }: { outcome?: keyof Words['outcome'] | undefined; status?: number | undefined },
): string {
  const isFailure = !NOT_FAILED.has(outcome);
  return (isFailure && status !== undefined ? words.sip[status] : undefined) ?? words.outcome[outcome];
}

const NOT_FAILED: ReadonlySet<string> = new Set<keyof Words['outcome']>([
  'answered',
  'missed',
  'declined',
  'cancelled',
  'answered-elsewhere',
]);

/**
 * `12.500 ₫`, the same in both languages, as people in Vietnam read it. A fraction never rounds up to money. By hand: an
 * `Intl.NumberFormat` has the browser load a locale, which takes longer than all else at the start.
 */
export function formatMoney(amount: number): string {
  const digits = String(Math.floor(amount)).replace(/\B(?=(?:\d{3})+$)/g, '.');
  return `${digits}\u00a0₫`;
}

/** By the clock on the wall: `09:05`. */
export function formatTime(epochMs: number): string {
  const date = new Date(epochMs);
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}

/** `02:13`, and `1:02:13` from an hour on. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const hours = Math.floor(seconds / 3600);
  const clock = [Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
  return hours > 0 ? `${hours}:${clock}` : clock;
}

/** `09:05` for today, else `21/11 09:05`. */
export function formatDayTime(epochMs: number, now: number): string {
  const date = new Date(epochMs);
  const time = formatTime(epochMs);
  if (date.toDateString() === new Date(now).toDateString()) return time;
  const day = [date.getDate(), date.getMonth() + 1].map((part) => String(part).padStart(2, '0')).join('/');
  return `${day} ${time}`;
}
