/** The switches of the sandbox, for demos and tests: balances, hotlines, faults and calls. A real vendor has none of them. */
import { readFile } from 'node:fs/promises';
import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import * as z from 'zod/mini';
import { PRICE_PER_MINUTE } from '../exchange/call-charge.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { allDay } from '../world/members.ts';
import { SANDBOX_API_KEY, type Member, type World } from '../world/world.ts';
import {
  memberNo,
  memberBody,
  hotlinesBody,
  faultBody,
  callBody,
  socketsBody,
  settingsBody,
  webhooksBody,
  emptyBody,
} from './bodies.ts';
import { manualPage } from './manual.ts';

/** Beside the folders here, and beside `dist` in the published package. */
const MANUAL = new URL('../README.md', import.meta.url);

/**
 * The app to mount at `/sandbox`.
 *
 * @param isAllowed whether pages of another origin may use the switches
 */
export function createControl(
  world: World,
  exchange: Exchange,
  isAllowed: (origin: string) => boolean = () => false,
): Hono {
  const app = new Hono();
  app.use(refuseOtherSites(isAllowed), bodyLimit({ maxSize: 65_536 }));

  app.get('/', async (c) => {
    const isBrowser = c.req.header('Accept')?.includes('text/html') ?? false;
    return isBrowser
      ? c.html(await manualPage(await readFile(MANUAL, 'utf8')))
      : c.json(describeSandbox(world));
  });
  app.get('/calls', (c) => c.json(world.calls));
  app.get('/members', (c) => c.json([...world.members.values()].map(describeMember)));
  app.get('/top-ups', (c) => c.json(world.topUps));
  app.get('/registrations', (c) => c.json(exchange.registrations()));
  app.get('/registrations/history', (c) => {
    // This call ends the registrations that have expired.
    exchange.registrations();
    return c.json(world.registrations);
  });

  app.post('/members/:memberNo', async (c) => {
    const key = memberNo.safeParse(c.req.param('memberNo'));
    const body = await readBody(c, memberBody);
    if (!key.success || !body) return badRequest(c);
    const member = world.members.get(key.data) ?? world.createMember(key.data, []);
    if (body.name !== undefined) world.setName(member, body.name);
    if (body.balance !== undefined) world.setBalance(member, body.balance);
    if (body.hotlines) world.setAssignments(member, body.hotlines.map(allDay));
    return c.json(describeMember(member));
  });

  app.post('/hotlines', async (c) => {
    const body = await readBody(c, hotlinesBody);
    if (!body) return badRequest(c);
    const active = body.active ?? {};
    const hotlines = (body.hotlines ?? world.hotlines).map((one) => ({
      ...one,
      active: active[one.number] ?? one.active,
    }));
    world.setHotlines(hotlines);
    return c.json(hotlines);
  });

  app.post('/faults', async (c) => {
    const body = await readBody(c, faultBody);
    if (!body) return badRequest(c);
    const { place, ...fault } = body;
    world.faults.set(place, fault);
    return c.json(Object.fromEntries(world.faults));
  });

  app.post('/faults/clear', async (c) => {
    if (!(await readBody(c, emptyBody))) return badRequest(c);
    world.faults.clear();
    return c.json({});
  });

  app.post('/calls', async (c) => {
    const body = await readBody(c, callBody);
    if (!body) return badRequest(c);
    const { memberNo: callee, ...caller } = body;
    if (!exchange.registrations().some((one) => one.memberNo === callee)) {
      return c.json({ message: 'No dialer of this member is registered.' }, 409);
    }
    return c.json(exchange.ringMember(callee, caller), 201);
  });

  app.post('/calls/:id/hang-up', async (c) => {
    if (!(await readBody(c, emptyBody))) return badRequest(c);
    return exchange.hangUp(c.req.param('id')) ? c.json({}) : c.json({ message: 'No such call.' }, 404);
  });

  app.post('/calls/:id/answer-elsewhere', async (c) => {
    if (!(await readBody(c, emptyBody))) return badRequest(c);
    const rang = exchange.answerElsewhere(c.req.param('id'));
    return rang ? c.json({}) : c.json({ message: 'No such call rings.' }, 404);
  });

  app.post('/sockets/drop', async (c) => {
    const body = await readBody(c, socketsBody);
    if (!body) return badRequest(c);
    exchange.dropSockets(body.memberNo);
    return c.json({});
  });

  app.post('/settings', async (c) => {
    const changes = await readBody(c, z.record(z.string(), z.unknown()));
    const inForce = { ...world.settings, adminBalance: world.adminBalance };
    const all = settingsBody.safeParse({ ...inForce, ...changes });
    if (!changes || !all.success) return badRequest(c);
    const { adminBalance, ...settings } = all.data;
    world.setSettings(settings);
    world.setAdminBalance(adminBalance);
    return c.json({ ...world.settings, adminBalance });
  });

  app.get('/webhooks', (c) => c.json(world.deliveries));
  app.post('/webhooks', async (c) => {
    const body = await readBody(c, webhooksBody);
    if (!body) return badRequest(c);
    const url = body.url ?? world.webhooks?.url;
    world.webhooks = url === undefined ? undefined : { url, auth: body.auth ?? world.webhooks?.auth };
    return c.json({ url });
  });

  app.post('/reset', async (c) => {
    if (!(await readBody(c, emptyBody))) return badRequest(c);
    world.reset();
    return c.json({});
  });

  return app;
}

/** Pages of other sites cannot use the switches: a browser lets them send forms, but no JSON. */
function refuseOtherSites(isAllowed: (origin: string) => boolean) {
  return createMiddleware(async (c, next) => {
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return next();
    const site = c.req.header('Sec-Fetch-Site') ?? 'same-origin';
    const origin = c.req.header('Origin');
    const foreign = origin !== undefined && parseHost(origin) !== c.req.header('Host');
    if ((foreign || (site !== 'same-origin' && site !== 'none')) && !isAllowed(origin ?? '')) {
      return c.json({ message: 'Only pages of this address may use the switches.' }, 403);
    }
    if (!/^application\/json\b/i.test(c.req.header('Content-Type') ?? '')) {
      return c.json({ message: 'Content-Type must be application/json.' }, 415);
    }
    return next();
  });
}

function parseHost(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

async function readBody<T>(c: Context, schema: z.ZodMiniType<T>): Promise<T | undefined> {
  const text = await c.req.text();
  try {
    const body = schema.safeParse(JSON.parse(text || '{}'));
    return body.success ? body.data : undefined;
  } catch {
    return undefined;
  }
}

function badRequest(c: Context): Response {
  return c.json({ message: 'The body is invalid; GET /sandbox lists the switches and their bodies.' }, 400);
}

function describeSandbox(world: World): object {
  const { adminBalance, settings, hotlines, faults } = world;
  return {
    // Programs recognise a running sandbox by this field.
    sandbox: 'partner-dialer',
    apiKey: SANDBOX_API_KEY,
    pricePerMinute: PRICE_PER_MINUTE,
    adminBalance,
    settings,
    hotlines,
    faults: Object.fromEntries(faults),
  };
}

/** Everything but the password the SDK registers with. */
function describeMember({ sipPassword: _secret, ...member }: Member): Omit<Member, 'sipPassword'> {
  return member;
}
