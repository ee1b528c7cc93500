/** The companion's routes for the calls of the agent who is signed in. */
import * as z from 'zod/mini';
import { ask } from '../companion.ts';

const mos = z.nullish(z.number());
const callSchema = z.object({
  transId: z.string(),
  direction: z.enum(['outgoing', 'incoming']),
  number: z.optional(z.string()),
  automatic: z.boolean(),
  at: z.optional(z.iso.datetime()),
  disposition: z.optional(z.string()),
  talkSeconds: z.optional(z.number()),
  cost: z.optional(z.number()),
  recorded: z.boolean(),
  externalCallId: z.optional(z.string()),
});
const pageSchema = z.object({ calls: z.array(callSchema) });
const soundSchema = z.object({ mos: z.object({ caller: mos, callee: mos }) });
export const callEventSchema = z.object({
  kind: z.enum(['log', 'extraction', 'recording', 'complete', 'incoming', 'unknown']),
  transId: z.string(),
  externalCallId: z.optional(z.string()),
});

/** A call at the vendor: talk in seconds, cost in VND. */
export type VendorCall = z.infer<typeof callSchema>;
/** How a call sounded at either end: MOS from 1 to 5. */
export type CallSound = z.infer<typeof soundSchema>;
export type CallEvent = z.infer<typeof callEventSchema>;

/** Calls in one answer, unless there are no more. */
export const PAGE_SIZE = 20;

/** @throws {CompanionError} */
export async function readCalls(page: number, signal: AbortSignal): Promise<readonly VendorCall[]> {
  return (await ask(`/dialer/calls?page=${page}`, pageSchema, { signal })).calls;
}

/** @throws {CompanionError} */
export function readSound(transId: string, signal: AbortSignal): Promise<CallSound> {
  return ask(`/dialer/calls/${encodeURIComponent(transId)}/quality`, soundSchema, { signal });
}

/**
 * Has a script of the vendor ring the agent's own dialer.
 *
 * @throws {CompanionError}
 */
export async function callMe(signal: AbortSignal): Promise<void> {
  await ask('/dialer/call-me', z.unknown(), { method: 'POST', signal });
}
