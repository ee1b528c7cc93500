/** Puts the companion together: one function from request to response, which any server can mount. */
import { timeout, TimeoutStrategy } from 'cockatiel';
import { Hono } from 'hono';
import { requestId } from 'hono/request-id';
import type { DestinationStream } from 'pino';
import { Auth, requireMember, type SignedIn } from './guards/auth.ts';
import { createCallRoutes } from './features/calls/routes.ts';
import type { Config } from './config.ts';
import { createCustomerRoutes } from './features/customers.ts';
import { createDialerRoutes, vendorProblem } from './dialer-routes.ts';
import { createHealthRoutes } from './health.ts';
import { Hotlines } from './hotlines.ts';
import {
  allowHosts,
  allowOrigins,
  answerProblem,
  endConnections,
  jsonBody,
  logRequests,
  noStore,
  secureHeaders,
} from './guards/http.ts';
import { Problem, type FromNode } from './problem.ts';
import { Limits } from './guards/limits.ts';
import { Ledger } from './money/ledger.ts';
import { watchMoney } from './money/reconcile.ts';
import { TopUp } from './money/top-up.ts';
import { createMetricsRoute, createOperatorRoutes } from './features/operator/routes.ts';
import { Prices } from './features/prices.ts';
import { createSessionRoutes, EndedSessions } from './guards/sessions.ts';
import { openDatabase } from './store/database.ts';
import { openPool } from './store/postgres.ts';
import { Telemetry } from './telemetry.ts';
import { OpenApi, type MemberNo } from './vbot/api.ts';
import type { Vendor } from './vbot/client.ts';
import { VendorError } from './vbot/errors.ts';

export interface App {
  /** Answers every route; `bindings` are those of `@hono/node-server`. */
  fetch(request: Request, bindings: unknown): Promise<Response>;
  /**
   * For a sign-in of your own: a session of this member, as the value of a `Set-Cookie` header. Whoever gets this cookie
   * acts as that member, and spends money as that member.
   */
  startSession(memberNo: MemberNo): Promise<string>;
  /** Prepares the stop: `/readyz` responds with 503, each response closes its connection, and the streams end. */
  retire(): void;
  close(): Promise<void>;
}

export interface AppOptions {
  /** How long a session waits for its top-up. */
  readonly topUpTimeoutMs?: number;
  /** How long somebody waits for the name of a customer. */
  readonly lookupTimeoutMs?: number;
  /** How often it reads what other companions wrote: ended sessions, and call events while a page listens. */
  readonly pollMs?: number;
  /** Routes of your own for signed-in members, below `/app`. */
  readonly routes?: readonly Hono<SignedIn>[];
  /** Where log lines go; default: standard output. */
  readonly log?: DestinationStream;
}

/** A slow top-up must not delay the token for longer. */
const TOP_UP_TIMEOUT_MS = 3500;
const POLL_MS = 1000;
/** How long a stop waits for top-ups and sweeps under way. After that, another companion settles them from the ledger. */
const restInTime = timeout(6000, TimeoutStrategy.Aggressive);
/** Bytes of a request's body. */
const SIZES = { dialer: 4 * 1024, app: 64 * 1024 };
/** For rate limits, which must not delay a request. */
const [LIMITER_CONNECTIONS, LIMITER_MS] = [2, 500];

export function createApp(config: Config, vendor: Vendor, options: AppOptions = {}): App {
  const { topUpTimeoutMs = TOP_UP_TIMEOUT_MS, lookupTimeoutMs, pollMs = POLL_MS, routes = [], log } = options;
  const retiring = new AbortController();
  const closing = new AbortController();
  const telemetry = new Telemetry(config, log);
  const database = openDatabase(config.databaseUrl, config.account);
  // Companions on one PostgreSQL share the rate limits. The first read creates their table.
  const pool = config.databaseUrl.startsWith('file:')
    ? undefined
    : database
        .read('select now from clock')
        .catch(() => undefined)
        .then(() => openPool(config.databaseUrl, LIMITER_CONNECTIONS, LIMITER_MS));
  const limits = new Limits(config, pool, telemetry.limitsFailed);
  const ended = new EndedSessions(database);
  const auth = new Auth(config, ended, telemetry.keysFailed);
  const api = new OpenApi(vendor, {
    format: config.vendorFormat,
    observe: telemetry.vendorCall,
    trace: config.logLevel === 'debug' ? telemetry.vendorResponse : undefined,
    concurrency: config.vendorConcurrency,
  });
  const ledger = new Ledger(database);
  const topUp = new TopUp(api, ledger, config.topUp, { log: telemetry, timeoutMs: topUpTimeoutMs });
  const hotlines = new Hotlines(api, database);
  const dependencies = { vendor: api, hotlines, hotlineCode: config.hotlineCode, topUp };
  const [retired, closed] = [retiring.signal, closing.signal];
  const parts = {
    config,
    vendor,
    api,
    database,
    ledger,
    ended,
    limits,
    prices: new Prices(database),
    telemetry,
    topUp,
    retired,
    closed,
    lookupTimeoutMs,
    pollMs,
  };

  const app = new Hono<SignedIn>();
  app.use(endConnections(retired), requestId(), logRequests(telemetry, config.proxyHops));
  app.use(secureHeaders, noStore);
  app.route('/', createHealthRoutes({ topUp, telemetry, retired }));
  // Before the check of hosts, because Prometheus uses any host name; the password protects the metrics.
  app.route('/', createMetricsRoute(parts));
  app.use(allowHosts(config));
  // Before the check of origins, because people follow links to this page.
  app.route('/', createOperatorRoutes(parts));
  app.use(allowOrigins(config));
  app.use('/dialer/*', requireMember(auth, parts, limits.member), jsonBody(SIZES.dialer));
  const isMounted = (path: string) => app.routes.some((route) => route.path === path);
  app.route('/dialer', createDialerRoutes(dependencies, { ...parts, isMounted }));
  app.route('/', createCallRoutes(parts));
  app.route('/dialer', createCustomerRoutes(parts));
  app.use('/app/*', requireMember(auth, parts, limits.ownRoutes), jsonBody(SIZES.app));
  for (const own of routes) app.route('/app', own);
  app.route('/', createSessionRoutes(auth, parts, config.demoLogin));
  app.notFound(async (c) => {
    await limits.anonymous(c.env.incoming);
    throw new Problem('not-found');
  });
  app.onError((error, c) => {
    if (error instanceof Problem) return answerProblem(c, error);
    if (error instanceof VendorError) return answerProblem(c, vendorProblem(error));
    telemetry.log.error({ err: error }, 'unhandled error');
    return answerProblem(c, new Problem('internal'));
  });

  const background = [
    ended.follow(pollMs, closing.signal),
    watchMoney({ database, vendor: api, topUp, log: telemetry }, retired),
  ];
  return {
    fetch: async (request, bindings) => app.fetch(request, bindings as FromNode['Bindings']),
    startSession: (memberNo) => auth.startSession(memberNo),
    retire: () => retiring.abort(),
    close: async () => {
      retiring.abort();
      closing.abort();
      await restInTime.execute(() => Promise.all([...background, topUp.rest()])).catch(() => undefined);
      await Promise.all([database.close(), pool?.then((one) => one.end()), api.close()]);
    },
  };
}
