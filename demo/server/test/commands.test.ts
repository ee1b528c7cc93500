/** `npm run provision`, run as a person runs it. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { publishSandbox } from '../../../demo/dev/find-vendor.ts';
import { runBundled, runFromSource } from '../program.ts';
import { makeFolder, serve, startSandbox, type RunningSandbox } from '../servers.ts';

const CLI = fileURLToPath(new URL('../../../demo/dev/companion.ts', import.meta.url));

const run = (args: readonly string[], env: Readonly<Record<string, string>>) =>
  runBundled(CLI, ['provision', ...args], env);

/** A sandbox that the command finds running. */
async function runningSandbox(
  t: TestContext,
): Promise<{ sandbox: RunningSandbox; env: Record<string, string> }> {
  const sandbox = await startSandbox(t);
  const database = `${await makeFolder(t)}/companion.db`;
  await publishSandbox(database, sandbox);
  return { sandbox, env: { DATABASE_URL: `file:${database}` } };
}

test('the first run does all four steps, the second finds nothing left to do', async (t) => {
  const { sandbox, env } = await runningSandbox(t);
  const first = await run(['agent001'], env);
  assert.deepEqual([first.exit, first.err], [0, '']);
  assert.deepEqual(
    first.out
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/).slice(0, 3).join(' ')),
    [
      '1. hotlines done',
      '2. token done',
      '3. member done',
      '4. top-up done',
      '4. hotline done',
      'agent001 can call.',
    ],
  );
  sandbox.world.requests.length = 0;
  const second = await run(['agent001'], env);
  assert.equal(second.exit, 0);
  assert.match(second.out, /top-up +skipped[^]*hotline +skipped/);
  assert.deepEqual(sandbox.world.requests.map(({ path }) => path).toSorted(), [
    '/api/hotline/getAll',
    '/api/member/getByMemberNo',
    '/api/sdk/tokenSdk',
  ]);
  assert.equal(`${first.out}${second.out}`.includes('eyJ'), false, 'the token stays inside');
});

test('with no sandbox running, one is started, and its state lasts', async (t) => {
  const env = { DATABASE_URL: `file:${await makeFolder(t)}/companion.db` };
  assert.match((await runFromSource(CLI, ['provision', 'agent001'], env)).out, /top-up +done/);
  assert.match((await run(['agent001'], env)).out, /balance 1000 VND[^]*top-up +skipped/);
});

test('bad input ends with 2, before any request', async (t) => {
  const { sandbox, env } = await runningSandbox(t);
  const bad = [
    ['agent_001'],
    [],
    ['a', 'b'],
    ['agent001', '--top-up', '0'],
    ['agent001', '--top-up', '1.5'],
    ['agent001', '--nope'],
  ];
  const outcomes = await Promise.all(bad.map((args) => run(args, env)));
  assert.deepEqual(
    outcomes.map(({ exit }) => exit),
    bad.map(() => 2),
  );
  assert.match(outcomes[0]?.err ?? '', /letters a-z, A-Z and digits/);
  assert.equal(sandbox.world.requests.length, 0);
});

test('a member who cannot call ends with 3 and the reason', async (t) => {
  const { sandbox, env } = await runningSandbox(t);
  const gone = await run(['agent001', '--hotline', 'HL_GONE'], env);
  assert.equal(gone.exit, 3);
  assert.match(gone.out, /1\. hotlines +failed +HL_GONE[^]*agent001 cannot call: no-hotline\./);
  sandbox.world.setAdminBalance(0);
  const poor = await run(['agent002', '--json'], env);
  assert.equal(poor.exit, 3);
  assert.deepEqual((JSON.parse(poor.out) as { blockers: string[] }).blockers, ['insufficient-funds']);
});

test('amount and hotline can be chosen, as far as the limits of the environment allow', async (t) => {
  const { sandbox, env } = await runningSandbox(t);
  const order = ['agent001', '--top-up', '5000', '--hotline', 'HL_CARE'];
  const refused = await run(order, env);
  assert.equal(refused.exit, 2);
  assert.match(refused.err, /more than the limit of 1000 VND a day/);
  assert.equal(sandbox.world.requests.length, 0);
  const { exit } = await run(order, { ...env, TOP_UP_DAILY_LIMIT_PER_MEMBER: '5000' });
  assert.equal(exit, 0);
  const member = sandbox.world.members.get('agent001');
  assert.deepEqual([member?.balance, member?.assignments[0]?.number], [5000, '842899990003']);
});

test('--beyond-limits pays more than the limits, uses none of them up, and raises none', async (t) => {
  const { sandbox, env } = await runningSandbox(t);
  sandbox.world.setAdminBalance(10_000_000);
  assert.equal((await run(['agent001', '--top-up', '9000000', '--beyond-limits'], env)).exit, 0);
  const member = sandbox.world.members.get('agent001');
  assert.equal(member?.balance, 9_000_000);
  assert.ok(member, 'the member is there');
  sandbox.world.setBalance(member, 0);
  assert.match((await run(['agent001'], env)).out, /1000 VND added/, 'the day is unused');
  sandbox.world.setBalance(member, 0);
  const third = await run(['agent001'], env);
  assert.deepEqual([third.exit, /limit of this member is reached/.test(third.out)], [3, true]);
});

test('with TOP_UP_MODE=off it needs no database, and says that there is no money', async (t) => {
  const { env } = await runningSandbox(t);
  const { exit, out } = await run(['agent001'], {
    ...env,
    TOP_UP_MODE: 'off',
    DATABASE_URL: `${env['DATABASE_URL']}`,
  });
  assert.equal(exit, 3);
  assert.match(out, /top-up +skipped +there is no money, and topping up is switched off/);
  assert.match(out, /agent001 cannot call: insufficient-funds\./);
  assert.equal(existsSync(env['DATABASE_URL']?.slice('file:'.length) ?? ''), false);
});

test('the ledger is reconciled with the partner account, and a difference ends with 1', async (t) => {
  const { sandbox, env } = await runningSandbox(t);
  const reconcile = () => runBundled(CLI, ['reconcile'], env);
  assert.match((await reconcile()).out, /noted; there is none to compare it with/);
  await run(['agent001'], env);
  const even = await reconcile();
  assert.deepEqual(
    [even.exit, /lost 1000 VND, the ledger settled 1000 VND; unexplained: 0/.test(even.out)],
    [0, true],
  );
  sandbox.world.setAdminBalance(sandbox.world.adminBalance - 777);
  const odd = await reconcile();
  assert.deepEqual([odd.exit, /unexplained: 777 VND/.test(odd.out)], [1, true]);
});

test('--json prints one object with every step', async (t) => {
  const { env } = await runningSandbox(t);
  const { out } = await run(['agent001', '--json'], env);
  const { canCall, steps } = JSON.parse(out) as {
    canCall: boolean;
    steps: { name: string; status: string }[];
  };
  assert.equal(canCall, true);
  assert.deepEqual(
    steps.map(({ name }) => name),
    ['hotlines', 'token', 'member', 'top-up', 'hotline'],
  );
});

test('a vendor that refuses or cannot be reached ends with 4, without telling the key', async (t) => {
  const folder = await makeFolder(t);
  const sandbox = await startSandbox(t);
  const closed = await serve(t, () => new Response('', { status: 503 }));
  const vendors = [sandbox.baseUrl, 'http://127.0.0.1:9', closed];
  const outcomes = await Promise.all(
    vendors.map((url, n) =>
      run(['agent001'], {
        SESSION_SECRET: 'x'.repeat(32),
        DATABASE_URL: `file:${folder}/${n}.db`,
        VENDOR_BASE_URL: url,
        VENDOR_API_KEY: 'k-very-secret',
      }),
    ),
  );
  for (const { exit, out, err } of outcomes) {
    assert.equal(exit, 4);
    assert.match(out, /1\. hotlines +failed/);
    assert.equal(`${out}${err}`.includes('k-very-secret'), false);
  }
  assert.match(outcomes[0]?.err ?? '', /refused: error 401/);
});

test('a configuration that is not right ends with 78', async () => {
  const { exit, err } = await run(['agent001'], { TOP_UP_MODE: 'sometimes', PORT: 'x' });
  assert.equal(exit, 78);
  assert.match(err, /PORT[^]*TOP_UP_MODE/);
});

test('the database of another vendor ends with 78, before anything is asked or paid', async (t) => {
  const { sandbox, env } = await runningSandbox(t);
  assert.equal((await run(['agent001'], env)).exit, 0);
  sandbox.world.requests.length = 0;
  const real = { SESSION_SECRET: 'x'.repeat(32), VENDOR_API_KEY: 'k', VENDOR_BASE_URL: sandbox.baseUrl };
  const { exit, err } = await run(['agent001'], { ...env, ...real });
  assert.equal(exit, 78);
  assert.match(err, /belongs to the sandbox, not to http:.+DATABASE_URL/);
  assert.deepEqual(sandbox.world.requests, []);
});
