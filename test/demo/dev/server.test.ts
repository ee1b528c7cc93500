/** `npm run server`: the server in one file, with a sandbox where no vendor is configured. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../demo/companion/test/free-port.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const { VENDOR_BASE_URL: _url, VENDOR_API_KEY: _key, ...env } = process.env;

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

test('npm run server passes on its exit code, and SIGTERM', async () => {
  const PORT = String(await freePort());
  const vendor = { VENDOR_BASE_URL: 'http://127.0.0.1:1/v3.0', VENDOR_API_KEY: 'key', PORT };
  const npm = (...args: string[]) =>
    spawn('npm', ['run', '-s', 'server', '--', ...args], { cwd: ROOT, env: { ...env, ...vendor } });
  assert.equal((await end(npm('agent_001'))).exit, 2);
  assert.equal((await end(npm('agent001'))).exit, 4);
  const serving = npm();
  const [line] = (await once(serving.stdout, 'data')) as [Buffer];
  assert.equal(String(line), `http://127.0.0.1:${PORT}/dialer/session\n`);
  serving.kill('SIGTERM');
  assert.equal((await end(serving)).exit, 0);
  await assert.rejects(fetch(`http://127.0.0.1:${PORT}/`));
});
