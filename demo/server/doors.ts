/** What a request has to be like before any route looks at it: from an allowed page, small, and JSON if anything. */
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { problem } from './problem.ts';

const MAX_BODY_BYTES = 4096;
const PREFLIGHT_SECONDS = '600';

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

export const smallBody = bodyLimit({
  maxSize: MAX_BODY_BYTES,
  onError: () => problem('invalid-request', `At most ${MAX_BODY_BYTES} bytes.`, 413),
});

/** A form on another site can post text, but not JSON. No body at all is fine. */
export const jsonOnly: MiddlewareHandler = async (c, next) => {
  if (c.req.method !== 'POST') return next();
  const text = await c.req.text();
  if (text === '') return next();
  if (!/^application\/json\b/i.test(c.req.header('Content-Type') ?? '')) {
    return problem('invalid-request', 'The body must be application/json.', 415);
  }
  if (!isJson(text)) return problem('invalid-request', 'The body is not JSON.');
  return next();
};

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
