/** Requests the next token before the present one ends, while the phone stays registered. */
import type { Readiness } from '../../broker/answers.ts';
import type { BrokerSession } from '../../broker/session.ts';
import { DialerError } from '../../errors.ts';
import { pause } from '../../wait.ts';
import { Retry } from './retry.ts';
import { isBusy } from '../state/call.ts';
import type { DialerStore } from '../store.ts';

/** Until the next attempt, when the broker has no other token yet. */
const RETRY_MS = 30_000;
const LONGEST_RETRY_MS = 120_000;
/** A token with a very short life is not renewed more often than this. */
const SHORTEST_MS = 1000;

/**
 * Resolves with the next session once the broker gives another token: the same one is not worth a new registration.
 *
 * @param onReadiness what the broker says about the member while it gives the same token
 * @returns `undefined` when the signal has aborted
 */
export async function nextSession(
  session: BrokerSession,
  store: DialerStore,
  onReadiness: (readiness: Readiness) => void,
  signal: AbortSignal,
): Promise<BrokerSession | undefined> {
  const retry = new Retry(RETRY_MS, LONGEST_RETRY_MS);
  // A broker that does not say when the token ends is not asked.
  await pause(Math.max(session.renewalIn ?? Infinity, SHORTEST_MS), signal);
  for (let wait; !signal.aborted; await retry.due(wait, signal)) {
    wait = RETRY_MS;
    if (store.state.line.is !== 'up' || isBusy(store.state.call)) continue;
    try {
      const next = await session.renew(signal);
      if (next.token !== undefined && next.token !== session.token) return next;
      onReadiness(next.latest);
      retry.reset();
      wait = retry.next();
      // The broker has extended the life of this token.
      await pause((next.renewalIn ?? 0) - wait, signal);
    } catch (error) {
      // The agent can still call, so the error is not shown.
      wait = retry.next(error instanceof DialerError ? error.retryAfter : 0);
    }
  }
  return undefined;
}
