/** What the operator's page says, in each language. */
/** Names of the outcomes of calls, as the store has them. */
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
  | 'left'
  | Outcome;
