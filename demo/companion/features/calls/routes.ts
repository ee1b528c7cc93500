/** Calls: the history, a call to the member's own dialer, the vendor's webhooks, and live events for pages. */
import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import * as z from 'zod/mini';
import type { SignedIn } from '../../guards/auth.ts';
import type { Config } from '../../config.ts';
import { Problem } from '../../problem.ts';
import type { Limits } from '../../guards/limits.ts';
import type { EndedSessions } from '../../guards/sessions.ts';
import type { Database } from '../../store/database.ts';
import type { Telemetry } from '../../telemetry.ts';
import { DAY_MS } from '../../money/movement.ts';
import { memberKey, memberNoSchema, type OpenApi } from '../../vbot/api.ts';
import { post } from '../../vbot/endpoint.ts';
import { VendorError } from '../../vbot/errors.ts';
import { createHistoryRoutes, type PriceBook } from './history.ts';
import { CallStreams } from './stream.ts';
import { createWebhookRoute, removeOldCalls } from './webhooks.ts';

interface Parts {
  readonly config: Pick<Config, 'callMe' | 'webhookAuth' | 'previousWebhookAuth' | 'proxyHops'>;
  readonly api: OpenApi;
  readonly database: Database;
  readonly ended: EndedSessions;
  readonly limits: Limits;
  /** How often the store is asked for events, while a page listens. */
  readonly pollMs: number;
  readonly prices?: PriceBook;
  readonly telemetry: Telemetry;
  /** Aborts when no new requests are to come. */
  readonly retired: AbortSignal;
}

/** Routes below `/dialer` are for signed-in members; the webhook route checks its sender itself. */
export function createCallRoutes(parts: Parts): Hono<SignedIn> {
  const { api, database, ended, pollMs, prices, telemetry, retired } = parts;
  const app = new Hono<SignedIn>();
  const streams = new CallStreams(database, pollMs, retired, ended);
  void removeOldCalls(parts, retired);

  const onSkipped = (count: number) => telemetry.skippedRows('calls', count);
  app.route('/dialer', createHistoryRoutes(api.client, prices, onSkipped, isCallMe));
  app.route('/dialer', createCallMeRoute(parts));
  app.get('/dialer/events', (c) => streams.open(c));
  app.route('/webhooks', createWebhookRoute(parts, streams.wake));
  return app;
}

const callMembers = post(
  'm-auto-call/api/call/create-list-member',
  {
    template_code: z.string(),
    display_name: z.string(),
    type: z.literal('MEMBER'),
    member_infos: z.array(z.strictObject({ member_no: memberNoSchema, external_call_id: z.string() })),
  },
  z.unknown(),
);

/** The ids of calls by script: the vendor's list does not mark them. */
function isCallMe(externalCallId: string): boolean {
  return /^me[0-9a-f]{24}$/.test(externalCallId);
}

/** The call rings and may cost money: it needs a script, and has limits. */
function createCallMeRoute({ config, api, limits, database }: Parts): Hono<SignedIn> {
  const app = new Hono<SignedIn>();
  const { script, perMinute, perDay } = config.callMe;
  const rate = limits.shared('call-me', perMinute);
  /** Counts this call, too: of two at once, at most one is made. @throws {Problem} when there were too many in a day */
  const requireOneLeft = async (key: string) => {
    const [today] = await database.read(
      'select count(*) as calls, min(at) + ? - max(now) as wait from expected_call, clock where member = ? and abs(now - at) < ?',
      [DAY_MS, key, DAY_MS],
    );
    if (Number(today?.['calls']) > perDay)
      throw new Problem('too-many-requests', { retryAfter: Math.ceil(Number(today?.['wait']) / 1000) });
  };

  app.post('/call-me', async (c) => {
    if (script === undefined) throw new Problem('no-script', { detail: 'CALL_ME_SCRIPT is not set.' });
    const memberNo = c.get('memberNo');
    const key = memberKey(memberNo);
    const externalCallId = `me${randomBytes(12).toString('hex')}`;
    await rate.take(key);
    try {
      // The vendor's events do not name the member of such a call, only this id.
      await database.write(
        'insert into expected_call (external_call_id, member, at) select ?, ?, now from clock',
        [externalCallId, key],
      );
      await requireOneLeft(key);
      await api.client.call(callMembers, {
        template_code: script,
        display_name: 'CRM',
        type: 'MEMBER',
        member_infos: [{ member_no: memberNo, external_call_id: externalCallId }],
      });
    } catch (error) {
      // Give the request back only if the call was certainly not made.
      const isCertain = !(error instanceof VendorError) || error.code === 'refused' || !error.sent;
      const forget = () =>
        database.write('delete from expected_call where external_call_id = ?', [externalCallId]);
      if (isCertain) await Promise.allSettled([rate.giveBack(key), forget()]);
      throw error;
    }
    return c.json({ externalCallId }, 202);
  });

  return app;
}
