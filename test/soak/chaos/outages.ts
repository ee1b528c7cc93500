/** Outages of the database, for a moment. */
import { setTimeout as delay } from 'node:timers/promises';
import type { RunningPostgres } from '../../../demo/companion/test/postgres.ts';
import { lockFile } from '../../../demo/companion/test/stores.ts';

type Outage = () => Promise<void>;

/** Shorter and longer than what anybody waits for the store. */
const [SHORT_MS, LONG_MS] = [300, 5000];

/** One after the other, and from the beginning again. */
export function inTurns(outages: readonly Outage[]): Outage | undefined {
  let turn = 0;
  return outages.length === 0 ? undefined : async () => outages[turn++ % outages.length]?.();
}

/** Stands still with every connection open. */
export function freezing(postgres: RunningPostgres): readonly Outage[] {
  return [SHORT_MS, LONG_MS].map((ms) => async () => {
    postgres.freeze();
    await delay(ms);
    postgres.thaw();
  });
}

/** Another program, such as a backup, holds the file. */
export function locking(databaseUrl: string): readonly Outage[] {
  return [SHORT_MS, LONG_MS].map((ms) => async () => {
    const release = await lockFile(databaseUrl.slice('file:'.length));
    await delay(ms);
    release();
  });
}
