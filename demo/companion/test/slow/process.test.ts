/** The companion as a running process: where it listens, how it ends, and what it does not start with. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Ledger } from '../../money/ledger.ts';
import { openDatabase } from '../../store/database.ts';
import { until } from '../app.ts';
import { freePort } from '../free-port.ts';
import {
  ARGS,
  environmentOf,
  signToken,
  spawnCommand,
  start,
  type Environment,
  type Running,
} from '../process.ts';
import { openTestDatabase, sqliteUrl } from '../stores.ts';
import { PATHS, startVendor, type StubVendor } from '../vendor.ts';

const TIME_LIMIT = { timeout: 60_000 };

async function setUp(t: TestContext): Promise<{ stub: StubVendor; env: Environment; url: string }> {
  const stub = await startVendor(t);
  const url = await sqliteUrl(t);
  return { stub, url, env: environmentOf(stub, url) };
}

async function session({ origin }: Pick<Running, 'origin'>): Promise<Response> {
  const headers = { Authorization: `Bearer ${await signToken('agent001')}` };
  return fetch(`${origin}/dialer/session`, { method: 'POST', headers });
}

test('it listens on loopback, unless HOST says otherwise', TIME_LIMIT, async (t) => {
  const { env } = await setUp(t);
  for (const [host, shown] of [
    [undefined, '127.0.0.1'],
    ['127.0.0.2', '127.0.0.2'],
    ['::1', '[::1]'],
  ] as const) {
    const running = await start(t, { ...env, ...(host && { HOST: host }) });
    assert.match(running.origin, new RegExp(`^http://${shown.replaceAll(/[.[\]]/g, '\\$&')}:\\d+$`));
    assert.equal((await fetch(`${running.origin}/healthz`)).status, 200);
    running.child.kill('SIGTERM');
  }
});

test(
  'where a program reads the output, each line of it is JSON, the warning of DEMO_LOGIN too',
  TIME_LIMIT,
  async (t) => {
    const { env } = await setUp(t);
    const { origin, output } = await start(t, { ...env, DEMO_LOGIN: 'on', SESSION_SECRET: 's'.repeat(32) });
    await fetch(`${origin}/healthz`);
    const lines = output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { level: number; time: number; msg: string });
    assert.deepEqual(
      lines.slice(0, 3).map(({ level, msg }) => `${level} ${msg.replace(/:.*/, '')}`),
      ['30 Companion', '40 Sign-in', '30 Vendor'],
    );
    assert.ok(lines.every(({ time }) => time > 0));
  },
);

test(
  'if the log cannot be written, as on a full disk, it goes on, and SIGTERM ends it',
  TIME_LIMIT,
  async (t) => {
    if (process.platform !== 'linux') return t.skip('There is no /dev/full.');
    const { env } = await setUp(t);
    const port = await freePort();
    const child = spawn(process.execPath, ARGS, {
      env: { PATH: process.env['PATH'] ?? '', ...env, PORT: String(port) },
      stdio: ['ignore', openSync('/dev/full', 'w'), 'inherit'],
    });
    t.after(() => child.kill('SIGKILL'));
    const running = { origin: `http://127.0.0.1:${port}` };
    const isHealthy = () =>
      fetch(`${running.origin}/healthz`).then(
        ({ status }) => status === 200,
        () => false,
      );
    while (child.exitCode === null && !(await isHealthy())) await delay(50);
    // Each logs several lines.
    for (let n = 0; n < 3; n += 1) assert.equal((await session(running)).status, 200);
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  },
);

test('it keeps a connection longer than proxies do', TIME_LIMIT, async (t) => {
  const { env } = await setUp(t);
  const { origin } = await start(t, env);
  const { headers } = await fetch(`${origin}/healthz`);
  assert.match(headers.get('keep-alive') ?? '', /timeout=75/);
});

test('HTTP/1.0 without a Host is answered, as load balancers ask so', TIME_LIMIT, async (t) => {
  const { env } = await setUp(t);
  const { origin } = await start(t, env);
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  socket.end('GET /healthz HTTP/1.0\r\n\r\n');
  assert.match(await text(socket), /^HTTP\/1\.\d 200 /);
});

test('a port that is taken ends it, with the reason', TIME_LIMIT, async (t) => {
  const { env } = await setUp(t);
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  t.after(() => other.close());
  const { exit, err } = await spawnCommand(['serve'], {
    ...env,
    PORT: String((other.address() as AddressInfo).port),
  });
  assert.equal(exit, 1);
  assert.match(err, /^HOST and PORT: .*EADDRINUSE/);
});

for (const signals of [1, 3]) {
  test(`SIGTERM, ${signals} times, lets the top-up that is under way end`, TIME_LIMIT, async (t) => {
    const { stub, env, url } = await setUp(t);
    const release = new AbortController();
    const released = once(release.signal, 'abort');
    const asked = new Promise<void>((resolve) => {
      stub.before = ({ path }) => {
        if (path !== PATHS.money) return undefined;
        resolve();
        return released;
      };
    });
    const running = await start(t, env);
    const waiting = session(running).catch(() => undefined);
    await asked;
    for (let n = 0; n < signals; n += 1) {
      running.child.kill('SIGTERM');
      await delay(100);
    }
    release.abort();
    const [exit] = (await once(running.child, 'close')) as [number | null];
    await waiting;
    const database = openTestDatabase(t, url);
    const states = (await new Ledger(database).history()).map(({ state }) => state);
    assert.deepEqual([exit, states, stub.paid.length], [0, ['settled'], 1]);
  });
}

test(
  'SIGTERM waits for no more than the one payment in doubt that is being looked at',
  TIME_LIMIT,
  async (t) => {
    const { stub, env, url } = await setUp(t);
    const database = openDatabase(url);
    for (let n = 0; n < 8; n += 1) {
      await database.write(
        `insert into top_up (id, member, amount, reason, day, state, owner, lease, claimed_at, changed_at, beyond_limits)
       select ?, ?, 1000, 'session', '2026-11-21', 'unknown', 'x', now, now, now, 1 from clock`,
        [`movement ${n}`, `agent${n}`],
      );
    }
    await database.close();
    stub.faults.set(PATHS.member, { kind: 'silent' });
    const running = await start(t, env);
    await until(() => stub.asked(PATHS.member) > 0);
    running.child.kill('SIGTERM');
    const [exit] = (await once(running.child, 'close')) as [number | null];
    assert.equal(exit, 0);
  },
);

test('SIGTERM ends the open event streams, so that no page delays the stop', TIME_LIMIT, async (t) => {
  const { env } = await setUp(t);
  const running = await start(t, env);
  const headers = { Authorization: `Bearer ${await signToken('agent001')}` };
  const stream = await fetch(`${running.origin}/dialer/events`, { headers });
  assert.equal(stream.status, 200);
  const begin = performance.now();
  running.child.kill('SIGTERM');
  // The page reads to the end: it was not cut off.
  await stream.text();
  const [exit] = (await once(running.child, 'close')) as [number | null];
  assert.equal(exit, 0);
  assert.ok(performance.now() - begin < 4000, 'it did not wait until connections are cut');
});

test('SIGTERM to npm start ends npm and the companion', TIME_LIMIT, async (t) => {
  const { env } = await setUp(t);
  const running = await start(t, env, ['npm', 'start']);
  assert.equal((await fetch(`${running.origin}/healthz`)).status, 200);
  running.child.kill('SIGTERM');
  await once(running.child, 'exit');
  await assert.rejects(fetch(`${running.origin}/healthz`), 'nobody serves any more');
});
