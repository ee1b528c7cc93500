/** Sends requests to the vendor: each has a deadline, and no more are under way at once than the vendor is to have. */
import {
  BrokenCircuitError,
  bulkhead,
  BulkheadRejectedError,
  circuitBreaker,
  ConsecutiveBreaker,
  DelegateBackoff,
  handleWhen,
  retry,
  type BulkheadPolicy,
  type CircuitBreakerPolicy,
  type RetryPolicy,
} from 'cockatiel';
import { errors, Pool } from 'undici';
import * as z from 'zod/mini';
import { listPaths, parseResponse, VendorError, type Endpoint } from './response.ts';

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

const DEADLINE_MS = 5000;
const CONNECT_MS = 2000;
const ATTEMPTS = 3;
const RETRY_MS = 200;
const RATE_LIMIT_MS = 1000;
const CONCURRENCY = 256;
const QUEUE = 8;
const FAILURES = 5;
const OPEN_MS = 3000;
const ONCE_CONNECTIONS = 32;
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
/** Codes of a connection that was never opened. */
const NEVER_OPENED = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/;

type InputOf<I extends z.core.$ZodShape> = z.input<z.ZodMiniObject<I, z.core.$strict>>;

/** A failure after which the same request is sent again. */
class Again extends Error {
  readonly waitMs: number;

  constructor(cause: VendorError, waitMs: number) {
    super(cause.message, { cause });
    this.waitMs = waitMs;
  }
}

/** Its methods throw a VendorError and nothing else. */
export class VendorClient {
  readonly #pool: Pool;
  readonly #oncePool: Pool;
  readonly #prefix: string;
  readonly #apiKey: string;
  readonly #deadlineMs: number;
  readonly #attempts: number;
  readonly #openMs: number;
  readonly #observe: VendorOptions['observe'];
  readonly #queue: BulkheadPolicy;
  readonly #retry: RetryPolicy;
  readonly #circuits = new Map<string, CircuitBreakerPolicy>();

  constructor(vendor: Vendor, options: VendorOptions = {}) {
    const { concurrency = CONCURRENCY, attempts = ATTEMPTS } = options;
    const { origin, pathname } = new URL(vendor.baseUrl);
    this.#deadlineMs = options.deadlineMs ?? DEADLINE_MS;
    const connect = { timeout: Math.min(CONNECT_MS, this.#deadlineMs) };
    // The deadline of a call ends what takes too long, whichever part of it does.
    const limits = { connect, headersTimeout: 0, bodyTimeout: 0, maxResponseSize: MAX_RESPONSE_BYTES };
    this.#pool = new Pool(origin, { connections: concurrency, ...limits });
    this.#oncePool = new Pool(origin, { connections: ONCE_CONNECTIONS, ...limits });
    this.#prefix = pathname.replace(/\/*$/, '/');
    this.#apiKey = vendor.apiKey;
    this.#attempts = attempts;
    this.#openMs = options.openMs ?? OPEN_MS;
    this.#observe = options.observe;
    this.#queue = bulkhead(concurrency, concurrency * QUEUE);
    this.#retry = retry(
      handleWhen((error) => error instanceof Again),
      {
        maxAttempts: attempts - 1,
        backoff: new DelegateBackoff(({ result }) =>
          'error' in result && result.error instanceof Again ? result.error.waitMs : 0,
        ),
      },
    );
  }

  async call<I extends z.core.$ZodShape, T>(endpoint: Endpoint<I, T>, input: InputOf<I>): Promise<T> {
    const begin = performance.now();
    try {
      const parsed = endpoint.input.parse(input) as Record<string, unknown>;
      const data = await this.#sendInTurn(endpoint, parsed, begin + this.#deadlineMs);
      this.#observe?.(endpoint.path, 'ok', performance.now() - begin);
      return data as T;
    } catch (error) {
      const failure = toVendorError(endpoint.path, error);
      this.#observe?.(endpoint.path, failure, performance.now() - begin);
      throw failure;
    }
  }

  /** Ends the kept connections. */
  async close(): Promise<void> {
    await Promise.all([this.#pool.close(), this.#oncePool.close()]);
  }

  /** What must not be sent twice, a payment above all, does not wait for its turn either. */
  #sendInTurn(endpoint: Endpoint, input: Record<string, unknown>, deadline: number): Promise<unknown> {
    const circuit = this.#circuitOf(endpoint.path);
    const send = () => this.#send(endpoint, input, deadline - performance.now());
    if (endpoint.repeat === 'never') return circuit.execute(send);
    return this.#retry.execute(async ({ attempt }) => {
      try {
        return await this.#queue.execute(() => circuit.execute(send));
      } catch (error) {
        const waitMs = repeatAfter(endpoint, error, attempt);
        const isLast = attempt + 1 >= this.#attempts;
        if (waitMs === undefined || isLast || performance.now() + waitMs >= deadline) throw error;
        throw new Again(error as VendorError, waitMs);
      }
    });
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

  async #send(endpoint: Endpoint, { ...input }: Record<string, unknown>, ms: number): Promise<unknown> {
    // It was not its turn in time.
    if (ms <= 0) throw tooMany();
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const part = encodeURIComponent(String(input[name]));
      delete input[name];
      return part;
    });
    const isPost = endpoint.method === 'POST';
    const query = isPost ? '' : new URLSearchParams(input as Record<string, string>).toString();
    const isOnce = endpoint.repeat === 'never';
    const aborter = new AbortController();
    const timer = setTimeout(() => aborter.abort(), ms);
    try {
      // Redirects are not followed: they would carry the key to wherever they point.
      const { statusCode, headers, body } = await (isOnce ? this.#oncePool : this.#pool).request({
        method: endpoint.method,
        path: `${this.#prefix}${path}${query && `?${query}`}`,
        headers: {
          'X-API-Key': this.#apiKey,
          Accept: 'application/json',
          ...(isPost && { 'Content-Type': 'application/json' }),
        },
        body: isPost ? JSON.stringify(input) : null,
        signal: aborter.signal,
        // A kept connection may break as the request goes out, and then nobody can tell whether it arrived.
        reset: isOnce,
      });
      const type = String(headers['content-type'] ?? '');
      if (type.startsWith('audio/') && statusCode === 200) {
        const audio = Buffer.from(await body.arrayBuffer()).toString('base64');
        return endpoint.data.parse(`data:${type};base64,${audio}`);
      }
      const retryAfter = headers['retry-after']?.toString();
      return parseResponse(endpoint, { status: statusCode, retryAfter, body: await body.text() });
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
function repeatAfter({ repeat }: Endpoint, error: unknown, attempt: number): number | undefined {
  if (!(error instanceof VendorError)) return undefined;
  const random = 0.5 + Math.random();
  if (error.code === 'rate-limited')
    return (error.retryAfterMs ?? RATE_LIMIT_MS * random) + RETRY_MS * random;
  if (error.code === 'not-connected') return RETRY_MS * (attempt + 1) * random;
  if (error.code !== 'unreachable' || repeat !== 'always') return undefined;
  // The vendor had closed a connection that was kept: the next one is new.
  if (attempt === 0 && error.cause instanceof Error && isReset(error.cause)) return 0;
  return RETRY_MS * (attempt + 1) * random;
}

function isReset(error: Error): boolean {
  return error instanceof errors.SocketError || ('code' in error && error.code === 'ECONNRESET');
}

function tooMany(cause?: unknown): VendorError {
  return new VendorError('busy', 'Too many requests to the vendor are under way.', { cause });
}

/** Whatever was thrown on the way, as the one kind of error callers know. */
function toVendorError(path: string, error: unknown): VendorError {
  if (error instanceof VendorError) return error;
  if (error instanceof Again) return error.cause as VendorError;
  if (error instanceof z.core.$ZodError) {
    return new VendorError('not-sent', `${path} does not take this: ${listPaths(error, 'input')}.`);
  }
  if (error instanceof BulkheadRejectedError) return tooMany(error);
  if (error instanceof BrokenCircuitError) {
    const message = `The vendor's ${path} has failed repeatedly; it is tried again in a moment.`;
    return new VendorError('circuit-open', message);
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (NEVER_OPENED.test(code)) {
    return new VendorError('not-connected', `The vendor cannot be reached: ${code}.`, { cause: error });
  }
  const why =
    error instanceof Error && error.name === 'AbortError' ? 'no answer in time' : 'the connection failed';
  return new VendorError('unreachable', `The vendor's ${path} cannot be reached: ${why}.`, { cause: error });
}
