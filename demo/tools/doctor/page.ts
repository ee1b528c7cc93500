/** What a page needs: the SDK script, permission to read the script and the SDK's API (CORS), and a CSP that allows both. */
import { createHash } from 'node:crypto';
import { isLoopback } from '../../companion/config.ts';

export interface Finding {
  readonly check: string;
  /** `skipped`: after an earlier finding, there is nothing to check. */
  readonly result: 'ok' | 'fix' | 'skipped';
  readonly sentence: string;
  readonly todo?: string;
}

interface PagePlan {
  /** The page's own, e.g. `https://crm.example`. */
  readonly origin: string;
  readonly sdkUrl: string;
  readonly baseUrl: string;
  readonly sandbox: boolean;
}

export interface PageReport {
  readonly findings: readonly Finding[];
  /** Attributes of the element that run this very script or none; absent where the page may not read the script. */
  readonly pin?: string | undefined;
  /** The directives for these addresses, one a line. */
  readonly policy: readonly string[];
}

const TIMEOUT_MS = 10_000;
/** Where the SDK fetches the sounds that a page does not set. */
const VENDOR_SOUNDS = 'https://cdn.vbot.vn';
const CORS_TODO = 'Ask the vendor to allow this origin (CORS: Authorization and Content-Type).';

const PREFLIGHT_REDIRECT_TODO =
  'Browsers do not follow redirects here. Set VENDOR_BASE_URL and sdk-base-url to the final URL.';

export function ok(check: string, sentence: string): Finding {
  return { check, result: 'ok', sentence };
}

export function fix(check: string, sentence: string, todo: string): Finding {
  return { check, result: 'fix', sentence, todo };
}

export function skipped(check: string, why: string): Finding {
  return { check, result: 'skipped', sentence: `Not tried: ${why}.` };
}

export async function examinePage(plan: PagePlan): Promise<PageReport> {
  const { origin, sdkUrl } = plan;
  const page = isTrustworthy(origin)
    ? ok('page', `${origin} is secure, so it may ask for the microphone.`)
    : fix(
        'page',
        `${origin} is not secure: browsers do not let it use the microphone.`,
        'Serve the page over https.',
      );
  const script = await ask(sdkUrl, { headers: { Origin: origin } });
  const body = typeof script === 'string' ? Buffer.of() : Buffer.from(await script.arrayBuffer());
  const why = typeof script === 'string' ? script : whyNoScript(script, body);
  const scriptFindings =
    typeof script === 'string' || why !== undefined
      ? [
          fix(
            'sdk script',
            `${sdkUrl} ${why}.`,
            'Open this URL in a browser. To use another script, set --sdk here and sdk-url in the page.',
          ),
          skipped('script cors', 'there is no script'),
        ]
      : [describeScript(plan, script, body), checkScriptCors(script, origin)];
  const isReadable = scriptFindings[1]?.result === 'ok';
  const hash = createHash('sha384').update(body).digest('base64');
  return {
    findings: [page, ...scriptFindings, await checkApiCors(plan)],
    pin: isReadable ? `sdk-url="${sdkUrl}" sdk-integrity="sha384-${hash}"` : undefined,
    policy: writePolicy(plan, typeof script === 'string' ? sdkUrl : script.url),
  };
}

function whyNoScript({ ok: isFine, status, headers }: Response, body: Buffer): string | undefined {
  const type = headers.get('content-type') ?? '(none)';
  if (!isFine) return `responds with HTTP ${status}`;
  if (body.length === 0) return 'is empty';
  return /(?:java|ecma)script/i.test(type)
    ? undefined
    : `has the content type ${type}, which is not JavaScript`;
}

function describeScript({ sdkUrl, sandbox }: PagePlan, { headers }: Response, body: Buffer): Finding {
  const sha = createHash('sha256').update(body).digest('hex');
  const facts = `${body.length} bytes, ${headers.get('content-type')}, SHA-256 ${sha}.`;
  const isPinned = sandbox || /\/v?\d+\.\d+\.\d+\//.test(sdkUrl);
  return ok(
    'sdk script',
    isPinned ? facts : `${facts} Its URL contains no version, so the script may change.`,
  );
}

function checkScriptCors(answer: Response, origin: string): Finding {
  if (new URL(answer.url).origin === origin || mayRead(answer, origin)) {
    return ok('script cors', `${origin} may read the script, so sdk-integrity works.`);
  }
  const sentence = `${origin} may run the script, but not read it: with sdk-integrity, the script would not load.`;
  return fix('script cors', sentence, 'Remove sdk-integrity, or serve a copy from your own site (sdk-url).');
}

/** Sends the preflight that a browser sends before the SDK's request with its token, and nothing else. */
async function checkApiCors({ origin, baseUrl }: PagePlan): Promise<Finding> {
  const address = `${baseUrl}/api/sdk/info`;
  const answer = await ask(address, {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type',
    },
    redirect: 'manual',
  });
  if (typeof answer === 'string') return skipped('api cors', `${address} ${answer}`);
  const why = whyNoCors(answer, origin);
  if (why === undefined || new URL(address).origin === origin) {
    return ok('api cors', `${origin} may send the SDK’s token to ${address}.`);
  }
  const { status } = answer;
  if (status >= 500) return skipped('api cors', `${address} failed with HTTP ${status}`);
  const isRedirect = status >= 300 && status < 400;
  return fix('api cors', `${why}.`, isRedirect ? PREFLIGHT_REDIRECT_TODO : CORS_TODO);
}

function whyNoCors(answer: Response, origin: string): string | undefined {
  const allowed = (answer.headers.get('access-control-allow-headers') ?? '').toLowerCase().split(/[\s,]+/);
  if (!answer.ok) return `The response to the preflight is HTTP ${answer.status}`;
  if (!mayRead(answer, origin)) return `${origin} may not read the responses`;
  // `*` allows every header but this one.
  if (!allowed.includes('authorization')) return `${origin} may not send Authorization`;
  const isTyped = allowed.includes('content-type') || allowed.includes('*');
  return isTyped ? undefined : `${origin} may not send Content-Type`;
}

function mayRead({ headers }: Response, origin: string): boolean {
  return ['*', origin].includes(headers.get('access-control-allow-origin') ?? '');
}

/** Whether a browser allows a microphone at this address. */
function isTrustworthy(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || isLoopback(hostname);
}

/** The response, or why there is none. */
async function ask(address: string, init: RequestInit): Promise<Response | string> {
  try {
    return await fetch(address, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    const { name, cause } = error as Error & { readonly cause?: { readonly code?: string } };
    const isLate = name === 'TimeoutError';
    return `cannot be reached: ${isLate ? `no response within ${TIMEOUT_MS / 1000} s` : (cause?.code ?? name)}`;
  }
}

function writePolicy({ origin, baseUrl, sdkUrl, sandbox }: PagePlan, redirected: string): string[] {
  const foreign = (address: string) => (new URL(address).origin === origin ? [] : [new URL(address)]);
  const scripts = [sdkUrl, redirected]
    .flatMap(foreign)
    .map((url) => url.origin + url.pathname.replaceAll(/[;,]/g, encodeURIComponent));
  const apis = foreign(baseUrl).map((url) => url.origin);
  // The sandbox's exchange is on the sandbox's own port; with TLS, as the vendor's, it has an address of its own.
  const sockets = sandbox ? [`ws://${new URL(baseUrl).host}`, 'wss:'] : ['wss:'];
  const sources = {
    'script-src': scripts,
    'connect-src': [...apis, ...sockets],
    'media-src': [sandbox ? 'data:' : VENDOR_SOUNDS],
  };
  return Object.entries(sources).map(([name, all]) => `${name} 'self' ${[...new Set(all)].join(' ')};`);
}
