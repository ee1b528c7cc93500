/** A small vendor, and a server of it in each language. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { startServer, type Environment } from './start-server.ts';

export const SALES = {
  hotline_name: 'Sales',
  hotline_number: '842899990001',
  hotline_code: 'HL',
  hotline_type: 'HOTLINE',
};
export const SUPPORT = { hotline_number: '842899990002', hotline_code: 'HS' };

interface Member {
  money: number;
  readonly hotlines: Set<string>;
}
type Body = Readonly<Record<string, unknown>>;
export type Reply = (response: ServerResponse) => unknown;
export interface Vendor {
  readonly url: string;
  apiKey: string;
  readonly members: Map<string, Member>;
  hotlines: object[];
  /** Whether a member's response lists their hotlines, and as what. */
  list: ((numbers: readonly string[]) => object) | undefined;
  /** Sees each request, and may respond in place of the vendor. */
  respond: (path: string, body: Body) => object | 'hang up' | 'cut' | Reply | undefined;
  readonly asked: string[];
}

export async function listen(t: TestContext, server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close().closeAllConnections());
  return (server.address() as AddressInfo).port;
}

export async function startVendor(t: TestContext): Promise<Vendor> {
  const members = new Map<string, Member>();
  const answer = (path: string, body: Body): object => {
    // Whether capitals make another member is not documented; here they do not.
    const memberNo = String(body['member_no']).toLowerCase();
    const member = members.get(memberNo);
    if (path === 'hotline/getAll') return { error: 0, data: vendor.hotlines };
    if (path === 'sdk/tokenSdk') {
      if (!member) members.set(memberNo, { money: 0, hotlines: new Set() });
      return { error: 0, data: 'a.b.c' };
    }
    if (!member) return { error: 1, message: 'unknown member' };
    if (path === 'member/addMoney') member.money += Number(body['money']);
    if (path === 'hotline/member/add') {
      assert.deepEqual([body['allow_call'], body['start_time'], body['end_time']], [true, '', '']);
      member.hotlines.add(String(body['hotline_number']));
    }
    const listed = vendor.list?.([...member.hotlines]);
    return {
      error: 0,
      data: { member_no: memberNo, member_name: 'An', member_money: member.money, ...listed },
    };
  };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://vendor.invalid');
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const path = url.pathname.replace('/v3.0/api/', '');
    const body = { ...Object.fromEntries(url.searchParams), ...(JSON.parse(text || '{}') as object) };
    assert.equal(request.headers['x-api-key'], vendor.apiKey);
    vendor.asked.push(path);
    const instead = vendor.respond(path, body);
    if (typeof instead === 'function') {
      instead(response);
      return;
    }
    if (instead !== 'hang up' && instead !== 'cut') {
      response.end(JSON.stringify(instead ?? answer(path, body)));
      return;
    }
    answer(path, body);
    if (instead === 'cut') response.writeHead(200, { 'Content-Length': 999 }).write('{"error": 0');
    setTimeout(() => request.socket.destroy(), 20);
  });
  const vendor: Vendor = {
    url: `http://127.0.0.1:${await listen(t, server)}/v3.0`,
    apiKey: 'key',
    members,
    hotlines: [SALES],
    list: undefined,
    respond: () => undefined,
    asked: [],
  };
  return vendor;
}

export async function paidFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'server-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'paid');
}

/** The server of this vendor, and what its agents are told. */
export async function start(t: TestContext, language: string, vendor: Vendor, more: Environment = {}) {
  const paid = await paidFolder(t);
  const server = await startServer(t, language, {
    VENDOR_BASE_URL: vendor.url,
    VENDOR_API_KEY: vendor.apiKey,
    AGENT_TOKENS:
      'secret:agent001  other:agent002 lonely nobody: :agent003 odd:agent001:agent002 big:AGENT001 number:7',
    PAID_DIR: paid,
    ...more,
  });
  const ask = async (token = 'secret', path = 'session', method = 'POST') => {
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(`${server?.url}${path}`, { method, headers });
    return { ...((await response.json()) as Record<string, unknown>), status: response.status } as Record<
      string,
      unknown
    >;
  };
  return server && { ...server, ask, paid };
}

export const payments = ({ asked }: Vendor) => asked.filter((path) => path === 'member/addMoney').length;
