/** Times and durations for people. */

const HOUR_MS = 3_600_000;
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const CLOCK = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

export function hoursAgo(hours: number): number {
  return Date.now() - hours * HOUR_MS;
}

/** `just now`, `12 min. ago`, `3 hours ago`, `yesterday`. */
export function formatRelativeTime(time: number): string {
  const hours = (Date.now() - time) / HOUR_MS;
  if (hours < 1 / 60) return 'just now';
  if (hours < 1) return RELATIVE.format(-Math.round(hours * 60), 'minute');
  if (hours < 24) return RELATIVE.format(-Math.round(hours), 'hour');
  return RELATIVE.format(-Math.round(hours / 24), 'day');
}

/** `14:03:27` */
export function formatClock(time: number): string {
  return CLOCK.format(time);
}

/** `42 s`, `2 min 05 s` */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}
