/** One agent at a companion, as their dialer asks it. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Vendor } from '../../demo/server/vendor/client.ts';
import { parse } from 'zod/v4/core';
import { sessionSchema, type SessionAnswer } from '../../src/broker/contract.ts';
import { signIn, startCompanion } from './servers.ts';

const READS = ['status', 'calls'];

export interface Agent {
  readonly companion: string;
  ask(path: string): Promise<Response>;
  session(): Promise<SessionAnswer>;
  refusal(path: string): Promise<{ status: number; code: string | undefined; detail: string }>;
}

export async function signInAgent(
  t: TestContext,
  vendor: Vendor,
  env: Readonly<Record<string, string>> = {},
): Promise<Agent> {
  const companion = await startCompanion(t, vendor, env);
  const headers = { Cookie: await signIn(companion, 'agent001') };
  const ask = (path: string) => {
    const method = READS.includes(path.split('?')[0] ?? '') ? 'GET' : 'POST';
    return fetch(`${companion}/dialer/${path}`, { method, headers });
  };
  return {
    companion,
    ask,
    session: async () => {
      const answer = await ask('session');
      assert.equal(answer.status, 200);
      return parse(sessionSchema, await answer.json());
    },
    refusal: async (path) => {
      const answer = await ask(path);
      const { code, detail = '' } = (await answer.json()) as { code?: string; detail?: string };
      return { status: answer.status, code, detail };
    },
  };
}
