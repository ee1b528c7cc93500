/** Ports of loopback. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/**
 * @param t closes it at its end; else the caller does
 * @returns the origin of the server
 */
export async function startServer(server: Server, t?: Pick<TestContext, 'after'>): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t?.after(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Nobody listens on it, and the system gives it to nobody: those that it gives begin above 32,000. */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_000);
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return freePort();
  }
  await once(probe.close(), 'close');
  return port;
}
