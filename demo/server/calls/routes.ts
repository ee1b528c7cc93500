/** Calls: the history, a call to the member's own dialer, the vendor's webhooks, and live events for pages. */
import { setTimeout as delay } from 'node:timers/promises';
import { Hono } from 'hono';
import type { SignedIn } from '../auth.ts';
import type { EndedSessions } from '../ended-sessions.ts';
import type { Limits } from '../limits.ts';
import type { Database } from '../store/database.ts';
import type { Telemetry } from '../telemetry.ts';
import type { OpenApi } from '../vendor/api.ts';
import { createCallMeRoute, isCallMe } from './call-me.ts';
import { createHistoryRoutes } from './history.ts';
import { CallStreams } from './stream.ts';
import { createWebhookRoute, removeOldCalls, type WebhookPolicy } from './webhooks.ts';

const HOUR_MS = 3_600_000;
const DAY_SECONDS = 24 * 3600;

interface Parts {
  readonly config: WebhookPolicy & {
    readonly callMe: {
      readonly script: string | undefined;
      /** For one member. */
      readonly perMinute: number;
      readonly perDay: number;
    };
  };
  readonly api: OpenApi;
  readonly database: Database;
  readonly ended: EndedSessions;
  readonly limits: Limits;
  readonly telemetry: Telemetry;
  /** Aborts when no new requests are to come. */
  readonly retired: AbortSignal;
}

/** Below `/dialer` they are for signed-in members; who sends webhooks is checked here. */
export function createCallRoutes(parts: Parts): Hono<SignedIn> {
  const { config, api, database, ended, limits, telemetry, retired } = parts;
  const app = new Hono<SignedIn>();
  const streams = new CallStreams(database);
  ended.onEnd((sessionId) => streams.end(sessionId));
  retired.addEventListener('abort', () => streams.end());
  void removeOldHourly(database, telemetry, retired);

  const onSkipped = (count: number) => telemetry.skippedRows('calls', count);
  app.route('/dialer', createHistoryRoutes(api.client, onSkipped, isCallMe));
  const { script, perMinute, perDay } = config.callMe;
  const budgets = [limits.shared('call-me', perMinute), limits.shared('call-me today', perDay, DAY_SECONDS)];
  app.route('/dialer', createCallMeRoute(script, budgets, api.client, database));
  app.get('/dialer/events', (c) => streams.open(c));
  app.route(
    '/webhooks',
    createWebhookRoute(config, parts, () => streams.wake()),
  );
  return app;
}

async function removeOldHourly(database: Database, telemetry: Telemetry, signal: AbortSignal): Promise<void> {
  do {
    await removeOldCalls(database).catch((error: unknown) => {
      if (!signal.aborted) telemetry.log.error({ err: error }, 'removal of old call events');
    });
  } while (await delay(HOUR_MS, true, { signal }).catch(() => false));
}
