/** Times and durations for people. */
import { words } from './words/language.ts';

const HOUR_MS = 3_600_000;

/** `just now`, `12 minutes ago`, `3 hours ago`, `yesterday`. */
export function formatRelativeTime(time: number): string {
  const relative = new Intl.RelativeTimeFormat(words().locale, { numeric: 'auto' });
  const hours = (Date.now() - time) / HOUR_MS;
  if (hours < 1 / 60) return words().time.justNow;
  if (hours < 1) return relative.format(-Math.floor(hours * 60), 'minute');
  if (hours < 24) return relative.format(-Math.floor(hours), 'hour');
  return relative.format(-Math.floor(hours / 24), 'day');
}

const CLOCK = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** `14:03:27` */
export function formatClock(time: number): string {
  return CLOCK.format(time);
}

/** `42 s`, `2 min 05 s` */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const { time } = words();
  if (seconds < 60) return time.seconds(seconds);
  return time.minutes(Math.floor(seconds / 60), String(seconds % 60).padStart(2, '0'));
}
