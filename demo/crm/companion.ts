/** Asking the companion, for the agent who is signed in. */
import * as z from 'zod/mini';
import { words } from './words/language.ts';

const CODES = [
  'no-answer',
  'not-understood',
  'broker-unauthorized',
  'no-script',
  'too-many-requests',
  'vendor-refused',
  'vendor-invalid-answer',
  'vendor-unreachable',
  'vendor-busy',
  'not-found',
  'failed',
] as const;
type CompanionErrorCode = (typeof CODES)[number];

/** What the companion refused, or why it could not be asked. */
export class CompanionError extends Error {
  override readonly name = 'CompanionError';
  readonly code: CompanionErrorCode;
  /** Seconds to wait before the next request, from `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(
    code: CompanionErrorCode,
    options: ErrorOptions & { readonly retryAfter?: number | undefined } = {},
  ) {
    super(`The companion: ${code}`, options);
    this.code = code;
    this.retryAfter = options.retryAfter;
  }
}

const problemSchema = z.object({ code: z.catch(z.enum(CODES), 'failed') });
/** The companion may have to ask the vendor several times. */
const TIMEOUT_MS = 30_000;

/** @throws {CompanionError} */
export async function ask<T>(
  path: string,
  schema: z.ZodMiniType<T>,
  init: RequestInit & { readonly signal: AbortSignal },
): Promise<T> {
  const signal = AbortSignal.any([init.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const answer = await fetch(path, { ...init, signal }).catch((cause: unknown) => {
    throw new CompanionError('no-answer', { cause });
  });
  const body: unknown = await answer.json().catch(() => undefined);
  if (!answer.ok) {
    const code = problemSchema.safeParse(body).data?.code ?? 'failed';
    const retryAfter = Number(answer.headers.get('Retry-After')) || undefined;
    throw new CompanionError(code, { retryAfter });
  }
  const { data, error } = schema.safeParse(body);
  if (error) throw new CompanionError('not-understood', { cause: error });
  return data;
}

/** Milliseconds after a call: the vendor does not state how soon it lists one. */
const LOOK_AFTER_MS = [500, 1500, 5000, 20_000];

/** After a call: asks again until it is there. */
export async function lookForCall(isThere: () => Promise<boolean>): Promise<void> {
  for (const pause of LOOK_AFTER_MS) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    if (await isThere()) return;
  }
}

/** Whatever was thrown, as the one kind of error that has words. */
export function toCompanionError(error: unknown): CompanionError {
  return error instanceof CompanionError ? error : new CompanionError('failed', { cause: error });
}

export function describeError({ code, retryAfter }: CompanionError): string {
  const { errors, tooOften } = words();
  return code === 'too-many-requests' && retryAfter !== undefined ? tooOften(retryAfter) : errors[code];
}
