/** Node's own server around the companion: on loopback, for a reverse proxy on this machine, and drained before it ends. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';

type Fetch = (request: Request, bindings: unknown) => Promise<Response>;

/** Milliseconds; who sends slower than this only wants to keep a connection busy. */
const TIMEOUTS = { headersTimeout: 5000, requestTimeout: 10_000, connectionsCheckingInterval: 1000 };
const DRAIN_MS = 5000;

export interface RunningServer {
  readonly port: number;
  /** Lets requests end, top-ups above all, but takes no new ones. */
  drain(): Promise<void>;
}

export async function listen(fetch: Fetch, port: number): Promise<RunningServer> {
  const server = createServer(TIMEOUTS, getRequestListener(fetch));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return { port: (server.address() as AddressInfo).port, drain: () => drain(server) };
}

async function drain(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const force = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(force);
}
