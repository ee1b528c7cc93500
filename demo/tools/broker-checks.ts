/** What every broker has to be like, whatever it is written in: each check sends a request and judges the answer. */
import type { Session } from '../../src/broker/answer.ts';
import {
  describeSession,
  explainNoSession,
  holdsToken,
  parseOrUndefined,
  refusedWithoutToken,
  request,
  STRANGER,
  type Answer,
  type Ask,
  type BrokerUnderTest,
  type Check,
  type Finding,
} from './broker-answers.ts';
import { LINK_CHECKS } from './link-checks.ts';

export interface Verdict {
  readonly name: string;
  readonly result: 'pass' | 'fail' | 'skip';
  readonly detail: string;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** @throws when nothing answers at this address at all. */
export async function checkBroker(broker: BrokerUnderTest): Promise<Verdict[]> {
  const ask: Ask = (method, headers = {}, body, url = broker.url) => request(method, headers, body, url);
  const first = await ask('POST', broker.signedIn);
  const session = parseOrUndefined(first);
  const shape: Verdict = {
    name: 'A signed-in agent gets a session that the dialer understands',
    result: session?.token ? 'pass' : 'fail',
    detail: session?.token ? describeSession(session) : explainNoSession(first, session),
  };
  const verdicts = [shape, ...judgeAnswer(first)];
  for (const check of CHECKS) {
    const finding = session?.token
      ? await runCheck(check, broker, ask, session)
      : { skipped: 'there is no session' };
    verdicts.push(judge(check.name, finding));
  }
  return verdicts;
}

const CHECKS: readonly Check[] = [
  {
    name: 'Who is not signed in gets no token',
    run: async (_, ask) => refusedWithoutToken(await ask('POST')),
  },
  {
    name: 'A refusal is problem+json with a code',
    run: async (_, ask) => {
      const { status, headers, body } = await ask('POST');
      if (status < 400) return { skipped: 'nothing was refused' };
      const type = headers.get('content-type') ?? 'none';
      if (!type.startsWith('application/problem+json')) return `the content type is ${type}`;
      return /"code"\s*:\s*"[a-z-]+"/.test(body) ? undefined : 'there is no code in it';
    },
  },
  {
    name: 'A refusal shows no inner workings',
    run: async (_, ask) => {
      const { body } = await ask('POST', JSON_TYPE, '{');
      return /\n\s+at |Traceback|Exception in|node_modules|\.(?:php|py|rb|java|ts|js):\d/.test(body)
        ? 'it looks like a stack trace'
        : undefined;
    },
  },
  {
    name: 'A token is never given to GET',
    run: async ({ signedIn }, ask) => refusedWithoutToken(await ask('GET', signedIn)),
  },
  {
    name: 'The member is whoever is signed in, whatever the body says',
    run: async ({ signedIn }, ask, { member }) => {
      if (!member) return { skipped: 'the broker does not say who the member is' };
      const other = JSON.stringify({ memberNo: 'somebodyElse', member_no: 'somebodyElse' });
      const answer = await ask('POST', { ...signedIn, ...JSON_TYPE }, other);
      const got = parseOrUndefined(answer)?.member?.memberNo;
      return got === undefined || got === member.memberNo ? undefined : `it gave a session of ${got}`;
    },
  },
  {
    name: 'A page of a strange origin can neither ask nor read',
    run: async ({ signedIn }, ask) => {
      for (const origin of [STRANGER, 'null']) {
        const answer = await ask('POST', { ...signedIn, Origin: origin, 'Sec-Fetch-Site': 'cross-site' });
        if (answer.headers.has('access-control-allow-origin')) return `${origin} may read the answer`;
        if (holdsToken(answer)) return `${origin} got a token made`;
      }
      const preflight = await ask('OPTIONS', { Origin: STRANGER, 'Access-Control-Request-Method': 'POST' });
      return preflight.headers.has('access-control-allow-origin') ? 'its preflight is granted' : undefined;
    },
  },
  {
    name: 'A page of the allowed origin may ask, with credentials',
    run: async ({ signedIn, origin }, ask) => {
      if (origin === undefined) return { skipped: 'give --origin to check it' };
      const preflight = await ask('OPTIONS', { Origin: origin, 'Access-Control-Request-Method': 'POST' });
      const answer = await ask('POST', { ...signedIn, Origin: origin, 'Sec-Fetch-Site': 'cross-site' });
      return missingCors(origin, preflight) ?? missingCors(origin, answer) ?? missingPreflight(preflight);
    },
  },
  ...LINK_CHECKS,
  // At the end: many servers hang up after it, and what is asked next on that connection would suffer.
  {
    name: 'A body that is far too large is refused',
    run: async ({ signedIn }, ask) => {
      const { status } = await ask(
        'POST',
        { ...signedIn, ...JSON_TYPE },
        JSON.stringify('x'.repeat(1_000_000)),
      );
      return status < 400 ? `it was answered with ${status}` : undefined;
    },
  },
];

/** What the first answer shows by itself. */
function judgeAnswer({ headers, body }: Answer): Verdict[] {
  const cache = headers.get('cache-control') ?? 'absent';
  const type = headers.get('content-type') ?? 'absent';
  const all = `${[...headers].flat().join(' ')} ${body}`;
  return [
    judge('No cache keeps the token', /\bno-store\b/.test(cache) ? undefined : `Cache-Control is ${cache}`),
    judge('The answer is JSON', type.startsWith('application/json') ? undefined : `Content-Type is ${type}`),
    judge(
      'No browser guesses at its type',
      headers.get('x-content-type-options') === 'nosniff'
        ? undefined
        : 'X-Content-Type-Options: nosniff is missing',
    ),
    judge(
      'The API key stays at home',
      /x-api-key|api[_-]?key/i.test(all) ? 'the answer speaks of an API key' : undefined,
    ),
  ];
}

function missingCors(origin: string, { status, headers }: Answer): string | undefined {
  if (status >= 400) return `it was answered with ${status}`;
  if (headers.get('access-control-allow-origin') !== origin)
    return 'Access-Control-Allow-Origin does not name it';
  if (headers.get('access-control-allow-credentials') !== 'true') return 'credentials are not allowed';
  return /\borigin\b/i.test(headers.get('vary') ?? '') ? undefined : 'Vary: Origin is missing';
}

function missingPreflight({ headers }: Answer): string | undefined {
  if (!headers.get('access-control-allow-methods')?.includes('POST')) return 'POST is not allowed';
  return Number(headers.get('access-control-max-age')) > 0
    ? undefined
    : 'every request costs a preflight: no max-age';
}

async function runCheck(check: Check, broker: BrokerUnderTest, ask: Ask, session: Session): Promise<Finding> {
  try {
    return await check.run(broker, ask, session);
  } catch (error) {
    return `no answer: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function judge(name: string, finding: Finding): Verdict {
  if (finding === undefined) return { name, result: 'pass', detail: '' };
  if (typeof finding === 'string') return { name, result: 'fail', detail: finding };
  return { name, result: 'skip', detail: finding.skipped };
}
