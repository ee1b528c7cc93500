/** The programs that README and docs of the companion print, run as they stand: only ports and folders are those of the test. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeFolder, startSandbox } from '../../demo/sandbox/test/servers.ts';
import { until } from '../../demo/companion/test/app.ts';
import { freePort } from '../../demo/companion/test/free-port.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const COMPANION = join(ROOT, 'demo/companion');
const LIMIT = { timeout: 60_000 };

/** The only block of that language with these words in it. */
async function blockOf(path: string, language: string, words: string): Promise<string> {
  const all = (await readFile(join(COMPANION, path), 'utf8')).matchAll(/^```(\w*)\n(.*?)^```$/gms);
  const found = [...all].filter(([, name, code = '']) => name === language && code.includes(words));
  assert.equal(found.length, 1, `blocks of ${path} with ${words}`);
  return found[0]?.[2] ?? '';
}

const answers = (address: string) =>
  until(async () => (await fetch(address).catch(() => undefined))?.ok, 60_000);

/** With all that it has started. */
function endWith(t: TestContext, child: ChildProcess): void {
  t.after(() => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // It has ended.
    }
  });
}

test('"try it" of the companion’s README ends with a token for agent001', LIMIT, async (t) => {
  const sandbox = await startSandbox(t);
  const folder = await makeFolder(t);
  const port = await freePort();
  const adapt = (code: string) =>
    code
      .replace('http://127.0.0.1:8788/vendor/v3.0', sandbox.baseUrl)
      .replaceAll('127.0.0.1:8787', `127.0.0.1:${port}`)
      .replace('$PWD', folder)
      .replaceAll(/^(?:cp|npm ci) .*$/gm, '');
  const start = adapt(await blockOf('README.md', 'sh', 'npm start'));
  const child = spawn('bash', ['-euc', start], {
    cwd: COMPANION,
    env: { PATH: process.env['PATH'], HOME: folder, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  endWith(t, child);
  const printed = text(child.stdout);
  await Promise.race([
    answers(`http://127.0.0.1:${port}/healthz`),
    once(child, 'close').then(async () => assert.fail(await printed)),
  ]);
  const ask = adapt(await blockOf('README.md', 'sh', 'curl -s -c cookies'));
  const asked = spawn('bash', ['-euc', ask], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  const output = await text(asked.stdout);
  assert.match(output, /"token":"[\w.-]+"/);
  assert.match(output, /"memberNo":"agent001"/);
  assert.match(output, /"blockers":\[\]/);
});

test('the server of own-login.md signs an agent in and out, and ends by SIGTERM', LIMIT, async (t) => {
  const sandbox = await startSandbox(t);
  const cache = join(ROOT, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'own-login-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await cp(COMPANION, folder, {
    recursive: true,
    filter: (path) => !/[\\/](?:node_modules|dist|test|\.data)$/.test(path.slice(COMPANION.length)),
  });
  await writeFile(join(folder, 'server.js'), await blockOf('docs/own-login.md', 'js', 'startSession'));
  const command = ['--import', 'tsx', 'server.js'];
  const unset = spawn(process.execPath, command, { cwd: folder, env: { PATH: process.env['PATH'] } });
  const [[exit], said] = await Promise.all([once(unset, 'close'), text(unset.stderr)]);
  assert.deepEqual([exit, said], [78, 'VENDOR_BASE_URL and VENDOR_API_KEY are not set.\n']);
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, command, {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      LOG_LEVEL: 'silent',
      DATABASE_URL: `file:${folder}/companion.db`,
      VENDOR_BASE_URL: sandbox.baseUrl,
      VENDOR_API_KEY: sandbox.apiKey,
      SESSION_SECRET: 's'.repeat(32),
    },
    stdio: 'inherit',
    detached: true,
  });
  endWith(t, child);
  const ended = once(child, 'close');
  await Promise.race([answers(`${origin}/healthz`), ended.then(() => assert.fail('The server has ended.'))]);

  const login = await fetch(`${origin}/your-login`);
  assert.equal(login.headers.get('keep-alive'), 'timeout=75', 'longer than a proxy keeps it');
  assert.equal(await login.text(), 'your site');
  const Cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
  const post = (path: string) => fetch(origin + path, { method: 'POST', headers: { Cookie } });
  const session = await post('/dialer/session');
  assert.equal(session.status, 200);
  const { token, member } = (await session.json()) as { token: string; member: { memberNo: string } };
  assert.ok(token);
  assert.equal(member.memberNo, 'agent001');
  assert.ok((await post('/logout')).ok);
  assert.equal((await fetch(`${origin}/dialer/session`, { method: 'POST' })).status, 401);
  // A client that has sent half a request does not keep the server from ending in order.
  const half = connect(port, '127.0.0.1', () => half.write('POST /dialer/session HTTP/1.1\r\n'));
  t.after(() => half.destroy());
  await once(half, 'connect');
  child.kill('SIGTERM');
  // The proxy has two seconds to notice, and keeps no connection that the stop would close.
  const ask = (path: string) =>
    fetch(origin + path).then(({ status, headers }) => [status, headers.get('connection')]);
  while ((await ask('/readyz'))[0] !== 503) assert.equal(child.exitCode, null);
  assert.deepEqual(await ask('/readyz'), [503, 'close']);
  assert.deepEqual(await ask('/dialer/status'), [401, 'close']);
  assert.deepEqual(await ask('/'), [200, 'close']);
  assert.deepEqual(await ended, [0, null]);
});
