/** Makes the vendor's HTTP side fail on demand: a middleware that applies the fault set for the requested path. */
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { Fault, World } from '../world/world.ts';

export interface VendorEnv {
  Bindings: HttpBindings;
}

const SLOW_MS = 3000;

/**
 * Applies the fault set for the given place, else for this request's path, written from the version on
 * (`/api/sdk/info`). A preflight request has no fault and counts for none.
 */
export function faultMiddleware(world: World, place?: string): MiddlewareHandler<VendorEnv> {
  return async (context, next) => {
    const here = place ?? context.req.path.replace(/^.*\/v\d+\.\d+(?=\/)/, '');
    const fault = context.req.method === 'OPTIONS' ? undefined : world.faults.take(here);
    if (fault === undefined) return next();
    return play(fault, context, next);
  };
}

/** The SDK runs in any page and the token is its only credential, so every origin may read the answers. */
export function openCors(): MiddlewareHandler<VendorEnv> {
  return cors({ origin: '*', allowHeaders: ['Authorization', 'Content-Type'], maxAge: 600 });
}

async function play(
  fault: Fault,
  context: Context<VendorEnv>,
  next: () => Promise<void>,
): Promise<Response | undefined> {
  switch (fault.kind) {
    case 'status':
      return Response.json(envelope(fault.value ?? 500), { status: fault.value ?? 500 });
    case 'error':
      return context.json(envelope(fault.value ?? 500));
    case 'garbage':
      return context.html('<!doctype html><title>502</title><h1>Bad Gateway</h1>');
    case 'silent':
      await gone(context.req.raw.signal);
      return hangUp(context);
    case 'drop':
      return hangUp(context);
    case 'drop-after':
      await next();
      replaceAnswer(context, hangUp(context));
      return undefined;
    case 'slow':
      await delay(fault.value ?? SLOW_MS, context.req.raw.signal);
      await next();
      return undefined;
    case 'cut':
      await next();
      replaceAnswer(context, await cut(context.res));
      return undefined;
  }
}

function envelope(error: number): { error: number; message: string; data: null } {
  return { error, message: 'Sandbox fault', data: null };
}

/** Hono keeps the answer that is already there and merges headers into it, unless it is cleared first. */
function replaceAnswer(context: Context<VendorEnv>, answer: Response): void {
  context.res = undefined;
  context.res = answer;
}

/** Half of the body under a whole body's headers: as a proxy leaves it that gives up. */
async function cut(whole: Response): Promise<Response> {
  const body = await whole.text();
  const headers = new Headers(whole.headers);
  headers.delete('content-length');
  return new Response(body.slice(0, Math.floor(body.length / 2)), { status: whole.status, headers });
}

/** Closes the connection without an answer. */
function hangUp(context: Context<VendorEnv>): Response {
  // Without a socket (the app called in-process) a network error is the nearest thing.
  const socket = (context.env as Partial<HttpBindings> | undefined)?.incoming?.socket;
  if (socket === undefined) return Response.error();
  socket.destroy();
  return RESPONSE_ALREADY_SENT;
}

function gone(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
