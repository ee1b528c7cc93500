/** What the vendor tells of calls: each event once, in whatever order and however often it comes, for its member's pages. */
import { Hono, type MiddlewareHandler } from 'hono';
import * as z from 'zod/mini';
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

const keptSchema = z.object({
  kind: z.string(),
  member: z.nullable(z.string()),
  told: z.nullable(z.number()),
});

/** Numbers what can be told now: this event, or one that came earlier and did not say whose it was. */
async function keep(sql: Sql, event: WebhookEvent): Promise<void> {
  const { kind, transId, externalCallId, disposition } = event;
  const before = (await sql('select kind, member, told from call_event where trans_id = ?', [transId])).map(
    (row) => keptSchema.parse(row),
  );
  const member =
    event.member ?? before.find((row) => row.member !== null)?.member ?? (await expectedAt(sql, externalCallId));
  await sql(
    `insert into call_event (trans_id, kind, member, external_call_id, disposition, at)
      select ?, ?, ?, ?, ?, now from clock where true on conflict do nothing`,
    [transId, kind, member?.toLowerCase(), externalCallId, disposition],
  );
  if (member === undefined) return;
  await sql(
    `update call_event set member = ?, external_call_id = coalesce(external_call_id, ?)
      where trans_id = ? and member is null`,
    [member.toLowerCase(), externalCallId, transId],
  );
  const untold = before.filter((row) => row.told === null).map((row) => row.kind);
  const isNew = !before.some((row) => row.kind === kind);
  for (const one of isNew ? [...untold, kind] : untold) {
    const [sequence] = await sql('update call_sequence set last = last + 1 returning last');
    await sql('update call_event set told = ? where trans_id = ? and kind = ?', [
      Number(sequence?.['last']),
      transId,
      one,
    ]);
  }
}

/** The member whom an automatic call of ours went to. */
async function expectedAt(sql: Sql, externalCallId: string | undefined): Promise<string | undefined> {
  const [row] = await sql('select member from expected_call where external_call_id = ?', [
    externalCallId ?? '',
  ]);
  return row && String(row['member']);
}

/** Nobody needs to know later who had which call. */
export async function removeOldCalls(database: Database): Promise<void> {
  for (const table of ['call_event', 'expected_call']) {
    await database.write(`delete from ${table} where at < (select now from clock) - ?`, [KEEP_MS]);
  }
}
