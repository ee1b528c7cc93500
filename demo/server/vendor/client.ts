/** Sends requests to the vendor: each has a deadline, reads are retried, and none is sent faster than the vendor takes it. */
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type * as z from 'zod/mini';
import { Circuit, OPEN_MS } from './circuit.ts';
import { Pace } from './pace.ts';
import { send } from './request.ts';
import { parseResponse, toVendorError, VendorError, type Endpoint } from './response.ts';

export interface Vendor {
  /** Ends in the version segment, e.g. `https://vendor.example/v3.0`. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

export interface VendorOptions {
  /** Milliseconds for one call from when it is its turn, its retries and its body included. */
  readonly deadline?: number;
  /** How often a read is sent at most. */
  readonly attempts?: number;
  /** Requests under way at once; eight times as many may wait, the others are refused. */
  readonly concurrency?: number | undefined;
  /** Milliseconds for which an endpoint that fails again and again is left alone; 0: it never is. */
  readonly openMs?: number;
  /** Told of every call, its outcome and its milliseconds. */
  readonly observe?: ((path: string, outcome: 'ok' | VendorError, ms: number) => void) | undefined;
}

const READ_ATTEMPTS = 3;
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
/** Requests that the vendor has at once. */
const CONCURRENCY = 256;

type InputOf<I extends z.core.$ZodShape> = z.input<z.ZodMiniObject<I, z.core.$strict>>;

/** Its methods throw a VendorError and nothing else. */
export class VendorClient {
  readonly #pool: Pool;
  readonly #prefix: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #jsonHeaders: Readonly<Record<string, string>>;
  readonly #deadline: number;
  readonly #attempts: number;
  readonly #observe: VendorOptions['observe'];
  readonly #pace: Pace;
  readonly #openMs: number;
  readonly #circuits = new Map<string, Circuit>();

  constructor(vendor: Vendor, options: VendorOptions = {}) {
    const { deadline = 5000, attempts = READ_ATTEMPTS, concurrency = CONCURRENCY } = options;
    const { openMs = OPEN_MS, observe } = options;
    const { origin, pathname } = new URL(vendor.baseUrl);
    // The deadline below ends what takes too long, whichever part of it does.
    const timeouts = { headersTimeout: 0, bodyTimeout: 0, connectTimeout: deadline };
    this.#pool = new Pool(origin, {
      connections: concurrency,
      maxResponseSize: MAX_RESPONSE_BYTES,
      ...timeouts,
    });
    this.#prefix = pathname.replace(/\/*$/, '/');
    this.#headers = { 'X-API-Key': vendor.apiKey, Accept: 'application/json' };
    this.#jsonHeaders = { ...this.#headers, 'Content-Type': 'application/json' };
    this.#deadline = deadline;
    this.#attempts = attempts;
    this.#pace = new Pace(concurrency);
    this.#openMs = openMs;
    this.#observe = observe;
  }

  async call<I extends z.core.$ZodShape, T>(endpoint: Endpoint<I, T>, input: InputOf<I>): Promise<T> {
    const begin = performance.now();
    try {
      const parsed = endpoint.input.parse(input) as Record<string, unknown>;
      const data = await this.#attempt(endpoint, parsed);
      this.#observe?.(endpoint.path, 'ok', performance.now() - begin);
      return data as T;
    } catch (error) {
      const failure = toVendorError(endpoint.path, error);
      this.#observe?.(endpoint.path, failure, performance.now() - begin);
      throw failure;
    }
  }

  /** @throws {VendorError} `busy` when a request would not get its turn in time */
  admit(): void {
    this.#pace.admit();
  }

  /** Ends the kept connections. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  /** Nobody can tell whether a POST without an answer was applied, so only reads are tried again. */
  async #attempt(
    endpoint: Endpoint,
    input: Record<string, unknown>,
    attempt = 1,
    deadline = Infinity,
  ): Promise<unknown> {
    const circuit = this.#circuitOf(endpoint.path);
    // Before it waits for its turn, and again when it is.
    circuit.check();
    let until = deadline;
    try {
      return await this.#pace.run(() => {
        until = Math.min(deadline, performance.now() + this.#deadline);
        return circuit.run(() => this.#send(endpoint, input, until - performance.now()));
      });
    } catch (error) {
      const wait = 200 * attempt * (0.5 + Math.random());
      const late = performance.now() + wait >= until;
      if (!mayRepeat(endpoint, error) || attempt >= this.#attempts || late) throw error;
      await delay(wait);
      return await this.#attempt(endpoint, input, attempt + 1, until);
    }
  }

  #circuitOf(path: string): Circuit {
    const known = this.#circuits.get(path) ?? new Circuit(path, this.#openMs);
    this.#circuits.set(path, known);
    return known;
  }

  async #send(endpoint: Endpoint, { ...input }: Record<string, unknown>, ms: number): Promise<unknown> {
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const part = encodeURIComponent(String(input[name]));
      delete input[name];
      return part;
    });
    const isPost = endpoint.method === 'POST';
    const query = isPost ? '' : new URLSearchParams(input as Record<string, string>).toString();
    const request = {
      method: endpoint.method,
      path: `${this.#prefix}${path}${query && `?${query}`}`,
      headers: isPost ? this.#jsonHeaders : this.#headers,
      body: isPost ? JSON.stringify(input) : null,
    };
    const { status, type, body } = await send(this.#pool, request, ms);
    if (type.startsWith('audio/') && status === 200) {
      return endpoint.data.parse(`data:${type};base64,${body.toString('base64')}`);
    }
    return parseResponse(endpoint, status, body.toString());
  }
}

function mayRepeat({ isRead, isRepeatable = isRead }: Endpoint, error: unknown): boolean {
  const code = error instanceof VendorError ? error.code : 'unreachable';
  return code === 'rate-limited' ? isRepeatable : code === 'unreachable' && isRead;
}
