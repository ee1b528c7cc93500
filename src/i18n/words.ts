/** Which language an element speaks, and how it writes numbers. */
import { en, type Words } from './en.ts';
import { vi } from './vi.ts';

export type { Words };
export type Language = 'en' | 'vi';

const WORDS: Readonly<Record<Language, Words>> = { en, vi };

export function wordsFor(language: Language): Words {
  return WORDS[language];
}

/** The element's own language, else the nearest one around it, else the browser's; English for all others. */
export function languageOf(element: HTMLElement): Language {
  const own = known(element.lang);
  if (own) return own;
  for (let node = parentOf(element); node; node = parentOf(node)) {
    const language = node.getAttribute('lang');
    if (language) return known(language) ?? 'en';
  }
  return known(navigator.language) ?? 'en';
}

function parentOf(element: Element): Element | null {
  const root = element.getRootNode();
  return element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

function known(tag: string): Language | undefined {
  const language = tag.toLowerCase().split(/[-_]/)[0];
  return language === 'vi' || language === 'en' ? language : undefined;
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

/** Made at its first use: loading the locale costs more than all else at import. */
let vnd: Intl.NumberFormat | undefined;

/** `12.500 ₫`, the same in both languages, as people in Vietnam read it. A fraction never rounds up to money. */
export function formatMoney(amount: number): string {
  vnd ??= new Intl.NumberFormat('vi-VN', { maximumFractionDigits: 0 });
  return `${vnd.format(Math.floor(amount))}\u00a0₫`;
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
