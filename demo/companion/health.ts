/** Whether the companion is alive, and whether it can serve: for load balancers and for people. */
import { timeout, TimeoutStrategy } from 'cockatiel';
import { Hono } from 'hono';
import type { TopUp } from './money/top-up.ts';
import { Problem, type FromNode } from './problem.ts';
import type { Database } from './store/database.ts';
import type { Telemetry } from './telemetry.ts';

/** `/readyz` has to answer in time also while the store does not. */
const inTime = timeout(1000, TimeoutStrategy.Aggressive);
const AWAY = 'The store does not answer; no money is moved';

interface Parts {
  readonly database: Database;
  readonly topUp: Pick<TopUp, 'trouble'>;
  readonly telemetry: Telemetry;
  /** Aborts when no new requests are to come. */
  readonly retired: AbortSignal;
}

export function createHealthRoutes({ database, topUp, telemetry, retired }: Parts): Hono<FromNode> {
  const app = new Hono<FromNode>();
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    if (retired.aborted) throw new Problem('not-ready');
    // Sessions work without the store and without top-ups: report the outage, but stay in service.
    const store = await inTime
      .execute(() => database.read('select now from clock'))
      .then(
        () => 'ok',
        () => 'away',
      );
    const found = await inTime.execute(() => topUp.trouble()).catch(() => AWAY);
    // Whether top-ups can be made is remembered for a moment, in which the store may have gone.
    const trouble = found ?? (store === 'away' ? AWAY : undefined);
    telemetry.ableToPay(trouble);
    // Members and file names in the text are for the log only.
    return c.json({ status: 'ready', store, topUps: trouble?.split(/[:.]/)[0] ?? 'ok' });
  });
  return app;
}
