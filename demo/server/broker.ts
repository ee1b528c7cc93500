/** All routes: above all those the dialer asks. The member is whoever is signed in, never whoever a request names. */
import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { authenticate, type Authentication } from './authenticate.ts';
import { createWebhookRoute } from './calls/call-routes.ts';
import type { CallEvents } from './calls/call-events.ts';
import { describeReadiness, type ReadinessAnswer, type SessionAnswer } from './contract.ts';
import type { Configuration } from './environment.ts';
import { chooseHotline } from './hotlines.ts';
import type { FromNode, SignedIn } from './http/context.ts';
import { createDemoLogin, createLogout, demoNameOf } from './http/demo-login.ts';
import type { Limits } from './http/limits.ts';
import { allowHosts, allowOrigins, jsonOnly, secureHeaders, smallBody } from './http/middleware.ts';
import { problem, problemOf } from './http/problem.ts';
import { idempotent } from './money/idempotency.ts';
import type { Money } from './money/open-money.ts';
import type { SharedSignIns } from './money/shared-sign-ins.ts';
import { topUpProblem } from './money/top-up-problem.ts';
import { createOperatorRoutes } from './operations/operator.ts';
import type { Telemetry } from './operations/telemetry.ts';
import { provision, type Dependencies, type Provisioned } from './provision.ts';
import type { Step } from './operations/steps.ts';
import type { MemberNo } from './vendor/data.ts';
import { VendorError } from './vendor/response.ts';

export interface BrokerParts {
  readonly dependencies: Dependencies;
  readonly money: Money;
  readonly events: CallEvents;
  /** Of calls and customers; below `/dialer`, for signed-in members. */
  readonly memberRoutes: readonly Hono<SignedIn>[];
  /** Whatever a server adds; below `/app`, for signed-in members, with a budget of their own. */
  readonly ownRoutes: readonly Hono<SignedIn>[];
  /** Absent: there is but one companion. */
  readonly signIns: SharedSignIns | undefined;
  readonly limits: Limits;
  readonly telemetry: Telemetry;
  readonly authentication: Authentication;
  readonly fromVendor: MiddlewareHandler<FromNode>;
  /** Whether requests had better come here. */
  isReady(): Promise<boolean>;
}

/** Bytes of a body; the vendor's webhooks hold whole conversations. */
const SIZES = { login: 1024, dialer: 4 * 1024, app: 64 * 1024, webhook: 512 * 1024 };

export function createBroker(configuration: Configuration, parts: BrokerParts): Hono<FromNode> {
  const { limits, telemetry, authentication, isReady, events, memberRoutes, ownRoutes } = parts;
  const app = new Hono<FromNode>();
  app.use(telemetry.requests, secureHeaders);
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => ((await isReady()) ? c.json({ status: 'ready' }) : problem('not-ready')));
  app.use(allowHosts(configuration), allowOrigins(configuration));
  app.use('/webhooks/*', parts.fromVendor, smallBody(SIZES.webhook), jsonOnly);
  app.route('/webhooks', createWebhookRoute(events));
  app.route('/', createOperatorRoutes(configuration, parts));
  const guard = (path: string, size: number, take: (memberNo: string) => Promise<Response | undefined>) =>
    app.use(path, requireMember(authentication, limits, take), smallBody(size), jsonOnly);
  guard('/dialer/*', SIZES.dialer, (memberNo) => limits.member(memberNo));
  app.route('/dialer', createDialerRoutes(parts, configuration.demoLogin ? demoNameOf : () => undefined));
  for (const routes of memberRoutes) app.route('/dialer', routes);
  if (ownRoutes.length > 0) guard('/app/*', SIZES.app, (memberNo) => limits.ownRoutes(memberNo));
  for (const routes of ownRoutes) app.route('/app', routes);
  app.use(async ({ env }, next) => (await limits.anonymous(env.incoming)) ?? next());
  app.use(smallBody(SIZES.login), jsonOnly);
  app.route('/', createLogout(authentication.sessions));
  if (configuration.demoLogin) app.route('/', createDemoLogin(authentication.sessions));
  app.notFound(() => problem('not-found'));
  app.onError((error) => {
    if (error instanceof VendorError) return problemOf(error);
    telemetry.log.error({ err: error }, 'failed');
    return problem('internal');
  });
  return app;
}

/** A forged sign-in is anonymous, and has the anonymous budget of its address. */
function requireMember(
  authentication: Authentication,
  limits: Limits,
  take: (memberNo: string) => Promise<Response | undefined>,
): MiddlewareHandler<SignedIn> {
  return async (c, next) => {
    const signIn = await authenticate(c as Context, authentication);
    const refused = await (signIn ? take(signIn.memberNo) : limits.anonymous(c.env.incoming));
    if (refused || !signIn) return refused ?? problem('broker-unauthorized');
    c.set('memberNo', signIn.memberNo);
    c.set('sessionId', signIn.sessionId);
    return next();
  };
}

function createDialerRoutes(
  { dependencies, money, signIns, telemetry }: BrokerParts,
  nameOf: (memberNo: MemberNo) => string | undefined,
): Hono<SignedIn> {
  const { vendor, hotlines, hotlineCode } = dependencies;
  const app = new Hono<SignedIn>();
  const running = new Map<MemberNo, Promise<Provisioned>>();
  const report = ({ name, status, detail }: Step) => {
    if (status === 'failed') telemetry.failedStep(name, detail);
  };
  const readStatus = async (memberNo: MemberNo): Promise<ReadinessAnswer> => {
    const [member, listed] = await Promise.all([vendor.readMember(memberNo), hotlines.list()]);
    const assigned = await hotlines.assignedTo(memberNo, member, listed);
    return describeReadiness({ member, hotlines: assigned }, nameOf(memberNo));
  };

  app.post('/session', async (c) => {
    const memberNo = c.get('memberNo');
    const start = () => provision(memberNo, dependencies, 'session', report);
    // In a rush whoever cannot be served soon costs next to nothing.
    if (!running.has(memberNo)) vendor.client.admit();
    // Two tabs that open at once need one run, not two.
    const run = running.get(memberNo) ?? signIns?.run(memberNo, start) ?? start();
    running.set(memberNo, run);
    const { token, ...readiness } = await run.finally(() => running.delete(memberNo));
    const answer: SessionAnswer = { token, ...describeReadiness(readiness, nameOf(memberNo)) };
    return c.json(answer);
  });

  app.get('/status', async (c) => c.json(await readStatus(c.get('memberNo'))));

  app.use('/top-up', idempotent(money.database)).use('/call-me', idempotent(money.database));
  app.post('/top-up', async (c) => {
    const memberNo = c.get('memberNo');
    const result = await money.topUp.ensure(memberNo, await vendor.readMember(memberNo), 'agent');
    telemetry.topUp(memberNo, result.why);
    return topUpProblem(result) ?? c.json(await readStatus(memberNo));
  });

  app.post('/hotline', async (c) => {
    const memberNo = c.get('memberNo');
    const [member, listed] = await Promise.all([vendor.readMember(memberNo), vendor.listHotlines()]);
    const wanted = chooseHotline(listed, hotlineCode);
    const assigned = await hotlines.ensure(memberNo, member, listed, wanted, true);
    if (assigned.error) return problemOf(assigned.error);
    if (assigned.status === 'failed') return problem('no-hotline', assigned.detail);
    return c.json(describeReadiness({ member, hotlines: assigned.hotlines }, nameOf(memberNo)));
  });

  return app;
}
