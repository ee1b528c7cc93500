/** The middleware in front of all routes; refusals are answered as application/problem+json. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler, Next } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { cors } from 'hono/cors';
import { matchedRoutes } from 'hono/route';
import { secureHeaders as honoSecureHeaders } from 'hono/secure-headers';
import { isLoopback, type Config } from '../config.ts';
import { Problem, PROBLEMS, type FromNode, type ProblemCode } from '../problem.ts';
import type { Telemetry } from '../telemetry.ts';

/** The log keeps at most so many characters of a header. */
const MOST_LETTERS = 100;

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

/** Logs and measures every request. If a setting would prevent a refusal, warns once an hour. */
export function logRequests(telemetry: Telemetry, proxyHops: number): MiddlewareHandler<FromNode> {
  const answer = async (c: Context<FromNode>, next: Next) => {
    const begin = performance.now();
    // Behind a proxy that is not configured, all anonymous requests share one budget.
    if (proxyHops === 0 && c.req.header('X-Forwarded-For') !== undefined) {
      telemetry.warnHourly(
        'X-Forwarded-For is ignored: set PROXY_HOPS to the number of your reverse proxies.',
      );
    }
    await next();
    if (c.error instanceof Problem) warnOfSettings(telemetry, c, c.error.code);
    // The route's pattern: a path is written by the caller.
    const route = matchedRoutes(c).findLast(({ path }) => !path.endsWith('*'))?.path ?? 'none';
    telemetry.request(c.req.method, route, c.res.status, performance.now() - begin);
  };
  return (c, next) => telemetry.during(c.get('requestId'), () => answer(c, next));
}

function warnOfSettings(telemetry: Telemetry, c: Context, code: ProblemCode): void {
  const given = (header: string) => c.req.header(header)?.slice(0, MOST_LETTERS) ?? '';
  if (code === 'host-not-allowed') {
    telemetry.warnHourly(
      'Rejected an unknown Host header. If the host is yours, set PUBLIC_ORIGIN, and make your proxy pass on Host.',
      { host: given('Host') },
    );
  }
  if (code === 'origin-not-allowed') {
    telemetry.warnHourly('Rejected an unknown origin. If its pages are yours, add it to ALLOWED_ORIGINS.', {
      origin: given('Origin'),
    });
  }
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

/** Once retired: a proxy that kept the connection would send its next request on it just as the stop closes it. */
export function endConnections(retired: AbortSignal): MiddlewareHandler {
  return async (c, next) => {
    await next();
    if (retired.aborted) c.header('Connection', 'close');
  };
}

type Origins = Pick<Config, 'publicOrigin' | 'allowedOrigins'>;

/** Refuses other host names: with DNS rebinding, pages of another site would count as same-origin. */
export function allowHosts({ publicOrigin, allowedOrigins }: Origins): MiddlewareHandler<FromNode> {
  const hosts = new Set([publicOrigin ?? [], allowedOrigins].flat().flatMap(listHosts));
  return async (c, next) => {
    const host = c.req.header('Host') ?? '';
    if (!hosts.has(host.toLowerCase()) && !isLoopback(readHostName(host)))
      throw new Problem('host-not-allowed');
    return next();
  };
}

/** The values of `Host` that mean this origin: with and without the default port. */
function listHosts(origin: string): string[] {
  const { host, port, protocol } = new URL(origin);
  return port === '' ? [host, `${host}:${protocol === 'https:' ? 443 : 80}`] : [host];
}

/** The host name in a `Host` header, as `URL` normalizes it; empty if it is not valid. */
function readHostName(host: string): string {
  const address = `http://${host}`;
  return URL.canParse(address) && new URL(address).host === host.replace(/:80$/, '')
    ? new URL(address).hostname
    : '';
}

/** Lets pass: same-origin pages, pages of the listed origins, and callers that are not browsers. */
export function allowOrigins({ publicOrigin, allowedOrigins }: Origins): MiddlewareHandler<FromNode> {
  // Loopback means http. Behind a proxy with TLS, PUBLIC_ORIGIN is set.
  const isOwn = (origin: string, host: string) =>
    origin === publicOrigin || (isLoopback(readHostName(host)) && origin === `http://${host}`);
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
      throw new Problem('invalid-request', {
        detail: `The body may have at most ${maxSize} bytes.`,
        status: 413,
      });
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
