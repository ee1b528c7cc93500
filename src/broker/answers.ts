/** Parses a broker's response: a session, or only its token. A refusal becomes a DialerError or a blocker. */
import * as z from 'zod/mini';
import { attempt, DialerError, type DialerErrorCode, type DialerErrorOptions } from '../errors.ts';
import { parseAddress } from '../page/address.ts';
import {
  BLOCKERS,
  envelopeSchema,
  identifierSchema,
  problemSchema,
  readinessSchema,
  sessionSchema,
  timeOf,
  tokenSchema,
  type Hotline,
  type Links,
  type Member,
} from './contract.ts';
import { parseLeniently } from './lenient.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Headers | undefined;
}

/** Why the broker refused a top-up. The guide has a sentence for each. */
export type Notice = (typeof NOTICES)[number];
export const NOTICES = [
  'top-up-limit',
  'top-up-off',
  'top-up-later',
  'top-up-refused',
  'top-up-admin-short',
  'top-up-too-small',
] as const;
const noticeSchema = z.enum(NOTICES);
const blockerSchema = z.enum(BLOCKERS);

/** May the member call, and if not, why? */
export interface Readiness {
  readonly member?: Member | undefined;
  readonly hotlines?: readonly Hotline[] | undefined;
  /** Empty: the member can call; `undefined`: the broker does not say. */
  readonly blockers?: readonly string[] | undefined;
  /** Absolute addresses of the broker's own origin. */
  readonly links?: Links | undefined;
  /** Paths of the parts that were not valid, e.g. `hotlines.1.number`. */
  readonly leftOut?: readonly string[] | undefined;
  readonly notice?: Notice | undefined;
}

/** What came of a request for help. */
export interface HelpAnswer {
  /** What the broker says about the member after it. */
  readonly readiness?: Readiness | undefined;
  /** Absent: the broker has carried it out, or does so. */
  readonly notice?: Notice | 'help-refused' | 'help-failed' | 'help-unknown' | undefined;
  readonly error?: DialerError | undefined;
}

/** Without a token the SDK cannot start, and `blockers` say why the broker gave none. */
export interface Session extends Readiness {
  readonly token?: string | undefined;
  /** How long the token is valid from now on, in milliseconds; `undefined`: the broker does not say. */
  readonly expiresIn?: number | undefined;
}

/** Codes of a broker, and the dialer's code for each. A broker cannot know faults of the microphone, browser or attributes. */
const PROBLEMS: ReadonlyMap<string, DialerErrorCode> = new Map([
  ['broker-unauthorized', 'broker-unauthorized'],
  ['broker-unreachable', 'broker-unreachable'],
  ['sdk-auth-failed', 'sdk-auth-failed'],
  // Signing in does not help: somebody has to add the page to the broker's list.
  ['origin-not-allowed', 'configuration'],
]);

/**
 * @param brokerUrl absolute; links are relative to it
 * @throws {DialerError} `broker-…`, `vendor-unreachable`, or a code the broker names.
 */
export function parseSession(answer: HttpAnswer, brokerUrl: string): Session {
  const json = parseJson(answer.body);
  const blocked = parseRefusal(answer, json);
  if (blocked) return blocked;
  const { data = json } = z.safeParse(envelopeSchema, json).data ?? {};
  const token = z.safeParse(tokenSchema, data);
  if (token.success) return { token: token.data, blockers: [] };
  const { expiresAt, blockers, ...session } = parseOrThrow(sessionSchema, json, answer, brokerUrl);
  const expiresIn = expiresAt === undefined ? undefined : untilTime(expiresAt, answer.headers);
  return { ...session, blockers: blockers ?? [], expiresIn };
}

/** @throws {DialerError} as `parseSession`. */
export function parseReadiness(answer: HttpAnswer, brokerUrl: string): Readiness {
  const json = parseJson(answer.body);
  const refused = parseRefusal(answer, json);
  if (refused) return refused;
  const { blockers, ...readiness } = parseOrThrow(readinessSchema, json, answer, brokerUrl);
  return { ...readiness, blockers: blockers ?? undefined };
}

/** No schema accepts `undefined`, so that the HTTP status decides. */
function parseJson(body: string): unknown {
  return attempt<unknown>(() => JSON.parse(body));
}

/**
 * A refusal that names a blocker is an answer; every other refusal throws.
 *
 * @returns `undefined`: the broker did not refuse
 */
function parseRefusal(answer: HttpAnswer, json: unknown): Readiness | undefined {
  const { status } = answer;
  const code = status >= 400 ? z.safeParse(problemSchema, json).data?.code : undefined;
  if (code !== undefined) {
    if (status !== 401 && blockerSchema.safeParse(code).success) return { blockers: [code] };
    const notice = z.safeParse(noticeSchema, code).data;
    if (notice) return { blockers: ['insufficient-funds'], notice };
    const meaning = code.startsWith('vendor-') ? 'vendor-unreachable' : PROBLEMS.get(code);
    if (meaning) throw refusal(meaning, code, answer, json);
  }

  const vendorCode = z.safeParse(envelopeSchema, json).data?.error ?? 0;
  const isCode = (refused: number) => status === refused || vendorCode === refused;
  if (isCode(402)) return { blockers: ['insufficient-funds'] };
  const what = vendorCode === 0 ? `HTTP ${status}` : `vendor code ${vendorCode}`;
  if (isCode(401) || isCode(403)) throw refusal('broker-unauthorized', what, answer, json);
  if (vendorCode !== 0) throw refusal('vendor-unreachable', what, answer, json);
  if (status >= 400) throw refusal(codeForHttp(status), what, answer, json);
  return undefined;
}

function codeForHttp(status: number): DialerErrorCode {
  // Too early, too many, or a server error: a retry may help.
  if (status === 408 || status === 425 || status === 429 || status >= 500) return 'broker-unreachable';
  return 'broker-invalid-answer';
}

function refusal(code: DialerErrorCode, what: string, answer: HttpAnswer, json: unknown): DialerError {
  return new DialerError(code, `The broker refused the request: ${what}.`, errorDetails(answer, json));
}

function errorDetails({ headers }: HttpAnswer, json: unknown): DialerErrorOptions {
  const problem = z.safeParse(problemSchema, json).data;
  const header = z.safeParse(identifierSchema, headers?.get('X-Request-Id') ?? undefined).data;
  return {
    retryAfter: parseRetryAfter(headers),
    requestId: problem?.requestId ?? problem?.request_id ?? header,
  };
}

/** An answer needs a valid token and valid blockers. Every other part that is not valid is left out. */
function parseOrThrow<T extends { links?: Links | undefined }>(
  schema: z.ZodMiniType<T>,
  json: unknown,
  answer: HttpAnswer,
  brokerUrl: string,
): T & Pick<Readiness, 'leftOut'> {
  const { data, leftOut } = parseLeniently(schema, json);
  const needed = leftOut.filter((path) => /^(?:the|token|blockers)/.test(path));
  if (data && needed.length === 0) {
    const { links = {} } = data;
    const valid: Record<string, string> = {};
    const invalid: string[] = [];
    for (const [name, link] of Object.entries(links)) {
      const address = link && sameOriginAddress(link, brokerUrl);
      if (address === undefined) invalid.push(`links.${name}`);
      else valid[name] = address;
    }
    return { ...data, links: data.links && valid, leftOut: [...leftOut, ...invalid] };
  }
  // Only the paths: a value could be the token.
  throw new DialerError(
    'broker-invalid-answer',
    `The broker's response is not valid. Missing or invalid: ${needed.join(', ')}.`,
    errorDetails(answer, json),
  );
}

/**
 * @param link relative to the broker's address, or absolute within its origin
 * @returns `undefined` for every other origin, scheme, or an address with a user name in it
 */
function sameOriginAddress(link: string, brokerUrl: string): string | undefined {
  const broker = new URL(brokerUrl);
  const address = parseAddress(link, broker.href);
  // A blob: address has the origin of its page, but another scheme.
  const isSameOrigin = address?.origin === broker.origin && address.protocol === broker.protocol;
  return isSameOrigin && address.username + address.password === '' ? address.href : undefined;
}

const SHORTEST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 600_000;

/** `Retry-After` in milliseconds, from seconds or a date, kept within bounds; `undefined`: the broker does not say. */
function parseRetryAfter(headers: Headers | undefined): number | undefined {
  const text = headers?.get('Retry-After')?.trim() ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : untilTime(text, headers);
  return ms === undefined ? undefined : Math.min(Math.max(ms, SHORTEST_RETRY_MS), LONGEST_RETRY_MS);
}

/**
 * Milliseconds until a time in the broker's answer, by the broker's own clock: the agent's may be wrong by hours.
 *
 * @returns `undefined`: the text is not a time
 */
function untilTime(text: string, headers: Headers | undefined): number | undefined {
  const now = Date.parse(headers?.get('Date') ?? '');
  const left = timeOf(text) - (Number.isNaN(now) ? Date.now() : now);
  return Number.isNaN(left) ? undefined : left;
}
