#!/usr/bin/env node
/** `npm run sandbox`: the vendor's API, an exchange and a broker, on one port. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { createSandboxBroker, SCENARIOS, type Scenario } from './broker.ts';
import { createSandbox } from './sandbox.ts';

const BAD_INPUT = 2;
const HELP = `partner-dialer-sandbox: a vendor, an exchange with real audio, and a broker for <partner-dialer>, for development and CI.

  --port N             default: 8788; 0 picks a free port
  --host ADDRESS       default: 127.0.0.1
  --scenario NAME      what a member has at the first sign-in: ${SCENARIOS.join(', ')}
  --allow-origin URL   another origin that may send requests, besides those of this machine; can be repeated
  --state FILE         keeps members and money between runs
  --help

POST /login {"memberNo": "agent001"} signs in. Balances, faults, incoming calls: GET /sandbox is the manual.
Numbers to call: see GET /sandbox, too.`;

interface Options {
  readonly port: number;
  readonly host: string;
  readonly scenario: Scenario;
  readonly origins: readonly string[];
  readonly stateFile: string | undefined;
}

function readOptions(): Options | 'help' {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '8788' },
      host: { type: 'string', default: '127.0.0.1' },
      scenario: { type: 'string', default: 'ready' },
      'allow-origin': { type: 'string', multiple: true, default: [] },
      state: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return 'help';
  const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : Number.NaN;
  if (!(port <= 65_535)) throw new Error(`--port ${values.port} is not a port number (0 to 65535).`);
  const scenario = SCENARIOS.find((name) => name === values.scenario);
  if (!scenario) throw new Error(`--scenario must be one of ${SCENARIOS.join(', ')}.`);
  const origins = values['allow-origin'].map((url) => {
    if (!URL.canParse(url)) throw new Error(`--allow-origin ${url} is not a URL.`);
    return new URL(url).origin;
  });
  return { port, host: values.host, scenario, origins, stateFile: values.state };
}

/** Whether a page of this machine sent the request, from any port. */
function isOfThisMachine(origin: string): boolean {
  const host = URL.canParse(origin) ? new URL(origin).hostname : '';
  return /^(?:localhost|127\.0\.0\.1|\[::1\])$|\.localhost$/.test(host);
}

function start({ port, host, scenario, origins, stateFile }: Options): void {
  const isAllowed = (origin: string) => isOfThisMachine(origin) || origins.includes(origin);
  const sandbox = createSandbox({ stateFile, isAllowed });
  const app = new Hono();
  // Whatever headers the page gives its broker, and its tests the switches.
  const fromAllowed = cors({ origin: (origin) => (isAllowed(origin) ? origin : null), credentials: true });
  for (const path of ['/login', '/logout', '/dialer/*', '/sandbox', '/sandbox/*']) app.use(path, fromAllowed);
  app.route('/', createSandboxBroker(sandbox.world, scenario));
  app.notFound((c) => sandbox.fetch(c.req.raw, c.env));

  const server = createServer(getRequestListener((request, env) => app.fetch(request, env)));
  sandbox.attach(server);
  const end = () => {
    server.close();
    server.closeAllConnections();
    void sandbox.close().then(() => process.exit(0));
  };
  process.once('SIGTERM', end).once('SIGINT', end);
  server.once('error', (error) => {
    console.error(`partner-dialer-sandbox cannot listen (--host, --port): ${error.message}`);
    process.exit(1);
  });
  server.listen(port, host, () => {
    const { port: taken } = server.address() as AddressInfo;
    console.log(greeting(`http://${host.includes(':') ? `[${host}]` : host}:${taken}`));
  });
}

function greeting(origin: string): string {
  return `partner-dialer-sandbox listens on ${origin}

  <partner-dialer
    broker-url="${origin}/dialer/session"
    broker-credentials="include"
    sdk-url="${origin}/vendor/vbot-sdk.js"
    sdk-base-url="${origin}/vendor/v3.0"
  ></partner-dialer>

Sign in first: fetch('${origin}/login', { method: 'POST', credentials: 'include', body: '{"memberNo":"agent001"}' })
Switches and numbers to call: ${origin}/sandbox`;
}

try {
  const options = readOptions();
  if (options === 'help') console.log(HELP);
  else start(options);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.error('Run partner-dialer-sandbox --help to list the options.');
  process.exitCode = BAD_INPUT;
}
