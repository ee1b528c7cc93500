/** The member's calls: those that are over, a call to their own dialer, and what the vendor tells of them as it happens. */
import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import * as z from 'zod/mini';
import { isSame } from '../http/middleware.ts';
import type { SignedIn } from '../http/from-node.ts';
import { problem } from '../http/problem.ts';
import type { OpenApi } from '../open-api/open-api.ts';
import type { DataOf } from '../open-api/endpoints.ts';
import type { CallEvents } from './call-events.ts';
import { CallSounds } from './call-sound.ts';
import { streamEvents } from './event-stream.ts';

const PAGE_SIZE = 20;
const ACTIVE = 1;
/** Ids that `call-me` gives: the vendor's list does not say that nobody dialled such a call. */
const CALL_ME_ID = /^me[0-9a-f]{24}$/;
const pageSchema = z._default(z.pipe(z.string().check(z.regex(/^\d{1,6}$/)), z.transform(Number)), 0);
const numberSchema = z.pipe(z.string().check(z.regex(/^\d{1,15}$/)), z.transform(Number));

type CallRow = DataOf<'listCalls'>[number];

/** For signed-in members, at `/dialer`. */
export function createCallRoutes(
  callMeScript: string | undefined,
  vendor: OpenApi,
  events: CallEvents,
  closing: AbortSignal,
): Hono<SignedIn> {
  const app = new Hono<SignedIn>();
  const { endpoints } = vendor;
  const sounds = new CallSounds(vendor);

  app.get('/calls', async (c) => {
    const page = pageSchema.safeParse(c.req.query('page'));
    if (!page.success) return problem('invalid-request', 'page: a number from 0.');
    const filter = { member_no: c.get('memberNo'), has_hotline: 1, page: page.data, size: PAGE_SIZE };
    const rows = await endpoints.listCalls(filter);
    // Only a call that was answered sounds like anything.
    const heard = rows.map((row) => (row.time_call ? sounds.of(row.trans_id) : undefined));
    const qualities = await Promise.all(heard);
    const calls = rows.map((row, n) => ({ ...describe(row), quality: qualities[n] }));
    return c.json({ calls });
  });

  app.post('/call-me', async (c) => {
    const scripts = callMeScript === undefined ? await endpoints.listScripts({ status: ACTIVE }) : [];
    const script = callMeScript ?? scripts.find(({ status }) => status === ACTIVE)?.code;
    if (script === undefined) return problem('no-script');
    const externalCallId = `me${randomBytes(12).toString('hex')}`;
    await events.expect(externalCallId, c.get('memberNo'));
    await endpoints.callMembers({
      template_code: script,
      display_name: 'CRM',
      type: 'MEMBER',
      member_infos: [{ member_no: c.get('memberNo'), external_call_id: externalCallId }],
    });
    return c.json({ externalCallId }, 202);
  });

  app.get('/events', async (c) => {
    const again = numberSchema.safeParse(c.req.header('Last-Event-ID')).data;
    // Never a refusal: a page that was refused does not ask again.
    const since = again ?? (await events.position().catch(() => undefined));
    return streamEvents(since, (listener) => events.listen(c.get('memberNo'), since, listener), closing);
  });

  return app;
}

/** For the vendor, at `/webhooks`. */
export function createWebhookRoute(webhookAuth: string | undefined, events: CallEvents): Hono {
  const app = new Hono();
  app.post('/calls', async (c) => {
    if (webhookAuth === undefined) return problem('not-found');
    if (!isSame(c.req.header('Authorization') ?? '', webhookAuth)) return problem('webhook-unauthorized');
    const payload: unknown = await c.req.json().catch(() => undefined);
    if (payload === undefined) return problem('invalid-request', 'There is no body.');
    await events.accept(payload);
    return c.body(null, 204);
  });
  return app;
}

function describe(row: CallRow) {
  const outgoing = row.type_call === 2;
  const other = outgoing ? row.callee_info : row.caller_info;
  return {
    transId: row.trans_id,
    direction: outgoing ? 'outgoing' : 'incoming',
    number: other?.number ?? undefined,
    hotline: row.hotline ?? undefined,
    at: row.create_at ? new Date(row.create_at).toISOString() : undefined,
    /** Examples and table of the vendor spell "answered" differently. */
    disposition: row.disposition?.toUpperCase().replace(/^ANSWERED$/, 'ANSWER'),
    talkSeconds: row.time_call ?? undefined,
    cost: row.postage ?? undefined,
    recorded: row.is_record ?? false,
    automatic: CALL_ME_ID.test(row.external_call_id ?? ''),
    externalCallId: row.external_call_id || undefined,
  };
}
