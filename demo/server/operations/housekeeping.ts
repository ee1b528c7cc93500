/** What a companion does by itself: recovers what an earlier life left open, removes what is old, reconciles once a day. */
import { setTimeout as delay } from 'node:timers/promises';
import { CallEvents } from '../calls/call-events.ts';
import { forgetEndedSessions } from '../money/ended-sessions.ts';
import { forgetKeys } from '../money/idempotency.ts';
import type { Money } from '../money/open-money.ts';
import type { MoneyApi } from '../money/payment.ts';
import { describe, isDue, reconcile } from '../money/reconciliation.ts';
import type { Telemetry } from './telemetry.ts';

const SWEEP_MS = 30_000;
/** In sweeps: old things are removed once an hour. */
const REMOVE_EVERY = 120;

export interface HousePolicy {
  readonly webhookKeepDays: number;
}

/** Until the signal ends it. */
export async function keepHouse(
  { webhookKeepDays }: HousePolicy,
  { database, topUp }: Money,
  vendor: MoneyApi,
  telemetry: Telemetry,
  signal: AbortSignal,
): Promise<void> {
  const events = new CallEvents(database);
  const attempt = (what: string, work: () => Promise<unknown>) =>
    work().catch((error: unknown) => telemetry.log.error({ err: error }, what));
  let round = 0;
  do {
    await attempt('budget', () => topUp.check());
    await attempt('sweep', () => topUp.sweep());
    if (round % REMOVE_EVERY === 0) {
      await attempt('removal', async () => {
        await events.removeOld(webhookKeepDays);
        await forgetKeys(database);
        await forgetEndedSessions(database);
      });
    }
    // Not at once: a companion that starts in the morning has better things to do.
    await attempt('reconciliation', async () => {
      if (round > 0 && (await isDue(database))) await reconcileDay();
    });
    round += 1;
  } while (await delay(SWEEP_MS, true, { signal }).catch(() => false));

  async function reconcileDay(): Promise<void> {
    const found = await reconcile(database, vendor);
    if (!found) return;
    telemetry.unexplained(found.unexplained);
    telemetry.log[found.unexplained === 0 ? 'info' : 'error'](found, describe(found));
  }
}
