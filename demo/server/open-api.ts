/** The vendor's Open API, typed: one row per endpoint, and every answer checked before anybody believes it. */
import ky, { HTTPError, type KyInstance } from 'ky';
import * as z from 'zod/mini';
import { envelopeSchema } from '../../src/broker/contract.ts';
import type { Vendor } from './environment.ts';
import { hotlineList, memberData, tokenData, type HotlineRow, type MemberRow } from './vendor-data.ts';

/** A number the vendor accepts; only this door makes one, so that no request carries anything else. */
export const memberNoSchema = z
  .string()
  .check(z.regex(/^[A-Za-z0-9]{1,64}$/))
  .brand<'MemberNo'>();
export type MemberNo = z.infer<typeof memberNoSchema>;

/**
 * - `unreachable`: no answer in time, or one that says the service is broken;
 * - `refused`: the vendor said no, `vendorCode` says why;
 * - `invalid-answer`: an answer that means nothing.
 */
export type VendorErrorCode = 'unreachable' | 'refused' | 'invalid-answer';

/** What went wrong at the vendor. Neither message nor cause ever holds the key, a token or the vendor's own words. */
export class VendorError extends Error {
  override readonly name = 'VendorError';
  readonly code: VendorErrorCode;
  readonly vendorCode: number | undefined;

  constructor(code: VendorErrorCode, message: string, options?: ErrorOptions & { vendorCode?: number }) {
    super(message, options);
    this.code = code;
    this.vendorCode = options?.vendorCode;
  }
}

interface Endpoint<T> {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly data: z.ZodMiniType<T>;
}

const HOTLINES: Endpoint<HotlineRow[]> = { method: 'get', path: 'api/hotline/getAll', data: hotlineList };
const TOKEN: Endpoint<string> = { method: 'post', path: 'api/sdk/tokenSdk', data: tokenData };
const MEMBER: Endpoint<MemberRow | null> = {
  method: 'get',
  path: 'api/member/getByMemberNo',
  data: z.nullable(memberData),
};
const MONEY: Endpoint<unknown> = { method: 'post', path: 'api/member/addMoney', data: z.unknown() };
const ASSIGNMENT: Endpoint<unknown> = { method: 'post', path: 'api/hotline/member/add', data: z.unknown() };

/** Milliseconds for one call, its retries and its body included. */
const DEADLINE_MS = 5000;

/** Every method throws a VendorError and nothing else. */
export class OpenApi {
  readonly #http: KyInstance;
  readonly #deadline: number;

  constructor(vendor: Vendor, deadline = DEADLINE_MS) {
    this.#deadline = deadline;
    this.#http = ky.create({
      prefixUrl: vendor.baseUrl,
      headers: { 'X-API-Key': vendor.apiKey, Accept: 'application/json' },
      // A redirect would carry the key to wherever it points.
      redirect: 'error',
      timeout: false,
      // Only reads: nobody can tell whether a POST without an answer was applied.
      retry: {
        limit: 2,
        methods: ['get'],
        delay: (attempt) => 200 * attempt,
        jitter: true,
        maxRetryAfter: 1000,
      },
    });
  }

  listHotlines(): Promise<HotlineRow[]> {
    return this.#call(HOTLINES, {});
  }

  /** Creates an unknown member, linked to the hotlines of these codes; a known member just gets a token. */
  issueToken(memberNo: MemberNo, hotlineCodes: readonly string[]): Promise<string> {
    return this.#call(TOKEN, { json: { member_no: memberNo, hotline_codes: hotlineCodes } });
  }

  async readMember(memberNo: MemberNo): Promise<MemberRow> {
    const member = await this.#call(MEMBER, { searchParams: { member_no: memberNo } });
    if (!member) throw new VendorError('refused', 'The vendor knows no such member.', { vendorCode: 404 });
    // Money decisions hang on this answer, so it has to be about the member we asked for.
    if (member.memberNo.toLowerCase() !== memberNo.toLowerCase()) {
      throw new VendorError('invalid-answer', 'The vendor answered about another member.');
    }
    return member;
  }

  /** Sent once; on any error but `refused` the money may have moved all the same. Only top-up.ts may call this. */
  async addMoney(memberNo: MemberNo, money: number): Promise<void> {
    await this.#call(MONEY, { json: { member_no: memberNo, money } });
  }

  /** By number, for all hours. "Exists already" counts as success. */
  async assignHotline(memberNo: MemberNo, hotlineNumber: string): Promise<void> {
    const times = { start_time: '', end_time: '' };
    const json = { member_no: memberNo, hotline_number: hotlineNumber, allow_call: true, ...times };
    try {
      await this.#call(ASSIGNMENT, { json });
    } catch (error) {
      if (!(error instanceof VendorError && error.vendorCode === 409)) throw error;
    }
  }

  async #call<T>(
    { method, path, data }: Endpoint<T>,
    input: { json?: object; searchParams?: Record<string, string> },
  ): Promise<T> {
    const signal = AbortSignal.timeout(this.#deadline);
    try {
      const response = await this.#http(path, { method, signal, ...input }).catch(asAnswer);
      return parseAnswer(path, response.status, await response.text(), data);
    } catch (error) {
      if (error instanceof VendorError) throw error;
      const why = signal.aborted ? `no answer within ${this.#deadline} ms` : 'the connection failed';
      throw new VendorError('unreachable', `The vendor's ${path} cannot be reached: ${why}.`, {
        cause: error,
      });
    }
  }
}

/** A refusal is an answer too. The error itself is dropped: it holds the request, and that holds the key. */
function asAnswer(error: unknown): Response {
  if (error instanceof HTTPError) return error.response;
  throw error;
}

function parseAnswer<T>(path: string, status: number, body: string, data: z.ZodMiniType<T>): T {
  const envelope = envelopeSchema.safeParse(parseJson(body));
  if (status >= 500)
    throw new VendorError('unreachable', `The vendor's ${path} is out of order: HTTP ${status}.`);
  if (!envelope.success) throw explainStatus(path, status);
  const vendorCode = envelope.data.error;
  if (vendorCode !== 0) {
    throw new VendorError('refused', `The vendor's ${path} refused: error ${vendorCode}.`, { vendorCode });
  }
  const result = data.safeParse(envelope.data.data);
  if (status < 400 && result.success) return result.data;
  // Only the paths: a value could be the token.
  const paths = result.error?.issues.map((issue) => issue.path.join('.') || 'data') ?? [`HTTP ${status}`];
  throw new VendorError('invalid-answer', `The vendor's ${path} is not understood: ${paths.join(', ')}.`);
}

function explainStatus(path: string, status: number): VendorError {
  if (status === 401 || status === 403) {
    return new VendorError('refused', `The vendor's ${path} refused: HTTP ${status}.`, {
      vendorCode: status,
    });
  }
  if (status === 408 || status === 429) {
    return new VendorError('unreachable', `The vendor's ${path} is too busy: HTTP ${status}.`);
  }
  return new VendorError(
    'invalid-answer',
    `The vendor's ${path} is not understood: no envelope, HTTP ${status}.`,
  );
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
