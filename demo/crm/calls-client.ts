/** The companion's routes for the calls of the agent who is signed in. */
import * as z from 'zod/mini';

const CODES = [
  'no-answer',
  'not-understood',
  'broker-unauthorized',
  'no-script',
  'too-many-requests',
  'vendor-refused',
  'vendor-invalid-answer',
  'vendor-unreachable',
  'failed',
] as const;
export type CallsErrorCode = (typeof CODES)[number];

/** What the companion refused, or why it could not be asked. */
export class CallsError extends Error {
  override readonly name = 'CallsError';
  readonly code: CallsErrorCode;
  /** Seconds to wait before the next request, from `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(
    code: CallsErrorCode,
    options: ErrorOptions & { readonly retryAfter?: number | undefined } = {},
  ) {
    super(`The companion's call routes: ${code}`, options);
    this.code = code;
    this.retryAfter = options.retryAfter;
  }
}

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
  quality: z.optional(z.object({ mos: z.object({ caller: mos, callee: mos }) })),
});
const pageSchema = z.object({ calls: z.array(callSchema) });
const callMeSchema = z.object({ externalCallId: z.string() });
const problemSchema = z.object({ code: z.catch(z.enum(CODES), 'failed') });
export const callEventSchema = z.object({
  kind: z.enum(['log', 'extraction', 'recording', 'complete', 'incoming', 'unknown']),
  transId: z.string(),
  externalCallId: z.optional(z.string()),
  disposition: z.optional(z.string()),
});

/** A call at the vendor: talk in seconds, cost in VND, MOS from 1 to 5. */
export type VendorCall = z.infer<typeof callSchema>;
export type CallEvent = z.infer<typeof callEventSchema>;

/** Calls in one answer, unless there are no more. */
export const PAGE_SIZE = 20;
/** The companion asks the vendor for the sound of each call. */
const TIMEOUT_MS = 30_000;

/** @throws {CallsError} */
export async function readCalls(page: number, signal: AbortSignal): Promise<readonly VendorCall[]> {
  return (await ask(`calls?page=${page}`, pageSchema, { signal })).calls;
}

/**
 * Has a script of the vendor ring the agent's own dialer.
 *
 * @returns the id that the call carries in its events and in the list
 * @throws {CallsError}
 */
export async function callMe(signal: AbortSignal): Promise<string> {
  return (await ask('call-me', callMeSchema, { method: 'POST', signal })).externalCallId;
}

async function ask<T>(
  path: string,
  schema: z.ZodMiniType<T>,
  init: RequestInit & { readonly signal: AbortSignal },
): Promise<T> {
  const signal = AbortSignal.any([init.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const answer = await fetch(`/dialer/${path}`, { ...init, signal }).catch((cause: unknown) => {
    throw new CallsError('no-answer', { cause });
  });
  const body: unknown = await answer.json().catch(() => undefined);
  if (!answer.ok) {
    const code = problemSchema.safeParse(body).data?.code ?? 'failed';
    const retryAfter = Number(answer.headers.get('Retry-After')) || undefined;
    throw new CallsError(code, { retryAfter });
  }
  const { data, error } = schema.safeParse(body);
  if (error) throw new CallsError('not-understood', { cause: error });
  return data;
}
