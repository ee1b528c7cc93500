/** What the vendor tells of calls: each event once, in whatever order and however often it comes, for its member's pages. */
import { Hono, type MiddlewareHandler } from 'hono';
import { isSameSecret, jsonBody, Problem, type FromNode } from '../http.ts';
import { addressOf, type Limits } from '../limits.ts';
import type { Database, Sql } from '../store/database.ts';
import type { Telemetry } from '../telemetry.ts';
import { readPayload, type WebhookEvent } from './payload.ts';

/** A webhook may hold a whole conversation. */
const WEBHOOK_BYTES = 512 * 1024;
/** Pages that come back are brought what they missed; calls of a day count against the day. */
const KEEP_MS = 24 * 3_600_000;

export interface WebhookPolicy {
  /** What `Authorization` holds; `none`: anybody may tell of calls; absent: nobody may. */
  readonly webhookAuth: string | undefined;
  /** Still believed, while the vendor's is being changed. */
  readonly previousWebhookAuth: string | undefined;
  readonly proxyHops: number;
}

/** @param onKept called after every webhook that brought something */
export function createWebhookRoute(
  policy: WebhookPolicy,
  { limits, telemetry, database }: { limits: Limits; telemetry: Telemetry; database: Database },
  onKept: () => void,
): Hono<FromNode> {
  const app = new Hono<FromNode>();
  app.post('/calls', requireVendor(policy, limits, telemetry), jsonBody(WEBHOOK_BYTES), async (c) => {
    const payload = c.get('body');
    if (payload === undefined) throw new Problem('invalid-request', { detail: 'There is no body.' });
    const events = readPayload(payload);
    for (const { kind } of events) telemetry.webhook(kind);
    if (events.length === 0) telemetry.webhook('unknown', keysOf(payload));
    await database.transact(async (sql) => {
      // One webhook at a time, among all companions: parts of a call that come at once see each other, and no number
      // is to be seen before a lower one.
      await sql('update call_sequence set last = last');
      for (const event of events) await keep(sql, event);
    });
    onKept();
    return c.body(null, 204);
  });
  return app;
}

function requireVendor(
  { webhookAuth, previousWebhookAuth, proxyHops }: WebhookPolicy,
  limits: Limits,
  telemetry: Telemetry,
): MiddlewareHandler<FromNode> {
  if (webhookAuth === 'none') {
    telemetry.log.warn('WEBHOOK_AUTH=none: whoever reaches /webhooks/calls can tell agents of calls.');
  }
  const secrets = [webhookAuth, previousWebhookAuth].filter((secret) => secret !== undefined);
  return async ({ env: { incoming } }, next) => {
    const { authorization = '' } = incoming.headers;
    if (webhookAuth === 'none' || secrets.some((secret) => isSameSecret(authorization, secret))) {
      await limits.webhook(incoming);
      return next();
    }
    await limits.anonymous(incoming);
    if (webhookAuth === undefined) throw new Problem('not-found');
    telemetry.failedSignIn('webhooks', addressOf(incoming, proxyHops));
    throw new Problem('webhook-unauthorized');
  };
}

/** Names of fields, which an operator may tell the vendor or us; nothing of what is in them. */
function keysOf(payload: unknown): string[] {
  const keys = typeof payload === 'object' && payload !== null ? Object.keys(payload) : [];
  return keys.filter((key) => /^[\w-]{1,40}$/.test(key)).slice(0, 20);
}

/** Keeps an event once, and numbers what can be told now: this one, and those that came earlier and did not say whose they were. */
async function keep(
  sql: Sql,
  { kind, transId, externalCallId, disposition, member: named }: WebhookEvent,
): Promise<void> {
  await sql(
    `insert into call_event (trans_id, kind, external_call_id, disposition, at)
      select ?, ?, ?, ?, now from clock where true on conflict do nothing`,
    [transId, kind, externalCallId, disposition],
  );
  const [known] = await sql(
    `select member from call_event where trans_id = ? and member is not null
      union select member from expected_call where external_call_id = ?`,
    [transId, externalCallId ?? ''],
  );
  const member = named?.toLowerCase() ?? known?.['member'];
  if (typeof member !== 'string') return;
  const untold = await sql('select kind from call_event where trans_id = ? and told is null order by at', [
    transId,
  ]);
  for (const row of untold) {
    const [sequence] = await sql('update call_sequence set last = last + 1 returning last');
    await sql(
      `update call_event set member = ?, told = ?, external_call_id = coalesce(external_call_id, ?)
        where trans_id = ? and kind = ?`,
      [member, Number(sequence?.['last']), externalCallId, transId, String(row['kind'])],
    );
  }
}

/** Nobody needs to know later who had which call. */
export async function removeOldCalls(database: Database): Promise<void> {
  for (const table of ['call_event', 'expected_call']) {
    await database.write(`delete from ${table} where at < (select now from clock) - ?`, [KEEP_MS]);
  }
}
