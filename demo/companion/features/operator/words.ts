/** What the operator's page says, in each language. */
import type { MovementState, TopUpReason } from '../../money/movement.ts';
import type { TopUpPolicy } from '../../money/result.ts';

/** Names of the outcomes of calls, as the store has them. */
export type Outcome = 'answered' | 'not-reached' | 'no-money' | 'failed';

export interface Words {
  readonly lang: 'en' | 'vi';
  /** For dates and times. */
  readonly locale: string;
  readonly title: string;
  readonly inVietnam: string;
  readonly refresh: string;
  /** The other language. */
  readonly other: { readonly lang: 'en' | 'vi'; readonly name: string };
  readonly now: string;
  readonly allWell: string;
  readonly stopped: string;
  readonly off: string;
  readonly ledgerAway: string;
  readonly vendorSilent: string;
  readonly short: string;
  readonly inDoubt: (count: number, sum: string) => string;
  readonly givenUp: (count: number, sum: string) => string;
  readonly reconciliation: Readonly<
    Record<'agrees' | 'missing' | 'filled', (at: string, sum: string) => string>
  >;
  readonly notReconciled: string;
  readonly account: string;
  readonly unknown: string;
  readonly paidToday: string;
  readonly topUps: (count: number) => string;
  readonly beyondToday: (sum: string) => string;
  readonly used: string;
  readonly ofLimit: (sum: string) => string;
  readonly oneTopUp: string;
  readonly modes: Readonly<Record<TopUpPolicy['mode'], string>>;
  readonly atMost: (sum: string) => string;
  readonly doubt: string;
  readonly noDoubt: string;
  readonly doubtCaption: string;
  readonly today: string;
  readonly none: string;
  readonly todayCaption: string;
  readonly search: string;
  readonly find: string;
  readonly of: (member: string) => string;
  readonly nothingOf: string;
  readonly ofCaption: (most: number) => string;
  readonly back: string;
  readonly pages: string;
  readonly page: (page: number, pages: number) => string;
  readonly newer: string;
  readonly older: string;
  readonly days: (count: number) => string;
  readonly daysNote: string;
  readonly daysCaption: string;
  readonly chart: (count: number) => string;
  readonly summary: (calls: string, answered: string, paid: string, left: string | undefined) => string;
  readonly outcomes: Readonly<Record<Outcome, string>>;
  readonly bands: { readonly calls: string; readonly paid: string; readonly left: string };
  readonly nothing: string;
  readonly columns: Readonly<Record<Column, string>>;
  readonly states: Readonly<Record<MovementState, string>>;
  readonly reasons: Readonly<Record<TopUpReason, string>>;
  readonly beyond: string;
  readonly next: {
    readonly ask: string;
    readonly unknown: (end: string) => string;
    readonly claimed: string;
    readonly sent: string;
    readonly overdueClaimed: string;
    readonly overdueSent: string;
  };
}

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
  | 'left'
  | Outcome;
