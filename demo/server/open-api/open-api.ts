/** The vendor's Open API, typed: every answer is checked before anybody believes it. */
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { explain, parseAnswer, VendorError, type Endpoint } from './response.ts';
import type { HotlineRow, MemberRow } from './data.ts';
import { exchange } from './request.ts';
import type { MemberNo } from './shapes.ts';
import { ENDPOINTS, type Endpoints, type Operation } from './endpoints.ts';

export { VendorError, type VendorErrorCode } from './response.ts';
export { memberNoSchema, type MemberNo } from './shapes.ts';

export interface Vendor {
  /** Ends in the version segment, e.g. `https://vendor.example/v3.0`. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

export interface OpenApiOptions {
  /** Milliseconds for one call, its retries and its body included. */
  readonly deadline?: number;
  /** Told of every call, its outcome and its milliseconds. */
  readonly observe?: (operation: Operation, outcome: 'ok' | VendorError, ms: number) => void;
}

const READ_ATTEMPTS = 3;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
const SOCKETS = 256;
/** More than this under way means that the vendor has stopped answering; queueing on would only take us down too. */
const MAX_CALLS = 2000;

/** Every method throws a VendorError and nothing else. */
export class OpenApi {
  /** All of the vendor's endpoints; the methods below are the ones with a rule of their own. */
  readonly endpoints: Endpoints;
  readonly #pool: Pool;
  readonly #prefix: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #jsonHeaders: Readonly<Record<string, string>>;
  readonly #deadline: number;
  readonly #observe: OpenApiOptions['observe'];
  #calls = 0;

  constructor(vendor: Vendor, { deadline = 5000, observe }: OpenApiOptions = {}) {
    const { origin, pathname } = new URL(vendor.baseUrl);
    // The deadline below ends what takes too long, whichever part of it does.
    const timeouts = { headersTimeout: 0, bodyTimeout: 0, connectTimeout: deadline };
    this.#pool = new Pool(origin, { connections: SOCKETS, maxResponseSize: MAX_ANSWER_BYTES, ...timeouts });
    this.#prefix = pathname.replace(/\/*$/, '/');
    this.#headers = { 'X-API-Key': vendor.apiKey, Accept: 'application/json' };
    this.#jsonHeaders = { ...this.#headers, 'Content-Type': 'application/json' };
    this.#deadline = deadline;
    this.#observe = observe;
    const rows = Object.entries(ENDPOINTS) as [Operation, Endpoint][];
    this.endpoints = Object.fromEntries(
      rows.map(([name, row]) => [name, (input: unknown) => this.#call(name, row, input)]),
    ) as unknown as Endpoints;
  }

  listHotlines(): Promise<HotlineRow[]> {
    return this.endpoints.listHotlines({});
  }

  /** Creates an unknown member, linked to the hotlines of these codes; a known member just gets a token. */
  issueToken(memberNo: MemberNo, hotlineCodes: readonly string[]): Promise<string> {
    return this.endpoints.issueToken({ member_no: memberNo, hotline_codes: [...hotlineCodes] });
  }

  async readMember(memberNo: MemberNo): Promise<MemberRow> {
    const member = await this.endpoints.readMember({ member_no: memberNo });
    if (!member) throw new VendorError('refused', 'The vendor knows no such member.', { vendorCode: 404 });
    // Money decisions hang on this answer, so it has to be about the member we asked for.
    if (member.memberNo.toLowerCase() !== memberNo.toLowerCase()) {
      throw new VendorError('invalid-answer', 'The vendor answered about another member.');
    }
    return member;
  }

  /** Sent once; on any error but `refused` the money may have moved all the same. Only top-up.ts may call this. */
  async addMoney(memberNo: MemberNo, money: number): Promise<void> {
    await this.endpoints.addMoney({ member_no: memberNo, money });
  }

  /** By number, for all hours. "Exists already" counts as success. */
  async assignHotline(memberNo: MemberNo, hotlineNumber: string): Promise<void> {
    const whom = { member_no: memberNo, hotline_number: hotlineNumber };
    try {
      await this.endpoints.assignHotline({ ...whom, allow_call: true, start_time: '', end_time: '' });
    } catch (error) {
      if (!(error instanceof VendorError && error.vendorCode === 409)) throw error;
    }
  }

  /** VND on the partner's own account, which top-ups are paid from. */
  adminBalance(): Promise<number> {
    return this.endpoints.readAdminBalance({});
  }

  /** Ends the kept connections. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  async #call(operation: Operation, row: Endpoint, input: unknown): Promise<unknown> {
    const begin = performance.now();
    this.#calls += 1;
    try {
      if (this.#calls > MAX_CALLS) throw new VendorError('unreachable', 'Too many calls are under way.');
      const data = await this.#attempt(row, row.input.parse(input), begin + this.#deadline);
      this.#observe?.(operation, 'ok', performance.now() - begin);
      return data;
    } catch (error) {
      const failure = explain(row.path, error);
      this.#observe?.(operation, failure, performance.now() - begin);
      throw failure;
    } finally {
      this.#calls -= 1;
    }
  }

  /** Only reads are tried again: nobody can tell whether a POST without an answer was applied. */
  async #attempt(
    row: Endpoint,
    input: Record<string, unknown>,
    deadline: number,
    attempt = 1,
  ): Promise<unknown> {
    try {
      return await this.#send(row, input, deadline - performance.now());
    } catch (error) {
      const answered = error instanceof VendorError && error.code !== 'unreachable';
      const wait = 200 * attempt * (0.5 + Math.random());
      const late = performance.now() + wait >= deadline;
      if (answered || row.method === 'POST' || attempt >= READ_ATTEMPTS || late) throw error;
      await delay(wait);
      return await this.#attempt(row, input, deadline, attempt + 1);
    }
  }

  async #send(row: Endpoint, { ...input }: Record<string, unknown>, ms: number): Promise<unknown> {
    const path = row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const part = encodeURIComponent(String(input[name]));
      delete input[name];
      return part;
    });
    const post = row.method === 'POST';
    const query = post ? '' : new URLSearchParams(input as Record<string, string>).toString();
    const request = {
      method: row.method,
      path: `${this.#prefix}${path}${query && `?${query}`}`,
      headers: post ? this.#jsonHeaders : this.#headers,
      body: post ? JSON.stringify(input) : null,
    };
    const { status, type, body } = await exchange(this.#pool, request, ms);
    if (type.startsWith('audio/') && status === 200) {
      return row.data.parse(`data:${type};base64,${body.toString('base64')}`);
    }
    return parseAnswer(row, status, body.toString());
  }
}
