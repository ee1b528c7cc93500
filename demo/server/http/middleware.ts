/** What a request has to be like before any route looks at it: from an allowed page, small, quick, and JSON if anything. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler, Next } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { FromNode } from './context.ts';
import { isLoopback } from './loopback.ts';
import { problem } from './problem.ts';

/** Milliseconds for a whole body, however slowly it drips in. */
const BODY_WITHIN_MS = 5000;
const PREFLIGHT_SECONDS = '600';

/** On every answer, unless the route says otherwise. */
const HEADERS = [
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
] as const;

export const secureHeaders: MiddlewareHandler<FromNode> = (c, next) => {
  for (const [name, value] of HEADERS) c.env.outgoing.setHeader(name, value);
  return next();
};

export interface Origins {
  /** Where the outside world finds this server; absent: on loopback only. */
  readonly publicOrigin: string | undefined;
  /** Other origins whose pages may ask. */
  readonly allowedOrigins: readonly string[];
}

/** A name that is not ours came by way of somebody's DNS (rebinding), and its pages would count as our own. */
export function allowHosts({ publicOrigin, allowedOrigins }: Origins): MiddlewareHandler<FromNode> {
  const hosts = new Set([publicOrigin ?? [], allowedOrigins].flat().map((origin) => new URL(origin).host));
  return async function checkHost({ env: { incoming } }, next) {
    const { host = '' } = incoming.headers;
    return hosts.has(host.toLowerCase()) || isLoopback(nameOf(host)) ? next() : problem('host-not-allowed');
  };
}

/** Same-origin pages, pages of the listed origins and callers that are no browser may pass. */
export function allowOrigins({ publicOrigin, allowedOrigins }: Origins): MiddlewareHandler<FromNode> {
  // On loopback there is no TLS, unless a proxy adds it: then PUBLIC_ORIGIN says so.
  const isOwn = (origin: string, host: string) =>
    origin === publicOrigin || (isLoopback(nameOf(host)) && origin === `http://${host}`);
  return async function checkOrigin({ env: { incoming, outgoing } }, next) {
    const { origin, host = '' } = incoming.headers;
    const isCrossSite = incoming.headers['sec-fetch-site'] === 'cross-site';
    const own = origin === undefined ? isOwnOrNoPage(incoming) : !isCrossSite && isOwn(origin, host);
    outgoing.setHeader('Vary', 'Origin');
    if (!own) {
      if (origin === undefined || !allowedOrigins.includes(origin)) return problem('origin-not-allowed');
      outgoing.setHeader('Access-Control-Allow-Origin', origin);
      outgoing.setHeader('Access-Control-Allow-Credentials', 'true');
      // The dialer waits as long as it is told to, and names the request to whoever helps.
      outgoing.setHeader('Access-Control-Expose-Headers', 'Retry-After, X-Request-Id');
    }
    if (incoming.method !== 'OPTIONS') return next();
    if (!own) {
      outgoing.setHeader('Access-Control-Allow-Methods', 'GET, POST');
      // The page chooses its broker's headers itself, e.g. a bearer token; the origin is trusted already.
      const wanted = incoming.headers['access-control-request-headers'] ?? '';
      outgoing.setHeader('Access-Control-Allow-Headers', wanted);
      outgoing.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
    }
    return new Response(null, { status: 204 });
  };
}

/** A browser that sends no Origin still says how far away the page is; of links and reloads it says `none`. */
function isOwnOrNoPage({ headers }: HttpBindings['incoming']): boolean {
  const site = headers['sec-fetch-site'] ?? 'none';
  return site === 'none' || site === 'same-origin';
}

/** The name in a Host header, as URL has it. */
function nameOf(host: string): string {
  const address = `http://${host}`;
  return URL.canParse(address) && new URL(address).host === host.replace(/:80$/, '')
    ? new URL(address).hostname
    : '';
}

export function smallBody(maxSize: number): MiddlewareHandler<FromNode> {
  const limit = bodyLimit({
    maxSize,
    onError: () => problem('invalid-request', `At most ${maxSize} bytes.`, 413),
  });
  return (c, next) => (hasBody(c.env.incoming) ? limit(c, next) : next());
}

/** A form on another site can post text, but not JSON. No body at all is fine. */
export const jsonOnly: MiddlewareHandler<FromNode> = (c, next) =>
  c.req.method === 'POST' && hasBody(c.env.incoming) ? readJson(c, next) : next();

/** Asked of the headers, as touching the body costs more than all the rest. */
function hasBody({ headers }: HttpBindings['incoming']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

async function readJson(c: Context, next: Next): Promise<Response | void> {
  const text = await inTime(c.req.text());
  if (text === undefined) return problem('too-slow');
  if (text === '') return next();
  if (!/^application\/json\b/i.test(c.req.header('Content-Type') ?? '')) {
    return problem('invalid-request', 'The body must be application/json.', 415);
  }
  if (!isJson(text)) return problem('invalid-request', 'The body is not JSON.');
  return next();
}

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
