/** What every REST route of the sandbox shares: the check of the API key, and the two envelopes of a response. */
import type { Context, MiddlewareHandler } from 'hono';
import * as z from 'zod/mini';
import { SANDBOX_API_KEY, type World } from '../world/world.ts';
import { faultMiddleware, type VendorEnv } from './faults.ts';

/** The vendor's general error codes; at some endpoints, a code means something else. */
export const CODE = {
  badRequest: -1,
  badKey: 401,
  short: 402,
  tooMany: 403,
  notFound: 404,
  exists: 409,
} as const;

type VendorMiddleware = readonly [
  MiddlewareHandler<VendorEnv>,
  MiddlewareHandler<VendorEnv>,
  MiddlewareHandler<VendorEnv>,
];
type Refuse = (c: Context, code: number) => Response;

/** Set for each route, not for the prefix, which the SDK's API shares: a fault counts once for each request. */
export function vendorMiddleware(world: World, badKey: number, refuse: Refuse = fail): VendorMiddleware {
  return [
    async (c, next) => {
      const path = c.req.path.replace(/^.*\/v\d+\.\d+(?=\/)/, '');
      world.recordRequest({ at: new Date().toISOString(), method: c.req.method, path });
      await next();
    },
    faultMiddleware(world),
    // Only this header counts; a bearer token is not looked at.
    async (c, next) => {
      if (c.req.header('X-API-Key') !== SANDBOX_API_KEY) return refuse(c, badKey);
      return next();
    },
  ];
}

export async function readJson(c: Context): Promise<unknown> {
  try {
    return await c.req.json();
  } catch {
    // The body is not JSON; every schema refuses undefined.
    return undefined;
  }
}

/** The query parsed by the schema; undefined when it does not fit. */
export function readQuery<T>(c: Context, schema: z.ZodMiniType<T>): T | undefined {
  return schema.safeParse(c.req.query()).data;
}

export const numberText = (fallback: number) => z._default(z.coerce.number(), fallback);

/** The wording differs per endpoint on purpose: a client must look at the code alone. */
export function succeed(c: Context, message: string, data: unknown): Response {
  return c.json({ error: 0, message, data });
}

/** A failure, too, has HTTP 200. */
export const fail: Refuse = (c, error) => c.json({ error, message: `Error ${error}`, data: null });

/** The envelope of `/m-auto-call/`. */
export function succeedAutoCall(c: Context, data: unknown): Response {
  return c.json({ status: 200, msg: 'Success', errorCode: 0, data });
}

export const failAutoCall: Refuse = (c, errorCode) => {
  const data = errorCode === CODE.badRequest ? false : null;
  return c.json({ status: 500, msg: `Error ${errorCode}`, errorCode, data });
};
