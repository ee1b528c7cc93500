/** What the vendor answers: data, or a VendorError that says what went wrong. */
import * as z from 'zod/mini';

/**
 * - `unreachable`: no response in time, or one that says the service is broken;
 * - `refused`: the vendor said no; `vendorCode` and `vendorMessage` say why, if it told;
 * - `invalid-answer`: a response that means nothing;
 * - `rate-limited`: the vendor refused to look at the request, as it gets too many;
 * - `not-connected`: not sent, as no connection could be opened;
 * - `not-sent`: not sent, as the endpoint does not take this input;
 * - `circuit-open`: not sent, as the endpoint has failed again and again a moment ago;
 * - `busy`: not sent, as too many requests are under way.
 */
export type VendorErrorCode =
  | 'unreachable'
  | 'refused'
  | 'invalid-answer'
  | 'rate-limited'
  | 'not-connected'
  | 'not-sent'
  | 'circuit-open'
  | 'busy';

const NEVER_SENT: readonly VendorErrorCode[] = ['not-connected', 'not-sent', 'circuit-open', 'busy'];

interface VendorErrorOptions extends ErrorOptions {
  readonly vendorCode?: number | undefined;
  readonly vendorMessage?: string | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** What went wrong at the vendor. The message is for logs and operators; it never holds the key or a token. */
export class VendorError extends Error {
  override readonly name = 'VendorError';
  readonly code: VendorErrorCode;
  /** Its meaning differs from endpoint to endpoint. */
  readonly vendorCode: number | undefined;
  /** The vendor's own words, printable, short, without keys, tokens and telephone numbers. */
  readonly vendorMessage: string | undefined;
  /** When the vendor wants to be asked again. */
  readonly retryAfterMs: number | undefined;

  constructor(code: VendorErrorCode, message: string, options: VendorErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.vendorCode = options.vendorCode;
    this.vendorMessage = options.vendorMessage;
    this.retryAfterMs = options.retryAfterMs;
  }

  /** False: the vendor certainly never saw the request. */
  get sent(): boolean {
    return !NEVER_SENT.includes(this.code);
  }
}

/** One endpoint of the vendor's: a name in braces is a part of the path; the rest of the input is query or JSON body. */
export interface Endpoint<I extends z.core.$ZodShape = z.core.$ZodShape, T = unknown> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly input: z.ZodMiniObject<I, z.core.$strict>;
  readonly data: z.ZodMiniType<T>;
  /** When the same request may be sent again: `never` (money), `refused` (the vendor has not looked at it), `always`. */
  readonly repeat: 'never' | 'refused' | 'always';
}

/** A GET: it changes nothing, so it may be sent again. */
export function get<I extends z.core.$ZodShape, T>(
  path: string,
  query: I,
  data: z.ZodMiniType<T>,
): Endpoint<I, T> {
  return { method: 'GET', repeat: 'always', path, input: z.strictObject(query), data };
}

export function post<I extends z.core.$ZodShape, T>(
  path: string,
  body: I,
  data: z.ZodMiniType<T>,
  repeat: Endpoint['repeat'] = 'never',
): Endpoint<I, T> {
  return { method: 'POST', repeat, path, input: z.strictObject(body), data };
}

/** A POST that only reads. */
export function read<I extends z.core.$ZodShape, T>(
  path: string,
  body: I,
  data: z.ZodMiniType<T>,
): Endpoint<I, T> {
  return post(path, body, data, 'always');
}

/** A list; null is an empty one. A row that cannot be read is left out, and counted. */
export function rowsOf<T>(row: z.ZodMiniType<T>, onSkipped?: (count: number) => void) {
  return z.pipe(
    z.nullish(z.array(z.unknown())),
    z.transform((rows): T[] => {
      const results = (rows ?? []).map((one) => row.safeParse(one));
      const good = results.filter(({ success }) => success).map(({ data }) => data as T);
      if (good.length < results.length) onSkipped?.(results.length - good.length);
      return good;
    }),
  );
}

const codeSchema = z.optional(z.catch(z.unknown(), undefined));
/**
 * `error/message/data`, or `status/msg/errorCode/data` of the automatic calls. How a failure looks is not documented, so
 * anything that names an error is one.
 */
const envelopeSchema = z.object({
  error: codeSchema,
  errorCode: codeSchema,
  code: codeSchema,
  success: codeSchema,
  data: z.optional(z.unknown()),
});
type Envelope = z.infer<typeof envelopeSchema>;

const MESSAGE_KEYS = ['message', 'msg', 'error_description', 'detail', 'title', 'reason', 'error'];
const MESSAGE_LENGTH = 200;

export interface WholeResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: string;
}

/** @throws {VendorError} */
export function parseResponse(
  { path, data }: Endpoint,
  { status, retryAfter, body }: WholeResponse,
): unknown {
  const json = parseJson(body);
  const vendorMessage = messageIn(json);
  const said = vendorMessage === undefined ? '' : `: “${vendorMessage}”`;
  // Whatever the body says: the request was not looked at.
  if (status === 429) {
    const options = { vendorMessage, retryAfterMs: millisecondsOf(retryAfter) };
    throw new VendorError(
      'rate-limited',
      `The vendor's ${path} is asked too often: HTTP 429${said}.`,
      options,
    );
  }
  if (status >= 500 || status === 408 || (status >= 300 && status < 400)) {
    const text = `The vendor's ${path} is out of order: HTTP ${status}${said}.`;
    throw new VendorError('unreachable', text, { vendorMessage, retryAfterMs: millisecondsOf(retryAfter) });
  }
  const envelope = envelopeSchema.safeParse(json).data;
  const refusal = envelope && refusalIn(envelope);
  if (refusal || status >= 400) {
    const isContradiction = refusal === undefined && saysYes(envelope);
    const vendorCode = refusal === undefined ? status : numberOf(refusal.code);
    if (isContradiction) throw notUnderstood(path, `success behind HTTP ${status}`);
    const text = `The vendor's ${path} refused: error ${vendorCode ?? 'without a number'}${said}.`;
    throw new VendorError('refused', text, { vendorCode, vendorMessage });
  }
  if (!saysYes(envelope)) throw notUnderstood(path, `no envelope, HTTP ${status}`);
  const result = data.safeParse(envelope?.data);
  if (!result.success) throw notUnderstood(path, listPaths(result.error, 'data'));
  return result.data;
}

/** A mixed form may hold several codes: then any of them says no. */
function refusalIn({ error, errorCode, code, success }: Envelope): { code: unknown } | undefined {
  const codes = [error, errorCode, ...(error === undefined && errorCode === undefined ? [code] : [])];
  const refusal = codes.find((one) => one !== undefined && one !== null && !isZero(one));
  if (refusal !== undefined) return { code: refusal };
  return success === false ? { code: undefined } : undefined;
}

function saysYes(envelope: Envelope | undefined): boolean {
  return envelope !== undefined && [envelope.error, envelope.errorCode].some(isZero);
}

function isZero(code: unknown): boolean {
  return code === 0 || code === '0';
}

function numberOf(code: unknown): number | undefined {
  const number = typeof code === 'object' && code !== null && 'code' in code ? code.code : code;
  return typeof number === 'boolean' || !Number.isInteger(Number(number)) ? undefined : Number(number);
}

function messageIn(json: unknown): string | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const fields: Readonly<Record<string, unknown>> = { ...json };
  for (const key of MESSAGE_KEYS) {
    const value = fields[key];
    const text = typeof value === 'object' ? messageIn(value) : typeof value === 'string' ? value : undefined;
    if (text !== undefined && /\p{L}/u.test(text)) return printable(text);
  }
  return undefined;
}

/** The vendor's words reach logs and terminals: no control characters, nothing secret, no telephone number. */
function printable(text: string): string {
  return text
    .slice(0, MESSAGE_LENGTH)
    .replaceAll(/\p{C}+/gu, ' ')
    .replaceAll(/\S{24,}/g, '…')
    .replaceAll(/\+?\d[\d .-]{7,}\d/g, '…')
    .trim();
}

/** Of the data only the paths are told: a value could be the token. */
function notUnderstood(path: string, why: string): VendorError {
  return new VendorError('invalid-answer', `The vendor's ${path} is not understood: ${why}.`);
}

export function listPaths({ issues }: z.core.$ZodError, root: string): string {
  return issues.map(({ path, message }) => `${path.join('.') || root}: ${message}`).join(', ');
}

/** `Retry-After` in seconds, or a date. */
function millisecondsOf(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
