/**
 * The vendor as it may really be. The document shows requests and successes, but no failures, no time formats and no body of
 * an action; the usual responses of the sandbox are a guess. With the setting `strangeVendor`, one of many other guesses is
 * drawn from its seed, and every response is written anew by it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Context, MiddlewareHandler } from 'hono';
import * as z from 'zod/mini';
import type { Hotline, Member, World } from '../world/world.ts';
import { readJson } from './envelope.ts';
import type { VendorEnv } from './faults.ts';

interface Reply {
  readonly status: number;
  /** Text is sent as it is, undefined as no body; everything else as JSON. */
  readonly body: unknown;
}
type WriteFailure = (code: number, message: string) => Reply;

/** Each list holds what the document leaves open; a vendor has one entry of each. */
const UNKNOWN_MEMBER: readonly Reply[] = [
  { status: 200, body: { error: 1, message: 'Member does not exist' } },
  { status: 200, body: { error: 400, message: 'member_no is invalid', data: null } },
  { status: 400, body: { error: 400, message: 'Không tìm thấy thành viên', data: null } },
  { status: 404, body: { message: 'Not Found' } },
  { status: 200, body: { error: 0, message: 'success', data: null } },
  { status: 500, body: { error: 500, message: 'Object reference not set', data: null } },
];

const FAILURES: Readonly<Record<string, WriteFailure>> = {
  'message only': (code, message) => ({ status: 200, body: { error: code, message } }),
  'status mirrored': (code, message) => ({
    status: httpStatus(code),
    body: { error: code, message, data: null },
  }),
  'data is text': (code, message) => ({
    status: 200,
    body: { error: code, message: 'error', data: message },
  }),
  'one code for all': (_, message) => ({ status: 200, body: { error: 1, message, data: null } }),
  'no envelope': (code, message) => ({
    status: httpStatus(code),
    body: { title: message, traceId: '00-4bf9-01' },
  }),
};

/** What addMoney and hotline/member/add respond once they have done their work. */
const DONE: Readonly<Record<string, Reply>> = {
  envelope: { status: 200, body: { error: 0, message: 'Success', data: 'OK' } },
  'no data': { status: 200, body: { error: 0, message: 'success' } },
  created: { status: 201, body: { error: 0, message: 'created', data: { id: 71 } } },
  unwrapped: { status: 200, body: true },
  text: { status: 200, body: 'OK' },
  empty: { status: 200, body: undefined },
  'no content': { status: 204, body: undefined },
  'other envelope': { status: 200, body: { status: 200, msg: 'Success', errorCode: 0, data: true } },
};

const ACTIONS = ['/api/member/addMoney', '/api/hotline/member/add'];

/** A hotline that the token has linked is assigned a second time. */
const LINKED_ALREADY: Readonly<Record<string, Reply | undefined>> = {
  'as done': undefined,
  'error 409': { status: 200, body: { error: 409, message: 'Hotline is already assigned', data: false } },
  'error 1': { status: 200, body: { error: 1, message: 'Thành viên đã được gán hotline', data: null } },
  'status 400': { status: 400, body: { error: -1, message: 'duplicate', data: null } },
};

const HOTLINE_LISTS: Readonly<Record<string, (hotlines: readonly Hotline[]) => object>> = {
  absent: () => ({}),
  hotlines: (all) => ({ hotlines: all.map(({ number }) => ({ hotline_number: number })) }),
  hotline_numbers: (all) => ({ hotline_numbers: all.map(({ number }) => number) }),
  list_hotline: (all) => ({ list_hotline: all.map(({ name, number, code }) => ({ name, number, code })) }),
  member_hotlines: (all) => ({
    member_hotlines: all.map(({ code }) => ({ hotline_code: code, allow_call: true })),
  }),
  hotline: (all) => ({ hotline: all.map(({ number }) => number).join(',') }),
  national: (all) => ({
    hotlines: all.map(({ number }) => ({ hotline_number: number.replace(/^84/, '0') })),
  }),
};

const EXPIRIES: readonly unknown[] = [
  '2099-12-31T17:00:00Z',
  '0001-01-01T00:00:00',
  '1970-01-01T00:00:00Z',
  '31/12/2099 23:59:59',
  'unlimited',
  '',
  0,
  null,
  undefined,
  4_102_419_600_000,
];

const DRAWN = {
  unknownMember: UNKNOWN_MEMBER.map((_, index) => index),
  failure: Object.keys(FAILURES),
  done: Object.keys(DONE),
  linkedAlready: Object.keys(LINKED_ALREADY),
  hotlineList: Object.keys(HOTLINE_LISTS),
  expiry: EXPIRIES.map((_, index) => index),
  codesOfToken: ['linked', 'ignored'],
  money: ['number', 'text'],
  tokenAfterMs: [0, 150, 400],
  memberAfterMs: [0, 100],
  hotlineOrder: ['as listed', 'reversed'],
  extraFields: [false, true],
} as const;

export type StrangeVendor = { readonly [K in keyof typeof DRAWN]: (typeof DRAWN)[K][number] };

/** The same seed draws the same vendor. */
export function drawStrangeVendor(seed: number): StrangeVendor {
  let state = seed;
  // mulberry32
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const entries = Object.entries(DRAWN).map(([name, choices]) => [
    name,
    choices[Math.floor(random() * choices.length)],
  ]);
  return Object.fromEntries(entries) as StrangeVendor;
}

const successSchema = z.object({ error: z.literal(0), data: z.unknown() });
const failureSchema = z.object({ error: z.number(), message: z.string() });
const askedSchema = z.object({ member_no: z.string(), hotline_number: z.optional(z.string()) });

/** Writes the responses of hotlines, members, money and tokens anew, after the usual ones were made. */
export function strangeVendor(world: World): MiddlewareHandler<VendorEnv> {
  const visibleFrom = new Map<string, number>();
  return async (c, next) => {
    const seed = world.settings.strangeVendor;
    if (seed === 0) return next();
    const vendor = drawStrangeVendor(seed);
    const path = c.req.path.replace(/^.*\/v\d+\.\d+/, '');
    const asked = askedSchema.safeParse(c.req.method === 'GET' ? c.req.query() : await readJson(c)).data;
    const memberNo = asked?.member_no ?? '';
    const before = world.members.get(memberNo);
    const wasLinked = before?.assignments.some(({ number }) => number === asked?.hotline_number);
    if (path === '/api/sdk/tokenSdk') await delay(vendor.tokenAfterMs);
    await next();
    const member = world.members.get(memberNo);
    if (member && !before) {
      visibleFrom.set(memberNo, Date.now() + vendor.memberAfterMs);
      if (vendor.codesOfToken === 'ignored') world.setAssignments(member, []);
    }
    const isVisible = (visibleFrom.get(memberNo) ?? 0) <= Date.now();
    const usual: unknown = await c.res.clone().json();
    const { data: failure } = failureSchema.safeParse(usual);
    const { data: success } = successSchema.safeParse(usual);
    if (path === '/api/member/getByMemberNo' && !(member && isVisible))
      reply(c, UNKNOWN_MEMBER[vendor.unknownMember]);
    else if (path === '/api/hotline/member/add' && wasLinked && vendor.linkedAlready !== 'as done')
      reply(c, LINKED_ALREADY[vendor.linkedAlready]);
    else if (!success) reply(c, failure && FAILURES[vendor.failure]?.(failure.error, failure.message));
    else if (ACTIONS.includes(path)) reply(c, DONE[vendor.done]);
    else if (path === '/api/member/getByMemberNo' && member)
      reply(c, { status: 200, body: { ...success, data: describe(world, vendor, member, success.data) } });
    else if (path === '/api/hotline/getAll' && vendor.hotlineOrder === 'reversed')
      reply(c, {
        status: 200,
        body: { ...success, data: z.array(z.unknown()).parse(success.data).toReversed() },
      });
    return undefined;
  };
}

function describe(world: World, vendor: StrangeVendor, member: Member, usual: unknown): object {
  const assigned = world.hotlines.filter(({ number }) =>
    member.assignments.some((one) => one.number === number),
  );
  return {
    ...(usual as object),
    ...(vendor.money === 'text' && { member_money: member.balance.toFixed(2) }),
    ...(vendor.extraFields && { member_type: 2, member_color: '#aabbcc', status: null }),
    expiration_date: EXPIRIES[vendor.expiry],
    ...HOTLINE_LISTS[vendor.hotlineList]?.(assigned),
  };
}

function reply(c: Context<VendorEnv>, written: Reply | undefined): void {
  if (!written) return;
  const { status, body } = written;
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/plain' : 'application/json';
  // Hono merges the headers of the response before into the new one, unless it is cleared first.
  c.res = undefined;
  c.res = new Response(text, { status, headers: { 'Content-Type': type } });
}

function httpStatus(code: number): number {
  return code >= 400 && code <= 599 ? code : 400;
}
