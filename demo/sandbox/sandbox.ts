/** The whole sandbox, to mount in any HTTP server: the vendor's APIs, the SDK's script, the exchange and the switches. */
import type { Server } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { etag } from 'hono/etag';
import { createControl } from './control/control.ts';
import { createExchange } from './exchange/exchange.ts';
import { openSecureListener, type SecureListener } from './exchange/secure-listener.ts';
import { createAutoCallApi } from './rest/auto-call-api.ts';
import { AutoCalls } from './rest/auto-calls.ts';
import { createCallHistory } from './rest/call-history.ts';
import { createCustomerApi } from './rest/customers.ts';
import { faultMiddleware, openCors, type VendorEnv } from './rest/faults.ts';
import { createInteractionApi } from './rest/interactions.ts';
import { createOpenApi } from './rest/open-api.ts';
import { buildScript } from './rest/script.ts';
import { createSdkApi } from './rest/sdk-api.ts';
import { Webhooks } from './rest/webhooks.ts';
import { StateFile } from './world/state-file.ts';
import { World } from './world/world.ts';

export { SANDBOX_API_KEY } from './world/world.ts';

interface SandboxOptions {
  /** Where the world is kept between runs; absent: in memory only. */
  readonly stateFile?: string | undefined;
  /** Opens a second listener of the exchange, with TLS, on a port of its own: the vendor's own SDK requires TLS. */
  readonly wss?: boolean | undefined;
  /** May pages of that origin use the switches? Absent: only those of the sandbox's own address. */
  readonly isAllowed?: ((origin: string) => boolean) | undefined;
}

export interface Sandbox {
  readonly world: World;
  /** Answers `/vendor/*` and `/sandbox*`. The bindings let a fault cut the connection. */
  fetch(request: Request, env?: unknown): Response | Promise<Response>;
  /** Takes the SIP WebSockets of this server. */
  attach(server: Server): void;
  close(): Promise<void>;
}

const VENDOR_API = '/vendor/v3.0';
const SDK_SCRIPT = '/vendor/vbot-sdk.js';

export function createSandbox({ stateFile, wss = false, isAllowed }: SandboxOptions = {}): Sandbox {
  const world = new World();
  const state = stateFile === undefined ? undefined : new StateFile(stateFile, world);
  const exchange = createExchange(world);
  const autoCalls = new AutoCalls(world, exchange);
  const webhooks = new Webhooks(world);
  const detachers: (() => void)[] = [];
  let secure: SecureListener | undefined;
  const opening = wss
    ? openSecureListener(exchange).then((opened) => void (secure = opened))
    : Promise.resolve();
  // The first request that awaits it reports a failure; without this line, the process would end before.
  opening.catch(() => undefined);

  const app = new Hono<VendorEnv>();
  app.use(`${VENDOR_API}/api/sdk/info`, async (_, next) => {
    await opening;
    await next();
  });
  app.route(VENDOR_API, createOpenApi(world));
  app.route(VENDOR_API, createCallHistory(world));
  app.route(VENDOR_API, createAutoCallApi(world, autoCalls));
  app.route(VENDOR_API, createCustomerApi(world));
  app.route(VENDOR_API, createInteractionApi(world));
  app.route(VENDOR_API, createSdkApi(world, { secureSocket: () => secure?.address }));
  app.get(SDK_SCRIPT, openCors(), faultMiddleware(world, 'script'), etag(), async (c) => {
    c.header('Content-Type', 'text/javascript; charset=utf-8');
    return c.body(await buildScript());
  });
  app.route('/sandbox', createControl(world, exchange, isAllowed));

  return {
    world,
    fetch: (request, env) => app.fetch(request, env as HttpBindings | undefined),
    attach: (server) => void detachers.push(exchange.attach(server)),
    close: async () => {
      for (const detach of detachers) detach();
      await opening.catch(() => undefined);
      await secure?.close();
      exchange.close();
      autoCalls.close();
      await webhooks.close();
      await state?.close();
    },
  };
}
