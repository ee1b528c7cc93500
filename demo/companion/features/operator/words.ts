/** What the texts of the operator's page (en.ts, vi.ts) share: names, and how amounts are written. */

/** The outcomes of calls, as the store has them. */
export type Outcome = 'answered' | 'not-reached' | 'no-money' | 'failed';

export type Column =
  | 'day'
  | 'time'
  | 'since'
  | 'member'
  | 'amount'
  | 'state'
  | 'reason'
  | 'before'
  | 'after'
  | 'note'
  | 'next'
  | 'topUps'
  | 'paid'
  | 'balance'
  | Outcome;

interface Language {
  readonly locale: string;
}

/** `1,000 ₫` in English, `1.000 ₫` in Vietnamese. */
export function formatMoney(language: Language, amount: number): string {
  return `${formatCount(language, amount)}\u00a0₫`;
}

export function formatCount({ locale }: Language, count: number): string {
  return count.toLocaleString(locale, { maximumFractionDigits: 2 });
}
