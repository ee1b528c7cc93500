/** The dialer's routes. The member is the one who is signed in, never one that a request names. */
import { Hono } from 'hono';
import type { SignedIn } from './guards/auth.ts';
import { Problem } from './problem.ts';
import type { TopUpResult } from './money/result.ts';
import {
  assignMissingHotline,
  findBlockers,
  provision,
  readStatus,
  topUpMember,
  type Dependencies,
  type Readiness,
  type Step,
} from './provision.ts';
import type { Telemetry } from './telemetry.ts';
import type { MemberNo } from './vbot/api.ts';
import type { VendorError } from './vbot/errors.ts';

/** What `POST /dialer/session` returns; `status`, `top-up` and `hotline` return the same without the token. */
export type SessionAnswer = ReturnType<typeof describeReadiness> & { readonly token: string };

/**
 * Relative to the session's own address, so that the companion can be mounted anywhere; features may be left out. What is paid or
 * assigned names the member, for whom a page asks that may have been left open since.
 */
const linksOf = (memberNo: MemberNo) => ({
  status: 'status',
  topUp: `top-up?member=${memberNo}`,
  hotline: `hotline?member=${memberNo}`,
  calls: 'calls',
  customers: 'customers',
});
type Links = Partial<ReturnType<typeof linksOf>>;

interface Parts {
  readonly telemetry: Telemetry;
  /** The price of a minute for each member; absent if the feature was removed. */
  readonly prices?: { of(memberNo: MemberNo): number | undefined };
  /** Whether a route is mounted there; called once all routes are. */
  isMounted(path: string): boolean;
}

export function createDialerRoutes(
  dependencies: Dependencies,
  { telemetry, prices, isMounted }: Parts,
): Hono<SignedIn> {
  const app = new Hono<SignedIn>();
  const describe = (memberNo: MemberNo, readiness: Readiness) => {
    const links = Object.entries(linksOf(memberNo)).filter(([, link]) =>
      isMounted(`/dialer/${link.replace(/\?.*/, '')}`),
    );
    return describeReadiness(readiness, prices?.of(memberNo), Object.fromEntries(links));
  };
  const running = new Map<MemberNo, ReturnType<typeof provision>>();

  app.use(async (c, next) => {
    // The price is read while the vendor is asked.
    prices?.of(c.get('memberNo'));
    await next();
  });

  // The page reads who has signed in since, and nothing is paid or assigned.
  app.on('POST', ['/top-up', '/hotline'], async (c, next) => {
    const memberNo = c.get('memberNo');
    const { member = memberNo } = c.req.query();
    if (member === memberNo) return next();
    return c.json(describe(memberNo, await readStatus(memberNo, dependencies)));
  });

  app.post('/session', async (c) => {
    const memberNo = c.get('memberNo');
    const report = (step: Step) => {
      if (step.status === 'failed') telemetry.failedStep(memberNo, step);
    };
    // Two tabs that open at once need one run, not two.
    const run = running.get(memberNo) ?? provision(memberNo, dependencies, 'session', report);
    running.set(memberNo, run);
    const { token, ...readiness } = await run.finally(() => running.delete(memberNo));
    const answer = { token, ...describe(memberNo, readiness) };
    telemetry.session(memberNo, answer.blockers);
    return c.json(answer);
  });

  app.get('/status', async (c) => {
    const memberNo = c.get('memberNo');
    return c.json(describe(memberNo, await readStatus(memberNo, dependencies)));
  });

  app.post('/top-up', async (c) => {
    const memberNo = c.get('memberNo');
    const result = await topUpMember(memberNo, dependencies);
    const problem = topUpProblem(result);
    if (problem) throw problem;
    const readiness = await readStatus(memberNo, dependencies, result.member);
    return c.json(describe(memberNo, readiness));
  });

  app.post('/hotline', async (c) => {
    const memberNo = c.get('memberNo');
    const { readiness, assignment } = await assignMissingHotline(memberNo, dependencies);
    const { hotlines, error, detail } = assignment;
    if (hotlines?.length === 0) throw error ? vendorProblem(error) : new Problem('no-hotline', { detail });
    return c.json(describe(memberNo, readiness));
  });

  return app;
}

function describeReadiness(readiness: Readiness, pricePerMinute: number | undefined, links: Links) {
  const { memberNo, name, extension, balance, expiresAt } = readiness.member;
  return {
    member: { memberNo, name, extension, balance, currency: 'VND', pricePerMinute, expiresAt },
    hotlines: readiness.hotlines ?? [],
    blockers: findBlockers(readiness),
    links,
  };
}

const [LATER_SECONDS, UNREACHABLE_SECONDS, BUSY_SECONDS] = [60, 5, 2];
/** Only operators may read what the vendor says about a key. */
const KEY_REFUSALS: readonly (number | undefined)[] = [401, 403];

/** For the agent: without paths, keys and the key's permissions. `Retry-After` has no jitter: the dialer adds its own. */
export function vendorProblem({ code, vendorCode, vendorMessage, retryAfterMs }: VendorError): Problem {
  const seconds = retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1000);
  switch (code) {
    case 'refused':
      return new Problem('vendor-refused', {
        detail: KEY_REFUSALS.includes(vendorCode) ? undefined : vendorMessage,
      });
    case 'invalid-answer':
    case 'not-sent':
      return new Problem('vendor-invalid-answer');
    case 'busy':
    case 'rate-limited':
      return new Problem('vendor-busy', { retryAfter: seconds ?? BUSY_SECONDS });
    case 'unreachable':
    case 'not-connected':
    case 'circuit-open':
      return new Problem('vendor-unreachable', { retryAfter: seconds ?? UNREACHABLE_SECONDS });
  }
}

const ON_A_CALL = -1;

/** Undefined: the top-up was made or is under way; the status shows it. */
function topUpProblem({ why, error, detail }: TopUpResult): Problem | undefined {
  switch (why) {
    case 'paid':
    case 'enough':
    case 'not-asked':
    case 'pending':
    case 'unconfirmed':
      return undefined;
    case 'later':
      return topUpLater(error);
    case 'off':
    case 'admin-short':
      return new Problem(`top-up-${why}`);
    case 'limit':
    case 'too-small':
      return new Problem(`top-up-${why}`, { detail });
    case 'ended':
      return new Problem('member-expired', { detail });
    case 'no-hotline':
      return new Problem('no-hotline', { detail });
    case 'refused':
      if (error?.vendorCode === ON_A_CALL) return topUpLater(error, 'The member is on a call.');
      return new Problem('top-up-refused', { detail: error && vendorProblem(error).options.detail });
    case 'vendor':
      return error ? vendorProblem(error) : new Problem('vendor-unreachable');
    case 'ledger':
      return topUpLater(error, 'Top-ups are not possible at the moment.');
  }
}

function topUpLater(
  { retryAfterMs = LATER_SECONDS * 1000 }: Partial<VendorError> = {},
  detail?: string,
): Problem {
  return new Problem('top-up-later', { detail, retryAfter: Math.ceil(retryAfterMs / 1000) });
}
