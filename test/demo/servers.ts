/** Real servers on loopback ports for the tests of the demo, and folders that vanish with the test. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { getRequestListener } from '@hono/node-server';
import type { Vendor } from '../../demo/server/vbot/client.ts';
import { createSandbox, SANDBOX_API_KEY, type Sandbox } from '../../demo/sandbox/sandbox.ts';
import { createApp } from '../../demo/server/app.ts';
import { readConfig } from '../../demo/server/config.ts';

type Ending = Pick<TestContext, 'after'>;
type Handler = (request: Request, env: { incoming: IncomingMessage }) => unknown;

/** Serves the handler until the test ends; returns its origin. */
export async function serve(t: Ending, handler: Handler): Promise<string> {
  const server = createServer(getRequestListener(handler as Parameters<typeof getRequestListener>[0]));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function makeFolder(t: Ending): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'companion-'));
  // A companion that is still running may write into it meanwhile.
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

export interface RunningSandbox extends Vendor {
  readonly origin: string;
  readonly world: Sandbox['world'];
}

export async function startSandbox(t: Ending): Promise<RunningSandbox> {
  const sandbox = createSandbox();
  const origin = await serve(t, (request, env) => sandbox.fetch(request, env));
  t.after(() => sandbox.close());
  return { origin, world: sandbox.world, baseUrl: `${origin}/vendor/v3.0`, apiKey: SANDBOX_API_KEY };
}

/** Starts a companion; the environment names no vendor, so give it one. Returns its origin. */
export async function startCompanion(
  t: Ending,
  vendor: Vendor,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = env['DATABASE_URL'] === undefined ? await makeFolder(t) : '';
  const config = readConfig({ DATABASE_URL: `file:${folder}/companion.db`, ...env });
  const companion = createApp(config, vendor);
  t.after(() => companion.close());
  return serve(t, (request, bindings) => companion.fetch(request, bindings));
}

/** Signs in with the demo sign-in; returns the cookie to send along. */
export async function signIn(companion: string, memberNo: string): Promise<string> {
  const answer = await postJson(`${companion}/login`, { memberNo });
  return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
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

/** A POST as the dialer sends it: no body. */
export function post(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(url, { method: 'POST', headers });
}
