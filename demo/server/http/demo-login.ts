/** A sign-in without passwords, for the demo only: anybody may be any agent. Signing out is real. */
import { Hono } from 'hono';
import * as z from 'zod/mini';
import { memberNoSchema } from '../vendor/data.ts';
import type { FromNode } from './context.ts';
import { problem } from './problem.ts';
import type { Sessions } from './sessions.ts';

const AGENTS: ReadonlyMap<string, string> = new Map([
  ['agent001', 'Nguyễn Thị An'],
  ['agent002', 'Trần Văn Bình'],
  ['agent003', 'Lê Thu Cúc'],
  ['agent004', 'Phạm Quốc Dũng'],
  ['agent005', 'Võ Minh Hạnh'],
]);

const loginSchema = z.object({ memberNo: memberNoSchema });

export function demoNameOf(memberNo: string): string | undefined {
  return AGENTS.get(memberNo);
}

export function createDemoLogin(sessions: Sessions): Hono<FromNode> {
  const app = new Hono<FromNode>();

  app.get('/login', (c) => c.json([...AGENTS].map(([memberNo, name]) => ({ memberNo, name }))));

  app.post('/login', async (c) => {
    const body = loginSchema.safeParse(await c.req.json().catch(() => undefined));
    if (!body.success) return problem('invalid-request', 'memberNo: letters a-z, A-Z and digits only.');
    const { memberNo } = body.data;
    sessions.start(c, memberNo);
    return c.json({ memberNo, name: demoNameOf(memberNo) ?? memberNo });
  });

  return app;
}

/** There also without the demo's sign-in: a session that was given by other means has to be ended, too. */
export function createLogout(sessions: Sessions): Hono<FromNode> {
  const app = new Hono<FromNode>();
  app.post('/logout', async (c) => {
    await sessions.end(c);
    return c.body(null, 204);
  });
  return app;
}
