/** Sends requests to the vendor, at most so many at once. Each call has a deadline, and ends with data or a VendorError. */
import { setTimeout as delay } from 'node:timers/promises';
import { bulkhead, BulkheadRejectedError } from 'cockatiel';
import { buildConnector, errors, Pool } from 'undici';
import * as z from 'zod/mini';
import { errorCode } from '../store/schema.ts';
import { startWatch } from '../watch.ts';
import { Circuit } from './circuit.ts';
import type { Endpoint, InputOf } from './endpoint.ts';
import { USUAL_FORMAT, type Format } from './envelope.ts';
import { VendorError } from './errors.ts';
import { readResponse, type Reading } from './response.ts';
import { describeBody, isPage, type Trace } from './shape.ts';

export interface Vendor {
  /** Ends in the version segment, e.g. `https://vendor.example/v3.0`. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

export interface VendorOptions {
  /** Milliseconds for one request, its retries and its body included. */
  readonly deadlineMs?: number;
  /** How often a request is sent at most, if it may be sent again. */
  readonly attempts?: number;
  /** Requests under way at once; eight times as many may wait, the others are refused. Requests that must not be repeated have up to 32 of their own. */
  readonly concurrency?: number | undefined;
  /** How it writes its responses. */
  readonly format?: Format | undefined;
  /** Milliseconds that an endpoint's circuit stays open after five failures in a row; 0: only circuits of requests that must not be repeated open. */
  readonly openMs?: number | undefined;
  /** Called after every request, with its outcome and its milliseconds. */
  readonly observe?: ((path: string, outcome: 'ok' | VendorError, ms: number) => void) | undefined;
  /** Called with the shape of every response. */
  readonly trace?: ((trace: Trace) => void) | undefined;
}

const CONNECT_MS = 2000;
const RETRY_MS = 200;
const RATE_LIMIT_MS = 1000;
const QUEUE = 8;
const OPEN_MS = 3000;
const MOST_PAYMENTS = 32;
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
/** Whatever fails before a connection is open, TLS included: the request cannot have been sent. */
class NotConnectedError extends Error {}

type Input = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Its methods throw a VendorError and nothing else. */
export class VendorClient {
  readonly #options: VendorOptions;
  readonly #deadlineMs: number;
  readonly #openMs: number;
  readonly #prefix: string;
  readonly #apiKey: string;
  readonly #origin: string;
  readonly format: Format;
  readonly #pool: Pool;
  /** For what must not be sent twice: it does not wait behind the rest. */
  readonly #oncePool: Pool;
  readonly #queue;
  readonly #onceQueue;
  readonly #circuits = new Map<string, Circuit>();

  constructor({ baseUrl, apiKey }: Vendor, options: VendorOptions = {}) {
    const { concurrency = 256, deadlineMs = 5000, openMs = OPEN_MS, format = USUAL_FORMAT } = options;
    const { origin, pathname } = new URL(baseUrl);
    this.#options = options;
    this.#deadlineMs = deadlineMs;
    this.#openMs = openMs;
    this.#prefix = pathname.replace(/\/*$/, '/');
    this.#apiKey = apiKey;
    this.#origin = origin;
    this.format = format;
    const open = buildConnector({ timeout: Math.min(CONNECT_MS, deadlineMs) });
    const connect: buildConnector.connector = (target, done) =>
      open(target, (...[failure, socket]) =>
        failure ? done(new NotConnectedError(undefined, { cause: failure }), null) : done(null, socket),
      );
    // The deadline of a call ends what takes too long, whichever part of it does.
    const limits = { connect, headersTimeout: 0, bodyTimeout: 0, maxResponseSize: MAX_RESPONSE_BYTES };
    this.#pool = new Pool(origin, { connections: concurrency, ...limits });
    const payments = Math.min(concurrency, MOST_PAYMENTS);
    this.#oncePool = new Pool(origin, { connections: payments, ...limits });
    this.#onceQueue = bulkhead(payments, Infinity);
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

  async close(): Promise<void> {
    await Promise.all([this.#pool.close(), this.#oncePool.close()]);
  }

  async #sendInTurn(endpoint: Endpoint, input: Input, deadline: number): Promise<unknown> {
    const { attempts = 3 } = this.#options;
    const circuit = this.#circuit(endpoint);
    if (!endpoint.isRepeatable) {
      // A timeout leaves the outcome in doubt: the whole deadline counts from the moment it is sent, not from the wait for its turn.
      const waited = startWatch();
      const ms = () => (waited() < this.#deadlineMs ? this.#deadlineMs : 0);
      return this.#onceQueue.execute(() => circuit.execute(() => this.#send(endpoint, input, ms())));
    }
    const send = () => this.#send(endpoint, input, deadline - performance.now());
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

  #circuit({ path, isRepeatable }: Endpoint): Circuit {
    const openMs = isRepeatable ? this.#openMs : this.#openMs || OPEN_MS;
    const circuit = this.#circuits.get(path) ?? new Circuit(path, openMs);
    this.#circuits.set(path, circuit);
    return circuit;
  }

  async #send(endpoint: Endpoint, input: Input, ms: number): Promise<unknown> {
    // Its turn came too late.
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
      return this.#read(endpoint, statusCode, headers, await body.text());
    } catch (error) {
      throw toVendorError(endpoint.path, error);
    } finally {
      clearTimeout(timer);
    }
  }

  #read(endpoint: Endpoint, status: number, headers: Headers, body: string): unknown {
    const isWhole = this.format.names.data[0] === '.' && body !== '' && !isPage(body);
    const json = parseJson(body) ?? (isWhole ? body : undefined);
    const retryAfterMs = parseRetryAfter(headers['retry-after']?.toString());
    const redirect = parseOrigin(headers['location']?.toString(), this.#origin);
    let reading: Reading | undefined;
    try {
      const response = { status, body, json, retryAfterMs, redirect };
      reading = readResponse(endpoint, this.format, response, this.#apiKey);
      return reading.data;
    } finally {
      const { method, path } = endpoint;
      this.#options.trace?.({
        method,
        path,
        status,
        response: describeBody(body, json, this.format, this.#apiKey),
        variants: reading?.variants ?? [],
      });
    }
  }
}

/** Milliseconds until the request may be sent again; undefined: never. */
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
  return error instanceof errors.SocketError || errorCode(error) === 'ECONNRESET';
}

function tooMany(cause?: unknown): VendorError {
  return new VendorError('busy', 'Too many requests to the vendor are in progress.', { cause });
}

/** Whatever was thrown on the way, as the one kind of error callers know. */
function toVendorError(path: string, error: unknown): VendorError {
  if (error instanceof VendorError) return error;
  if (error instanceof z.core.$ZodError) {
    const issues = error.issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`);
    return new VendorError('not-sent', `Invalid input for ${path}: ${issues.join(', ')}.`);
  }
  if (error instanceof BulkheadRejectedError) return tooMany(error);
  if (error instanceof NotConnectedError) {
    const message = `The vendor cannot be reached: ${errorCode(error.cause) || 'no connection'}.`;
    return new VendorError('not-connected', message, { cause: error.cause });
  }
  const isLate = error instanceof Error && error.name === 'AbortError';
  const why = isLate ? 'no response in time' : 'the connection failed';
  return new VendorError('unreachable', `The vendor's ${path} cannot be reached: ${why}.`, { cause: error });
}

/** `Retry-After` in seconds, or a date. */
function parseRetryAfter(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

function parseOrigin(location: string | undefined, base: string): string | undefined {
  return location !== undefined && URL.canParse(location, base) ? new URL(location, base).origin : undefined;
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
