/** Turns one HTTP answer of a broker, in any accepted form, into what the dialer can use; or into a DialerError. */
import * as z from 'zod/mini';
import { DialerError, isDialerErrorCode, type DialerErrorCode } from '../errors.ts';
import {
  bareTokenSchema,
  envelopeSchema,
  problemSchema,
  readinessSchema,
  sessionSchema,
  type Hotline,
  type Links,
  type Member,
} from './contract.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

const NOTICES = [
  'top-up-limit',
  'top-up-off',
  'top-up-later',
  'top-up-refused',
  'top-up-admin-short',
] as const;

/** Why the broker would not do what the agent asked for; each has a sentence of its own in the guide. */
export type Notice = (typeof NOTICES)[number];

/** May the member call, and if not, why? */
export interface Readiness {
  readonly member?: Member | undefined;
  readonly hotlines?: readonly Hotline[] | undefined;
  readonly blockers: readonly string[];
  readonly links?: Links | undefined;
  readonly notice?: Notice | undefined;
}

/** A broker that says "no money" may give no token at all: then there is nothing to boot, only something to guide. */
export interface Session extends Readiness {
  readonly token?: string | undefined;
  readonly expiresAt?: string | undefined;
}

const BLOCKING = new Set(['insufficient-funds', 'no-hotline']);

/** @throws {DialerError} `broker-unauthorized`, `broker-unreachable`, `broker-invalid-answer` or a code the broker names. */
export function parseSession(answer: HttpAnswer): Session {
  const json = parseJson(answer.body);
  const trouble = parseTrouble(answer.status, json);
  if (trouble) return trouble;

  const bare = bareTokenSchema.safeParse(json);
  if (bare.success) return { token: bare.data, blockers: [] };

  const envelope = envelopeSchema.safeParse(json);
  if (envelope.success) {
    const token = bareTokenSchema.safeParse(envelope.data.data);
    if (token.success) return { token: token.data, blockers: [] };
  }
  return parseOrThrow(sessionSchema, json);
}

/** @throws {DialerError} as `parseSession`. */
export function parseReadiness(answer: HttpAnswer): Readiness {
  const json = parseJson(answer.body);
  return parseTrouble(answer.status, json) ?? parseOrThrow(readinessSchema, json);
}

/** A known blocker is an answer, not an error; every other refusal throws. */
function parseTrouble(status: number, json: unknown): Readiness | undefined {
  const problem = status >= 400 ? problemSchema.safeParse(json) : undefined;
  if (problem?.success) {
    const { code } = problem.data;
    if (BLOCKING.has(code)) return { blockers: [code] };
    if (isNotice(code)) return { blockers: ['insufficient-funds'], notice: code };
    if (isDialerErrorCode(code)) throw refusal(code, code);
  }
  if (status === 402) return { blockers: ['insufficient-funds'] };

  const envelope = envelopeSchema.safeParse(json);
  const vendorCode = envelope.success ? envelope.data.error : 0;
  if (vendorCode === 402) return { blockers: ['insufficient-funds'] };
  if (status >= 400) throw refusal(codeForHttp(status), `HTTP ${status}`);
  if (vendorCode === 401 || vendorCode === 403)
    throw refusal('broker-unauthorized', `vendor code ${vendorCode}`);
  if (vendorCode !== 0) throw refusal('broker-unreachable', `vendor code ${vendorCode}`);
  return undefined;
}

function codeForHttp(status: number): DialerErrorCode {
  if (status === 401 || status === 403) return 'broker-unauthorized';
  // Too early, too many, or broken: all of them may pass by themselves.
  if (status === 408 || status === 425 || status === 429 || status >= 500) return 'broker-unreachable';
  return 'broker-invalid-answer';
}

function refusal(code: DialerErrorCode, what: string): DialerError {
  return new DialerError(code, `The broker refused: ${what}.`);
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Not even JSON: no schema accepts undefined, so the caller's status rules decide.
    return undefined;
  }
}

function parseOrThrow<T>(schema: z.ZodMiniType<T>, json: unknown): T {
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  // Only the paths: a value could be the token.
  const paths = result.error.issues.map((issue) => issue.path.join('.') || 'the answer itself');
  throw new DialerError(
    'broker-invalid-answer',
    `The broker's answer is not understood: ${paths.join(', ')}.`,
  );
}

function isNotice(code: string): code is Notice {
  return (NOTICES as readonly string[]).includes(code);
}
