/** The vendor's envelopes: data, or a VendorError that tells what went wrong. */
import * as z from 'zod/mini';
import { TimeoutError } from './timeout.ts';

/**
 * - `unreachable`: no response in time, or one that says the service is broken;
 * - `refused`: the vendor said no, `vendorCode` says why;
 * - `invalid-answer`: a response that means nothing;
 * - `not-sent`: the input is not what the endpoint takes;
 * - `rate-limited`: the vendor has refused to look at it, as it is asked too often;
 * - `circuit-open`: not sent, as the endpoint has failed again and again a moment ago;
 * - `busy`: not sent, as too many requests are under way.
 */
export type VendorErrorCode =
  | 'unreachable'
  | 'refused'
  | 'invalid-answer'
  | 'not-sent'
  | 'rate-limited'
  | 'circuit-open'
  | 'busy';

/** What went wrong at the vendor. Neither message nor cause ever holds the key, a token or the vendor's own words. */
export class VendorError extends Error {
  override readonly name = 'VendorError';
  readonly code: VendorErrorCode;
  /** Its meaning differs from endpoint to endpoint. */
  readonly vendorCode: number | undefined;

  constructor(code: VendorErrorCode, message: string, options?: ErrorOptions & { vendorCode?: number }) {
    super(message, options);
    this.code = code;
    this.vendorCode = options?.vendorCode;
  }

  /** False: it is certain that the vendor never saw the request. */
  get sent(): boolean {
    return this.code !== 'not-sent' && this.code !== 'circuit-open' && this.code !== 'busy';
  }
}

/** One endpoint of the vendor's: a name in braces is a part of the path; the rest of the input is query or JSON body. */
export interface Endpoint<I extends z.core.$ZodShape = z.core.$ZodShape, T = unknown> {
  readonly method: 'GET' | 'POST';
  /** Changes nothing at the vendor, so it may be sent again: every GET, and a POST whose body is a search. */
  readonly isRead: boolean;
  readonly path: string;
  readonly input: z.ZodMiniObject<I, z.core.$strict>;
  readonly data: z.ZodMiniType<T>;
  /** What its error codes mean, for people. */
  readonly codes: Readonly<Record<number, string>>;
  /** A POST that may be sent again when the vendor has refused to look at it. */
  readonly isRepeatable?: boolean;
}

type Codes = Endpoint['codes'];
export const EVERYWHERE: Codes = { 401: 'the API key is not accepted', 500: 'the vendor failed' };
export const CORE: Codes = {
  ...EVERYWHERE,
  [-1]: 'a parameter is wrong',
  403: 'the API key may not do this',
  404: 'there is no such thing',
  409: 'it exists already',
};

export function get<I extends z.core.$ZodShape, T>(
  path: string,
  query: I,
  data: z.ZodMiniType<T>,
  codes = CORE,
): Endpoint<I, T> {
  return { method: 'GET', isRead: true, path, input: z.strictObject(query), data, codes };
}

export function post<I extends z.core.$ZodShape, T>(
  path: string,
  body: I,
  data: z.ZodMiniType<T>,
  codes = CORE,
): Endpoint<I, T> {
  return { method: 'POST', isRead: false, path, input: z.strictObject(body), data, codes };
}

/** A POST that only reads. */
export function read<I extends z.core.$ZodShape, T>(
  path: string,
  body: I,
  data: z.ZodMiniType<T>,
  codes = CORE,
): Endpoint<I, T> {
  return { ...post(path, body, data, codes), isRead: true };
}

/** Success or refusal, in either of the vendor's envelopes: `error/message/data` and `status/msg/errorCode/data`. */
const envelopeSchema = z.object({
  error: z.optional(z.int()),
  errorCode: z.optional(z.int()),
  data: z.optional(z.unknown()),
});

export function parseResponse({ path, data, codes }: Endpoint, status: number, body: string): unknown {
  if (status >= 500 || (status >= 300 && status < 400)) {
    throw new VendorError('unreachable', `The vendor's ${path} is out of order: HTTP ${status}.`);
  }
  // Whatever the body says: the request was not looked at.
  if (status === 408 || status === 429) {
    const code = status === 429 ? 'rate-limited' : 'unreachable';
    throw new VendorError(code, `The vendor's ${path} is too busy: HTTP ${status}.`);
  }
  const envelope = envelopeSchema.safeParse(parseJson(body)).data;
  // A mixed form holds both codes: then either of them says no.
  const vendorCode = (envelope?.error || envelope?.errorCode) ?? envelope?.error;
  if (vendorCode === undefined) throw explainStatus(path, status);
  if (vendorCode !== 0) {
    const meaning = codes[vendorCode] ?? 'a code without a meaning here';
    const message = `The vendor's ${path} refused: error ${vendorCode}, ${meaning}.`;
    throw new VendorError('refused', message, { vendorCode });
  }
  const result = data.safeParse(envelope?.data);
  if (status < 400 && result.success) return result.data;
  throw notUnderstood(path, result.error ?? `HTTP ${status}`);
}

function explainStatus(path: string, status: number): VendorError {
  if (status === 401 || status === 403) {
    return new VendorError('refused', `The vendor's ${path} refused: HTTP ${status}.`, {
      vendorCode: status,
    });
  }
  return notUnderstood(path, `no envelope, HTTP ${status}`);
}

/** Of the data only the paths are told: a value could be the token. */
function notUnderstood(path: string, why: z.core.$ZodError | string): VendorError {
  const what = typeof why === 'string' ? why : listPaths(why, 'data');
  return new VendorError('invalid-answer', `The vendor's ${path} is not understood: ${what}.`);
}

/** Whatever was thrown on the way, as the one kind of error callers know. */
export function toVendorError(path: string, error: unknown): VendorError {
  if (error instanceof VendorError) return error;
  if (error instanceof z.core.$ZodError) {
    return new VendorError('not-sent', `${path} does not take this: ${listPaths(error, 'input')}.`);
  }
  const why = error instanceof TimeoutError ? 'no answer in time' : 'the connection failed';
  const message = `The vendor's ${path} cannot be reached: ${why}.`;
  return new VendorError('unreachable', message, { cause: error });
}

function listPaths({ issues }: z.core.$ZodError, root: string): string {
  return issues.map(({ path, message }) => `${path.join('.') || root}: ${message}`).join(', ');
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
