/** The whole companion behind a real port, with a vendor in memory. */
import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { createApp, type App, type AppOptions } from '../app.ts';
import { readConfig } from '../config.ts';
import type { Vendor } from '../vbot/client.ts';
import { startServer } from './free-port.ts';
import { makeFolder } from './stores.ts';
import { startVendor, type Ending, type StubVendor } from './vendor.ts';

/** Tests do not wait for what another companion has written. */
const POLL_MS = 20;

export interface RunningApp {
  readonly origin: string;
  readonly app: App;
  /** Its log, line by line. */
  readonly log: Record<string, unknown>[];
}

/** @param env names no vendor: it is the sandbox, as far as the configuration goes */
export async function startApp(
  t: Ending,
  vendor: Vendor,
  env: Readonly<Record<string, string>> = {},
  options: AppOptions = {},
): Promise<RunningApp> {
  const folder = env['DATABASE_URL'] === undefined ? await makeFolder(t) : '';
  const config = readConfig(
    { DATABASE_URL: `file:${folder}/companion.db`, LOG_LEVEL: 'info', ...env },
    'mount',
  );
  const log: Record<string, unknown>[] = [];
  const write = (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>);
  const app = createApp(config, vendor, { log: { write }, pollMs: POLL_MS, ...options });
  const listener = getRequestListener((one, env_) => app.fetch(one, env_));
  const server = createServer((incoming, response) => void listener(incoming, response));
  const origin = await startServer(server, t);
  t.after(() => app.close());
  return { origin, app, log };
}

export interface Agent extends RunningApp {
  readonly vendor: StubVendor;
  readonly cookie: string;
  /** A request of the signed-in agent: a GET for what only reads, else a POST without a body, as the dialer sends it. */
  ask(path: string, headers?: Record<string, string>): Promise<Response>;
  json(path: string): Promise<Record<string, unknown>>;
}

/** An agent who has signed in at a companion of a vendor of their own, which is empty. */
export async function startAgent(
  t: Ending,
  env: Readonly<Record<string, string>> = {},
  vendor?: StubVendor,
  options?: AppOptions,
): Promise<Agent> {
  const stub = vendor ?? (await startVendor(t));
  const running = await startApp(t, stub, env, options);
  const cookie = await signIn(running.origin, 'agent001');
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${running.origin}/dialer/${path}`, {
      method: /^(?:status|calls|customers|events)/.test(path) ? 'GET' : 'POST',
      headers: { Cookie: cookie, ...headers },
    });
  return {
    ...running,
    vendor: stub,
    cookie,
    ask,
    json: async (path) => {
      const answer = await ask(path);
      const body = (await answer.json()) as Record<string, unknown>;
      assert.equal(answer.status, 200, JSON.stringify(body));
      return body;
    },
  };
}

/** Signs in with the demo sign-in; returns the cookie to send along. */
export async function signIn(origin: string, memberNo: string): Promise<string> {
  return cookieIn(await post(`${origin}/login`, { memberNo }));
}

export function cookieIn(answer: Response): string {
  return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

/** With a JSON body, or without any. */
export function post(url: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
  if (body === undefined) return fetch(url, { method: 'POST', headers });
  const json = { 'Content-Type': 'application/json', ...headers };
  return fetch(url, { method: 'POST', headers: json, body: JSON.stringify(body) });
}

/** Status and code of an answer that is a problem. */
export async function problemOf(answer: Response): Promise<[status: number, code: unknown]> {
  assert.equal(answer.headers.get('content-type'), 'application/problem+json');
  const body = (await answer.json()) as Record<string, unknown>;
  assert.equal(body['status'], answer.status);
  return [answer.status, body['code']];
}

/** The status of a request with headers that `fetch` would not send. */
export function statusOf(
  url: string,
  headers: Readonly<Record<string, string>>,
  method = 'GET',
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    outgoing.on('error', reject).end();
  });
}

/** How many requests have reached it from now on. */
export function countRequests(app: App): () => number {
  let count = 0;
  const { fetch: answer } = app;
  app.fetch = (...given) => {
    count += 1;
    return answer(...given);
  };
  return () => count;
}

/** Resolves with what it returns once that is true. @throws {AssertionError} if it is not within this time */
export async function until<T>(
  ask: () => T | Promise<T>,
  ms = 10_000,
): Promise<Exclude<T, false | undefined>> {
  const giveUp = performance.now() + ms;
  for (;;) {
    const answer = await ask();
    if (answer) return answer as Exclude<T, false | undefined>;
    assert.ok(performance.now() < giveUp, `not within ${ms} ms: ${String(ask)}`);
    await delay(20);
  }
}
