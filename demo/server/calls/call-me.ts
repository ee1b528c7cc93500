/** Has the vendor ring an agent's own dialer: it rings and may cost, so only with a script, and only so often. */
import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import * as z from 'zod/mini';
import type { SignedIn } from '../auth.ts';
import { Problem } from '../http.ts';
import type { Budget } from '../limits.ts';
import type { Database } from '../store/database.ts';
import { memberNoSchema } from '../vendor/api.ts';
import type { VendorClient } from '../vendor/client.ts';
import { post, VendorError } from '../vendor/response.ts';

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

/**
 * @param script the vendor's code of the script that calls; undefined: nobody is called
 * @param budgets of one member's calls
 */
export function createCallMeRoute(
  script: string | undefined,
  budgets: readonly Budget[],
  vendor: VendorClient,
  database: Database,
): Hono<SignedIn> {
  const app = new Hono<SignedIn>();

  app.post('/call-me', async (c) => {
    if (script === undefined) throw new Problem('no-script', { detail: 'CALL_ME_SCRIPT is not set.' });
    const memberNo = c.get('memberNo');
    const key = memberNo.toLowerCase();
    const externalCallId = `me${randomBytes(12).toString('hex')}`;
    for (const budget of budgets) await budget.take(key);
    // The vendor's events do not say whom such a call went to: only this id comes back.
    await database.write(
      'insert into expected_call (external_call_id, member, at) select ?, ?, now from clock',
      [externalCallId, key],
    );
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
      if (isCertain) await Promise.all(budgets.map((budget) => budget.giveBack(key)));
      throw error;
    }
    return c.json({ externalCallId }, 202);
  });

  return app;
}
