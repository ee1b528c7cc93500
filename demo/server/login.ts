/** Signing in without a password, for the demo only: anybody may be any agent. Signing out is real. */
import { Hono } from 'hono';
import * as z from 'zod/mini';
import type { Auth } from './auth.ts';
import { jsonBody, Problem, type FromNode } from './http.ts';
import type { Limits } from './limits.ts';
import { memberNoSchema } from './vendor/api.ts';

const AGENTS: ReadonlyMap<string, string> = new Map([
  ['agent001', 'Nguyễn Thị An'],
  ['agent002', 'Trần Văn Bình'],
  ['agent003', 'Lê Thu Cúc'],
  ['agent004', 'Phạm Quốc Dũng'],
  ['agent005', 'Võ Minh Hạnh'],
]);
const LOGIN_BYTES = 1024;
const loginSchema = z.object({ memberNo: memberNoSchema });

export function demoNameOf(memberNo: string): string | undefined {
  return AGENTS.get(memberNo);
}

/** `POST /logout` is there also without the demo's sign-in: a session that began by other means has to end, too. */
export function createLoginRoutes(auth: Auth, limits: Limits, isDemo: boolean): Hono<FromNode> {
  const app = new Hono<FromNode>();

  // Not counted for who is signed in: else a flood from their address would keep their session open.
  app.post('/logout', async (c) => {
    if (!('memberNo' in (await auth.authenticate(c)))) await limits.anonymous(c.env.incoming);
    await auth.endSession(c);
    return c.body(null, 204);
  });
  if (!isDemo) return app;

  app.use('/login', async (c, next) => {
    await limits.anonymous(c.env.incoming);
    return next();
  });
  app.get('/login', (c) => c.json([...AGENTS].map(([memberNo, name]) => ({ memberNo, name }))));

  app.post('/login', jsonBody(LOGIN_BYTES), async (c) => {
    const { data } = loginSchema.safeParse(c.get('body'));
    if (!data)
      throw new Problem('invalid-request', { detail: 'memberNo: letters a-z, A-Z and digits only.' });
    const { memberNo } = data;
    c.header('Set-Cookie', await auth.startSession(memberNo));
    return c.json({ memberNo, name: demoNameOf(memberNo) ?? memberNo });
  });

  return app;
}
