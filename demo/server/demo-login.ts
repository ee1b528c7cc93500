/** A sign-in without passwords, for the demo only: anybody may be any agent. */
import { Hono } from 'hono';
import * as z from 'zod/mini';
import { problem } from './http/problem.ts';
import { memberNoSchema } from './open-api/open-api.ts';
import { signIn, signOut } from './authenticate.ts';

const AGENTS: ReadonlyMap<string, string> = new Map([
  ['agent001', 'Nguyễn Thị An'],
  ['agent002', 'Trần Văn Bình'],
  ['agent003', 'Lê Thu Cúc'],
  ['agent004', 'Phạm Quốc Dũng'],
  ['agent005', 'Võ Minh Hạnh'],
]);

const loginSchema = z.object({ memberNo: memberNoSchema });

export function nameOf(memberNo: string): string | undefined {
  return AGENTS.get(memberNo);
}

export function createDemoLogin(secret: string): Hono {
  const app = new Hono();

  app.get('/login', (c) => c.json([...AGENTS].map(([memberNo, name]) => ({ memberNo, name }))));

  app.post('/login', async (c) => {
    const body = loginSchema.safeParse(await c.req.json().catch(() => undefined));
    if (!body.success) return problem('invalid-request', 'memberNo: letters a-z, A-Z and digits only.');
    const { memberNo } = body.data;
    await signIn(c, secret, memberNo);
    return c.json({ memberNo, name: nameOf(memberNo) ?? memberNo });
  });

  app.post('/logout', (c) => {
    signOut(c);
    return c.body(null, 204);
  });

  return app;
}
