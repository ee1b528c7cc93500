/** The sandbox as a package of its own, of what `npm run build` has written. */
import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const FOLDER = fileURLToPath(new URL('../..', import.meta.url));
/** Inside the folder, as its libraries are found from there. */
const CACHE = join(FOLDER, 'node_modules/.cache');

let unpacked: string;
let command: string;
before(async () => {
  await mkdir(CACHE, { recursive: true });
  unpacked = await mkdtemp(join(CACHE, 'package-'));
  await run('npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', unpacked], {
    cwd: FOLDER,
  });
  const [tarball = ''] = await readdir(unpacked);
  await run('tar', ['-xzf', tarball, '--strip-components=1'], { cwd: unpacked });
  await rm(join(unpacked, tarball));
  command = join(unpacked, 'dist/command.js');
});
after(() => rm(unpacked, { recursive: true, force: true }));

async function start(...args: readonly string[]): Promise<{ origin: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [command, '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [text] = (await once(child.stdout, 'data')) as [Buffer];
  return { origin: /http:\/\/[^\s"]+?:\d+/.exec(String(text))?.[0] ?? '', child };
}

describe('partner-dialer-sandbox', () => {
  it('holds built programs, their licences, and no source', async () => {
    const names = await readdir(unpacked);
    assert.deepEqual(names.toSorted(), ['LICENSE', 'README.md', 'dist', 'package.json']);
    const programs = await readdir(join(unpacked, 'dist'), { recursive: true });
    assert.deepEqual(
      programs.filter((file) => file.endsWith('.ts')),
      [],
    );
    const { dependencies } = JSON.parse(await readFile(join(unpacked, 'package.json'), 'utf8')) as {
      dependencies: object;
    };
    assert.equal('vite' in dependencies, false, 'nothing is bundled at run time');
  });

  it('tells what there is, and what it does not know', async () => {
    assert.match((await run(process.execPath, [command, '--help'])).stdout, /--scenario/);
    for (const wrong of [['--scenario', 'rich'], ['--port', '99999'], ['--colour']]) {
      await assert.rejects(run(process.execPath, [command, ...wrong]), /--help to list/);
    }
  });

  it('signs in, provisions, serves a page of another port, and ends on SIGTERM', async (t) => {
    const { origin, child } = await start('--scenario', 'no-money');
    t.after(() => child.kill('SIGKILL'));
    const from = { Origin: 'http://localhost:5173', 'Content-Type': 'application/json' };
    const anonymous = await fetch(`${origin}/dialer/session`, { method: 'POST', headers: from });
    assert.equal(anonymous.status, 401);
    const login = await fetch(`${origin}/login`, {
      method: 'POST',
      headers: from,
      body: '{"memberNo":"agent001"}',
    });
    assert.equal(login.headers.get('access-control-allow-origin'), from.Origin);
    assert.equal(login.headers.get('access-control-allow-credentials'), 'true');
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
    const ask = async (path: string, method = 'POST') => {
      const answer = await fetch(`${origin}/dialer/${path}`, {
        method,
        headers: { ...from, Cookie: cookie },
      });
      return (await answer.json()) as { token?: string; blockers: string[]; hotlines: unknown[] };
    };
    const session = await ask('session');
    assert.deepEqual([session.blockers, session.hotlines.length], [['insufficient-funds'], 1]);
    assert.match(session.token ?? '', /\S/);
    assert.deepEqual((await ask('top-up')).blockers, []);
    assert.deepEqual((await ask('status', 'GET')).blockers, []);
    const elsewhere = await fetch(`${origin}/login`, {
      method: 'POST',
      headers: { Origin: 'https://evil.example' },
    });
    assert.equal(elsewhere.headers.get('access-control-allow-origin'), null);
    assert.match(await (await fetch(`${origin}/vendor/vbot-sdk.js`)).text(), /vbot-widget/);
    const manual = await fetch(`${origin}/sandbox`, { headers: { Accept: 'text/html' } });
    assert.match(await manual.text(), /<h2>Numbers to dial<\/h2>/);
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    assert.equal(code, 0);
  });

  it('takes the headers and the switches of a page of another port, and of no other site', async (t) => {
    const { origin, child } = await start();
    t.after(() => child.kill('SIGKILL'));
    const preflight = await fetch(`${origin}/dialer/session`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'http://localhost:5173',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'x-tenant',
      },
    });
    assert.equal(preflight.headers.get('access-control-allow-headers'), 'x-tenant');
    for (const [from, status] of [
      ['http://localhost:5173', 200],
      ['https://evil.example', 403],
    ] as const) {
      const reset = await fetch(`${origin}/sandbox/reset`, {
        method: 'POST',
        headers: { Origin: from, 'Sec-Fetch-Site': 'cross-site', 'Content-Type': 'application/json' },
        body: '{}',
      });
      assert.equal(reset.status, status, from);
      assert.equal(reset.headers.get('access-control-allow-origin'), status === 200 ? from : null);
    }
  });
});
