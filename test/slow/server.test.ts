/** `npm run server`: the server in one file, with a sandbox where no vendor is configured. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { until } from '../../demo/companion/test/app.ts';
import { freePort } from '../../demo/companion/test/free-port.ts';
import { run as api } from '../../demo/tools/api.ts';
import { runDoctor } from '../../demo/tools/doctor/doctor.ts';
import { makeFolder } from '../../demo/companion/test/stores.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const { VENDOR_BASE_URL: _url, VENDOR_API_KEY: _key, ...env } = process.env;
const DEAD_VENDOR = { VENDOR_BASE_URL: 'http://127.0.0.1:1/v3.0', VENDOR_API_KEY: 'key' };

async function end(child: ChildProcess): Promise<{ exit: unknown; text: string }> {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => (text += String(part)));
  const [exit] = (await once(child, 'close')) as unknown[];
  return { exit, text };
}

test('npm run server takes the four steps in a sandbox of its own, which lasts', async (t) => {
  const cwd = await mkdtemp(join(tmpdir(), 'npm-run-server-'));
  t.after(() => rm(cwd, { recursive: true, force: true }));
  const args = ['--import', import.meta.resolve('tsx'), join(ROOT, 'demo/dev/server.ts'), 'agent001'];
  const first = await end(spawn(process.execPath, args, { cwd, env }));
  assert.match(
    first.text,
    /^1 hotlines .*\n2 token .*\n3 member .*\n4 hotline .*\n4 top-up {4}1000 VND paid\ncan call\n$/,
  );
  assert.equal(first.exit, 0);
  assert.match((await end(spawn(process.execPath, args, { cwd, env }))).text, /3 member {4}1000 VND\n/);
  assert.equal((await readdir(join(cwd, '.data/paid'))).length, 1);
});

test('npm run server leaves the variables of others alone, and names what is nearly a setting', async (t) => {
  const cwd = await makeFolder(t);
  const foreign = { AUTH_SERVICE_HOST: '10.0.0.1', PAID_PORT: '80', VENDOR_SDK: '/opt/sdk', TOPIC: 'x' };
  const run = (more: object) => {
    const args = ['--import', import.meta.resolve('tsx'), join(ROOT, 'demo/dev/server.ts'), 'agent001'];
    return end(spawn(process.execPath, args, { cwd, env: { ...env, ...foreign, ...DEAD_VENDOR, ...more } }));
  };
  assert.deepEqual(await run({ TOPUP: '0' }), {
    exit: 78,
    text: 'TOPUP is not a setting: did you mean TOP_UP?\n',
  });
  const { exit, text } = await run({ VENDOR_APIKEY: 'x' });
  assert.deepEqual(
    [exit, text.split('\n')[0]],
    [4, 'VENDOR_APIKEY is not a setting: did you mean VENDOR_API_KEY?'],
  );
  const { text: ofCompanion } = await run({ TOP_UP_MODE: 'off' });
  assert.match(ofCompanion, /^TOP_UP_MODE is a setting of the companion, not of this server: TOP_UP=0 pays/);
});

test('npm run api and the doctor stop at what is nearly a setting of top-ups, too', async (t) => {
  const misspelt = { ...DEAD_VENDOR, DATABASE_URL: 'file:/tmp/none.db', TOPUP_MODE: 'off' };
  t.mock.method(console, 'error', () => undefined);
  assert.equal(await api(['listHotlines'], misspelt), 78);
  assert.equal((await runDoctor([], misspelt)).exit, 78);
});

function npmRun(script: string, args: readonly string[], more: object = {}) {
  const options = { cwd: ROOT, env: { ...env, ...more }, detached: true };
  return spawn('npm', ['run', '-s', script, '--', ...args], options);
}

/** What a signal to npm has left behind would keep the test waiting. */
function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing is left.
  }
}

test('npm run server passes on its exit code', async () => {
  assert.equal((await end(npmRun('server', ['agent_001'], DEAD_VENDOR))).exit, 2);
  assert.equal((await end(npmRun('server', ['agent001'], DEAD_VENDOR))).exit, 4);
});

for (const script of ['server', 'broker', 'sandbox', 'dev']) {
  test(`SIGTERM to npm run ${script} ends npm and the server`, { timeout: 60_000 }, async (t) => {
    const PORT = String(await freePort());
    const DATABASE_URL = `file:${await makeFolder(t)}/companion.db`;
    const args = ['sandbox', 'dev'].includes(script) ? ['--port', PORT] : [];
    const vendor = script === 'server' ? DEAD_VENDOR : {};
    const npm = npmRun(script, args, { ...vendor, PORT, DATABASE_URL });
    t.after(() => endGroup(npm));
    const address = `http://127.0.0.1:${PORT}/`;
    const isServed = () =>
      fetch(address).then(
        () => true,
        () => false,
      );
    await until(isServed, 30_000);
    npm.kill('SIGTERM');
    await end(npm);
    assert.equal(await isServed(), false);
  });
}

test('SIGTERM ends npm run server with its sandbox, although a client has sent only half a request', async (t) => {
  const PORT = String(await freePort());
  const args = ['--import', import.meta.resolve('tsx'), join(ROOT, 'demo/dev/server.ts')];
  const child = spawn(process.execPath, args, { cwd: await makeFolder(t), env: { ...env, PORT } });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const half = connect(Number(PORT), '127.0.0.1', () => half.write('POST /dialer/session HTTP/1.1\r\n'));
  t.after(() => half.destroy());
  await once(half, 'connect');
  child.kill('SIGTERM');
  const ended = once(child, 'exit');
  assert.deepEqual(await Promise.race([ended, delay(15_000, 'runs on', { ref: false })]), [0, null]);
});
