/** The vendor's webhooks: each event of a call is kept once, in any order, and numbered for the pages of its member. */
import { setTimeout as delay } from 'node:timers/promises';
import { bulkhead, timeout, TimeoutStrategy } from 'cockatiel';
import { Hono, type MiddlewareHandler } from 'hono';
import * as z from 'zod/mini';
import type { Config } from '../../config.ts';
import { isSameSecret, jsonBody } from '../../guards/http.ts';
import { Problem, type FromNode } from '../../problem.ts';
import { clientAddress, type Limits } from '../../guards/limits.ts';
import { DAY_MS, VIETNAM_OFFSET_MS } from '../../money/movement.ts';
import type { Database, Sql } from '../../store/database.ts';
import type { Telemetry } from '../../telemetry.ts';
import { memberKey } from '../../vbot/api.ts';
import { lookUpAll } from '../../vbot/envelope.ts';

/** A webhook may hold a whole conversation. */
const WEBHOOK_BYTES = 512 * 1024;
/** How long a webhook waits for its turn. */
const TURN_MS = 20_000;
/** Webhooks that may wait; the others get 503. We assume that the vendor repeats them. */
const QUEUE = 2000;
const RETRY_SECONDS = 5;
const HOUR_MS = 3_600_000;
/** Pages that reconnect get what they missed. */
const KEEP_MS = DAY_MS;

interface Parts {
  readonly config: Pick<Config, 'webhookAuth' | 'previousWebhookAuth' | 'proxyHops'>;
  readonly limits: Limits;
  readonly telemetry: Telemetry;
  readonly database: Database;
  readonly turnMs?: number;
}

/** `complete` is one event with all parts of a call. */
export const kindSchema = z.enum(['log', 'extraction', 'recording', 'complete', 'incoming']);
type Kind = z.infer<typeof kindSchema>;

/** The kinds that say how a call ended. */
const ENDED: readonly Kind[] = ['log', 'complete'];
/** The vendor's dispositions, as the operator's page counts them; any other call has failed. */
const OUTCOMES: readonly (readonly [disposition: RegExp, outcome: string])[] = [
  [/^ANSWER(?:ED)?$/i, 'answered'],
  [/^(?:BUSY|NO_?ANSWER|CANCEL|DECLINE|TIME_?OUT|ABSENT|DO_NOT_DISTURB)$/i, 'not-reached'],
  [/MONEY|NOT_FOUND_PRICE/i, 'no-money'],
];

type WebhookEvent = { readonly kind: Kind } & NonNullable<ReturnType<typeof readPart>>;

/** @param onKept called after every webhook whose events were stored */
export function createWebhookRoute(
  { config, limits, telemetry, database, turnMs = TURN_MS }: Parts,
  onKept: () => void,
): Hono<FromNode> {
  const app = new Hono<FromNode>();
  // The store takes one webhook at a time anyway: those that wait must not hold the connections that payments need.
  const oneByOne = bulkhead(1, QUEUE);
  const inTime = timeout(turnMs, TimeoutStrategy.Aggressive);
  // Not `wrap`: an entry of the queue whose signal was aborted would not start the next one.
  const inTurn = (work: () => Promise<void>) =>
    inTime.execute(({ signal }) => oneByOne.execute(() => (signal.aborted ? undefined : work())));
  app.post('/calls', requireVendor(config, limits, telemetry), jsonBody(WEBHOOK_BYTES), async (c) => {
    const payload = c.get('body');
    if (payload === undefined) throw new Problem('invalid-request', { detail: 'The body is missing.' });
    const events = readPayload(payload);
    if (events.length === 0) {
      telemetry.webhook('unknown', listKeys(payload));
      return c.body(null, 204);
    }
    const keepAll = async (sql: Sql) => {
      // Locks the row: one webhook at a time, among all companions, so that nobody sees a number before a lower one.
      await sql('update call_sequence set last = last');
      for (const event of events) await keep(sql, event);
    };
    await inTurn(() => database.transact(keepAll)).catch((error: unknown) => {
      telemetry.log.error({ err: error }, 'webhook could not be stored');
      throw new Problem('not-ready', { retryAfter: RETRY_SECONDS });
    });
    for (const { kind } of events) telemetry.webhook(kind);
    onKept();
    return c.body(null, 204);
  });
  return app;
}

function requireVendor(
  { webhookAuth, previousWebhookAuth, proxyHops }: Parts['config'],
  limits: Limits,
  telemetry: Telemetry,
): MiddlewareHandler<FromNode> {
  if (webhookAuth === 'none') {
    telemetry.log.warn(
      'WEBHOOK_AUTH=none: anybody who can reach /webhooks/calls can send call events to agents.',
    );
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
    telemetry.failedSignIn('webhooks', clientAddress(incoming, proxyHops));
    throw new Problem('webhook-unauthorized');
  };
}

/** Names of fields for the log; never their values. */
function listKeys(payload: unknown): string[] {
  const keys = typeof payload === 'object' && payload !== null ? Object.keys(payload) : [];
  return keys.filter((key) => /^[a-z_][\w-]{0,39}$/i.test(key)).slice(0, 20);
}

/** Keeps an event once. When its member is known, numbers it, and earlier events of the call that had no member. */
async function keep(
  sql: Sql,
  { kind, transId, externalCallId, disposition, member: named }: WebhookEvent,
): Promise<void> {
  const [fresh] = await sql(
    `insert into call_event (trans_id, kind, external_call_id, disposition, at)
      select ?, ?, ?, ?, now from clock where true on conflict do nothing returning kind`,
    [transId, kind, externalCallId, disposition],
  );
  if (fresh && ENDED.includes(kind)) await countCall(sql, transId, toOutcome(disposition));
  // Of a call that we have ordered, the events may name somebody else, e.g. the owner of the script.
  const [rung] = await sql(
    `select member from expected_call where external_call_id = ?
      or external_call_id in (select external_call_id from call_event where trans_id = ?)`,
    [externalCallId ?? '', transId],
  );
  const [earlier] = await sql('select member from call_event where trans_id = ? and member is not null', [
    transId,
  ]);
  const member = rung?.['member'] ?? (named === undefined ? earlier?.['member'] : memberKey(named));
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

/** Counts a call once, at the first event that says how it ended. */
async function countCall(sql: Sql, transId: string, outcome: string): Promise<void> {
  await sql(
    `insert into call_count (day, outcome, calls)
      select (now + ${VIETNAM_OFFSET_MS}) / ${DAY_MS}, ?, 1 from clock
      where (select count(*) from call_event where trans_id = ? and kind in ('log', 'complete')) = 1
      on conflict (day, outcome) do update set calls = call_count.calls + 1`,
    [outcome, transId],
  );
}

function toOutcome(disposition = ''): string {
  return OUTCOMES.find(([pattern]) => pattern.test(disposition))?.[1] ?? 'failed';
}

/** Until the signal, once an hour. Call events are personal data: keeps them for a day only. */
export async function removeOldCalls({ database, telemetry }: Parts, signal: AbortSignal): Promise<void> {
  do {
    try {
      for (const table of ['call_event', 'expected_call'])
        // Also what a clock that was ahead has written.
        await database.write(`delete from ${table} where abs(at - (select now from clock)) > ?`, [KEEP_MS]);
    } catch (error) {
      if (!signal.aborted)
        telemetry.log.warn(`Old call events were not removed: ${(error as Error).message}`);
    }
  } while (await delay(HOUR_MS, true, { signal }).catch(() => false));
}

/** Payloads are not documented: the kind of an event is read from its name; without a name, from its keys. */
const KINDS: readonly (readonly [name: RegExp, kind: Kind])[] = [
  [/_CALL_COMPLETE$/i, 'complete'],
  [/_CALL_(?:AI_)?EXTRACTION$/i, 'extraction'],
  [/_CALL_RECORDING$/i, 'recording'],
  [/_CALL_LOG$|^(?:CAMPAIGN|HISTORY)_CALL/i, 'log'],
  [/^IN_?COMING_?CALL$/i, 'incoming'],
];
const KEYS: readonly (readonly [key: string, kind: Kind])[] = [
  ['disposition', 'log'],
  ['recordUrl', 'recording'],
  ['callCollectedData', 'extraction'],
  ['trans_id', 'incoming'],
];
/** In a bundle, each key is a part of the call. */
const PARTS_OF_BUNDLE: typeof KINDS = [
  [/^(?:auto|manual|p2p)CallLog$/i, 'log'],
  [/^(?:auto|manual|p2p)CallAIExtraction$/i, 'extraction'],
  [/^(?:auto|manual|p2p)CallRecording$/i, 'recording'],
];

const record = z.record(z.string(), z.unknown());
/** Printable ASCII, which every store can keep; anything else, also "", counts as missing. */
const short = z.catch(
  z.optional(
    z.pipe(
      z.pipe(z.union([z.string(), z.number()]), z.transform(String)),
      z.string().check(z.regex(/^[\x20-\x7e]{1,128}$/)),
    ),
  ),
  undefined,
);
/** Empty: not understood. */
function readPayload(payload: unknown): WebhookEvent[] {
  const whole = record.safeParse(payload).data;
  if (!whole) return [];
  const body = record.safeParse(whole['data']).data ?? whole;
  const bundle = readBundle(body);
  if (bundle.length > 0) return bundle;
  const part = readPart(body);
  const kind = kindByName(whole) ?? kindByName(body) ?? KEYS.find(([key]) => key in body)?.[1];
  return part && kind ? [{ kind, ...part }] : [];
}

function readBundle(body: Readonly<Record<string, unknown>>): WebhookEvent[] {
  const events = Object.entries(body).flatMap(([key, value]) => {
    const kind = PARTS_OF_BUNDLE.find(([pattern]) => pattern.test(key))?.[1];
    const part = readPart(value);
    return kind && part ? [{ kind, ...part }] : [];
  });
  const [first] = events;
  return first ? [...events, { ...first, kind: 'complete' }] : [];
}

function kindByName(body: Readonly<Record<string, unknown>>): Kind | undefined {
  const names = ['event', 'type', 'kind', 'event_data', 'eventData'].map((key) => body[key]);
  return KINDS.find(([pattern]) => names.some((name) => typeof name === 'string' && pattern.test(name)))?.[1];
}

function readPart(value: unknown) {
  /** The first of these fields that can be kept; in any spelling, `transId` is `trans_id`. */
  const textOf = (...names: string[]) =>
    lookUpAll(value, names)
      .map((found) => short.parse(found.value))
      .find((text) => text !== undefined);
  const transId = textOf('trans_id');
  if (transId === undefined) return undefined;
  return {
    transId,
    externalCallId: textOf('external_call_id'),
    disposition: textOf('disposition'),
    /** Undefined: the payload names none. */
    member: textOf('caller_member_no', 'callee_member_no', 'member_no', 'member.member_no'),
  };
}
