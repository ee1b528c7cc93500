/** What a tab has of the lock that one tab at a time can have: the pure part of `TabLock`. */
import type { TabActivity } from '../state/block.ts';

/**
 *     waiting ──granted──▶ holding ──wanted, without a call──▶ passing
 *       ▲  ▲                │ │ ▲ ▲                             │  │
 *       │  └─────stolen─────┘ │ │ └────── not taken ────────────┘  │
 *       │                     │ └─granted──┐                       │
 *       │       stolen in a call ──▶ overdue                       │
 *       │                              │                           │
 *       └─────── call over ────────────┴────────── stolen ─────────┘
 *
 * From each of them, `ended` is final.
 */
export type Tenure =
  /** In the browser's queue. `holder`: what the other tab does; `null`: nobody knows yet whether there is one. */
  | { readonly is: 'waiting'; readonly holder: TabActivity | undefined | null }
  /** The lease is aborted when this tab may not use the lock any more. */
  | { readonly is: 'holding'; readonly lease: AbortController }
  /** In the queue, but a call is not interrupted: the lease goes on until it is over. */
  | { readonly is: 'overdue'; readonly lease: AbortController; readonly holder: TabActivity | undefined }
  /** This tab ends its use; then the other tab steals the lock, because only a steal passes the tabs in the queue. */
  | { readonly is: 'passing'; readonly to: string }
  | { readonly is: 'ended' };

export type TenureEvent =
  | { readonly type: 'granted' }
  /** Another tab has taken it: as agreed, or because this tab hung. */
  | { readonly type: 'stolen'; readonly isBusy: boolean }
  /** The holder tells what it does, or nothing. */
  | { readonly type: 'heard'; readonly holder: TabActivity | undefined }
  | { readonly type: 'call-over' | 'not-taken' | 'ended' }
  | { readonly type: 'wanted'; readonly by: string };

/** Returns the same object when the event changes nothing. */
export function moveTenure(tenure: Tenure, event: TenureEvent): Tenure {
  if (tenure.is === 'ended') return tenure;
  switch (event.type) {
    case 'granted':
    case 'not-taken':
      return { is: 'holding', lease: tenure.is === 'overdue' ? tenure.lease : new AbortController() };
    case 'stolen':
      return tenure.is === 'holding' && event.isBusy
        ? { is: 'overdue', lease: tenure.lease, holder: undefined }
        : { is: 'waiting', holder: undefined };
    case 'heard':
      // A holder tells more often than it changes.
      if (!isQueued(tenure) || JSON.stringify(tenure.holder) === JSON.stringify(event.holder)) return tenure;
      return { ...tenure, holder: event.holder };
    case 'call-over':
      return tenure.is === 'overdue' ? { is: 'waiting', holder: tenure.holder } : tenure;
    case 'wanted':
      return tenure.is === 'holding' ? { is: 'passing', to: event.by } : tenure;
    case 'ended':
      return { is: 'ended' };
  }
}

export function isQueued(tenure: Tenure): tenure is Extract<Tenure, { is: 'waiting' | 'overdue' }> {
  return tenure.is === 'waiting' || tenure.is === 'overdue';
}

export function leaseOf(tenure: Tenure): AbortController | undefined {
  return 'lease' in tenure ? tenure.lease : undefined;
}

/** Has this tab the lock, or another one? `undefined`: not yet known. */
export function isHere(tenure: Tenure): boolean | undefined {
  return tenure.is === 'waiting' && tenure.holder === null ? undefined : tenure.is === 'holding';
}
