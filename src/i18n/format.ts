/** How amounts and times are written. */
/**
 * `12.500 ₫`, the same in both languages, as people in Vietnam read it. A fraction is rounded down. Not by
 * `Intl.NumberFormat`, for which the browser would load a locale: the slowest step of the start.
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

/**
 * `2 min 13 s`, beside a time of day.
 *
 * @param units of hours, minutes, seconds
 */
export function formatLength(milliseconds: number, units: readonly [string, string, string]): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const counts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const parts = counts.map((count, index) => (count > 0 ? `${count}\u00a0${units[index]}` : ''));
  return parts.filter(Boolean).join(' ') || `0\u00a0${units[2]}`;
}

/** `09:05` for today, else `21/11 09:05`. */
export function formatDayTime(epochMs: number, now: number): string {
  const date = new Date(epochMs);
  const time = formatTime(epochMs);
  if (date.toDateString() === new Date(now).toDateString()) return time;
  const day = [date.getDate(), date.getMonth() + 1].map((part) => String(part).padStart(2, '0')).join('/');
  return `${day} ${time}`;
}
