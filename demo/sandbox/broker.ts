/**
 * A broker to try the dialer with: `POST /login` signs in without a password, and `/dialer/…` answers as a partner's own broker
 * would. It moves play money; for real money, use the companion.
 */
import { randomBytes } from 'node:crypto';
import { Hono, type Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import * as z from 'zod/mini';
import { PRICE_PER_MINUTE } from './exchange/call-charge.ts';
import { allDay } from './world/members.ts';
import type { Member, World } from './world/world.ts';

export const SCENARIOS = ['ready', 'no-money', 'no-hotline'] as const;
/** What a member has at their first sign-in. */
export type Scenario = (typeof SCENARIOS)[number];

const COOKIE = 'sandbox_session';
/** VND. */
const FIRST_BALANCE = 50_000;
const TOP_UP = 1000;
const LINKS = { status: 'status', topUp: 'top-up', hotline: 'hotline' } as const;

const loginSchema = z.object({ memberNo: z.string().check(z.regex(/^[A-Za-z0-9]{1,32}$/)) });

/** The token of the session, from the cookie or the Authorization header. */
function readSessionToken(c: Context): string {
  const bearer = /^Bearer (\S+)$/.exec(c.req.header('Authorization') ?? '')?.[1];
  return bearer ?? getCookie(c, COOKIE) ?? '';
}

export function createSandboxBroker(world: World, scenario: Scenario): Hono {
  const app = new Hono();
  /** Member numbers by the token of their session. */
  const sessions = new Map<string, string>();
  app.post('/login', async (c) => {
    const body = loginSchema.safeParse(await c.req.json().catch(() => undefined));
    if (!body.success)
      return problem(400, 'invalid-request', 'A JSON body {"memberNo": "agent001"} says who signs in.');
    const token = randomBytes(18).toString('base64url');
    sessions.set(token, body.data.memberNo);
    setCookie(c, COOKIE, token, { httpOnly: true, sameSite: 'Lax', path: '/' });
    return c.json({ ...body.data, token });
  });
  app.post('/logout', (c) => {
    sessions.delete(readSessionToken(c));
    deleteCookie(c, COOKIE, { path: '/' });
    return c.body(null, 204);
  });

  const answer = (c: Context, act: (member: Member) => object = () => ({})): Response => {
    c.header('Cache-Control', 'no-store');
    const memberNo = sessions.get(readSessionToken(c));
    if (memberNo === undefined)
      return problem(401, 'broker-unauthorized', 'Nobody is signed in: POST /login first.');
    const member = world.members.get(memberNo) ?? createMember(world, memberNo, scenario);
    const more = act(member);
    return c.json({ ...more, ...describe(world, member), links: LINKS });
  };

  app.post('/dialer/session', (c) => answer(c, ({ memberNo }) => ({ token: world.issueToken(memberNo) })));
  app.get('/dialer/status', (c) => answer(c));
  app.post('/dialer/top-up', (c) =>
    answer(c, (member) => {
      world.setBalance(member, member.balance + TOP_UP);
      return {};
    }),
  );
  app.post('/dialer/hotline', (c) =>
    answer(c, (member) => {
      const [first] = world.hotlines;
      if (first && world.callableHotlines(member).length === 0)
        world.setAssignments(member, [allDay(first.number)]);
      return {};
    }),
  );
  return app;
}

function createMember(world: World, memberNo: string, scenario: Scenario): Member {
  const [first] = world.hotlines;
  const member = world.createMember(memberNo, scenario === 'no-hotline' || !first ? [] : [first.code]);
  world.setBalance(member, scenario === 'no-money' ? 0 : FIRST_BALANCE);
  return member;
}

function describe(world: World, member: Member): object {
  const { memberNo, name, extension, balance, expirationDate } = member;
  const hotlines = world.callableHotlines(member).map(({ active: _listed, ...hotline }) => hotline);
  return {
    member: {
      memberNo,
      name,
      extension: String(extension),
      balance,
      currency: 'VND',
      pricePerMinute: PRICE_PER_MINUTE,
      expiresAt: expirationDate,
    },
    hotlines,
    blockers: [
      ...(balance > 0 ? [] : ['insufficient-funds']),
      ...(hotlines.length > 0 ? [] : ['no-hotline']),
    ],
  };
}

function problem(status: number, code: string, detail: string): Response {
  const headers = { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store' };
  return new Response(JSON.stringify({ title: code, status, code, detail }), { status, headers });
}
