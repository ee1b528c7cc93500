/** Whether the companion is alive, and whether it can serve: for load balancers and for people. */
import { timeout, TimeoutStrategy } from 'cockatiel';
import { Hono } from 'hono';
import type { Outlook, TopUp } from './money/top-up.ts';
import { Problem, type FromNode } from './problem.ts';
import type { Telemetry } from './telemetry.ts';

const inTime = timeout(1000, TimeoutStrategy.Aggressive);
const AWAY: Outlook = {
  troubles: [{ why: 'ledger', text: 'The database does not respond; no money is moved' }],
  standing: undefined,
};

/** Within a second: a store that does not answer is away. */
export function readOutlook(topUp: Pick<TopUp, 'outlook'>): Promise<Outlook> {
  return inTime.execute(() => topUp.outlook()).catch(() => AWAY);
}

interface Parts {
  readonly topUp: Pick<TopUp, 'outlook'>;
  readonly telemetry: Telemetry;
  /** Aborts when no new requests are to come. */
  readonly retired: AbortSignal;
}

export function createHealthRoutes({ topUp, telemetry, retired }: Parts): Hono<FromNode> {
  const app = new Hono<FromNode>();
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    if (retired.aborted) throw new Problem('not-ready');
    // Sessions work without the store and without top-ups: report the outage, but stay in service.
    const outlook = await readOutlook(topUp);
    const store = outlook.standing ? 'ok' : 'away';
    telemetry.outlook(outlook);
    // Members and file names in the text are for the log only.
    return c.json({ status: 'ready', store, topUps: outlook.troubles[0]?.text.split(/[:.]/)[0] ?? 'ok' });
  });
  return app;
}
