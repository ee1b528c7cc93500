/** `serve`: listens, and ends without losing a request. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { readConfig } from '../config.ts';
import { findVendor, type FindVendor, type Terminal } from './terminal.ts';

/** A stop takes no longer; other companions settle what is still open then. */
const STOP_MS = 9000;
/** How long it still responds after `/readyz` has said no: until the proxy uses other companions, and has closed its connections. */
const LAME_DUCK_MS = 2000;
const DRAIN_MS = 5000;
const [INFO, WARN] = [30, 40];
/**
 * Milliseconds. A client that sends slower than this is cut off. Proxies usually keep a connection for 60 s; we keep it longer,
 * as a connection that we close while a request arrives costs an agent a 502.
 */
const TIMEOUTS = {
  headersTimeout: 5000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: 75_000,
};

/** Resolves when it serves. SIGTERM gives the proxy two seconds, then stops; Ctrl+C stops at once. */
export async function serve(find: FindVendor | undefined, terminal: Terminal): Promise<number> {
  const { env } = terminal;
  const { createApp } = await import('../app.ts');
  const { getRequestListener } = await import('@hono/node-server');
  // The default of `readConfig` is silent, for tests and for servers that mount the companion.
  const config = readConfig({ LOG_LEVEL: 'info', ...env }, 'serve', find !== undefined, (text) =>
    say(terminal, 'Settings', text, WARN),
  );
  const vendor = await findVendor(config, find);
  // A line that cannot be written, as on a full disk, must not end the calls.
  process.stdout.on('error', () => undefined);
  const server = createServer(TIMEOUTS);
  try {
    await once(server.listen(config.port, config.host), 'listening');
  } catch (error) {
    await vendor.close();
    throw new Error(`HOST and PORT: ${(error as Error).message}`, { cause: error });
  }
  const app = createApp(config, vendor);
  // HTTP/1.0 requests have no Host.
  const listener = getRequestListener((request, bindings) => app.fetch(request, bindings), {
    hostname: 'localhost',
  });
  server.on('request', (request, response) => void listener(request, response));
  const { address, port } = server.address() as AddressInfo;
  say(terminal, 'Companion', `http://${address.includes(':') ? `[${address}]` : address}:${port}`);
  if (config.demoLogin && config.vendor) {
    const warning =
      'DEMO_LOGIN is on: anybody who reaches this port can sign in as any agent and spend your money.';
    say(terminal, 'Sign-in', warning, WARN);
  }
  say(terminal, 'Vendor', `${vendor.baseUrl}${config.vendor ? '' : ' (sandbox)'}`);

  let isStopping = false;
  const stop = async (lameDuckMs: number) => {
    // A second signal must not cut a top-up under way.
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), STOP_MS).unref();
    app.retire();
    await delay(lameDuckMs);
    await drain(server);
    await app.close();
    await vendor.close();
    // Connections to a database that hangs would keep this process alive.
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop(LAME_DUCK_MS)).on('SIGINT', () => void stop(0));
  return 0;
}

/** A line of the start: in columns for people, as JSON for programs. */
function say({ out, isScreen }: Terminal, name: string, text: string, level = INFO): void {
  if (isScreen) out(`${`${name}:`.padEnd(10)} ${text}`);
  else out(JSON.stringify({ level, time: Date.now(), msg: `${name}: ${text}` }));
}

/** Takes no new requests, and waits for those under way; a connection whose request has ended is idle, and closed. */
async function drain(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  const closeIdle = setInterval(() => server.closeIdleConnections(), 50);
  const force = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearInterval(closeIdle);
  clearTimeout(force);
}
