/** A proxy between the companion and the sandbox: a test changes requests and answers on their way. */
import type { TestContext } from 'node:test';
import type { Vendor } from '../../demo/server/vendor/client.ts';
import { serve, type RunningSandbox } from './servers.ts';

/** @param path from the version on; @param forward asks the sandbox */
export type Intercept = (path: string, forward: () => Promise<Response>, query: URLSearchParams) => unknown;

const VERSION = '/vendor/v3.0';

/** Starts the proxy; the companion is given its address for the vendor. */
export async function startProxy(
  t: Pick<TestContext, 'after'>,
  { origin, apiKey }: RunningSandbox,
  intercept: Intercept,
): Promise<Vendor> {
  const own = await serve(t, async (request) => {
    const { pathname, search, searchParams } = new URL(request.url);
    const { method } = request;
    const body = method === 'POST' ? await request.text() : null;
    const headers = { 'X-API-Key': request.headers.get('X-API-Key') ?? '' };
    const forward = () => fetch(origin + pathname + search, { method, headers, body });
    return intercept(pathname.slice(VERSION.length), forward, searchParams);
  });
  return { baseUrl: own + VERSION, apiKey };
}
