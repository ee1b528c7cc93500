/** Has the vendor ring an agent's own dialer: it rings and may cost, so only with a script, and only so often. */
import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import * as z from 'zod/mini';
import type { SignedIn } from '../auth.ts';
import { Problem } from '../http.ts';
import type { Database } from '../store/database.ts';
import { memberNoSchema } from '../vendor/api.ts';
import type { VendorClient } from '../vendor/client.ts';
import { post, VendorError } from '../vendor/response.ts';

export interface CallMePolicy {
  /** The vendor's code of the script that calls; absent: nobody is called. */
  readonly script: string | undefined;
  /** For one member. */
  readonly perMinute: number;
  readonly perDay: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;

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

/** Calls made here have such ids: the vendor's list does not say that nobody dialled them. */
export function isCallMe(externalCallId: string): boolean {
  return /^me[0-9a-f]{24}$/.test(externalCallId);
}

export function createCallMeRoute(policy: CallMePolicy, vendor: VendorClient, database: Database): Hono<SignedIn> {
  const app = new Hono<SignedIn>();
  const { script } = policy;

  app.post('/call-me', async (c) => {
    if (script === undefined) throw new Problem('no-script', { detail: 'CALL_ME_SCRIPT is not set.' });
    const memberNo = c.get('memberNo');
    const externalCallId = `me${randomBytes(12).toString('hex')}`;
    const waitMs = await expect(database, externalCallId, memberNo, policy);
    if (waitMs > 0) throw new Problem('too-many-requests', { retryAfter: Math.ceil(waitMs / 1000) });
    try {
      await vendor.call(callMembers, {
        template_code: script,
        display_name: 'CRM',
        type: 'MEMBER',
        member_infos: [{ member_no: memberNo, external_call_id: externalCallId }],
      });
    } catch (error) {
      // What was certainly not made does not count; what may have been, does.
      const isCertain = error instanceof VendorError && (error.code === 'refused' || !error.sent);
      if (isCertain) await forget(database, externalCallId).catch(() => undefined);
      throw error;
    }
    return c.json({ externalCallId }, 202);
  });

  return app;
}

/**
 * Notes whom the call goes to: the vendor does not say, only this id comes back.
 *
 * @returns how many milliseconds the member has to wait first; then nothing is noted
 */
function expect(
  database: Database,
  externalCallId: string,
  memberNo: string,
  { perMinute, perDay }: CallMePolicy,
): Promise<number> {
  return database.transact(async (sql) => {
    // One at a time, among all companions, so that nobody counts what another is about to add.
    await sql('update call_sequence set last = last');
    const [clock] = await sql('select now from clock');
    const now = Number(clock?.['now']);
    const rows = await sql(
      'select at from expected_call where lower(member) = lower(?) and at > ? order by at desc',
      [memberNo, now - DAY_MS],
    );
    const times = rows.map(({ at }) => Number(at));
    // The one that has to be over before another fits in.
    const waits = [
      (times[perMinute - 1] ?? -Infinity) + MINUTE_MS - now,
      (times[perDay - 1] ?? -Infinity) + DAY_MS - now,
    ];
    const wait = Math.max(0, ...waits);
    if (wait > 0) return wait;
    await sql('insert into expected_call (external_call_id, member, at) values (?, ?, ?)', [
      externalCallId,
      memberNo,
      now,
    ]);
    return 0;
  });
}

async function forget(database: Database, externalCallId: string): Promise<void> {
  await database.write('delete from expected_call where external_call_id = ?', [externalCallId]);
}
