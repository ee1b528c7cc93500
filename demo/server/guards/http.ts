/** The middleware in front of all routes, and the form of every refusal: application/problem+json. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { cors } from 'hono/cors';
import type { RequestIdVariables } from 'hono/request-id';
import { secureHeaders as honoSecureHeaders } from 'hono/secure-headers';
import { isLoopback, type Config } from '../config.ts';

/** Requests come from Node's own server. */
export interface FromNode {
  Bindings: HttpBindings;
  Variables: RequestIdVariables & { body?: unknown };
}

const PROBLEMS = {
  'invalid-request': { status: 400, title: 'The request is not understood.' },
  'broker-unauthorized': { status: 401, title: 'Nobody is signed in.' },
  'webhook-unauthorized': { status: 401, title: 'This is not from the vendor.' },
  'operator-unauthorized': { status: 401, title: 'This is for operators.' },
  'top-up-admin-short': { status: 402, title: 'The partner account is short of money.' },
  'top-up-refused': { status: 402, title: 'The vendor refused the top-up.' },
  'top-up-too-small': { status: 402, title: 'One top-up is less than the member owes.' },
  'origin-not-allowed': { status: 403, title: 'Pages of this origin may not ask.' },
  'top-up-off': { status: 403, title: 'Topping up is switched off.' },
  'not-found': { status: 404, title: 'There is nothing here.' },
  'no-hotline': { status: 409, title: 'No hotline can be assigned.' },
  'member-expired': { status: 409, title: "The member's account has ended." },
  'no-script': { status: 409, title: 'No script is set up that could call.' },
  'host-not-allowed': { status: 421, title: 'This is not the name of this server.' },
  'top-up-limit': { status: 429, title: "Today's top-up limit is reached." },
  'too-many-requests': { status: 429, title: 'That is too often.' },
  internal: { status: 500, title: 'The companion failed.' },
  'vendor-refused': { status: 502, title: 'The vendor refused.' },
  'vendor-invalid-answer': { status: 502, title: "The vendor's answer is not understood." },
  'not-ready': { status: 503, title: 'The companion is not ready.' },
  'sign-in-unavailable': { status: 503, title: 'Sign-ins cannot be checked right now.' },
  'top-up-later': { status: 503, title: 'The top-up cannot be made right now.' },
  'vendor-unreachable': { status: 503, title: 'The vendor cannot be reached.' },
  'vendor-busy': { status: 503, title: 'Too many requests to the vendor are under way.' },
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

interface ProblemOptions {
  /** For the caller's people; tells nothing about the inside of the companion. */
  readonly detail?: string | undefined;
  /** If not the code's usual status, e.g. 413 for `invalid-request`. */
  readonly status?: number;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
}

/** Thrown by middleware and routes to refuse a request; `answerProblem` writes it. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly options: ProblemOptions;

  constructor(code: ProblemCode, options: ProblemOptions = {}) {
    super(code);
    this.code = code;
    this.options = options;
  }
}

export function answerProblem(c: Context, { code, options }: Problem): Response {
  const { title, status: usual } = PROBLEMS[code];
  const { detail, status = usual, retryAfter } = options;
  if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter));
  c.header('Content-Type', 'application/problem+json');
  const requestId: unknown = c.get('requestId');
  return c.body(
    JSON.stringify({ type: 'about:blank', title, status, code, detail, requestId }),
    status as 400,
  );
}

/** On every answer, unless the route says otherwise. */
export const secureHeaders: MiddlewareHandler = honoSecureHeaders({
  contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  // These two headers affect the partner's whole site, not only our paths.
  strictTransportSecurity: false,
  originAgentCluster: false,
  overwrite: false,
});

export const noStore: MiddlewareHandler = (c, next) => {
  c.header('Cache-Control', 'no-store');
  return next();
};

type Origins = Pick<Config, 'publicOrigin' | 'allowedOrigins'>;

/** Refuses other host names: with DNS rebinding, pages of another site would count as same-origin. */
export function allowHosts({ publicOrigin, allowedOrigins }: Origins): MiddlewareHandler<FromNode> {
  const hosts = new Set([publicOrigin ?? [], allowedOrigins].flat().flatMap(hostsOf));
  return async (c, next) => {
    const host = c.req.header('Host') ?? '';
    if (!hosts.has(host.toLowerCase()) && !isLoopback(nameOf(host))) throw new Problem('host-not-allowed');
    return next();
  };
}

/** The values of `Host` that mean this origin: with and without the default port. */
function hostsOf(origin: string): string[] {
  const { host, port, protocol } = new URL(origin);
  return port === '' ? [host, `${host}:${protocol === 'https:' ? 443 : 80}`] : [host];
}

/** The host name in a `Host` header, as `URL` normalizes it; empty if it is not valid. */
function nameOf(host: string): string {
  const address = `http://${host}`;
  return URL.canParse(address) && new URL(address).host === host.replace(/:80$/, '')
    ? new URL(address).hostname
    : '';
}

/** Lets pass: same-origin pages, pages of the listed origins, and callers that are not browsers. */
export function allowOrigins({ publicOrigin, allowedOrigins }: Origins): MiddlewareHandler<FromNode> {
  // Loopback means http. Behind a proxy with TLS, PUBLIC_ORIGIN is set.
  const isOwn = (origin: string, host: string) =>
    origin === publicOrigin || (isLoopback(nameOf(host)) && origin === `http://${host}`);
  // The page chooses its headers, e.g. a bearer token: its origin is trusted.
  const allowPage = cors({
    origin: [...allowedOrigins],
    credentials: true,
    allowMethods: ['GET', 'POST'],
    // The dialer reads Retry-After, and shows the request id to support.
    exposeHeaders: ['Date', 'Retry-After', 'X-Request-Id'],
    maxAge: 600,
  });
  return async (c, next) => {
    const { origin, host = '', 'sec-fetch-site': site = 'none' } = c.req.header();
    // Without Origin, Sec-Fetch-Site tells; links and reloads have `none`.
    const own =
      origin === undefined
        ? site === 'none' || site === 'same-origin'
        : site !== 'cross-site' && isOwn(origin, host);
    c.header('Vary', 'Origin');
    if (own) return c.req.method === 'OPTIONS' ? c.body(null, 204) : next();
    if (origin === undefined || !allowedOrigins.includes(origin)) throw new Problem('origin-not-allowed');
    return allowPage(c, next);
  };
}

/** Parses a small JSON body into `c.get('body')`; no body is fine. Requiring JSON keeps out forms of other sites. */
export function jsonBody(maxSize: number): MiddlewareHandler<FromNode> {
  const limited = bodyLimit({
    maxSize,
    onError: () => {
      throw new Problem('invalid-request', { detail: `At most ${maxSize} bytes.`, status: 413 });
    },
  });
  return async (c, next) => {
    if (!hasBody(c)) return next();
    let text = '';
    try {
      await limited(c, async () => void (text = await c.req.text()));
    } catch (error) {
      if (error instanceof Problem) throw error;
      throw new Problem('invalid-request', { detail: 'The body ended too early.' });
    }
    if (text !== '') c.set('body', parseJson(c, text));
    return next();
  };
}

/** Reads the headers, because touching the body is the most expensive part of a small request. */
function hasBody({ env }: Context<FromNode>): boolean {
  const { headers } = env.incoming;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function parseJson(c: Context, text: string): unknown {
  if (!/^application\/json\b/i.test(c.req.header('Content-Type') ?? '')) {
    throw new Problem('invalid-request', { detail: 'The body must be application/json.', status: 415 });
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem('invalid-request', { detail: 'The body is not JSON.' });
  }
}

/** Compares secrets in constant time. */
export function isSameSecret(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
