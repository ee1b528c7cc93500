/**
 * Turns one HTTP answer of a broker, in any accepted form, into what the dialer can use; or into a DialerError. It comes
 * once the phone is ready, or with an answer that is no session.
 */
import { DialerError, type DialerErrorCode, type DialerErrorOptions } from '../errors.ts';
import {
  parseJson,
  readSession,
  type HttpAnswer,
  type Notice,
  type Readiness,
  type Session,
} from './answer.ts';
import { envelopeSchema, sessionSchema } from './contract.ts';
import { identifierSchema, problemSchema, readinessSchema } from './refusal-contract.ts';
import * as z from '../schema.ts';

const NOTICES: Readonly<Record<Notice, true>> = {
  'top-up-limit': true,
  'top-up-off': true,
  'top-up-later': true,
  'top-up-refused': true,
  'top-up-admin-short': true,
};

/** Only what a broker can know: of the microphone, the browser or the page's attributes it knows nothing. */
const PROBLEMS: ReadonlyMap<string, DialerErrorCode> = new Map([
  ['broker-unauthorized', 'broker-unauthorized'],
  ['broker-unreachable', 'broker-unreachable'],
  ['sdk-auth-failed', 'sdk-auth-failed'],
  // Nobody can sign in to mend that: the page has to be listed at the broker.
  ['origin-not-allowed', 'configuration'],
]);

/** @throws {DialerError} `broker-…`, `vendor-unreachable`, or a code the broker names. */
export function parseSession(answer: HttpAnswer): Session {
  const session = readSession(answer);
  if (session) return session;
  const json = parseJson(answer.body);
  const trouble = parseTrouble(answer, json);
  if (trouble) return trouble;
  const { blockers = [], ...rest } = parseOrThrow(sessionSchema, json, answer);
  return { ...rest, blockers };
}

/** @throws {DialerError} as `parseSession`. */
export function parseReadiness(answer: HttpAnswer): Readiness {
  const json = parseJson(answer.body);
  return parseTrouble(answer, json) ?? parseOrThrow(readinessSchema, json, answer);
}

/** What keeps the member from calling is an answer, not an error; every other refusal throws. */
function parseTrouble(answer: HttpAnswer, json: unknown): Readiness | undefined {
  const { status } = answer;
  const problem = status >= 400 ? z.safeParse(problemSchema, json) : undefined;
  const code = problem?.data?.code;
  if (code !== undefined) {
    if (isBlocker(code) && status !== 401) return { blockers: [code] };
    if (isNotice(code)) return { blockers: ['insufficient-funds'], notice: code };
    const meaning = code.startsWith('vendor-') ? 'vendor-unreachable' : PROBLEMS.get(code);
    if (meaning) throw refusal(meaning, code, answer, json);
  }

  const envelope = z.safeParse(envelopeSchema, json);
  const vendorCode = envelope.success ? envelope.data.error : 0;
  const either = (wanted: number) => status === wanted || vendorCode === wanted;
  if (either(402)) return { blockers: ['insufficient-funds'] };
  const what = vendorCode === 0 ? `HTTP ${status}` : `vendor code ${vendorCode}`;
  if (either(401) || either(403)) throw refusal('broker-unauthorized', what, answer, json);
  if (vendorCode !== 0) throw refusal('vendor-unreachable', what, answer, json);
  if (status >= 400) throw refusal(codeForHttp(status), what, answer, json);
  return undefined;
}

/** The member's account itself is the trouble: an admin can mend it, a retry cannot. */
function isBlocker(code: string): boolean {
  return code === 'insufficient-funds' || code === 'no-hotline' || code.startsWith('member-');
}

function codeForHttp(status: number): DialerErrorCode {
  // Too early, too many, or broken: all of them may pass by themselves.
  if (status === 408 || status === 425 || status === 429 || status >= 500) return 'broker-unreachable';
  return 'broker-invalid-answer';
}

function refusal(code: DialerErrorCode, what: string, answer: HttpAnswer, json: unknown): DialerError {
  return new DialerError(code, `The broker refused: ${what}.`, originOf(answer, json));
}

function originOf({ headers }: HttpAnswer, json: unknown): DialerErrorOptions {
  const problem = z.safeParse(problemSchema, json).data;
  const header = z.safeParse(identifierSchema, headers?.get('X-Request-Id') ?? undefined).data;
  return {
    retryAfter: parseRetryAfter(headers),
    requestId: problem?.requestId ?? problem?.request_id ?? header,
  };
}

function parseOrThrow<T>(schema: z.Schema<T>, json: unknown, answer: HttpAnswer): T {
  const result = z.safeParse(schema, json);
  if (result.success) return result.data;
  // Only the paths: a value could be the token.
  const paths = result.error.issues.map(({ path = [] }) => path.join('.') || 'the answer itself');
  throw new DialerError(
    'broker-invalid-answer',
    `The broker's answer is not understood: ${paths.join(', ')}.`,
    originOf(answer, json),
  );
}

function isNotice(code: string): code is Notice {
  return Object.hasOwn(NOTICES, code);
}

const SHORTEST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 600_000;

/** `Retry-After` in milliseconds, from seconds or a date, kept within bounds; `undefined`: the broker does not say. */
function parseRetryAfter(headers: Headers | undefined): number | undefined {
  const text = headers?.get('Retry-After')?.trim() ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - serverTime(headers);
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, SHORTEST_RETRY_MS), LONGEST_RETRY_MS);
}

/** The agent's clock may be wrong by hours. */
function serverTime(headers: Headers | undefined): number {
  const told = Date.parse(headers?.get('Date') ?? '');
  return Number.isNaN(told) ? Date.now() : told;
}
