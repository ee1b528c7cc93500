/** What a request has to be like before any route looks at it: from an allowed page, small, quick, and JSON if anything. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { MemberNo } from '../open-api/open-api.ts';
import { problem } from './problem.ts';

/** What routes behind the sign-in find in their context. */
export interface SignedIn {
  Variables: { memberNo: MemberNo };
}

/** Milliseconds for a whole body, however slowly it drips in. */
const BODY_WITHIN_MS = 5000;
const PREFLIGHT_SECONDS = '600';

/** On every answer, unless the route has said otherwise. */
const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

export const secureHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(HEADERS)) {
    if (!c.res.headers.has(name)) c.res.headers.set(name, value);
  }
};

/** Same-origin pages, pages of the listed origins and callers that are no browser may pass. */
export function allowOrigins(allowed: readonly string[]): MiddlewareHandler {
  return async function checkOrigin(c, next) {
    const origin = c.req.header('Origin');
    const own = origin === undefined ? isOwnOrNoPage(c) : hostOf(origin) === c.req.header('Host');
    if (!own && (origin === undefined || !allowed.includes(origin))) return problem('origin-not-allowed');
    if (c.req.method === 'OPTIONS') c.res = new Response(null, { status: 204 });
    else await next();
    c.header('Vary', 'Origin', { append: true });
    if (!own && origin !== undefined) allowReading(c, origin);
    return undefined;
  };
}

/** A browser that sends no Origin still says how far away the page is; of links and reloads it says `none`. */
function isOwnOrNoPage(c: Context): boolean {
  const site = c.req.header('Sec-Fetch-Site') ?? 'none';
  return site === 'none' || site === 'same-origin';
}

function allowReading(c: Context, origin: string): void {
  c.header('Access-Control-Allow-Origin', origin);
  c.header('Access-Control-Allow-Credentials', 'true');
  if (c.req.method !== 'OPTIONS') return;
  c.header('Access-Control-Allow-Methods', 'GET, POST');
  // The page chooses its broker's headers itself, e.g. a bearer token; the origin is trusted already.
  c.header('Access-Control-Allow-Headers', c.req.header('Access-Control-Request-Headers') ?? '');
  c.header('Access-Control-Max-Age', PREFLIGHT_SECONDS);
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

export function smallBody(maxSize: number): MiddlewareHandler {
  const limit = bodyLimit({
    maxSize,
    onError: () => problem('invalid-request', `At most ${maxSize} bytes.`, 413),
  });
  return (c, next) => (hasBody(c) ? limit(c, next) : next());
}

/** Asked of the headers, as touching the body costs more than all the rest; without Node's own, nobody knows. */
function hasBody(c: Context<{ Bindings: Partial<HttpBindings> }>): boolean {
  const headers = c.env?.incoming?.headers;
  return !headers || headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** A form on another site can post text, but not JSON. No body at all is fine. */
export const jsonOnly: MiddlewareHandler = async (c, next) => {
  if (c.req.method !== 'POST' || !hasBody(c)) return next();
  const text = await inTime(c.req.text());
  if (text === undefined) return problem('too-slow');
  if (text === '') return next();
  if (!/^application\/json\b/i.test(c.req.header('Content-Type') ?? '')) {
    return problem('invalid-request', 'The body must be application/json.', 415);
  }
  if (!isJson(text)) return problem('invalid-request', 'The body is not JSON.');
  return next();
};

function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, BODY_WITHIN_MS, undefined);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Compares secrets in a time that says nothing about how much of it was right. */
export function isSame(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
