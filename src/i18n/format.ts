/** Writes amounts and times: in Vietnamese and English as people in Vietnam do, in any other language by `Intl`. */

/** Without `Intl`: loading its locale was the slowest step of the start. */
const AS_IN_VIETNAM = new Set(['vi', 'en']);
const TIME = { hour: '2-digit', minute: '2-digit' } as const;
const DAY = { day: '2-digit', month: '2-digit' } as const;

/** `12.500 ₫`, and `12,500 ₫` in English. A fraction is rounded down. */
export function formatMoney(amount: number, language: string): string {
  const whole = Math.floor(amount);
  if (!AS_IN_VIETNAM.has(language))
    return whole.toLocaleString(language, { style: 'currency', currency: 'VND' });
  const separator = language === 'en' ? ',' : '.';
  return `${String(whole).replace(/\B(?=(?:\d{3})+$)/g, separator)}\u00a0₫`;
}

/** By the clock on the wall: `09:05`. */
export function formatTime(epochMs: number, language: string): string {
  const date = new Date(epochMs);
  if (!AS_IN_VIETNAM.has(language)) return date.toLocaleTimeString(language, TIME);
  return inTwoDigits([date.getHours(), date.getMinutes()], ':');
}

/** `02:13`, and `1:02:13` from an hour on. */
export function formatDuration(milliseconds: number): string {
  const [hours, ...others] = inUnits(milliseconds);
  const clock = inTwoDigits(others, ':');
  return hours > 0 ? `${hours}:${clock}` : clock;
}

/** Hours, minutes, seconds. */
function inUnits(milliseconds: number): readonly [number, number, number] {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
}

/**
 * `2 min 13 s`, beside a time of day.
 *
 * @param units of hours, minutes, seconds
 */
export function formatLength(
  milliseconds: number,
  units: readonly [string, string, string],
  language: string,
): string {
  const written = (count: number) =>
    AS_IN_VIETNAM.has(language) ? String(count) : count.toLocaleString(language);
  const parts = inUnits(milliseconds).map((count, index) =>
    count > 0 ? `${written(count)}\u00a0${units[index]}` : '',
  );
  return parts.filter(Boolean).join(' ') || `${written(0)}\u00a0${units[2]}`;
}

/** `09:05` for today, else `21/11 09:05`. */
export function formatDayTime(epochMs: number, now: number, language: string): string {
  const date = new Date(epochMs);
  const time = formatTime(epochMs, language);
  if (date.toDateString() === new Date(now).toDateString()) return time;
  if (!AS_IN_VIETNAM.has(language)) return date.toLocaleString(language, { ...DAY, ...TIME });
  return `${inTwoDigits([date.getDate(), date.getMonth() + 1], '/')} ${time}`;
}

function inTwoDigits(parts: readonly number[], separator: string): string {
  return parts.map((part) => String(part).padStart(2, '0')).join(separator);
}
