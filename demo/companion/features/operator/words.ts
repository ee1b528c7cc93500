/** Names that the texts of the operator's page (en.ts, vi.ts) share. */

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
