/** Starts the companion alone, on PORT, for this machine only: put your own reverse proxy in front. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { publishSandbox, findVendor } from '../dev/find-vendor.ts';
import { checkDatabase, createCompanion } from './companion.ts';
import { ConfigurationError, EXIT_CONFIGURATION, readEnvironment } from './environment.ts';

const DRAIN_MS = 10_000;
/** Milliseconds; who sends slower than this only wants to keep a connection busy. */
const TIMEOUTS = { headersTimeout: 5000, requestTimeout: 10_000, connectionsCheckingInterval: 1000 };

try {
  await start();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = error instanceof ConfigurationError ? EXIT_CONFIGURATION : 1;
}

async function start(): Promise<void> {
  // A service tells what it does; a test, or a companion inside another server, only if it is asked to.
  const configuration = readEnvironment({ LOG_LEVEL: 'info', ...process.env });
  await checkDatabase(configuration);
  const vendor = await findVendor(configuration);
  const companion = createCompanion(configuration, vendor);
  const listener = getRequestListener((request, env) => companion.fetch(request, env));
  const server = createServer(TIMEOUTS, listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(configuration.port, '127.0.0.1', resolve);
  });
  const withdraw = configuration.vendor
    ? undefined
    : await publishSandbox(configuration.databaseFile, vendor);

  const { port } = server.address() as AddressInfo;
  console.log(`Companion: http://127.0.0.1:${port}`);
  console.log(`Vendor:    ${vendor.baseUrl}${configuration.vendor ? '' : ' (sandbox)'}`);

  const stop = async () => {
    companion.retire();
    await drain(server);
    await withdraw?.();
    await companion.close();
    await vendor.close();
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);
}

/** Lets requests end, top-ups above all, but takes no new ones. */
async function drain(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const force = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(force);
}
