/** What every broker must do, in whatever language it is written: each check sends requests and judges the responses. */
import * as z from 'zod/mini';
import { parseReadiness, parseSession, type Session } from '../../src/broker/answers.ts';

export interface Broker {
  readonly url: string;
  /** Headers that sign a request in, e.g. a cookie. */
  readonly signedIn: Readonly<Record<string, string>>;
  /** Another origin whose pages should be allowed, if there is one. */
  readonly origin: string | undefined;
}

export interface Verdict {
  readonly name: string;
  readonly result: 'pass' | 'fail' | 'warn' | 'skip';
  readonly detail: string;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** What is wrong; undefined: nothing. */
type Finding = string | { readonly skipped: string } | { readonly warned: string } | undefined;

interface Check {
  readonly name: string;
  run(broker: Broker, session: Session, links: readonly Link[]): Promise<Finding>;
}

/** The links move money and hotlines, so they are guarded like the session itself. */
interface Link {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly url: string;
}

const TIMEOUT_MS = 10_000;
/** A page that no broker knows. */
const STRANGER = 'https://stranger.invalid';
const FROM_STRANGER = { Origin: STRANGER, 'Sec-Fetch-Site': 'cross-site' };
const JSON_TYPE = { 'Content-Type': 'application/json' };
const NO_LINKS = { skipped: 'there are no links' };
const STACK_TRACE = /\n\s+at |Traceback|Exception in|node_modules|\.(?:php|py|rb|java|ts|js):\d/;

const customersSchema = z.object({
  customers: z.array(z.object({ code: z.string(), name: z.string(), number: z.string() })),
});

/** @throws when nothing answers at this address at all. */
export async function checkBroker(broker: Broker): Promise<Verdict[]> {
  const first = await ask('POST', broker.url, broker.signedIn);
  const session = attempt(() => parseSession(first, broker.url));
  const isSession = typeof session !== 'string' && session.token !== undefined;
  const verdicts: Verdict[] = [
    {
      name: 'A signed-in agent gets a session that the dialer understands',
      result: isSession ? 'pass' : 'fail',
      detail: typeof session === 'string' ? describeTrouble(first, session) : describeSession(first, session),
    },
    judge(
      'Every part of the response is valid',
      isSession ? warnOfIgnored(session.leftOut) : { skipped: 'there is no session' },
    ),
    ...judgeAnswer(first),
  ];
  for (const check of CHECKS) {
    const finding = isSession ? await runCheck(check, broker, session) : { skipped: 'there is no session' };
    verdicts.push(judge(check.name, finding));
  }
  return verdicts;
}

const CHECKS: readonly Check[] = [
  {
    name: 'A request without sign-in gets no token',
    run: async ({ url }) => refusedWithoutToken(await ask('POST', url)),
  },
  {
    name: 'An error response is problem+json with a code',
    run: async ({ url }) => {
      const { status, headers, body } = await ask('POST', url);
      if (status < 400) return { skipped: 'nothing was refused' };
      const type = headers.get('content-type') ?? 'none';
      if (!type.startsWith('application/problem+json')) return `the content type is ${type}`;
      return /"code"\s*:\s*"[a-z-]+"/.test(body) ? undefined : 'it contains no code';
    },
  },
  {
    name: 'An error response reveals no internals',
    run: async ({ url }) => {
      const { body } = await ask('POST', url, JSON_TYPE, '{');
      return STACK_TRACE.test(body) ? 'it looks like a stack trace' : undefined;
    },
  },
  {
    name: 'GET never returns a token',
    run: async ({ url, signedIn }) => refusedWithoutToken(await ask('GET', url, signedIn)),
  },
  {
    name: 'The member is the signed-in one, whatever the body says',
    run: async ({ url, signedIn }, { member }) => {
      if (!member) return { skipped: 'the broker does not say who the member is' };
      const other = JSON.stringify({ memberNo: 'somebodyElse', member_no: 'somebodyElse' });
      const answer = await ask('POST', url, { ...signedIn, ...JSON_TYPE }, other);
      const session = attempt(() => parseSession(answer, url));
      const got = typeof session === 'string' ? undefined : session.member?.memberNo;
      return got === undefined || got === member.memberNo ? undefined : `it returned a session for ${got}`;
    },
  },
  {
    name: 'A page from an unknown origin can neither send nor read',
    run: async ({ url, signedIn }) => {
      for (const origin of [STRANGER, 'null']) {
        const answer = await ask('POST', url, { ...signedIn, ...FROM_STRANGER, Origin: origin });
        if (isReadable(answer)) return `${origin} may read the response`;
        if (holdsToken(answer)) return `a request from ${origin} created a token`;
      }
      const preflight = await ask('OPTIONS', url, {
        Origin: STRANGER,
        'Access-Control-Request-Method': 'POST',
      });
      return isReadable(preflight) ? 'the preflight is granted' : undefined;
    },
  },
  {
    name: 'A page from the allowed origin can send requests with credentials',
    run: async ({ url, signedIn, origin }) => {
      if (origin === undefined) return { skipped: 'to check it, set --origin' };
      const preflight = await ask('OPTIONS', url, {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
      });
      const answer = await ask('POST', url, { ...signedIn, ...FROM_STRANGER, Origin: origin });
      return missingCors(origin, preflight) ?? missingCors(origin, answer) ?? missingPreflight(preflight);
    },
  },
  {
    name: 'Every link responds as the dialer expects, without a token',
    run: ({ signedIn, url: broker }, _, links) =>
      checkLinks(links, async ({ method, url }) => {
        const answer = await ask(method, url, signedIn);
        if (holdsToken(answer)) return 'it holds a token';
        const readiness = attempt(() => parseReadiness(answer, broker));
        return typeof readiness === 'string' ? readiness : warnOfIgnored(readiness.leftOut);
      }),
  },
  {
    name: 'Without sign-in, no link works',
    run: (_, __, links) => checkLinks(links, async ({ method, url }) => accepted(await ask(method, url))),
  },
  {
    name: 'A page from an unknown origin can use no link',
    run: ({ signedIn }, _, links) =>
      checkLinks(links, async ({ method, url }) => {
        const answer = await ask(method, url, { ...signedIn, ...FROM_STRANGER });
        if (isReadable(answer)) return 'it may read the response';
        return method === 'POST' ? accepted(answer) : undefined;
      }),
  },
  {
    name: 'The customers link, if present, returns customers only to signed-in agents',
    run: async ({ url, signedIn }, { links }) => {
      if (links?.customers === undefined) return { skipped: 'there is no such link' };
      const at = (phone: string) => `${new URL(links.customers ?? '', url).href}?phone=${phone}`;
      const { status, body } = await ask('GET', at('0900000200'), signedIn);
      if (status >= 500) return { warned: `it returns HTTP ${status}: the dialer shows only the number` };
      if (status !== 200 || !customersSchema.safeParse(attempt(() => JSON.parse(body) as unknown)).success) {
        return `it returns HTTP ${status} and a body other than {"customers": [{code, name, number}]}`;
      }
      const nonsense = await ask('GET', at('x'), signedIn);
      if (nonsense.status < 400) return `it returns HTTP ${nonsense.status} for an invalid number`;
      const stranger = await ask('GET', at('0900000200'));
      return stranger.status < 400 ? `without sign-in, it returns HTTP ${stranger.status}` : undefined;
    },
  },
  {
    name: 'A form on another site has no effect',
    run: ({ url, signedIn }, _, links) =>
      checkLinks([{ name: 'the session', method: 'POST', url }, ...links], async ({ method, url: link }) => {
        const form = { ...signedIn, Origin: STRANGER, 'Content-Type': 'application/x-www-form-urlencoded' };
        return method === 'POST' ? accepted(await ask('POST', link, form, 'a=1')) : undefined;
      }),
  },
  // The last check: many servers close the connection after it, and the next request on it would fail.
  {
    name: 'A body that is far too large is refused',
    run: async ({ url, signedIn }) => {
      const large = JSON.stringify('x'.repeat(1_000_000));
      return accepted(await ask('POST', url, { ...signedIn, ...JSON_TYPE }, large));
    },
  },
];

/** What the first response shows by itself. */
function judgeAnswer({ headers, body }: Answer): Verdict[] {
  const cache = headers.get('cache-control') ?? 'absent';
  const type = headers.get('content-type') ?? 'absent';
  const all = `${[...headers].flat().join(' ')} ${body}`;
  const found: Readonly<Record<string, string | false>> = {
    'The response is not cached (no-store)': !/\bno-store\b/.test(cache) && `Cache-Control is ${cache}`,
    'The response is JSON': !type.startsWith('application/json') && `Content-Type is ${type}`,
    'Browsers do not guess its type (nosniff)':
      headers.get('x-content-type-options') !== 'nosniff' && 'X-Content-Type-Options: nosniff is missing',
    'The API key is not exposed': /x-api-key|api[_-]?key/i.test(all) && 'the response mentions an API key',
  };
  return Object.entries(found).map(([name, trouble]) => judge(name, trouble || undefined));
}

function missingCors(origin: string, { status, headers }: Answer): string | undefined {
  if (status >= 400) return `it returned HTTP ${status}`;
  if (headers.get('access-control-allow-origin') !== origin)
    return 'Access-Control-Allow-Origin does not contain the origin';
  if (headers.get('access-control-allow-credentials') !== 'true') return 'credentials are not allowed';
  return /\borigin\b/i.test(headers.get('vary') ?? '') ? undefined : 'Vary: Origin is missing';
}

function missingPreflight({ headers }: Answer): string | undefined {
  if (!headers.get('access-control-allow-methods')?.includes('POST')) return 'POST is not allowed';
  const isKept = Number(headers.get('access-control-max-age')) > 0;
  return isKept ? undefined : 'Access-Control-Max-Age is missing, so browsers send a preflight every time';
}

async function runCheck(check: Check, broker: Broker, session: Session): Promise<Finding> {
  const { status, topUp, hotline } = session.links ?? {};
  const known = [
    ['status', 'GET', status],
    ['topUp', 'POST', topUp],
    ['hotline', 'POST', hotline],
  ] as const;
  const links = known.flatMap(([name, method, link]) =>
    link === undefined ? [] : [{ name, method, url: new URL(link, broker.url).href }],
  );
  try {
    return await check.run(broker, session, links);
  } catch (error) {
    return `no response: ${whyNoAnswer(error)}`;
  }
}

async function checkLinks(links: readonly Link[], check: (link: Link) => Promise<Finding>): Promise<Finding> {
  for (const link of links) {
    const trouble = await check(link);
    if (typeof trouble === 'string') return `${link.name}: ${trouble}`;
    if (trouble !== undefined) return trouble;
  }
  return links.length === 0 ? NO_LINKS : undefined;
}

function judge(name: string, finding: Finding): Verdict {
  if (finding === undefined) return { name, result: 'pass', detail: '' };
  if (typeof finding === 'string') return { name, result: 'fail', detail: finding };
  if ('warned' in finding) return { name, result: 'warn', detail: finding.warned };
  return { name, result: 'skip', detail: finding.skipped };
}

async function ask(
  method: string,
  url: string,
  headers: Broker['signedIn'] = {},
  body?: string,
): Promise<Answer> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const answer = await fetch(url, { method, headers, body: body ?? null, redirect: 'manual', signal });
  return { status: answer.status, headers: answer.headers, body: await answer.text() };
}

/** The dialer needs only the token: without the rest, the agent can still call. */
function warnOfIgnored(leftOut: readonly string[] = []): Finding {
  return leftOut.length > 0 ? { warned: `the dialer ignores ${leftOut.join(', ')}` } : undefined;
}

function isReadable({ headers }: Answer): boolean {
  return headers.has('access-control-allow-origin');
}

function accepted({ status }: Answer): string | undefined {
  return status < 400 ? `it returned HTTP ${status}` : undefined;
}

function refusedWithoutToken(answer: Answer): string | undefined {
  return holdsToken(answer) ? 'it returned a token' : accepted(answer);
}

function holdsToken(answer: Answer): boolean {
  const session = attempt(() => parseSession(answer, STRANGER));
  return answer.status < 400 && typeof session !== 'string' && session.token !== undefined;
}

/** The message of `fetch` says only that it has failed; its cause says why. */
export function whyNoAnswer(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error
    ? `${message}, ${'code' in cause ? String(cause.code) : cause.message}`
    : message;
}

function describeTrouble({ status, headers }: Answer, trouble: string): string {
  const target = headers.get('location');
  if (status < 300 || status > 399 || target === null) return trouble;
  return `it redirects to ${target} (HTTP ${status}), which the dialer does not follow; without sign-in, return 401 instead`;
}

function describeSession({ status }: Answer, { token, member, blockers = [] }: Session): string {
  const trouble = blockers.join(', ');
  if (token === undefined) return `HTTP ${status}, no token: ${trouble}`;
  const who = member ? `for ${member.memberNo}` : 'for a member without memberNo';
  return trouble ? `${who}, who cannot call: ${trouble}` : who;
}

/** The result, or why there is none. */
function attempt<T extends object>(work: () => T): T | string;
function attempt(work: () => unknown): unknown;
function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error instanceof Error ? error.message : 'it cannot be read';
  }
}
