/** The servers of the demo: the companion and, where no vendor is configured, the sandbox. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, resolve } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { createSandbox, SANDBOX_API_KEY } from '../sandbox/sandbox.ts';
import { createApp } from '../companion/app.ts';
import { refuseWrongDatabase } from '../companion/commands/terminal.ts';
import type { Config } from '../companion/config.ts';
import { VendorClient, type Vendor } from '../companion/vbot/client.ts';
import { createBackEnd, Settings } from '../server/server.ts';
import { createCrmRoutes } from './crm/routes.ts';
import { CustomerRecords } from './crm/records.ts';
import { sandboxStateFile, VENDOR_PATH } from './vendor.ts';

export interface Services {
  /** Answers a request for one of their paths; false: the path is not theirs. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  close(): Promise<void>;
}

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

interface Service {
  readonly paths: RegExp;
  readonly answer: Listener;
  close(): Promise<void>;
}

const COMPANION_PATHS = /^\/(?:dialer|app|login|logout|webhooks|operator|metrics|healthz|readyz)(?=[/?]|$)/;
/** The page imports a source file of the sandbox, which Vite serves. */
const SANDBOX_PATHS = /^\/(?:vendor|sandbox)(?=[/?]|$)(?![^?]*\.ts(?:\?|$))/;

/** Where the pages of `demo/pages` sign in: the server in one file, behind a path as a partner's web server gives it. */
const SMALL_SERVER = '/server';
const SMALL_SERVER_PATHS = /^\/server\/dialer(?=[/?]|$)/;

/** @param server is listening already: the companion has to know where the sandbox is. */
export async function startServices(server: Server, configuration: Config): Promise<Services> {
  await refuseWrongDatabase(configuration);
  const sandbox = configuration.vendor ? undefined : mountSandbox(server, configuration);
  const vendor = configuration.vendor ?? sandbox?.vendor;
  if (!vendor) throw new Error('There is neither a vendor nor a sandbox.');

  const client = new VendorClient(vendor, { format: configuration.vendorFormat });
  const crm = createCrmRoutes(new CustomerRecords(client));
  const companion = createApp(configuration, vendor, { routes: [crm] });
  const services: Service[] = [
    {
      paths: COMPANION_PATHS,
      answer: getRequestListener((request, env) => companion.fetch(request, env), { hostname: 'localhost' }),
      close: async () => {
        await companion.close();
        await client.close();
      },
    },
    ...(sandbox ? [createSmallServer(sandbox.vendor, configuration), sandbox] : []),
  ];

  return {
    handle(request, response) {
      const service = services.find(({ paths }) => paths.test(request.url ?? ''));
      void service?.answer(request, response);
      return service !== undefined;
    },
    async close() {
      // In this order: the companion may still be asking the sandbox.
      for (const service of services) await service.close();
    },
  };
}

/** For play money only: with real money, this server and the companion would both pay. */
function createSmallServer({ baseUrl, apiKey }: Vendor, configuration: Config): Service {
  const { handle } = createBackEnd(
    Settings.parse({
      VENDOR_BASE_URL: baseUrl,
      VENDOR_API_KEY: apiKey,
      AGENT_TOKENS: 'demo-token:agent001',
      PAID_DIR: resolve(dirname(sandboxStateFile(configuration)), 'paid'),
    }),
    () => undefined,
  );
  return {
    paths: SMALL_SERVER_PATHS,
    answer: (request, response) => {
      request.url = request.url?.slice(SMALL_SERVER.length);
      return handle(request, response);
    },
    close: async () => undefined,
  };
}

function mountSandbox(server: Server, configuration: Config): Service & { readonly vendor: Vendor } {
  const sandbox = createSandbox({
    stateFile: sandboxStateFile(configuration),
    // The vendor's own script opens its socket over TLS only.
    wss: process.env['SANDBOX_WSS'] === 'on',
  });
  sandbox.attach(server);
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  sandbox.world.webhooks = { url: `${origin}/webhooks/calls`, auth: configuration.webhookAuth };
  const vendor = { baseUrl: `${origin}${VENDOR_PATH}`, apiKey: SANDBOX_API_KEY };
  return {
    vendor,
    paths: SANDBOX_PATHS,
    answer: getRequestListener((request, env) => sandbox.fetch(request, env)),
    close: () => sandbox.close(),
  };
}
