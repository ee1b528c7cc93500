/** The member's calls: those that are over, a call to their own dialer, and what the vendor tells of them as it happens. */
import { Hono } from 'hono';
import * as z from 'zod/mini';
import type { SignedIn } from '../http/context.ts';
import { problem } from '../http/problem.ts';
import type { CallEvents } from './call-events.ts';
import { CALL_ME_ID, callMe, type CallMePolicy } from './call-me.ts';
import { CallSounds } from './call-sound.ts';
import type { EventStreams } from './event-streams.ts';
import type { CallRow, VendorCalls } from './vendor-calls.ts';

const PAGE_SIZE = 20;
const pageSchema = z._default(z.pipe(z.string().check(z.regex(/^\d{1,6}$/)), z.transform(Number)), 0);
const numberSchema = z.pipe(z.string().check(z.regex(/^\d{1,15}$/)), z.transform(Number));

/** For signed-in members, at `/dialer`. */
export function createCallRoutes(
  policy: CallMePolicy,
  vendor: VendorCalls,
  events: CallEvents,
  streams: EventStreams,
): Hono<SignedIn> {
  const app = new Hono<SignedIn>();
  const sounds = new CallSounds(vendor);

  app.get('/calls', async (c) => {
    const page = pageSchema.safeParse(c.req.query('page'));
    if (!page.success) return problem('invalid-request', 'page: a number from 0.');
    const rows = await vendor.list(c.get('memberNo'), page.data, PAGE_SIZE);
    // Only a call that was answered sounds like anything.
    const qualities = await Promise.all(
      rows.map((row) => (row.time_call ? sounds.of(row.trans_id) : undefined)),
    );
    return c.json({ calls: rows.map((row, n) => ({ ...describe(row), quality: qualities[n] })) });
  });

  app.post('/call-me', (c) => callMe(c.get('memberNo'), policy, vendor, events));

  app.get('/events', async (c) => {
    const again = numberSchema.safeParse(c.req.header('Last-Event-ID')).data;
    // Never a refusal: a page that was refused does not ask again.
    const since = again ?? (await events.position().catch(() => undefined));
    const { memberNo, sessionId } = c.var;
    return streams.open({ memberNo, sessionId }, since, (listener) =>
      events.listen(memberNo, since, listener),
    );
  });

  return app;
}

/** For the vendor, at `/webhooks`; who asks is known by then. */
export function createWebhookRoute(events: CallEvents): Hono {
  const app = new Hono();
  app.post('/calls', async (c) => {
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
