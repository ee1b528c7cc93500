/** All routes: above all those the dialer asks. The member is whoever is signed in, never whoever a request names. */
import { Hono, type MiddlewareHandler } from 'hono';
import type { ReadinessAnswer, SessionAnswer } from '../../src/broker/contract.ts';
import type { CallEvents } from './calls/call-events.ts';
import { createCallRoutes, createWebhookRoute } from './calls/call-routes.ts';
import { allowOrigins, jsonOnly, secureHeaders, smallBody } from './http/middleware.ts';
import type { FromNode, SignedIn } from './http/from-node.ts';
import type { Limits } from './http/limits.ts';
import { problem, problemOf, type ProblemCode } from './http/problem.ts';
import type { Ledger } from './money/ledger.ts';
import { VendorError, type MemberNo } from './open-api/open-api.ts';
import { createOperatorRoutes } from './operations/operator.ts';
import type { Watch } from './operations/telemetry.ts';
import { authenticate } from './authenticate.ts';
import { createDemoLogin, nameOf } from './demo-login.ts';
import type { Configuration } from './environment.ts';
import { chooseHotline } from './hotlines.ts';
import { provision, type Provisioned, type Step, type Tools } from './provision.ts';
import { describeReadiness } from './readiness.ts';
import type { TopUpResult } from './money/top-up-result.ts';

export interface BrokerParts {
  readonly tools: Tools;
  readonly ledger: Ledger;
  readonly events: CallEvents;
  readonly limits: Limits;
  readonly watch: Watch;
  /** Throws when requests had better go elsewhere. */
  ready(): Promise<void>;
  /** Ends the streams. */
  readonly closing: AbortSignal;
}

const MAX_BODY_BYTES = 4096;
/** The vendor tells whole conversations. */
const MAX_WEBHOOK_BYTES = 512 * 1024;

export function createBroker(configuration: Configuration, parts: BrokerParts): Hono<FromNode> {
  const { tools, limits, watch } = parts;
  const app = new Hono<FromNode>();
  app.use(watch.requests, secureHeaders);
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    await parts.ready();
    return c.json({ status: 'ready' });
  });
  app.use(limits.address, allowOrigins(configuration.allowedOrigins));
  app.use('/webhooks/*', smallBody(MAX_WEBHOOK_BYTES), jsonOnly);
  app.route('/webhooks', createWebhookRoute(configuration.webhookAuth, parts.events));
  app.use(smallBody(MAX_BODY_BYTES), jsonOnly);
  const doorway = { password: configuration.operatorPassword, open: !configuration.vendor };
  app.route('/', createOperatorRoutes(doorway, configuration.topUp, tools.vendor, parts.ledger, watch));
  if (configuration.demoLogin) app.route('/', createDemoLogin(configuration.sessionSecret));
  app.use('/dialer/*', requireMember(configuration, limits));
  app.route('/dialer', createDialerRoutes(tools, watch));
  app.route(
    '/dialer',
    createCallRoutes(configuration.callMeScript, tools.vendor, parts.events, parts.closing),
  );
  app.notFound(() => problem('not-found'));
  app.onError((error) => {
    if (error instanceof VendorError) return problemOf(error);
    watch.log.error({ err: error }, 'failed');
    return problem(error instanceof NotReady ? 'not-ready' : 'internal');
  });
  return app;
}

/** What `ready` throws. */
export class NotReady extends Error {}

function requireMember({ sessionSecret }: Configuration, limits: Limits): MiddlewareHandler<SignedIn> {
  return async (c, next) => {
    const memberNo = await authenticate(c, sessionSecret);
    if (memberNo === undefined) return problem('broker-unauthorized');
    const refused = await limits.member(memberNo);
    if (refused) return refused;
    c.set('memberNo', memberNo);
    return next();
  };
}

function createDialerRoutes(tools: Tools, watch: Watch): Hono<SignedIn> {
  const app = new Hono<SignedIn>();
  const running = new Map<MemberNo, Promise<Provisioned>>();
  const report = ({ name, status, detail }: Step) => {
    if (status === 'failed') watch.failedStep(name, detail);
  };

  app.post('/session', async (c) => {
    const memberNo = c.get('memberNo');
    // Two tabs that open at once need one run, not two.
    const run = running.get(memberNo) ?? provision(memberNo, tools, 'session', report);
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
    watch.topUp(result.why);
    return refusalOf(result) ?? c.json(await readStatus(memberNo, tools));
  });

  app.post('/hotline', async (c) => {
    const memberNo = c.get('memberNo');
    const [member, listed] = await Promise.all([
      tools.vendor.readMember(memberNo),
      tools.vendor.listHotlines(),
    ]);
    const wanted = chooseHotline(listed, tools.hotlineCode);
    const assigned = await tools.hotlines.ensure(memberNo, member, listed, wanted, true);
    if (assigned.error) return problemOf(assigned.error);
    if (assigned.status === 'failed') return problem('no-hotline', assigned.detail);
    return c.json(describeReadiness(member, assigned.hotlines, nameOf(memberNo)));
  });

  return app;
}

async function readStatus(memberNo: MemberNo, { vendor, hotlines }: Tools): Promise<ReadinessAnswer> {
  const [member, listed] = await Promise.all([vendor.readMember(memberNo), hotlines.list()]);
  return describeReadiness(member, await hotlines.assignedTo(memberNo, member, listed), nameOf(memberNo));
}

/** What the agent has to be told; a top-up that is merely under way shows in the status. */
function refusalOf({ why, detail, vendorCode }: TopUpResult): Response | undefined {
  const onCall = why === 'refused' && vendorCode === -1;
  const code = onCall ? 'top-up-later' : PROBLEMS[why];
  return code && problem(code, detail);
}

const PROBLEMS: Partial<Record<TopUpResult['why'], ProblemCode>> = {
  limit: 'top-up-limit',
  off: 'top-up-off',
  later: 'top-up-later',
  refused: 'top-up-refused',
  'admin-short': 'top-up-admin-short',
  vendor: 'vendor-unreachable',
  ledger: 'internal',
};
