/** Which language an element speaks, and how it writes numbers. */
import { en } from './en.ts';
import { vi } from './vi.ts';

export type Words = typeof en;
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

const VND = new Intl.NumberFormat('vi-VN', { maximumFractionDigits: 0 });

/** `12.500 ₫`, the same in both languages, as people in Vietnam read it. A fraction never rounds up to money. */
export function formatMoney(amount: number): string {
  return `${VND.format(Math.floor(amount))}\u00a0₫`;
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
