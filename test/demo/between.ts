/** Somebody between the companion and the sandbox, who changes what either hears of the other. */
import type { TestContext } from 'node:test';
import type { Vendor } from '../../demo/server/open-api/open-api.ts';
import { serve, type RunningSandbox } from './servers.ts';

/** @param path from the version on; @param forward asks the sandbox */
export type Meddle = (path: string, forward: () => Promise<Response>, query: URLSearchParams) => unknown;

const VERSION = '/vendor/v3.0';

/** Returns where the companion finds the sandbox, with somebody in between. */
export async function standBetween(
  t: Pick<TestContext, 'after'>,
  { origin, apiKey }: RunningSandbox,
  meddle: Meddle,
): Promise<Vendor> {
  const own = await serve(t, async (request) => {
    const { pathname, search, searchParams } = new URL(request.url);
    const { method } = request;
    const body = method === 'POST' ? await request.text() : null;
    const headers = { 'X-API-Key': request.headers.get('X-API-Key') ?? '' };
    const forward = () => fetch(origin + pathname + search, { method, headers, body });
    return meddle(pathname.slice(VERSION.length), forward, searchParams);
  });
  return { baseUrl: own + VERSION, apiKey };
}
