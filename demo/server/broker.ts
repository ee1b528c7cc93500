/** The routes the dialer asks: a session, the member's status, money, a hotline. The member is whoever is signed in. */
import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { ReadinessAnswer, SessionAnswer } from '../../src/broker/contract.ts';
import { authenticate } from './authenticate.ts';
import { createDemoLogin, nameOf } from './demo-login.ts';
import { allowOrigins, jsonOnly, smallBody } from './doors.ts';
import type { Configuration } from './environment.ts';
import { chooseHotline } from './hotlines.ts';
import { VendorError, type MemberNo } from './open-api.ts';
import { problem, problemOf } from './problem.ts';
import { provision, type Provisioned, type Tools } from './provision.ts';
import { describeReadiness } from './readiness.ts';
import type { TopUpResult } from './top-up.ts';

interface SignedIn {
  Variables: { memberNo: MemberNo };
}

export function createBroker(configuration: Configuration, tools: Tools): Hono {
  const app = new Hono();
  app.use(allowOrigins(configuration.allowedOrigins), smallBody, jsonOnly);
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  if (configuration.demoLogin) app.route('/', createDemoLogin(configuration.sessionSecret));
  app.route('/dialer', createDialerRoutes(configuration, tools));
  app.notFound(() => problem('not-found'));
  app.onError((error, c) => {
    if (error instanceof VendorError) return problemOf(error);
    console.error(`${c.req.method} ${c.req.path}: ${error.stack ?? error.message}`);
    return problem('internal');
  });
  return app;
}

function createDialerRoutes({ sessionSecret }: Configuration, tools: Tools): Hono<SignedIn> {
  const app = new Hono<SignedIn>();
  const running = new Map<MemberNo, Promise<Provisioned>>();

  app.use(
    createMiddleware<SignedIn>(async (c, next) => {
      const memberNo = await authenticate(c, sessionSecret);
      if (memberNo === undefined) return problem('broker-unauthorized');
      c.set('memberNo', memberNo);
      await next();
      c.header('Cache-Control', 'no-store');
      return undefined;
    }),
  );

  app.post('/session', async (c) => {
    const memberNo = c.get('memberNo');
    // Two tabs that open at once need one run, not two.
    const run = running.get(memberNo) ?? provision(memberNo, tools, 'session', () => undefined);
    running.set(memberNo, run);
    const { token, member, hotlines } = await run.finally(() => running.delete(memberNo));
    return c.json({
      token,
      ...describeReadiness(member, hotlines, nameOf(memberNo)),
    } satisfies SessionAnswer);
  });

  app.get('/status', async (c) => c.json(await readStatus(c.get('memberNo'), tools)));

  app.post('/top-up', async (c) => {
    const memberNo = c.get('memberNo');
    const result = await tools.topUp.ensure(memberNo, await tools.vendor.readMember(memberNo), 'agent');
    return refusalOf(result) ?? c.json(await readStatus(memberNo, tools));
  });

  app.post('/hotline', async (c) => {
    const memberNo = c.get('memberNo');
    const [member, listed] = await Promise.all([
      tools.vendor.readMember(memberNo),
      tools.vendor.listHotlines(),
    ]);
    const wanted = chooseHotline(listed, tools.hotlineCode);
    const { status, detail, hotlines, error } = await tools.hotlines.ensure(
      memberNo,
      member,
      listed,
      wanted,
      true,
    );
    if (error) return problemOf(error);
    if (status === 'failed') return problem('no-hotline', detail);
    return c.json(describeReadiness(member, hotlines, nameOf(memberNo)));
  });

  return app;
}

async function readStatus(memberNo: MemberNo, { vendor, hotlines }: Tools): Promise<ReadinessAnswer> {
  const [member, listed] = await Promise.all([vendor.readMember(memberNo), vendor.listHotlines()]);
  return describeReadiness(member, await hotlines.assignedTo(memberNo, member, listed), nameOf(memberNo));
}

/** What the agent has to be told; a top-up that is merely under way shows in the status. */
function refusalOf({ why, detail, vendorCode }: TopUpResult): Response | undefined {
  switch (why) {
    case 'limit':
      return problem('top-up-limit', detail);
    case 'admin-short':
      return problem('top-up-admin-short', detail);
    case 'off':
      return problem('top-up-off', detail);
    case 'refused':
      return problem(vendorCode === 402 ? 'insufficient-funds' : 'vendor-refused', detail);
    case 'vendor':
      return problem('vendor-unreachable', detail);
    case 'ledger':
      return problem('internal', detail);
    case 'paid':
    case 'enough':
    case 'ended':
    case 'not-asked':
    case 'pending':
    case 'unconfirmed':
      return undefined;
  }
}
