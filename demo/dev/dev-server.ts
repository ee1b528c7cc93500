/** `npm run dev`: mounts the companion, and the sandbox where no vendor is configured, in Vite's own server. */
import { rmSync } from 'node:fs';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connect, Plugin, ViteDevServer } from 'vite';
import { ConfigError, EXIT_CONFIGURATION, readConfig, type Config } from '../companion/config.ts';
import { SANDBOX_API_KEY } from '../sandbox/sandbox.ts';
import { startServices, type Services } from './services.ts';
import { VENDOR_PATH } from './vendor.ts';

/** Real money is limited to one top-up a day. With play money, "no funds" can be tried more often. */
const SANDBOX_TOP_UPS_A_DAY = 20;
/** Fixed, so that a restart signs nobody out. It protects nothing: here, anybody may sign in as any agent. */
const SANDBOX_SECRET = 'sessions of the sandbox, where anybody may be any agent';
/** The script of the sandbox that calls an agent. */
const SANDBOX_SCRIPT = 'SCRIPT_ALERT';
/** What a shell reports for a program that Ctrl+C ended. */
const EXIT_INTERRUPTED = 130;

type Environment = Readonly<Record<string, string | undefined>>;

/** @param env where the companion's configuration is read; a mistake in it ends the process with status 78. */
export function demoServer(env: Environment = process.env): Plugin {
  let facts: PageFacts = {};
  // A restart makes the next server before it closes the last one.
  const unmounts: (() => Promise<void>)[] = [];
  return {
    name: 'partner-dialer-demo',
    apply: 'serve',
    config: () => ({ cacheDir: takeCacheFolder() }),
    configureServer(server) {
      const configuration = configure(env);
      facts = factsFor(configuration);
      unmounts.push(mount(server, configuration));
      if (!configuration.vendor) printVariables(server);
    },
    closeServer: () => unmounts.shift()?.(),
    // Tells the page which routes exist: a request for a missing one would show in its console.
    transformIndexHtml: () =>
      Object.entries(facts).map(([name, content]) => ({
        tag: 'meta',
        attrs: { name, content },
        injectTo: 'head' as const,
      })),
  };
}

/** Prints the sandbox's address and key, for the repository's other commands and for your own broker. */
function printVariables(server: ViteDevServer): void {
  const printUrls = server.printUrls.bind(server);
  server.printUrls = () => {
    printUrls();
    const { port } = (server.httpServer as Server).address() as AddressInfo;
    const baseUrl = `http://127.0.0.1:${port}${VENDOR_PATH}`;
    server.config.logger.info(`  Sandbox: VENDOR_BASE_URL=${baseUrl} VENDOR_API_KEY=${SANDBOX_API_KEY}`);
  };
}

/** Each process has its own: two servers of one clone, a demo and a test, would overwrite each other's bundled dependencies. */
function takeCacheFolder(): string {
  const folder = join(tmpdir(), `partner-dialer-demo-${process.pid}`);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What the page has to know, by the name of a meta element. */
type PageFacts = Readonly<Record<string, string>>;

function factsFor({ vendor, demoLogin }: Config): PageFacts {
  const features = [vendor ? '' : 'sandbox', demoLogin ? 'sign-in' : ''].join(' ').trim();
  return {
    'demo-features': features,
    // The SDK must ask the API that issued its token. URL escapes quotes, which would end the attribute.
    ...(vendor && { 'demo-sdk-base': new URL(vendor.baseUrl).href }),
  };
}

function configure(env: Environment): Config {
  try {
    const configuration = readConfig(env, 'mount');
    return configuration.vendor ? configuration : withSandboxDefaults(configuration, env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    return process.exit(EXIT_CONFIGURATION);
  }
}

/** The sandbox allows more top-ups, and has a script that calls agents. */
function withSandboxDefaults(configuration: Config, env: Environment): Config {
  const { topUp, callMe, sessionSecret } = configuration;
  const dailyLimitPerMember = topUp.amount * SANDBOX_TOP_UPS_A_DAY;
  return {
    ...configuration,
    topUp: env['TOP_UP_DAILY_LIMIT_PER_MEMBER'] ? topUp : { ...topUp, dailyLimitPerMember },
    callMe: { ...callMe, script: callMe.script ?? SANDBOX_SCRIPT },
    sessionSecret: env['SESSION_SECRET'] ? sessionSecret : SANDBOX_SECRET,
  };
}

/** Serves companion and sandbox once Vite listens: the sandbox's address is not known before. Returns what ends both. */
function mount(server: ViteDevServer, configuration: Config): () => Promise<void> {
  const httpServer = server.httpServer as Server | null;
  if (!httpServer)
    throw new Error("The demo needs its own HTTP server: Vite's middleware mode is not supported.");
  let starting: Promise<Services> | undefined;

  httpServer.once('listening', () => {
    starting = startServices(httpServer, configuration);
    starting.catch((error: unknown) => {
      const way =
        error instanceof ConfigError && !configuration.vendor
          ? ' To start over, delete the folder .data.'
          : '';
      server.config.logger.error(`The demo cannot start. ${String(error)}${way}`);
    });
  });
  const answer = async (
    request: Connect.IncomingMessage,
    response: ServerResponse,
    next: Connect.NextFunction,
  ) => {
    try {
      const services = await starting;
      if (!services?.handle(request, response)) next();
    } catch (error) {
      next(error);
    }
  };
  server.middlewares.use((request, response, next) => void answer(request, response, next));

  // Vite closes on SIGTERM, but Ctrl+C would leave the state of the sandbox unsaved.
  const interrupt = () => void server.close().finally(() => process.exit(EXIT_INTERRUPTED));
  process.once('SIGINT', interrupt);

  return async () => {
    process.off('SIGINT', interrupt);
    const services = await starting?.catch(() => undefined);
    await services?.close();
  };
}
