/** Real servers on loopback ports, and folders that vanish with the test. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { getRequestListener } from '@hono/node-server';
import { createSandbox, SANDBOX_API_KEY, type Sandbox } from '../sandbox.ts';

export type Ending = Pick<TestContext, 'after'>;
type Handler = (request: Request, env: { incoming: IncomingMessage }) => unknown;

/** On a free port; returns its origin. */
export async function startServer(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Serves the handler until the test ends; returns its origin. */
export async function serve(t: Ending, handler: Handler): Promise<string> {
  const server = createServer(getRequestListener(handler as Parameters<typeof getRequestListener>[0]));
  t.after(() => server.close().closeAllConnections());
  return startServer(server);
}

export async function makeFolder(t: Ending): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  // A program that is still running may write into it meanwhile.
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

export interface RunningSandbox {
  readonly origin: string;
  readonly world: Sandbox['world'];
  /** As a companion is configured. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

export async function startSandbox(t: Ending): Promise<RunningSandbox> {
  const sandbox = createSandbox();
  const origin = await serve(t, (request, env) => sandbox.fetch(request, env));
  t.after(() => sandbox.close());
  return { origin, world: sandbox.world, baseUrl: `${origin}/vendor/v3.0`, apiKey: SANDBOX_API_KEY };
}

export function postJson(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}
