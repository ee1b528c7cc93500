/** The folder as a partner takes it: copied alone, and packed as JavaScript. */
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeFolder, type RunningSandbox, startSandbox } from '../../demo/sandbox/test/servers.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDER = join(ROOT, 'demo/companion');

interface Outcome {
  readonly exit: unknown;
  readonly out: string;
  readonly err: string;
}

function run(
  node: string,
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const options = { cwd, env: { PATH: process.env['PATH'], ...env } };
  return new Promise((resolve) => {
    execFile(node, args, options, (error, out, err) => resolve({ exit: error?.code ?? 0, out, err }));
  });
}

const environmentOf = ({ baseUrl, apiKey }: RunningSandbox, folder: string) => ({
  DATABASE_URL: `file:${folder}/companion.db`,
  VENDOR_BASE_URL: baseUrl,
  VENDOR_API_KEY: apiKey,
  AUTH_JWT_SECRET: 's'.repeat(32),
  AUTH_AUDIENCE: 'companion',
});

async function checkThatItWorks(
  t: TestContext,
  node: string,
  folder: string,
  program: readonly string[],
): Promise<void> {
  const alone = await run(node, folder, program, {});
  assert.equal(alone.exit, 78);
  assert.match(alone.err, /VENDOR_BASE_URL is not set/);

  const sandbox = await startSandbox(t);
  const env = environmentOf(sandbox, await makeFolder(t));
  const provisioned = await run(node, folder, [...program, 'provision', 'agent001'], env);
  assert.equal(provisioned.exit, 0, provisioned.err);
  // The log's one line.
  assert.match(provisioned.err, /^\{.*"why":"paid".*\}\n$/);
  assert.match(provisioned.out, /agent001 can call\./);

  const options = { cwd: folder, env: { PATH: process.env['PATH'], PORT: '0', LOG_LEVEL: 'silent', ...env } };
  const child = spawn(node, program, options);
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'close');
  const [line] = (await Promise.race([once(child.stdout.setEncoding('utf8'), 'data'), ended])) as [string];
  const origin = /http:[^\s"]+/.exec(String(line))?.[0] ?? '';
  assert.equal((await fetch(`${origin}/readyz`)).status, 200);
  assert.equal((await fetch(`${origin}/dialer/session`, { method: 'POST' })).status, 401);
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
}

describe('copied alone, and installed by its own lock without what only tests need', () => {
  let folder: string;
  before(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'copied-')), 'companion');
    await cp(FOLDER, folder, {
      recursive: true,
      filter: (path) => !/[\\/](?:node_modules|dist|\.data)$/.test(path),
    });
    const { stderr } = spawnSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], {
      cwd: folder,
      encoding: 'utf8',
    });
    const warnings = stderr
      .split('\n')
      .filter((line) => /\b(?:warn|error)\b/.test(line) && !/Unknown (?:user|env) config/.test(line));
    assert.deepEqual(warnings, []);
  });
  after(() => rm(dirname(folder), { recursive: true, force: true }));

  for (const version of [20, 22, 24]) {
    test(`Node ${version} serves, provisions, and keeps the money rules`, { timeout: 240_000 }, async (t) => {
      const node = execFileSync('npx', ['--yes', '-p', `node@${version}`, 'node', '-p', 'process.execPath']);
      const path = String(node).trim();
      await checkThatItWorks(t, path, folder, ['--import', 'tsx', 'main.ts']);
      const rules = ['sqlite', 'provision'].map((name) => `test/${name}.test.ts`);
      const { exit, out } = await run(path, folder, ['--import', 'tsx', '--test', ...rules], {});
      assert.equal(exit, 0, out);
    });
  }
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
  // What `npm install` would bring, without asking a registry.
  await symlink(join(ROOT, 'node_modules'), join(packed, 'node_modules'));
  await checkThatItWorks(t, process.execPath, packed, ['dist/main.js']);
});
