/** The companion as a running process: what it refuses to start with, what it writes, and what two of them do to one file. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Libsql from 'libsql';
import { parse } from 'zod/v4/core';
import { sessionSchema } from '../../../src/broker/contract.ts';
import { startCompanionProcess as start } from '../companion-process.ts';
import { runBundled } from '../program.ts';
import { startProxy } from '../proxy.ts';
import { makeFolder, post, signIn, startSandbox } from '../servers.ts';

const MAIN = fileURLToPath(new URL('../../../demo/server/main.ts', import.meta.url));
const PASSWORD = 'an-operator-password';
const operator = { Authorization: `Basic ${Buffer.from(`op:${PASSWORD}`).toString('base64')}` };

async function session(origin: string, cookie: string) {
  const answer = await post(`${origin}/dialer/session`, { Cookie: cookie });
  assert.equal(answer.status, 200);
  return parse(sessionSchema, await answer.json());
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const giveUp = Date.now() + 20_000;
  while (!(await holds()) && Date.now() < giveUp) await delay(50);
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
      const answers = await Promise.all(blocked.map((n) => session(place(n), cookies[n] ?? '')));
      blocked = blocked.filter((_, n) => answers[n]?.blockers?.length !== 0);
      return blocked.length === 0;
    });
    assert.deepEqual(blocked, []);
    assert.equal(sandbox.world.topUps.length, 60);
  },
);

/** Holds the file for 300 ms, as a backup might. */
async function lockAgainAndAgain(path: string, isOver: () => boolean): Promise<void> {
  const file = new Libsql(path);
  while (!isOver()) {
    const isMine = await Promise.resolve()
      .then(() => file.exec('begin immediate'))
      .then(
        () => true,
        () => false,
      );
    await delay(isMine ? 300 : 1);
    if (isMine) {
      file.exec('commit');
      await delay(200);
    }
  }
  file.close();
}

test(
  'X-Forwarded-For without PROXY_HOPS is warned of once, and not repeated',
  { timeout: 60_000 },
  async (t) => {
    const sandbox = await startSandbox(t);
    const url = `file:${await makeFolder(t)}/companion.db`;
    const { origin, output } = await start(t, sandbox, url, { LOG_LEVEL: 'warn' });
    const headers = { 'X-Forwarded-For': '203.0.113.77' };
    for (let n = 0; n < 3; n += 1) await fetch(`${origin}/healthz`, { headers });
    await until(() => output().includes('PROXY_HOPS'));
    assert.equal(output().split('PROXY_HOPS').length - 1, 1);
    assert.doesNotMatch(output(), /203\.0\.113/);
    const behind = await start(t, sandbox, url, { LOG_LEVEL: 'warn', PROXY_HOPS: '1' });
    await fetch(`${behind.origin}/healthz`, { headers });
    await fetch(`${behind.origin}/healthz`);
    assert.doesNotMatch(behind.output(), /PROXY_HOPS/);
  },
);

test('whatever is asked for, the metrics keep their few labels', { timeout: 60_000 }, async (t) => {
  const sandbox = await startSandbox(t);
  const { origin } = await start(t, sandbox, `file:${await makeFolder(t)}/companion.db`, {
    OPERATOR_PASSWORD: PASSWORD,
  });
  const routes = async () => {
    const text = await (await fetch(`${origin}/metrics`, { headers: operator })).text();
    return new Set([...text.matchAll(/route="([^"]*)"/g)].map(([, route = '']) => route));
  };
  const cookie = await signIn(origin, 'agent001');
  const paths = ['/dialer/calls', '/dialer', '/webhooks', '', '/operator', '/login', '/dialer/session'];
  for (const path of paths) {
    for (let n = 0; n < 5; n += 1) {
      await fetch(`${origin}${path}/strange-${n}/%2e%2e?x=${n}`, { headers: { Cookie: cookie } });
      await fetch(`${origin}${path}?page=${n}`, { method: 'DELETE', headers: { Cookie: cookie } });
    }
  }
  const seen = await routes();
  assert.deepEqual(
    [...seen].filter((route) => /strange|\?|%/.test(route)),
    [],
  );
  assert.ok(seen.has('none') && seen.size < 15, `${[...seen].join(' ')}`);
});

for (const [what, address] of [
  ['a login in it', 'https://user:hunter2@vendor.example/v3.0'],
  ['no encryption', 'http://vendor.example/v3.0'],
  ['a name that only looks like loopback', 'http://127.0.0.1.vendor.example/v3.0'],
] as const) {
  test(
    `a vendor's address with ${what} is refused at start, and not repeated`,
    { timeout: 60_000 },
    async () => {
      const { exit, out, err } = await runBundled(MAIN, ['serve'], {
        VENDOR_BASE_URL: address,
        VENDOR_API_KEY: 'k',
        SESSION_SECRET: 's'.repeat(32),
      });
      assert.deepEqual([exit, out], [78, '']);
      assert.match(err, /VENDOR_BASE_URL must be an https address/);
      assert.doesNotMatch(err, /hunter2|vendor\.example/);
    },
  );
}

test(
  'a balance that is shown late brings one payment from two companions, and somebody is told',
  { timeout: 60_000 },
  async (t) => {
    const sandbox = await startSandbox(t);
    sandbox.world.createMember('agent001', []);
    const stale = await startProxy(t, sandbox, async (path, forward) => {
      const answer = await forward();
      if (path !== '/api/member/getByMemberNo') return answer;
      const body = (await answer.json()) as { data: object };
      return Response.json({ ...body, data: { ...body.data, member_money: 0 } });
    });
    const url = `file:${await makeFolder(t)}/companion.db`;
    const env = { LOG_LEVEL: 'error', TOP_UP_DAILY_LIMIT_PER_MEMBER: '100000' };
    const companions = [await start(t, stale, url, env), await start(t, stale, url, env)];
    for (const { origin } of [...companions, ...companions, ...companions]) {
      const { blockers } = await session(origin, await signIn(origin, 'agent001'));
      assert.deepEqual(blockers, ['insufficient-funds']);
    }
    assert.equal(sandbox.world.topUps.length, 1);
    assert.match(companions.map(({ output }) => output()).join(''), /went from 0 to 0 VND, not to 1000/);
  },
);

test(
  'a budget that somebody edits in the store stops top-ups within seconds, loudly; agents get their sessions',
  { timeout: 60_000 },
  async (t) => {
    const sandbox = await startSandbox(t);
    const path = `${await makeFolder(t)}/companion.db`;
    const env = { LOG_LEVEL: 'error' };
    const before = await start(t, sandbox, `file:${path}`, env);
    assert.deepEqual((await session(before.origin, await signIn(before.origin, 'agent001'))).blockers, []);
    const file = new Libsql(path);
    for (const change of [
      'update top_up set amount = 1',
      `update top_up set member = 'agent009'`,
      'delete from top_up',
      'delete from budget',
      'delete from top_up_history',
    ])
      assert.throws(() => file.exec(change), /forbidden/, change);
    file.exec('update budget set used = 0');
    file.close();
    const after = await start(t, sandbox, `file:${path}`, env);
    // The one that was running looks again after a while.
    await delay(5000);
    for (const [n, { origin, output }] of [before, after].entries()) {
      const { blockers, token } = await session(origin, await signIn(origin, `agent00${n + 2}`));
      assert.deepEqual([blockers, token.startsWith('eyJ')], [['insufficient-funds'], true]);
      // What a process has written reaches its reader when it likes.
      await until(() => output().includes('NO TOP-UPS'));
      assert.match(output(), /NO TOP-UPS/);
    }
    assert.equal(sandbox.world.topUps.length, 1);
  },
);
