/** The folder as a partner takes it: copied alone, and packed as JavaScript. */
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeFolder, startSandbox, type RunningSandbox } from '../demo/servers.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDER = join(ROOT, 'demo/server');

interface Outcome {
  readonly exit: unknown;
  readonly out: string;
  readonly err: string;
}

function run(cwd: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<Outcome> {
  const options = { cwd, env: { PATH: process.env['PATH'], ...env } };
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (error, out, err) =>
      resolve({ exit: error?.code ?? 0, out, err }),
    );
  });
}

/** What `npm install` would bring, without asking a registry. */
function install(folder: string): Promise<void> {
  return symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}

const environmentOf = ({ baseUrl, apiKey }: RunningSandbox) => ({
  VENDOR_BASE_URL: baseUrl,
  VENDOR_API_KEY: apiKey,
  SESSION_SECRET: 's'.repeat(32),
});

async function checkThatItWorks(t: TestContext, folder: string, program: readonly string[]): Promise<void> {
  const alone = await run(folder, program, {});
  assert.equal(alone.exit, 78);
  assert.match(alone.err, /VENDOR_BASE_URL is not set/);

  const sandbox = await startSandbox(t);
  const env = environmentOf(sandbox);
  const provisioned = await run(folder, [...program, 'provision', 'agent001'], env);
  assert.deepEqual([provisioned.exit, provisioned.err], [0, '']);
  assert.match(provisioned.out, /agent001 can call\./);

  const options = { cwd: folder, env: { PATH: process.env['PATH'], PORT: '0', LOG_LEVEL: 'silent', ...env } };
  const child = spawn(process.execPath, program, options);
  t.after(() => child.kill('SIGKILL'));
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const origin = /http:\S+/.exec(line)?.[0] ?? '';
  assert.equal((await fetch(`${origin}/readyz`)).status, 200);
  assert.equal((await fetch(`${origin}/dialer/session`, { method: 'POST' })).status, 401);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'close'), [0, null]);
}

test('copied alone it serves, and says what it needs', { timeout: 120_000 }, async (t) => {
  const folder = join(await makeFolder(t), 'companion');
  await cp(FOLDER, folder, {
    recursive: true,
    filter: (path) => !/[\\/](?:node_modules|dist|\.data)$/.test(path),
  });
  await install(folder);
  await checkThatItWorks(t, folder, ['--import', 'tsx', 'main.ts']);
});

test('packed it is JavaScript that plain Node runs', { timeout: 180_000 }, async (t) => {
  const folder = await makeFolder(t);
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: FOLDER, stdio: 'ignore' });
  const [tarball = ''] = await readdir(folder);
  execFileSync('tar', ['xzf', tarball], { cwd: folder });
  const packed = join(folder, 'package');
  const files = await readdir(packed, { recursive: true });
  assert.deepEqual(
    files.filter((file) => file.endsWith('.ts')),
    [],
  );
  const { bin } = JSON.parse(await readFile(join(packed, 'package.json'), 'utf8')) as {
    bin: string | object;
  };
  assert.deepEqual(bin, { 'partner-dialer-companion': 'dist/main.js' });
  await install(packed);
  await checkThatItWorks(t, packed, ['dist/main.js']);
});

test('it imports nothing from outside its folder, and each room only what is below it', async () => {
  const order = ['vendor', 'http', 'money', 'calls', 'customers', 'operations', '.', 'commands'];
  const paths = (await readdir(FOLDER, { recursive: true })).filter((path) => path.endsWith('.ts'));
  let lines = 0;
  for (const path of paths.filter((one) => !/^(?:node_modules|dist)/.test(one))) {
    const text = await readFile(join(FOLDER, path), 'utf8');
    const room = path.includes('/') ? (path.split('/')[0] ?? '') : '.';
    if (room === '.') lines += text.split('\n').length - 1;
    for (const [, target = ''] of text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)) {
      const resolved = join(path, '..', target);
      assert.ok(!resolved.startsWith('..'), `${path} imports ${target}`);
      const other = resolved.includes('/') ? (resolved.split('/')[0] ?? '') : '.';
      // The command line is started from the top.
      if (path === 'main.ts') continue;
      assert.ok(order.indexOf(other) <= order.indexOf(room), `${path} imports ${target}, which is above it`);
    }
  }
  assert.ok(lines <= 600, `${lines} lines at the top`);
});
