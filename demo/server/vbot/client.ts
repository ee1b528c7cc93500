/** Asks the vendor: each call has a deadline, no more are under way at once than the vendor is to have, and it ends with data or a VendorError. */
import { setTimeout as delay } from 'node:timers/promises';
import {
  BrokenCircuitError,
  bulkhead,
  BulkheadRejectedError,
  circuitBreaker,
  ConsecutiveBreaker,
  handleWhen,
  type CircuitBreakerPolicy,
} from 'cockatiel';
import { buildConnector, errors, Pool } from 'undici';
import * as z from 'zod/mini';

/**
 * - `unreachable`: no response in time, or one that says the service is broken;
 * - `refused`: the vendor said no; `vendorCode` and `vendorMessage` say why, if it told;
 * - `invalid-answer`: a response that means nothing;
 * - `rate-limited`: the vendor did not look at the request, as it gets too many;
 *
 * and for a request that was never sent:
 * - `not-connected`: no connection could be opened;
 * - `not-sent`: the endpoint does not take this input;
 * - `circuit-open`: the endpoint has failed again and again a moment ago;
 * - `busy`: too many requests are under way.
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

/** The message is for logs and operators; it never holds the key or a token. */
export class VendorError extends Error {
  override readonly name = 'VendorError';
  readonly code: VendorErrorCode;
  /** Its meaning differs from endpoint to endpoint. */
  readonly vendorCode: number | undefined;
  /** The vendor's own words, short, without keys, tokens and telephone numbers. */
  readonly vendorMessage: string | undefined;
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

/** The input is the query of a GET, the JSON body of a POST. */
export interface Endpoint<I extends z.core.$ZodShape = z.core.$ZodShape, T = unknown> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly input: z.ZodMiniObject<I, z.core.$strict>;
  readonly data: z.ZodMiniType<T>;
  /** False: what it does must not be done twice, so it is sent once. */
  readonly isRepeatable: boolean;
}

export function get<I extends z.core.$ZodShape, T>(
  path: string,
  query: I,
  data: z.ZodMiniType<T>,
): Endpoint<I, T> {
  return { method: 'GET', isRepeatable: true, path, input: z.strictObject(query), data };
}

export function post<I extends z.core.$ZodShape, T>(
  path: string,
  body: I,
  data: z.ZodMiniType<T>,
): Endpoint<I, T> {
  return { method: 'POST', isRepeatable: false, path, input: z.strictObject(body), data };
}

/** A POST that only reads, or does no harm when it comes twice. */
export function repeatablePost<I extends z.core.$ZodShape, T>(
  ...endpoint: Parameters<typeof post<I, T>>
): Endpoint<I, T> {
  return { ...post(...endpoint), isRepeatable: true };
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

export interface Vendor {
  /** Ends in the version segment, e.g. `https://vendor.example/v3.0`. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

export interface VendorOptions {
  /** Milliseconds for one call, its retries and its body included. */
  readonly deadlineMs?: number;
  /** How often a request is sent at most, if it may be sent again. */
  readonly attempts?: number;
  /** Requests under way at once; eight times as many may wait, the others are refused. */
  readonly concurrency?: number | undefined;
  /** Milliseconds for which an endpoint is left alone that failed five times in a row; 0: it never is. */
  readonly openMs?: number;
  /** Called after every call, with its outcome and its milliseconds. */
  readonly observe?: ((path: string, outcome: 'ok' | VendorError, ms: number) => void) | undefined;
}

const CONNECT_MS = 2000;
const RETRY_MS = 200;
const RATE_LIMIT_MS = 1000;
const QUEUE = 8;
const FAILURES = 5;
const PAYING_CONNECTIONS = 32;
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
const MESSAGE_LENGTH = 200;
/** Whatever fails before a connection is open, TLS included: the request cannot have been sent. */
class NotConnectedError extends Error {}

type InputOf<I extends z.core.$ZodShape> = z.input<z.ZodMiniObject<I, z.core.$strict>>;
type Input = Readonly<Record<string, unknown>>;

/** Its methods throw a VendorError and nothing else. */
export class VendorClient {
  readonly #options: VendorOptions;
  readonly #deadlineMs: number;
  readonly #openMs: number;
  readonly #prefix: string;
  readonly #apiKey: string;
  readonly #pool: Pool;
  /** For what must not be sent twice: it does not wait behind the rest. */
  readonly #oncePool: Pool;
  readonly #queue;
  readonly #onceQueue = bulkhead(PAYING_CONNECTIONS, Infinity);
  readonly #circuits = new Map<string, CircuitBreakerPolicy>();

  constructor({ baseUrl, apiKey }: Vendor, options: VendorOptions = {}) {
    const { concurrency = 256, deadlineMs = 5000, openMs = 3000 } = options;
    const { origin, pathname } = new URL(baseUrl);
    this.#options = options;
    this.#deadlineMs = deadlineMs;
    this.#openMs = openMs;
    this.#prefix = pathname.replace(/\/*$/, '/');
    this.#apiKey = apiKey;
    const open = buildConnector({ timeout: Math.min(CONNECT_MS, deadlineMs) });
    const connect: buildConnector.connector = (target, done) =>
      open(target, (...[failure, socket]) =>
        failure ? done(new NotConnectedError(undefined, { cause: failure }), null) : done(null, socket),
      );
    // The deadline of a call ends what takes too long, whichever part of it does.
    const limits = { connect, headersTimeout: 0, bodyTimeout: 0, maxResponseSize: MAX_RESPONSE_BYTES };
    this.#pool = new Pool(origin, { connections: concurrency, ...limits });
    this.#oncePool = new Pool(origin, { connections: PAYING_CONNECTIONS, ...limits });
    this.#queue = bulkhead(concurrency, concurrency * QUEUE);
  }

  async call<I extends z.core.$ZodShape, T>(endpoint: Endpoint<I, T>, input: InputOf<I>): Promise<T> {
    const begin = performance.now();
    const observe = (outcome: 'ok' | VendorError) =>
      this.#options.observe?.(endpoint.path, outcome, performance.now() - begin);
    try {
      const parsed = endpoint.input.parse(input) as Input;
      const data = await this.#sendInTurn(endpoint, parsed, begin + this.#deadlineMs);
      observe('ok');
      return data as T;
    } catch (error) {
      const failure = toVendorError(endpoint.path, error);
      observe(failure);
      throw failure;
    }
  }

  /** Ends the kept connections. */
  async close(): Promise<void> {
    await Promise.all([this.#pool.close(), this.#oncePool.close()]);
  }

  async #sendInTurn(endpoint: Endpoint, input: Input, deadline: number): Promise<unknown> {
    const { attempts = 3 } = this.#options;
    const circuit = this.#circuitOf(endpoint.path);
    const leftMs = () => deadline - performance.now();
    if (!endpoint.isRepeatable) {
      // What is sent has all the time it needs, or its outcome would be in doubt: the wait for its turn costs it nothing.
      const ms = () => (leftMs() > 0 ? this.#deadlineMs : 0);
      return this.#onceQueue.execute(() => circuit.execute(() => this.#send(endpoint, input, ms())));
    }
    const send = () => this.#send(endpoint, input, leftMs());
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#queue.execute(() => circuit.execute(send));
      } catch (error) {
        const waitMs = attempt < attempts ? repeatAfter(error, attempt) : undefined;
        if (waitMs === undefined || performance.now() + waitMs >= deadline) throw error;
        await delay(waitMs);
      }
    }
  }

  /** A refusal is an answer: only an endpoint that does not answer is left alone. */
  #circuitOf(path: string): CircuitBreakerPolicy {
    const known = this.#circuits.get(path);
    if (known) return known;
    const circuit = circuitBreaker(handleWhen(isDown), {
      halfOpenAfter: this.#openMs,
      breaker: new ConsecutiveBreaker(this.#openMs > 0 ? FAILURES : Infinity),
    });
    this.#circuits.set(path, circuit);
    return circuit;
  }

  async #send(endpoint: Endpoint, input: Input, ms: number): Promise<unknown> {
    // It was not its turn in time.
    if (ms <= 0) throw tooMany();
    const { method, path, isRepeatable } = endpoint;
    const isPost = method === 'POST';
    const query = isPost ? '' : new URLSearchParams(input as Record<string, string>).toString();
    const aborter = new AbortController();
    // Not AbortSignal.timeout, which lives on until its time is over.
    const timer = setTimeout(() => aborter.abort(), ms);
    try {
      // Redirects are not followed: they would carry the key to wherever they point.
      const { statusCode, headers, body } = await (isRepeatable ? this.#pool : this.#oncePool).request({
        method,
        path: `${this.#prefix}${path}${query && `?${query}`}`,
        headers: {
          'X-API-Key': this.#apiKey,
          Accept: 'application/json',
          ...(isPost && { 'Content-Type': 'application/json' }),
        },
        body: isPost ? JSON.stringify(input) : null,
        signal: aborter.signal,
        // A kept connection may break as the request goes out, and then nobody can tell whether it arrived.
        reset: !isRepeatable,
      });
      const retryAfterMs = millisecondsOf(headers['retry-after']?.toString());
      return parseResponse(endpoint, statusCode, await body.text(), retryAfterMs, this.#apiKey);
    } catch (error) {
      throw toVendorError(endpoint.path, error);
    } finally {
      clearTimeout(timer);
    }
  }
}

function isDown(error: Error): boolean {
  return error instanceof VendorError && (error.code === 'unreachable' || error.code === 'not-connected');
}

/** In how many milliseconds the request may be sent again; undefined: never. */
function repeatAfter(error: unknown, attempt: number): number | undefined {
  if (!(error instanceof VendorError)) return undefined;
  const random = 0.5 + Math.random();
  if (error.code === 'rate-limited')
    return (error.retryAfterMs ?? RATE_LIMIT_MS * random) + RETRY_MS * random;
  if (error.code === 'not-connected') return RETRY_MS * attempt * random;
  if (error.code !== 'unreachable') return undefined;
  // The vendor had closed a connection that was kept: the next one is new.
  return attempt === 1 && isReset(error.cause) ? 0 : RETRY_MS * attempt * random;
}

function isReset(error: unknown): boolean {
  return error instanceof errors.SocketError || codeOf(error) === 'ECONNRESET';
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function tooMany(cause?: unknown): VendorError {
  return new VendorError('busy', 'Too many requests to the vendor are under way.', { cause });
}

/** Whatever was thrown on the way, as the one kind of error callers know. */
function toVendorError(path: string, error: unknown): VendorError {
  if (error instanceof VendorError) return error;
  if (error instanceof z.core.$ZodError) {
    return new VendorError('not-sent', `${path} does not take this: ${listPaths(error, 'input')}.`);
  }
  if (error instanceof BulkheadRejectedError) return tooMany(error);
  if (error instanceof BrokenCircuitError) {
    const message = `The vendor's ${path} has failed repeatedly; it is tried again in a moment.`;
    return new VendorError('circuit-open', message);
  }
  if (error instanceof NotConnectedError) {
    const message = `The vendor cannot be reached: ${codeOf(error.cause) || 'no connection'}.`;
    return new VendorError('not-connected', message, { cause: error.cause });
  }
  const isLate = error instanceof Error && error.name === 'AbortError';
  const why = isLate ? 'no answer in time' : 'the connection failed';
  return new VendorError('unreachable', `The vendor's ${path} cannot be reached: ${why}.`, { cause: error });
}

const codeSchema = z.optional(z.unknown());
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

/** The data; @throws {VendorError} */
function parseResponse(
  { path, data }: Endpoint,
  status: number,
  body: string,
  retryAfterMs: number | undefined,
  apiKey: string,
): unknown {
  const json = parseJson(body);
  const fail = (code: VendorErrorCode, text: string, vendorCode?: number) => {
    const vendorMessage = messageIn(json, apiKey);
    const said = vendorMessage === undefined ? '' : `: “${vendorMessage}”`;
    const options = { vendorMessage, retryAfterMs, vendorCode };
    return new VendorError(code, `The vendor's ${path} ${text}${said}.`, options);
  };
  // Whatever the body says: the request was not looked at.
  if (status === 429) throw fail('rate-limited', 'is asked too often: HTTP 429');
  if (status >= 500 || status === 408 || (status >= 300 && status < 400)) {
    throw fail('unreachable', `is out of order: HTTP ${status}`);
  }
  const envelope = envelopeSchema.safeParse(json).data;
  const refusal = envelope && refusalIn(envelope);
  if (refusal || status >= 400) {
    if (!refusal && saysYes(envelope)) throw notUnderstood(path, `success behind HTTP ${status}`);
    const vendorCode = refusal ? numberOf(refusal.code) : status;
    throw fail('refused', `refused: error ${vendorCode ?? 'without a number'}`, vendorCode);
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

function messageIn(json: unknown, apiKey: string): string | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const fields: Readonly<Record<string, unknown>> = { ...json };
  for (const key of MESSAGE_KEYS) {
    const value = fields[key];
    const text =
      typeof value === 'object' ? messageIn(value, apiKey) : typeof value === 'string' ? value : undefined;
    if (text !== undefined && /\p{L}/u.test(text)) return printable(text.replaceAll(apiKey, '…'));
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

function listPaths({ issues }: z.core.$ZodError, root: string): string {
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
