/** Companions as processes on a database that is locked, frozen or crashes. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { SessionAnswer } from '../../demo/companion/dialer-routes.ts';
import { startCompanionProcess } from '../demo/companion-process.ts';
import { makeFolder, type RunningSandbox, startSandbox } from '../../demo/sandbox/test/servers.ts';
import { signIn, until } from '../../demo/companion/test/app.ts';
import type { Running } from '../../demo/companion/test/process.ts';
import { startPostgres, type RunningPostgres } from '../../demo/companion/test/postgres.ts';
import { lockFile } from '../../demo/companion/test/stores.ts';

/**
 * A session waits at most 0.5 s for its rate limit, 1 s for the companion's record of hotlines and 3.5 s for a top-up; the rest is
 * for a busy machine. The dialer gives up after ten seconds.
 */
const SESSION_MS = 7000;
/** How long the process takes to stop, and to pay again. */
const [STOP_MS, RECOVERY_MS] = [10_000, 10_000];
/** Longer than the companion waits for a lock. */
const LOCK_MS = 6000;

/** A session within the time an agent waits; anything else throws. */
async function session(origin: string, cookie: string): Promise<SessionAnswer> {
  const signal = AbortSignal.timeout(SESSION_MS);
  const answer = await fetch(`${origin}/dialer/session`, {
    method: 'POST',
    headers: { Cookie: cookie },
    signal,
  });
  assert.equal(answer.status, 200);
  return (await answer.json()) as SessionAnswer;
}

/** Sessions are served whatever the store does: what `/readyz` says of top-ups. */
async function topUpsAt(origin: string): Promise<string> {
  const answer = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(SESSION_MS) });
  assert.equal(answer.status, 200);
  return ((await answer.json()) as { topUps: string }).topUps;
}

async function untilReady(origin: string): Promise<void> {
  await until(async () => (await topUpsAt(origin)) === 'ok', RECOVERY_MS);
}

/** Members with money and a hotline that neither the vendor's response nor our record lists. */
async function known(sandbox: RunningSandbox, origin: string, names: readonly string[]): Promise<string[]> {
  for (const name of names) sandbox.world.setBalance(sandbox.world.createMember(name, ['HL_SALES']), 5000);
  return Promise.all(names.map((name) => signIn(origin, name)));
}

/** What has to hold while the store is away, and once it is back. */
async function endure(
  sandbox: RunningSandbox,
  { origin }: Running,
  away: () => Promise<() => unknown>,
  awayMs: number,
  /** False for a lock that only writers notice. */
  canBeSeen = true,
): Promise<void> {
  const warm = await known(sandbox, origin, ['agent001', 'agent002']);
  const cold = await known(sandbox, origin, ['agent003', 'agent004', 'agent005']);
  const poor = await signIn(origin, 'agent009');
  sandbox.world.createMember('agent009', []);
  for (const cookie of warm) await session(origin, cookie);
  const back = await away();
  const end = Date.now() + awayMs;
  const answers = await Promise.all([...warm, ...cold].map((cookie) => session(origin, cookie)));
  for (const { token, blockers, member } of answers) {
    assert.match(token, /^eyJ/);
    assert.deepEqual(blockers, [], member.memberNo);
  }
  assert.deepEqual((await session(origin, poor)).blockers, ['insufficient-funds']);
  if (canBeSeen) assert.notEqual(await topUpsAt(origin), 'ok');
  assert.equal((await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(1000) })).status, 200);
  await Promise.all([...warm, ...cold].map((cookie) => session(origin, cookie)));
  await delay(Math.max(0, end - Date.now()));
  await back();
  await untilReady(origin);
  const newcomer = await signIn(origin, 'agent010');
  // Whoever was without money meanwhile may be topped up at the same moment.
  const topUps = () =>
    sandbox.world.topUps.filter(({ error, memberNo }) => error === 0 && memberNo === 'agent010').length;
  assert.deepEqual((await session(origin, newcomer)).blockers, []);
  assert.equal(topUps(), 1);
}

describe('companions on one SQLite file', () => {
  it(
    'serve while another process locks the file for 6 s, and start meanwhile',
    { timeout: 120_000 },
    async (t) => {
      const sandbox = await startSandbox(t);
      const path = `${await makeFolder(t)}/companion.db`;
      const companion = await startCompanionProcess(t, sandbox, `file:${path}`);
      let second: Running | undefined;
      await endure(
        sandbox,
        companion,
        async () => {
          const release = await lockFile(path);
          second = await startCompanionProcess(t, sandbox, `file:${path}`);
          return release;
        },
        LOCK_MS,
        false,
      );
      await untilReady(second?.origin ?? '');
    },
  );
});

describe('companions on PostgreSQL', () => {
  let postgres: RunningPostgres;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.close());

  async function open(t: TestContext) {
    const databaseUrl = await postgres.createDatabase();
    const sandbox = await startSandbox(t);
    return {
      server: postgres,
      databaseUrl,
      sandbox,
      companion: await startCompanionProcess(t, sandbox, databaseUrl),
    };
  }

  it('serve while it is frozen', { timeout: 120_000 }, async (t) => {
    const found = await open(t);
    const { server, sandbox, companion } = found;
    t.after(() => server.thaw());
    const freeze = async () => {
      server.freeze();
      return () => server.thaw();
    };
    await endure(sandbox, companion, freeze, LOCK_MS);
  });

  it('end on SIGTERM while it is frozen', { timeout: 60_000 }, async (t) => {
    const found = await open(t);
    const { server, sandbox, companion } = found;
    const poor = await signIn(companion.origin, 'agent009');
    sandbox.world.createMember('agent009', []);
    t.after(() => server.thaw());
    server.freeze();
    const asked = session(companion.origin, poor).catch(() => undefined);
    await delay(200);
    companion.child.kill('SIGTERM');
    await once(companion.child, 'close', { signal: AbortSignal.timeout(STOP_MS) });
    await asked;
  });

  it('serve while others lock its tables', { timeout: 120_000 }, async (t) => {
    const found = await open(t);
    const { databaseUrl, sandbox, companion } = found;
    const lock = async () => {
      const client = new Client({ connectionString: databaseUrl });
      await client.connect();
      t.after(() => client.end());
      await client.query('begin');
      await client.query('lock table top_up, budget, assignment, rate_limit in access exclusive mode');
      return () => client.query('commit');
    };
    await endure(sandbox, companion, lock, LOCK_MS);
  });

  it('pay again soon after it has crashed', { timeout: 60_000 }, async (t) => {
    const found = await open(t);
    const { server, sandbox, companion } = found;
    const [cookie = ''] = await known(sandbox, companion.origin, ['agent001']);
    const crash = server.restart();
    await session(companion.origin, cookie);
    await crash;
    await untilReady(companion.origin);
    assert.deepEqual(
      (await session(companion.origin, await signIn(companion.origin, 'agent010'))).blockers,
      [],
    );
  });
});
