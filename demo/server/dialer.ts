/** The routes of the dialer. The member is whoever is signed in, never whoever a request names. */
import { Hono } from 'hono';
import { describeReadiness, troubleOf, troubleOfTopUp, type Trouble } from './answers.ts';
import type { SignedIn } from './auth.ts';
import { Problem } from './http.ts';
import {
  assignMissingHotline,
  provision,
  readStatus,
  topUpMember,
  type Dependencies,
  type Step,
} from './provision.ts';
import type { Telemetry } from './telemetry.ts';
import type { MemberNo } from './vendor/api.ts';

/** @param nameOf what the partner calls an agent, if not what the vendor does */
export function createDialerRoutes(
  dependencies: Dependencies,
  telemetry: Telemetry,
  nameOf: (memberNo: MemberNo) => string | undefined,
): Hono<SignedIn> {
  const app = new Hono<SignedIn>();
  const running = new Map<MemberNo, ReturnType<typeof provision>>();

  app.post('/session', async (c) => {
    const memberNo = c.get('memberNo');
    const report = (step: Step) => {
      if (step.status === 'failed') telemetry.failedStep(memberNo, step);
    };
    // Two tabs that open at once need one run, not two.
    const run = running.get(memberNo) ?? provision(memberNo, dependencies, 'session', report);
    running.set(memberNo, run);
    const { token, ...readiness } = await run.finally(() => running.delete(memberNo));
    return c.json({ token, ...describeReadiness(readiness, nameOf(memberNo)) });
  });

  app.get('/status', async (c) => {
    const memberNo = c.get('memberNo');
    return c.json(describeReadiness(await readStatus(memberNo, dependencies), nameOf(memberNo)));
  });

  app.post('/top-up', async (c) => {
    const memberNo = c.get('memberNo');
    const result = await topUpMember(memberNo, dependencies);
    refuse(troubleOfTopUp(result));
    const readiness = await readStatus(memberNo, dependencies, result.member);
    return c.json(describeReadiness(readiness, nameOf(memberNo)));
  });

  app.post('/hotline', async (c) => {
    const memberNo = c.get('memberNo');
    const { readiness, assignment } = await assignMissingHotline(memberNo, dependencies);
    const { status, error, detail } = assignment;
    refuse(error && troubleOf(error));
    if (status === 'failed') throw new Problem('no-hotline', { detail });
    return c.json(describeReadiness(readiness, nameOf(memberNo)));
  });

  return app;
}

function refuse(trouble: Trouble | undefined): void {
  if (trouble) throw new Problem(trouble.code, trouble);
}
