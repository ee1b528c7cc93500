/** Sends requests to the vendor: each has a deadline, reads are retried, and only so many are under way at once. */
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type * as z from 'zod/mini';
import { Circuit, OPEN_MS } from './circuit.ts';
import { send } from './request.ts';
import { parseResponse, toVendorError, VendorError, type Endpoint } from './response.ts';

export interface Vendor {
  /** Ends in the version segment, e.g. `https://vendor.example/v3.0`. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

export interface VendorOptions {
  /** Milliseconds for one call, its retries, its time in the queue and its body included. */
  readonly deadline?: number;
  /** How often a read is sent at most. */
  readonly attempts?: number;
  /** Requests under way at once; eight times as many are taken, the others refused. */
  readonly concurrency?: number | undefined;
  /** Milliseconds for which an endpoint that fails again and again is left alone; 0: it never is. */
  readonly openMs?: number;
  /** Told of every call, its outcome and its milliseconds. */
  readonly observe?: ((path: string, outcome: 'ok' | VendorError, ms: number) => void) | undefined;
}

const READ_ATTEMPTS = 3;
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
/** Requests that the vendor has at once; the others wait in the pool's queue. */
const CONCURRENCY = 256;
/** With so many times more waiting, the vendor is behind; queueing on would only take us down too. */
const QUEUE = 8;

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
  readonly #maxCalls: number;
  readonly #openMs: number;
  readonly #circuits = new Map<string, Circuit>();
  #calls = 0;

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
    this.#maxCalls = concurrency * QUEUE;
    this.#openMs = openMs;
    this.#observe = observe;
  }

  async call<I extends z.core.$ZodShape, T>(endpoint: Endpoint<I, T>, input: InputOf<I>): Promise<T> {
    const begin = performance.now();
    this.#calls += 1;
    try {
      const parsed = endpoint.input.parse(input) as Record<string, unknown>;
      const data = await this.#guarded(endpoint, parsed, begin + this.#deadline);
      this.#observe?.(endpoint.path, 'ok', performance.now() - begin);
      return data as T;
    } catch (error) {
      const failure = toVendorError(endpoint.path, error);
      this.#observe?.(endpoint.path, failure, performance.now() - begin);
      throw failure;
    } finally {
      this.#calls -= 1;
    }
  }

  /** Ends the kept connections. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  async #guarded(endpoint: Endpoint, input: Record<string, unknown>, deadline: number): Promise<unknown> {
    if (this.#calls > this.#maxCalls)
      throw new VendorError('busy', 'Too many requests to the vendor are under way.');
    const circuit = this.#circuitOf(endpoint.path);
    if (!circuit.allows()) {
      throw new VendorError(
        'circuit-open',
        `The vendor's ${endpoint.path} has failed repeatedly; it is tried again in a moment.`,
      );
    }
    try {
      const data = await this.#attempt(endpoint, input, deadline);
      circuit.succeeded();
      return data;
    } catch (error) {
      // A refusal is an answer; only an endpoint that does not answer is left alone.
      if (error instanceof VendorError && error.code !== 'unreachable') circuit.succeeded();
      else circuit.failed();
      throw error;
    }
  }

  #circuitOf(path: string): Circuit {
    const known = this.#circuits.get(path) ?? new Circuit(this.#openMs);
    this.#circuits.set(path, known);
    return known;
  }

  /** Only reads are tried again: nobody can tell whether a write without an answer was applied. */
  async #attempt(
    endpoint: Endpoint,
    input: Record<string, unknown>,
    deadline: number,
    attempt = 1,
  ): Promise<unknown> {
    try {
      return await this.#send(endpoint, input, deadline - performance.now());
    } catch (error) {
      const answered = error instanceof VendorError && error.code !== 'unreachable';
      const wait = 200 * attempt * (0.5 + Math.random());
      const late = performance.now() + wait >= deadline;
      if (answered || !endpoint.isRead || attempt >= this.#attempts || late) throw error;
      await delay(wait);
      return await this.#attempt(endpoint, input, deadline, attempt + 1);
    }
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
