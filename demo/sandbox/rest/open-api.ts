/** The vendor's REST side: hotlines, members and their money, with the API key. */
import { Hono } from 'hono';
import * as z from 'zod/mini';
import type { Assignment, Member, World } from '../world/world.ts';
import { CODE, fail, vendorMiddleware, readJson, succeed } from './envelope.ts';
import type { VendorEnv } from './faults.ts';

const memberNo = z.string().check(z.regex(/^[A-Za-z0-9]+$/));
const time = z.string().check(z.regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d)?$/));

const memberQuery = z.object({ member_no: memberNo });
const tokenBody = z.object({
  member_no: memberNo,
  hotline_codes: z.optional(z.nullable(z.array(z.string()))),
});
const moneyBody = z.object({ member_no: memberNo, money: z.number().check(z.positive()) });
const assignmentBody = z.object({
  member_no: memberNo,
  hotline_number: z.string(),
  allow_call: z.boolean(),
  start_time: time,
  end_time: time,
});

/** The app to mount at the version segment of the base address, e.g. `/vendor/v3.0`. */
export function createOpenApi(world: World): Hono<VendorEnv> {
  const app = new Hono<VendorEnv>();
  const middleware = vendorMiddleware(world, CODE.badKey);

  app.get('/api/hotline/getAll', ...middleware, (c) => {
    const hotlines = world.hotlines.map(({ name, number, code, type }) => ({
      hotline_name: name,
      hotline_number: number,
      hotline_code: code,
      hotline_type: type,
    }));
    return succeed(c, 'Success', hotlines);
  });

  app.post('/api/sdk/tokenSdk', ...middleware, async (c) => {
    const body = tokenBody.safeParse(await readJson(c));
    if (!body.success) return fail(c, CODE.badRequest);
    const { member_no, hotline_codes } = body.data;
    // Codes count only when the member is created; later ones are ignored.
    if (!world.members.has(member_no)) world.createMember(member_no, hotline_codes ?? []);
    return succeed(c, 'success', world.issueToken(member_no));
  });

  app.get('/api/member/getByMemberNo', ...middleware, (c) => {
    const query = memberQuery.safeParse(c.req.query());
    if (!query.success) return fail(c, CODE.badRequest);
    const member = world.members.get(query.data.member_no);
    if (!member) return fail(c, CODE.notFound);
    return succeed(c, 'SUCCESS', { ...describeMember(member), ...listHotlines(world, member) });
  });

  app.post('/api/member/addMoney', ...middleware, async (c) => {
    const body = moneyBody.safeParse(await readJson(c));
    if (!body.success) return fail(c, CODE.badRequest);
    const member = world.members.get(body.data.member_no);
    if (!member) return fail(c, CODE.notFound);
    const error = addMoney(world, member, body.data.money);
    return error === 0 ? succeed(c, 'Success', '') : fail(c, error);
  });

  app.post('/api/hotline/member/add', ...middleware, async (c) => {
    const body = assignmentBody.safeParse(await readJson(c));
    if (!body.success) return fail(c, CODE.badRequest);
    const member = world.members.get(body.data.member_no);
    const hotline = world.hotlines.find(({ number }) => number === body.data.hotline_number);
    if (!member || !hotline) return fail(c, CODE.notFound);
    const assignment: Assignment = {
      number: hotline.number,
      allowCall: body.data.allow_call,
      startTime: body.data.start_time,
      endTime: body.data.end_time,
    };
    const others = member.assignments.filter(({ number }) => number !== hotline.number);
    world.setAssignments(member, [...others, assignment]);
    return succeed(c, 'success', true);
  });

  app.get('/api/account/balance', ...middleware, (c) => succeed(c, 'SUCCESS', world.adminBalance));

  return app;
}

/** Moves money from the partner's account; the record is written whether it moved or not. */
function addMoney(world: World, member: Member, money: number): number {
  const before = member.balance;
  const error = whyNoMoney(world, member, money);
  if (error === 0) {
    world.setAdminBalance(sumOfVnd(world.adminBalance, -money));
    world.setBalance(member, sumOfVnd(before, money));
  }
  const at = new Date().toISOString();
  world.recordTopUp({ at, memberNo: member.memberNo, money, before, after: member.balance, error });
  return error;
}

function whyNoMoney(world: World, member: Member, money: number): number {
  const onCall = world.calls.some((call) => call.memberNo === member.memberNo && call.state !== 'ended');
  if (onCall) return CODE.badRequest;
  return money > world.adminBalance ? CODE.short : 0;
}

/** Balances have decimals; two of them are kept, without the dust of binary fractions. */
function sumOfVnd(a: number, b: number): number {
  return Math.round((a + b) * 100) / 100;
}

function describeMember(member: Member): Record<string, unknown> {
  return {
    member_name: member.name,
    member_ext_number: member.extension,
    member_no: member.memberNo,
    member_status: member.status,
    member_money: member.balance,
    expiration_date: member.expirationDate,
  };
}

function listHotlines(world: World, member: Member): Record<string, unknown> {
  const numbers = member.assignments.map(({ number }) => number);
  switch (world.settings.hotlineList) {
    case 'absent':
      return {};
    case 'hotlines':
      return { hotlines: numbers.map((number) => ({ hotline_number: number })) };
    case 'hotline_numbers':
      return { hotline_numbers: numbers };
  }
}
