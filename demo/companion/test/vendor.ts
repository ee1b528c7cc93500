/** A vendor in memory, behind a real port: just what the companion asks, and the faults that tests want. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import type { Vendor } from '../vbot/client.ts';
import { startServer } from './free-port.ts';

export type Ending = Pick<TestContext, 'after'>;

interface StubMember {
  balance: number;
  /** Numbers; undefined: the answer does not tell. */
  hotlines: string[] | undefined;
  /** More fields of the response. */
  fields: Record<string, unknown>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** Text is sent as it is; everything else as JSON. */
  readonly body: unknown;
}

/** `drop` never does what was asked, `drop-after` does it; neither answers. `answer` replies instead of doing it. */
export type Fault = { times?: number } & (
  | { kind: 'drop' | 'drop-after' | 'garbage' | 'silent' }
  | { kind: 'status'; value: number; body?: unknown; headers?: Record<string, string> }
  | { kind: 'error'; value: number | string; message?: string }
  | { kind: 'answer' | 'answer-after'; body: unknown; status?: number }
);

export interface StubRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Record<string, unknown>;
  readonly headers: IncomingMessage['headers'];
}

export const KEY = 'a-very-secret-key';
export const HOTLINES = [
  {
    hotline_name: 'Sales',
    hotline_number: '842899990001',
    hotline_code: 'HL_SALES',
    hotline_type: 'HOTLINE',
  },
  { hotline_name: 'Care', hotline_number: '842899990002', hotline_code: 'HL_CARE', hotline_type: 'ALIAS' },
];
export const PATHS = {
  hotlines: '/api/hotline/getAll',
  token: '/api/sdk/tokenSdk',
  member: '/api/member/getByMemberNo',
  money: '/api/member/addMoney',
  assign: '/api/hotline/member/add',
  admin: '/api/account/balance',
} as const;

export class StubVendor implements Vendor {
  readonly apiKey = KEY;
  baseUrl = '';
  readonly members = new Map<string, StubMember>();
  hotlines: Record<string, unknown>[] = HOTLINES;
  adminBalance = 1_000_000;
  /** Whether responses list a member's hotlines. */
  tellsHotlines = true;
  /** VND of every payment that was made, by member. */
  readonly paid: { readonly memberNo: string; readonly vnd: number }[] = [];
  readonly requests: StubRequest[] = [];
  readonly faults = new Map<string, Fault>();
  /** The data of further endpoints. */
  readonly routes = new Map<string, (request: StubRequest) => unknown>();
  /** Is called before a request is answered. */
  before: (request: StubRequest) => unknown = () => undefined;
  /** Writes a response anew. */
  rewrite: (request: StubRequest, reply: Reply) => Reply = (_, reply) => reply;

  add(memberNo: string, member: Partial<StubMember> = {}): StubMember {
    const made = { balance: 0, hotlines: [], fields: {}, ...member };
    this.members.set(memberNo, made);
    return made;
  }

  asked(path: string): number {
    return this.requests.filter((request) => request.path === path).length;
  }

  async answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://vendor');
    const body = await text(incoming);
    const request: StubRequest = {
      method: incoming.method ?? '',
      path: pathname.replace('/v3.0', ''),
      query: searchParams,
      body: body === '' ? {} : (JSON.parse(body) as Record<string, unknown>),
      headers: incoming.headers,
    };
    this.requests.push(request);
    await this.before(request);
    const fault = this.#takeFault(request.path);
    if (fault?.kind === 'silent') return;
    if (fault?.kind === 'drop') return void incoming.socket.destroy();
    const isDone = !fault || fault.kind.endsWith('-after') || fault.kind === 'garbage';
    const reply = isDone && (fault?.kind !== 'garbage' || incoming.method === 'GET') ? this.#do(request) : {};
    if (fault?.kind === 'drop-after') return void incoming.socket.destroy();
    if (fault?.kind === 'garbage') return void response.end('<html>');
    const json = (status: number, content: unknown, headers = {}) =>
      response
        .writeHead(status, { 'Content-Type': 'application/json', ...headers })
        .end(JSON.stringify(content));
    if (fault?.kind === 'status') return void json(fault.value, fault.body ?? {}, fault.headers);
    if (fault?.kind === 'error') {
      return void json(200, { error: fault.value, message: fault.message ?? 'no', data: null });
    }
    if (fault && 'body' in fault) return void json(fault.status ?? 200, fault.body);
    const {
      status,
      headers,
      body: written,
    } = this.rewrite(request, { status: 200, headers: {}, body: reply });
    if (typeof written !== 'string') return void json(status, written, headers);
    response.writeHead(status, headers).end(written);
  }

  #takeFault(path: string): Fault | undefined {
    const fault = this.faults.get(path);
    if (fault?.times !== undefined && (fault.times -= 1) <= 0) this.faults.delete(path);
    return fault;
  }

  #do(request: StubRequest): object {
    const { path, query, body, headers } = request;
    if (headers['x-api-key'] !== KEY)
      return { error: 401, message: 'The key abc is not accepted', data: null };
    const memberNo = String(query.get('member_no') ?? body['member_no']);
    const member = this.members.get(memberNo);
    const route = this.routes.get(path);
    if (route) return yes(route(request));
    switch (path) {
      case PATHS.hotlines:
        return yes(this.hotlines);
      case PATHS.admin:
        return yes(this.adminBalance);
      case PATHS.token: {
        const codes = (body['hotline_codes'] ?? []) as string[];
        const numbers = this.hotlines.filter((one) => codes.includes(String(one['hotline_code'])));
        if (!member) this.add(memberNo, { hotlines: numbers.map((one) => String(one['hotline_number'])) });
        return yes('eyJ.token.of-the-stub');
      }
      default:
        if (!member) return { error: 404, message: 'Member does not exist', data: null };
    }
    if (path === PATHS.money) {
      const vnd = Number(body['money']);
      if (this.adminBalance < vnd) return { error: 402, message: 'not enough money', data: null };
      this.adminBalance -= vnd;
      member.balance += vnd;
      this.paid.push({ memberNo, vnd });
      return yes('');
    }
    if (path === PATHS.assign) {
      member.hotlines = [...(member.hotlines ?? []), String(body['hotline_number'])];
      return yes(true);
    }
    return yes({
      member_no: memberNo,
      member_name: 'An',
      member_ext_number: 101,
      member_status: 1,
      member_money: member.balance,
      ...(this.tellsHotlines && { hotlines: member.hotlines }),
      ...member.fields,
    });
  }
}

/** Serves it until the test ends. */
export async function startVendor(t: Ending): Promise<StubVendor> {
  const vendor = new StubVendor();
  const server = createServer((incoming, response) => void vendor.answer(incoming, response));
  vendor.baseUrl = `${await startServer(server, t)}/v3.0`;
  return vendor;
}

function yes(data: unknown): object {
  return { error: 0, message: 'success', data };
}
