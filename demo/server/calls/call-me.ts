/** Has the vendor ring an agent's own dialer: it rings and may cost, so only with a script, and only so often. */
import { randomBytes } from 'node:crypto';
import { problem, tooMany } from '../http/problem.ts';
import type { MemberNo } from '../vendor/data.ts';
import { VendorError } from '../vendor/response.ts';
import type { CallEvents } from './call-events.ts';
import type { VendorCalls } from './vendor-calls.ts';

export interface CallMePolicy {
  /** The vendor's code of the script that calls; absent: nobody is called. */
  readonly script: string | undefined;
  /** For one member. */
  readonly perMinute: number;
  readonly perDay: number;
}

/** Ids that calls made here have: the vendor's list does not say that nobody dialled such a call. */
export const CALL_ME_ID = /^me[0-9a-f]{24}$/;

export async function callMe(
  memberNo: MemberNo,
  policy: CallMePolicy,
  calls: VendorCalls,
  events: CallEvents,
): Promise<Response> {
  const { script } = policy;
  if (script === undefined) return problem('no-script', 'CALL_ME_SCRIPT is not set.');
  const externalCallId = `me${randomBytes(12).toString('hex')}`;
  const waitMs = await events.expect(externalCallId, memberNo, policy);
  if (waitMs !== undefined) return tooMany(waitMs);
  try {
    await calls.callMember(script, memberNo, externalCallId);
  } catch (error) {
    // What was certainly not made does not count; what may have been, does.
    const isCertain = error instanceof VendorError && (error.code === 'refused' || !error.sent);
    if (isCertain) await events.forget(externalCallId).catch(() => undefined);
    throw error;
  }
  return Response.json({ externalCallId }, { status: 202 });
}
