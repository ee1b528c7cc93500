/** What agents see when the vendor does what vendors do: money, members and keys; hotlines and calls have their own file. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { startProxy, type Intercept } from '../proxy.ts';
import { signInAgent } from '../agent.ts';
import { startSandbox, type RunningSandbox } from '../servers.ts';

const BALANCE = '/api/member/getByMemberNo';
const MONEY = '/api/member/addMoney';
const GENEROUS = { TOP_UP_DAILY_LIMIT_PER_MEMBER: '100000' };

async function openSite(t: TestContext, intercept?: Intercept, env: Record<string, string> = GENEROUS) {
  const sandbox = await startSandbox(t);
  const vendor = intercept ? await startProxy(t, sandbox, intercept) : sandbox;
  return { sandbox, ...(await signInAgent(t, vendor, env)) };
}

const asked = ({ world }: RunningSandbox, path: string) =>
  world.requests.filter((one) => one.path === path).length;

const paid = ({ world }: RunningSandbox) => world.topUps.filter(({ error }) => error === 0).length;

test('money that came in spite of a refusal is seen, counts against the day, and is not sent again', async (t) => {
  const { sandbox, session, refusal } = await openSite(
    t,
    async (path, forward) => {
      const answer = await forward();
      return path === MONEY ? Response.json({ error: 402, message: 'failed', data: null }) : answer;
    },
    {},
  );
  const { member, blockers } = await session();
  assert.deepEqual([member?.balance, blockers, paid(sandbox)], [1000, [], 1]);
  const row = sandbox.world.members.get('agent001');
  assert.ok(row, 'there is no row');
  sandbox.world.setBalance(row, 0);
  assert.equal((await refusal('top-up')).code, 'top-up-limit');
  assert.equal(paid(sandbox), 1);
});

test('a refusal that no balance can confirm stays a doubt: nothing is sent again', async (t) => {
  let [sent, blind] = [0, false];
  const { session, refusal } = await openSite(t, (path, forward) => {
    if (path === BALANCE && blind) return Response.json({ error: 500, message: 'x', data: null });
    if (path !== MONEY) return forward();
    blind = true;
    sent += 1;
    return Response.json({ error: 402, message: 'failed', data: null });
  });
  await session();
  blind = false;
  assert.deepEqual((await session()).blockers, ['insufficient-funds']);
  assert.equal((await refusal('top-up')).status, 200, 'under way, as the money may still come; not refused');
  assert.equal(sent, 1);
});

test('a top-up that failed at the vendor is tried once a session, and the agent gets their token', async (t) => {
  const { sandbox, session } = await openSite(t);
  sandbox.world.faults.set(MONEY, { kind: 'error', value: 402 });
  const { token, blockers } = await session();
  assert.match(token, /^eyJ/);
  assert.deepEqual([blockers, asked(sandbox, MONEY)], [['insufficient-funds'], 1]);
});

test('an agent who owes money is topped up like one who has none', async (t) => {
  const { sandbox, session } = await openSite(t);
  sandbox.world.setBalance(sandbox.world.createMember('agent001', []), -300);
  assert.deepEqual([(await session()).member?.balance, paid(sandbox)], [700, 1]);
});

for (const [how, answer] of [
  ['404', { error: 404, message: 'x', data: null }],
  ['success without data', { error: 0, message: 'x', data: null }],
] as const) {
  test(`a member who never shows after the token (${how}) is asked for a few times, and costs nothing`, async (t) => {
    let reads = 0;
    const { sandbox, refusal } = await openSite(t, (path, forward) => {
      if (path !== BALANCE) return forward();
      reads += 1;
      return Response.json(answer);
    });
    assert.equal((await refusal('session')).code, 'vendor-refused');
    assert.ok(reads > 1 && reads <= 4, `${reads} reads`);
    assert.equal(asked(sandbox, MONEY), 0);
  });
}

test('an agent whose account has ended is told so and keeps their token, but gets no money', async (t) => {
  const { sandbox, session, refusal, ask } = await openSite(t);
  const member = sandbox.world.createMember('agent001', ['HL_SALES']);
  const ended = { ...member, expirationDate: '2020-01-01T00:00:00Z', status: 6 };
  sandbox.world.members.set('agent001', ended);
  assert.deepEqual((await session()).blockers, ['insufficient-funds', 'member-expired']);
  assert.equal((await refusal('top-up')).status, 200);
  assert.equal(asked(sandbox, MONEY), 0);
  sandbox.world.setBalance(ended, 5000);
  assert.deepEqual((await session()).blockers, ['member-expired']);
  assert.equal((await ask('status')).status, 200);
});

test('an account without an end, or with an end that is no date, has not ended', async (t) => {
  const { sandbox, session } = await openSite(t);
  const member = sandbox.world.createMember('agent001', ['HL_SALES']);
  for (const expirationDate of [undefined, null, '', 'unlimited']) {
    sandbox.world.members.set('agent001', { ...member, balance: 5000, expirationDate } as typeof member);
    assert.deepEqual((await session()).blockers, [], String(expirationDate));
  }
});

for (const failureStatus of ['ok', 'mirrored'] as const) {
  test(`a revoked key (HTTP status ${failureStatus}) is told as refused, asked once, and never taken for a success`, async (t) => {
    const sandbox = await startSandbox(t);
    sandbox.world.setSettings({ ...sandbox.world.settings, failureStatus });
    const { refusal } = await signInAgent(
      t,
      { ...sandbox, apiKey: 'revoked' },
      { CALL_ME_SCRIPT: 'SCRIPT_ALERT' },
    );
    for (const path of ['session', 'top-up', 'hotline', 'call-me', 'calls', 'status']) {
      sandbox.world.requests.length = 0;
      const { status, code, detail } = await refusal(path);
      assert.deepEqual([path, status, code], [path, 502, 'vendor-refused']);
      assert.match(detail, /the API key is not accepted/);
      const paths = sandbox.world.requests.map((one) => one.path);
      assert.equal(new Set(paths).size, paths.length, `${path} asked again: ${paths.join(' ')}`);
      assert.equal(paths.includes(MONEY), false);
    }
  });
}

test('a token whose answer is lost is asked for again by the next session, and one member comes of it', async (t) => {
  const { sandbox, session, refusal } = await openSite(t);
  sandbox.world.setSettings({ ...sandbox.world.settings, hotlineList: 'hotline_numbers' });
  sandbox.world.faults.set('/api/sdk/tokenSdk', { kind: 'drop-after', times: 1 });
  assert.equal((await refusal('session')).code, 'vendor-unreachable');
  assert.equal(asked(sandbox, '/api/sdk/tokenSdk'), 1, 'a POST is not sent again by itself');
  // The second time the vendor ignores which hotlines come with the token.
  const member = sandbox.world.members.get('agent001');
  assert.ok(member, 'there is no member');
  sandbox.world.setAssignments(member, []);
  const { blockers, hotlines } = await session();
  assert.deepEqual([blockers, hotlines?.length, sandbox.world.members.size, paid(sandbox)], [[], 1, 1, 1]);
});

test('what failed halfway is taken up where it stopped: a hotline that was refused costs no second top-up', async (t) => {
  const { sandbox, session } = await openSite(t);
  sandbox.world.faults.set('/api/hotline/member/add', { kind: 'error', value: 500, times: 1 });
  const first = await session();
  assert.match(first.token, /^eyJ/);
  assert.deepEqual([first.blockers, first.member?.balance], [['no-hotline'], 1000]);
  assert.deepEqual((await session()).blockers, []);
  assert.deepEqual([asked(sandbox, MONEY), asked(sandbox, '/api/hotline/member/add')], [1, 2]);
});

test('a vendor that is too busy for a moment holds nobody up, and money is not sent twice for it', async (t) => {
  let busy = 2;
  let sent = 0;
  const { session } = await openSite(t, (path, forward) => {
    if (path === MONEY && (sent += 1)) return new Response('slow down', { status: 429 });
    if (path === BALANCE && busy > 0 && busy--) return Response.json({ error: 429 }, { status: 429 });
    return forward();
  });
  assert.deepEqual((await session()).blockers, ['insufficient-funds']);
  await session();
  assert.equal(sent, 1);
});

test('an answer that does not end is cut off, and becomes a problem', async (t) => {
  const piece = new Uint8Array(1024 * 1024);
  let pieces = 0;
  const { refusal } = await openSite(t, (path, forward) =>
    path === '/api/hotline/getAll'
      ? new Response(
          new ReadableStream({ pull: (flow) => (pieces++ < 200 ? flow.enqueue(piece) : flow.close()) }),
        )
      : forward(),
  );
  assert.equal((await refusal('session')).code, 'vendor-unreachable');
  assert.ok(pieces < 200, `${pieces} MiB were read`);
});
