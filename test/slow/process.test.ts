/** The companion as a running process, in front of the sandbox. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from 'zod/v4/core';
import { sessionSchema } from '../../src/broker/contract.ts';
import { startCompanionProcess as start } from '../demo/companion-process.ts';
import { makeFolder, startSandbox } from '../../demo/sandbox/test/servers.ts';
import { post, signIn, until } from '../../demo/companion/test/app.ts';
import { lockFile } from '../../demo/companion/test/stores.ts';

/** An agent may sign in so often: sooner, and a busy machine gets 429. */
const ASK_AGAIN_MS = 1500;

async function session(origin: string, cookie: string) {
  const answer = await post(`${origin}/dialer/session`, undefined, { Cookie: cookie });
  assert.equal(answer.status, 200);
  return parse(sessionSchema, await answer.json());
}

test(
  'two processes on one new file make 60 new members able to call, each paid once, while the file is locked again and again',
  { timeout: 120_000 },
  async (t) => {
    const sandbox = await startSandbox(t);
    sandbox.world.setAdminBalance(100_000_000);
    const path = `${await makeFolder(t)}/new/companion.db`;
    const origins = (await Promise.all([1, 2].map(() => start(t, sandbox, `file:${path}`)))).map(
      ({ origin }) => origin,
    );
    const place = (n: number) => origins[n % origins.length] ?? '';
    const cookies = await Promise.all(
      Array.from({ length: 60 }, (_, n) => signIn(place(n), `agent${n + 100}`)),
    );
    let isOver = false;
    const locking = lockAgainAndAgain(path, () => isOver);
    const first = await Promise.all(cookies.map((cookie, n) => session(place(n), cookie)));
    isOver = true;
    await locking;
    assert.equal(new Set(first.map(({ member }) => member?.memberNo)).size, 60);
    // What took longer than an agent waits has gone on without them.
    let blocked = cookies.map((_, n) => n);
    await until(async () => {
      await delay(ASK_AGAIN_MS);
      const answers = await Promise.all(blocked.map((n) => session(place(n), cookies[n] ?? '')));
      blocked = blocked.filter((_, n) => answers[n]?.blockers?.length !== 0);
      return blocked.length === 0;
    }, 20_000);
    assert.deepEqual(blocked, []);
    assert.equal(sandbox.world.topUps.length, 60);
    const modes = [path, `${path}-wal`, dirname(path)].map((name) => statSync(name).mode & 0o777);
    assert.deepEqual(modes, [0o600, 0o600, 0o700], 'nobody else reads it');
  },
);

async function lockAgainAndAgain(path: string, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const release = await lockFile(path);
    await delay(300);
    release();
    await delay(200);
  }
}
