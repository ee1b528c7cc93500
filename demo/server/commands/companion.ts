/** The companion as one function from request to response, to be mounted in any server: what belongs to what. */
import type { Hono } from 'hono';
import { createBroker } from '../broker.ts';
import { CallEvents } from '../calls/call-events.ts';
import { EventStreams } from '../calls/event-streams.ts';
import { createCallRoutes } from '../calls/call-routes.ts';
import { VendorCalls } from '../calls/vendor-calls.ts';
import { CustomerLookup } from '../customers/lookup.ts';
import { createCustomerRoutes } from '../customers/routes.ts';
import type { Configuration } from '../environment.ts';
import { Hotlines } from '../hotlines.ts';
import { BearerTokens } from '../http/bearer.ts';
import type { SignedIn } from '../http/context.ts';
import { Limits } from '../http/limits.ts';
import { Sessions } from '../http/sessions.ts';
import { EndedSessions } from '../money/ended-sessions.ts';
import { Heartbeat } from '../money/heartbeat.ts';
import { openMoney } from '../money/open-money.ts';
import { SharedLimiter } from '../money/shared-limiter.ts';
import { SharedSignIns } from '../money/shared-sign-ins.ts';
import { SpareStore } from '../money/spare-store.ts';
import { TIMING } from '../money/timing.ts';
import { keepHouse } from '../operations/housekeeping.ts';
import { Telemetry } from '../operations/telemetry.ts';
import { requireWebhookAuth } from '../operations/webhook-auth.ts';
import type { Vendor } from '../vendor/client.ts';
import { OpenApi } from '../vendor.ts';

export interface Companion {
  /** Answers every route; `bindings` are those of `@hono/node-server`. */
  fetch(request: Request, bindings: unknown): Promise<Response>;
  /** Says `not ready` to whoever asks, and ends the streams, so that a server can be drained. */
  retire(): void;
  close(): Promise<void>;
}

/** An agent without money still needs the token, and soon. */
const TOP_UP_TIMEOUT_MS = 3500;

/**
 * @param topUpTimeoutMs how long a session waits for its top-up
 * @param ownRoutes routes of your own for signed-in members, below `/app`
 */
export function createCompanion(
  configuration: Configuration,
  vendor: Vendor,
  topUpTimeoutMs = TOP_UP_TIMEOUT_MS,
  ownRoutes: readonly Hono<SignedIn>[] = [],
): Companion {
  const { databaseUrl, ratePerMember, bearer, hotlineCode } = configuration;
  const telemetry = new Telemetry(configuration);
  const api = new OpenApi(vendor, {
    observe: telemetry.vendorCall,
    concurrency: configuration.vendorConcurrency,
  });
  const customers = new CustomerLookup(vendor, configuration.customerContextField, {
    observe: telemetry.vendorCall,
    concurrency: configuration.vendorConcurrency,
  });
  const money = openMoney(configuration, api, {
    timing: { ...TIMING, timeoutMs: topUpTimeoutMs },
    alert: (text) => telemetry.log.error(text),
    ledgerFailed: (error) => telemetry.ledgerFailure(error),
  });
  const hotlines = new Hotlines(api, money.record);
  // A file is for one host, where one companion is enough for sign-ins.
  const spare = databaseUrl.startsWith('file:') ? undefined : new SpareStore(databaseUrl);
  const limits = new Limits(configuration, spare && new SharedLimiter(spare, ratePerMember));
  const ended = new EndedSessions(money.database);
  const heartbeat = new Heartbeat(money.database);
  const streams = new EventStreams();
  ended.onEnd((sessionId) => streams.end(sessionId));
  const events = new CallEvents(money.database);
  const calls = createCallRoutes(configuration.callMe, new VendorCalls(api.client), events, streams);
  const closing = new AbortController();
  const broker = createBroker(configuration, {
    dependencies: { vendor: api, hotlines, hotlineCode, topUp: money.topUp },
    money,
    events,
    memberRoutes: [calls, createCustomerRoutes(customers)],
    ownRoutes,
    signIns: spare && new SharedSignIns(spare, vendor.apiKey),
    limits,
    telemetry,
    authentication: {
      sessions: new Sessions(configuration, ended),
      bearer: bearer && new BearerTokens(bearer),
    },
    fromVendor: requireWebhookAuth(configuration, limits, telemetry),
    isReady: () =>
      closing.signal.aborted
        ? Promise.resolve(false)
        : heartbeat.check().then(
            () => true,
            () => false,
          ),
  });
  const background = [
    ended.follow(closing.signal),
    keepHouse(configuration, money, api, telemetry, closing.signal),
  ];
  const retire = () => {
    closing.abort();
    streams.end();
  };
  return {
    fetch: async (request, bindings) => broker.fetch(request, bindings as object),
    retire,
    close: async () => {
      retire();
      await Promise.all([...background, money.close(), spare?.close()]);
      await Promise.all([api.close(), customers.close()]);
    },
  };
}
