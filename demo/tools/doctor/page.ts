/** The doctor's look at what a page needs: the SDK script, leave to read it and the SDK's API (CORS), and its CSP. */
import { createHash } from 'node:crypto';
import { explainFailure, fix, isTrustworthy, ok, TIMEOUT_MS, skipped, type Finding } from './findings.ts';

export interface PagePlan {
  /** The page's own, e.g. `https://crm.example`. */
  readonly origin: string;
  readonly sdkUrl: string;
  readonly baseUrl: string;
  readonly sandbox: boolean;
}

export interface Script {
  readonly url: string;
  readonly bytes: number;
  readonly contentType: string;
  readonly sha256: string;
  /** Absent where the page may not read the script: the attribute would then keep it from loading. */
  readonly integrity: string | undefined;
}

export interface PageReport {
  readonly findings: readonly Finding[];
  readonly script: Script | undefined;
  readonly policy: readonly string[];
}

/** Where the SDK fetches the sounds that a page does not set. */
const VENDOR_SOUNDS = 'https://cdn.vbot.vn';

export async function examinePage(plan: PagePlan): Promise<PageReport> {
  const { findings, script, hops } = await checkScript(plan);
  return {
    findings: [checkPage(plan), ...findings, await checkApiCors(plan)],
    script,
    policy: writePolicy(plan, hops),
  };
}

function checkPage({ origin, sdkUrl, baseUrl }: PagePlan): Finding {
  const check = 'page';
  if (!isTrustworthy(origin)) {
    return fix(
      check,
      `${origin} is not secure: browsers give it no microphone.`,
      'Serve the page over https.',
    );
  }
  const insecure = [sdkUrl, baseUrl].find((address) => !isTrustworthy(address));
  if (insecure === undefined) return ok(check, `${origin} is secure, so it may ask for the microphone.`);
  return fix(check, `Browsers do not let ${origin} use ${insecure}.`, 'Use its https address.');
}

interface ScriptReport {
  readonly findings: readonly Finding[];
  readonly script: Script | undefined;
  /** Every address the script is loaded from: a redirect adds one. */
  readonly hops: readonly string[];
}

async function checkScript({ origin, sdkUrl, sandbox }: PagePlan): Promise<ScriptReport> {
  const fail = (sentence: string, todo: string): ScriptReport => ({
    findings: [fix('sdk script', sentence, todo), skipped('script cors', 'there is no script')],
    script: undefined,
    hops: [sdkUrl],
  });
  const todo =
    'Open the address in a browser; give another one with --sdk URL, and to the element as sdk-url.';
  try {
    const answer = await fetch(sdkUrl, {
      headers: { Origin: origin },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    const contentType = answer.headers.get('content-type') ?? 'no content type';
    if (!answer.ok) return fail(`${sdkUrl} answers HTTP ${answer.status}.`, todo);
    if (body.length === 0) return fail(`${sdkUrl} is empty.`, todo);
    if (!/(?:java|ecma)script/i.test(contentType))
      return fail(`${sdkUrl} is ${contentType}, no script.`, todo);
    const hash = (algorithm: string) => createHash(algorithm).update(body);
    const cors = checkScriptCors(answer, origin);
    const script = {
      url: sdkUrl,
      bytes: body.length,
      contentType,
      sha256: hash('sha256').digest('hex'),
      integrity: cors.result === 'ok' ? `sha384-${hash('sha384').digest('base64')}` : undefined,
    };
    const fleeting =
      sandbox || /\/v?\d+\.\d+\.\d+\//.test(sdkUrl) ? '' : ' Its address names no version: it may change.';
    const sentence = `HTTP ${answer.status}, ${body.length} bytes, ${contentType}, SHA-256 ${script.sha256}.${fleeting}`;
    return { findings: [ok('sdk script', sentence), cors], script, hops: [...new Set([sdkUrl, answer.url])] };
  } catch (error) {
    const { why, todo: advice } = explainFailure(error);
    return fail(`${sdkUrl} cannot be reached: ${why}.`, advice);
  }
}

function checkScriptCors(answer: Response, origin: string): Finding {
  const check = 'script cors';
  if (new URL(answer.url).origin === origin) return ok(check, 'Script and page have one origin.');
  if (mayRead(answer, origin)) return ok(check, `${origin} may read the script, so sdk-integrity works.`);
  const todo = 'Leave sdk-integrity away, or serve a copy of the script from your own site (sdk-url).';
  return fix(
    check,
    `${origin} may run the script, but not read it: with sdk-integrity it would not load.`,
    todo,
  );
}

/** Asks what a browser asks before it lets the SDK send its token; nothing is requested in earnest. */
async function checkApiCors({ origin, baseUrl }: PagePlan): Promise<Finding> {
  const check = 'api cors';
  const address = `${baseUrl}/api/sdk/info`;
  if (new URL(address).origin === origin) return ok(check, 'API and page have one origin.');
  const todo = `Ask the vendor to allow ${origin} (CORS: Authorization and Content-Type).`;
  try {
    const answer = await fetch(address, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type',
      },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const allowed = (answer.headers.get('access-control-allow-headers') ?? '').toLowerCase().split(/[\s,]+/);
    if (!answer.ok) return fix(check, `${address} answers the preflight with HTTP ${answer.status}.`, todo);
    if (!mayRead(answer, origin)) return fix(check, `${origin} may not read ${address}.`, todo);
    // A star stands for every header but this one.
    if (!allowed.includes('authorization')) return fix(check, `${origin} may not send Authorization.`, todo);
    if (!allowed.includes('content-type') && !allowed.includes('*')) {
      return fix(check, `${origin} may not send Content-Type.`, todo);
    }
    return ok(check, `${origin} may send the SDK’s token to ${address}.`);
  } catch (error) {
    const { why, todo: advice } = explainFailure(error);
    return fix(check, `${address} cannot be asked: ${why}.`, advice);
  }
}

function mayRead({ headers }: Response, origin: string): boolean {
  const allowed = headers.get('access-control-allow-origin');
  return allowed === '*' || allowed === origin;
}

const list = (...sources: readonly string[]) => [...new Set(sources)].join(' ');

/** The directives for these addresses, one a line. */
function writePolicy({ origin, baseUrl, sandbox }: PagePlan, hops: readonly string[]): string[] {
  const foreign = (address: string) => (new URL(address).origin === origin ? [] : [new URL(address)]);
  const scripts = hops
    .flatMap(foreign)
    .map((url) => url.origin + url.pathname.replaceAll(/[;,]/g, encodeURIComponent));
  const apis = foreign(baseUrl).map((url) => url.origin);
  // The sandbox's exchange is on the sandbox's own port; its TLS door, as the vendor's, has an address of its own.
  const sockets = sandbox ? [`ws://${new URL(baseUrl).host}`, 'wss:'] : ['wss:'];
  return [
    `script-src ${list("'self'", ...scripts)};`,
    `connect-src ${list("'self'", ...apis, ...sockets)};`,
    `media-src ${list("'self'", sandbox ? 'data:' : VENDOR_SOUNDS)};`,
  ];
}
