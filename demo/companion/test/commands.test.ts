/** `provision` and `reconcile`, run as people and timers run them. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { test, type TestContext } from 'node:test';
import { environmentOf, run, spawnCommand, type Environment } from './process.ts';
import { createPostgresDatabase, createTurkishDatabase, makeFolder } from './stores.ts';
import { PATHS, startVendor } from './vendor.ts';

async function setUp(t: TestContext) {
  const stub = await startVendor(t);
  const path = `${await makeFolder(t)}/companion.db`;
  const { AUTH_JWT_SECRET: _, AUTH_AUDIENCE: __, ...env } = environmentOf(stub, `file:${path}`);
  const provisionFile = async (text: string, more: Environment = {}) => {
    await writeFile(`${path}.csv`, text);
    return run(['provision', '--file', `${path}.csv`], { ...env, ...more });
  };
  return { stub, path, env, provisionFile };
}

const TIME_LIMIT = { timeout: 60_000 };

test('the first run does all four steps, the second finds nothing left to do', TIME_LIMIT, async (t) => {
  const { stub, env } = await setUp(t);
  stub.add('agent001');
  const first = await run(['provision', 'agent001'], env);
  assert.equal(first.exit, 0);
  const payment = JSON.parse(first.err) as Record<string, unknown>;
  assert.deepEqual(
    ['kind', 'memberNo', 'reason', 'why', 'amount'].map((key) => payment[key]),
    ['security', 'agent001', 'operator', 'paid', 1000],
    'a payment is a line, whoever ordered it',
  );
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
  stub.requests.length = 0;
  const second = await run(['provision', 'agent001'], env);
  assert.equal(second.exit, 0);
  assert.match(second.out, /top-up +skipped[^]*hotline +skipped/);
  assert.deepEqual(
    stub.requests.map(({ path }) => path),
    [PATHS.hotlines, PATHS.token, PATHS.member],
  );
  assert.doesNotMatch(`${first.out}${second.out}`, /eyJ/, 'the token stays inside');
});

test('all members of a file get a line each, none more than the limits allow', TIME_LIMIT, async (t) => {
  const { stub, provisionFile } = await setUp(t);
  stub.add('rich', { balance: 500 });
  const { exit, out, err } = await provisionFile(
    '\uFEFFmember_no,hotline\r\nrich\r\n"new1",HL_CARE\r\n# a note\r\nnew2\r\nnew3,HL_GONE\r\n',
    { TOP_UP_DAILY_LIMIT: '1000' },
  );
  const lines = out.trim().split('\n').toSorted();
  assert.equal(exit, 3);
  const of = (member: string) => lines.find((line) => line.startsWith(member)) ?? '';
  assert.match(of('rich'), /^rich can call; Sales assigned/);
  assert.match(of('new3'), /^new3 cannot call: insufficient-funds, no-hotline; hotline HL_GONE is not among/);
  // Whichever of these comes first gets what is left of the day's limit.
  assert.equal([of('new1'), of('new2')].filter((line) => / can call; 1000 VND added/.test(line)).length, 1);
  assert.equal(lines.length, 4);
  assert.equal(stub.paid.length, 1, err);
  assert.match(out, /today's top-up limit for all members is reached/);
  assert.deepEqual(stub.members.get('new3')?.hotlines, []);
});

test('a file continues where the vendor went away, and nobody is paid twice', TIME_LIMIT, async (t) => {
  const { stub, env, path } = await setUp(t);
  const file = `${path}.csv`;
  const names = Array.from({ length: 12 }, (_, n) => `agent${n}`);
  await writeFile(file, names.join('\n'));
  stub.before = () => {
    if (stub.paid.length >= 5) stub.faults.set(PATHS.token, { kind: 'status', value: 503 });
  };
  const first = await run(['provision', '--file', file, '--json'], env);
  assert.equal(first.exit, 4);
  const told = first.out
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { memberNo: string }).memberNo);
  assert.match(
    first.err,
    new RegExp(` ${names.length - told.length} of 12 members were not provisioned: run the command again`),
  );
  stub.before = () => undefined;
  stub.faults.clear();
  const second = await run(['provision', '--file', file], env);
  assert.deepEqual([second.exit, second.out.trim().split('\n').length], [0, 12]);
  assert.deepEqual(stub.paid.map(({ memberNo }) => memberNo).toSorted(), names.toSorted());
});

test(
  'members whom the vendor cannot tell of are named, and everybody else is provisioned',
  TIME_LIMIT,
  async (t) => {
    const { stub, provisionFile } = await setUp(t);
    const names = Array.from({ length: 20 }, (_, n) => `agent${n}`);
    stub.add('agent0', { fields: { member_money: null } });
    const broken = ['agent7', 'agent8', 'agent19'];
    stub.rewrite = ({ path: asked, query }, reply) =>
      asked === PATHS.member && broken.includes(query.get('member_no') ?? '')
        ? { ...reply, status: 500, body: { error: 500, message: 'oops' } }
        : reply;
    const { exit, out, err } = await provisionFile(names.join('\n'));
    assert.equal(exit, 3, err);
    assert.match(out, /^agent0 cannot call; .*`data.member_money`.*found null/m);
    for (const name of broken) assert.match(out, new RegExp(`^${name} cannot call; .*HTTP 500`, 'm'));
    assert.equal(out.match(/ can call/g)?.length, 16);
    assert.equal(stub.paid.length, 16);
  },
);

for (const [what, fault] of [
  ['401', { kind: 'error', value: 401 }],
  ['a code of its own', { kind: 'error', value: -7, message: 'Key is gone' }],
] as const) {
  test(`a key that the vendor refuses with ${what} ends a file at once`, TIME_LIMIT, async (t) => {
    const { stub, provisionFile } = await setUp(t);
    const members = Array.from({ length: 200 }, (_, n) => `agent${n}`).join('\n');
    for (const paths of [[PATHS.hotlines], [PATHS.token]]) {
      let answered = 0;
      stub.requests.length = 0;
      stub.before = ({ path: asked }) => {
        // The second time it is revoked while members are provisioned.
        if (paths[0] !== asked || (answered += 1) <= (asked === PATHS.token ? 10 : 0)) return;
        for (const one of Object.values(PATHS)) stub.faults.set(one, fault);
      };
      const { exit, out, err } = await provisionFile(members);
      assert.equal(exit, 4);
      assert.match(err, /refused.* (?:200|1\d\d) of 200 members were not provisioned: run the command again/);
      assert.ok(stub.requests.length < 80, String(stub.requests.length));
      const others = out.match(/cannot call/g)?.length ?? 0;
      assert.ok(others < 4, `more than those who were being paid: ${out}`);
      stub.faults.clear();
    }
  });
}

test('the header of a file does not count as a member, in any line', TIME_LIMIT, async (t) => {
  const { stub, provisionFile } = await setUp(t);
  const text = '# team A\n\nmemberNo,hotline\nagent001\n# team B\nmember_no\nagent002\n';
  const { exit } = await provisionFile(text);
  assert.equal(exit, 0);
  assert.deepEqual([...stub.members.keys()].toSorted(), ['agent001', 'agent002']);
});

test('a header that no one has described is not paid as a member', TIME_LIMIT, async (t) => {
  const { stub, provisionFile } = await setUp(t);
  for (const header of ['agent', 'id', 'member,hotline']) {
    const { exit, err } = await provisionFile(`# team A\n${header}\nagent001\nagent002\n`);
    assert.deepEqual([exit, stub.requests], [2, []], header);
    assert.match(err, new RegExp(`${header.split(',')[0]} seems to be a header`));
  }
  for (const [file, members] of [
    ['MEMBER_NO\nan\nagent001\n', ['agent001', 'an']],
    ['binh\nchi\n', ['binh', 'chi']],
  ] as const) {
    stub.members.clear();
    assert.equal((await provisionFile(file)).exit, 0, file);
    assert.deepEqual([...stub.members.keys()].toSorted(), members);
  }
});

test('a file with mistakes provisions nobody, and all of them are named', TIME_LIMIT, async (t) => {
  const { stub, env, path } = await setUp(t);
  const file = `${path}.csv`;
  await writeFile(file, 'agent001\nagent_002\nagent003,HL_SALES,1000\n');
  const { exit, err } = await run(['provision', '--file', file], env);
  assert.deepEqual([exit, err.match(/line \d/g)], [2, ['line 2', 'line 3']]);
  for (const args of [
    ['--file', `${file}.not`],
    ['--file', file, 'agent001'],
    ['--file', file, '--top-up', '5'],
  ])
    assert.equal((await run(['provision', ...args], env)).exit, 2, args.join(' '));
  assert.deepEqual(stub.requests, []);
});

test('bad input ends with 2, before any request', TIME_LIMIT, async (t) => {
  const { stub, env } = await setUp(t);
  const bad = [
    ['provision', 'agent_001'],
    ['provision'],
    ['provision', 'a', 'b'],
    ['provision', 'agent001', '--top-up', '0'],
    ['provision', 'agent001', '--top-up', '1.5'],
    ['provision', 'agent001', '--top-up', '1001'],
    ['provision', 'agent001', '--nope'],
    ['serve', 'agent001'],
    ['reconcile', 'agent001'],
    ['nonsense'],
  ];
  const outcomes = await Promise.all(bad.map((args) => run(args, env)));
  assert.deepEqual(
    outcomes.map(({ exit }) => exit),
    bad.map(() => 2),
  );
  assert.match(outcomes[0]?.err ?? '', /letters a-z, A-Z and digits/);
  assert.match(outcomes[5]?.err ?? '', /exceeds the limit of 1000 VND/);
  assert.equal(stub.requests.length, 0);
});

test('--help explains every command, and starts none', TIME_LIMIT, async () => {
  for (const args of [['--help'], ['serve', '--help'], ['provision', '--help'], ['reconcile', '-h']]) {
    const { exit, out, err } = await run(args);
    assert.deepEqual([exit, err], [0, ''], args.join(' '));
    assert.match(out, /provision MEMBER_NO[^]*--beyond-limits[^]*reconcile[^]*Exit:/);
  }
});

test('a member who cannot call ends with 3, and nothing is spent on them', TIME_LIMIT, async (t) => {
  const { stub, env } = await setUp(t);
  const gone = await run(['provision', 'agent001', '--hotline', 'HL_GONE'], env);
  assert.equal(gone.exit, 3);
  assert.match(
    gone.out,
    /1\. hotlines +failed +hotline HL_GONE[^]*agent001 cannot call: insufficient-funds, no-hotline\./,
  );
  stub.add('agent002', { balance: -5000 });
  const poor = await run(['provision', 'agent002', '--json'], env);
  assert.equal(poor.exit, 3);
  const { blockers, steps } = JSON.parse(poor.out) as { blockers: string[]; steps: { detail: string }[] };
  assert.deepEqual(blockers, ['insufficient-funds']);
  assert.match(steps[3]?.detail ?? '', /-5000 VND: 1000 VND would not bring it above 0/);
  assert.equal(stub.asked(PATHS.money), 0);
});

test('--beyond-limits pays more than the limits, and uses none of them up', TIME_LIMIT, async (t) => {
  const { stub, env } = await setUp(t);
  stub.adminBalance = 10_000_000;
  assert.equal((await run(['provision', 'agent001', '--top-up', '9000000', '--beyond-limits'], env)).exit, 0);
  const member = stub.members.get('agent001')!;
  assert.equal(member.balance, 9_000_000);
  member.balance = 0;
  assert.match((await run(['provision', 'agent001'], env)).out, /1000 VND added/, 'the day is unused');
  member.balance = 0;
  const third = await run(['provision', 'agent001'], env);
  assert.deepEqual([third.exit, /limit for this member is reached/.test(third.out)], [3, true]);
});

test('with TOP_UP_MODE=off it needs no database, and says that there is no money', TIME_LIMIT, async (t) => {
  const { env, path } = await setUp(t);
  const { exit, out } = await run(['provision', 'agent001'], { ...env, TOP_UP_MODE: 'off' });
  assert.equal(exit, 3);
  assert.match(out, /top-up +skipped +the balance is 0 VND or less, and top-ups are off/);
  assert.equal(existsSync(path), false);
});

test(
  'with TOP_UP_MODE=off, a hotline that was ordered for a member is recorded: they keep to it',
  TIME_LIMIT,
  async (t) => {
    const { stub, env } = await setUp(t);
    stub.tellsHotlines = false;
    const member = stub.add('agent001', { balance: 500 });
    const off = { ...env, TOP_UP_MODE: 'off' };
    assert.equal((await run(['provision', 'agent001', '--hotline', 'HL_CARE'], off)).exit, 0);
    const { out } = await run(['provision', 'agent001'], off);
    assert.match(out, /4\. hotline +skipped +already has Care/);
    assert.deepEqual(member.hotlines, ['842899990002']);
    const away = { ...off, DATABASE_URL: 'postgres://u:p@127.0.0.1:9/x' };
    const without = await run(['provision', 'agent001'], away);
    assert.match(without.out, /4\. hotline +failed +not assigned: .+ our record cannot be read/);
    assert.deepEqual([without.exit, member.hotlines], [0, ['842899990002']]);
    assert.equal((await run(['provision', 'agent001', '--hotline', 'HL_SALES'], away)).exit, 0);
    assert.deepEqual(member.hotlines, ['842899990002', '842899990001']);
  },
);

test(
  'the database of another account ends with 78, before anything is asked or paid',
  TIME_LIMIT,
  async (t) => {
    const { stub, env } = await setUp(t);
    assert.equal((await run(['provision', 'agent001'], env)).exit, 0);
    stub.requests.length = 0;
    const staging = await run(['provision', 'agent001'], { ...env, VENDOR_API_KEY: 'staging' });
    assert.deepEqual([staging.exit, stub.requests.length], [78, 0]);
    assert.match(staging.err, /another API key[^]*VENDOR_API_KEY_PREVIOUS/);
    assert.doesNotMatch(staging.err, /staging/);
    const elsewhere = await run(['provision', 'agent001'], {
      ...env,
      VENDOR_BASE_URL: 'https://vendor.example',
    });
    assert.equal(elsewhere.exit, 78);
    assert.match(elsewhere.err, /belongs to http:.+, but VENDOR_BASE_URL is https:\/\/vendor\.example\//);
    assert.match(elsewhere.err, /set VENDOR_BASE_URL_PREVIOUS to the old one/);
    for (const { err } of [staging, elsewhere]) assert.doesNotMatch(err, /DATABASE_URL/, 'no other database');
    const moved = {
      ...env,
      VENDOR_BASE_URL: `${stub.baseUrl.replace('127.0.0.1', 'localhost')}/`,
      VENDOR_BASE_URL_PREVIOUS: `${stub.baseUrl}/`,
    };
    const [first, next] = [await run(['reconcile'], moved), await run(['reconcile'], moved)];
    assert.deepEqual([first.exit, next.exit], [0, 0], first.err);
    assert.match(next.out, /the amounts match/);
  },
);

test(
  'a database error that waiting cannot fix ends with 78 and says why, before any request',
  TIME_LIMIT,
  async (t) => {
    const { stub, env } = await setUp(t);
    const folder = await makeFolder(t);
    await writeFile(`${folder}/text.db`, 'This is no database. '.repeat(100));
    const url = new URL(await createPostgresDatabase());
    const nobody = new URL(url);
    nobody.username = 'nobody';
    const noTls = new URL(url);
    noTls.searchParams.set('sslmode', 'verify-full');
    url.pathname = '/nothing';
    const wrong: [databaseUrl: string, sentence: RegExp][] = [
      [await createTurkishDatabase(), /in small letters as abcdefghıj/],
      [url.href, /database "nothing" does not exist/],
      [nobody.href, /role "nobody" does not exist/],
      [`file:${folder}`, /is not a file/],
      [`file:${folder}/new/`, /EISDIR/],
      [noTls.href, /does not support SSL/],
      [`file:${folder}/text.db`, /file is not a database/],
      [`file:${folder}/text.db/companion.db`, /EEXIST|ENOTDIR/],
    ];
    for (const [DATABASE_URL, sentence] of wrong) {
      for (const args of [['provision', 'agent001'], ['reconcile']]) {
        const { exit, err } = await run(args, { ...env, DATABASE_URL });
        assert.deepEqual([exit, err.trim().split('\n').length], [78, 1], err);
        assert.match(err, sentence);
      }
    }
    assert.equal(stub.requests.length, 0);
    const served = await spawnCommand([], environmentOf(stub, url.href));
    assert.deepEqual([served.exit, served.out], [78, '']);
  },
);

test('without any variable it ends with 78 and says at once all that it needs', TIME_LIMIT, async () => {
  const { exit, err } = await spawnCommand(['provision', 'agent001']);
  assert.equal(exit, 78);
  assert.match(err, /VENDOR_BASE_URL is not set[^]*VENDOR_API_KEY is not set[^]*DATABASE_URL is required/);
  const served = await run([], {});
  assert.equal(served.exit, 78);
  assert.match(served.err, /VENDOR_API_KEY is not set[^]*DATABASE_URL is required[^]*AUTH_JWT_SECRET or/);
});

test(
  'reconcile tells apart: agrees or no earlier balance 0, missing 1, filled up 3, unreachable 4',
  TIME_LIMIT,
  async (t) => {
    const { stub, env } = await setUp(t);
    const reconcile = (more: Environment = {}) => run(['reconcile'], { ...env, ...more });
    const first = await reconcile();
    assert.deepEqual([first.exit, /was recorded\. There is no earlier balance/.test(first.out)], [0, true]);
    await run(['provision', 'agent001'], env);
    const even = await reconcile();
    assert.deepEqual(
      [even.exit, even.out.trim()],
      [0, 'The partner account lost 1000 VND, the ledger settled 1000 VND: the amounts match.'],
    );
    stub.adminBalance -= 777;
    const odd = await reconcile();
    assert.deepEqual([odd.exit, /777 VND are missing/.test(odd.out)], [1, true]);
    stub.adminBalance += 500_000;
    const filled = await reconcile();
    assert.equal(filled.exit, 3);
    assert.match(filled.out, /was added to the account/);
    assert.doesNotMatch(filled.out.split('\n')[0] ?? '', /missing/);
    assert.match(filled.out, /In all, 777 VND are missing\. Once they are explained/);
    assert.equal((await reconcile()).exit, 0, 'from here on it is compared again');
    const noStore = await reconcile({ DATABASE_URL: 'postgres://nobody@127.0.0.1:9/nothing' });
    assert.equal(noStore.exit, 4);
    assert.match(noStore.err, /Nothing was compared/);
    stub.faults.set(PATHS.admin, { kind: 'status', value: 503 });
    assert.equal((await reconcile()).exit, 4);
  },
);
