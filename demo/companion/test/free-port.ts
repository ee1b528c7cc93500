/** Ports of loopback, given by the system: runs side by side do not pick the same one. */
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

/** That nobody listens on. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
