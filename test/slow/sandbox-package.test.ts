/** The sandbox, installed from its tarball in a fresh project, and called by a page of another origin. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { startServer } from '../../demo/companion/test/free-port.ts';
import type { PartnerDialer } from '../../src/element.ts';
import { launchBrowser } from '../end-to-end/browser.ts';
import { pack, readJson, ROOT, run, type Tarball } from '../package/tarball.ts';

/** As the command's greeting says, in a page that has nothing else. */
const pageFor = (sandbox: string) => `<!doctype html>
<title>Another origin</title>
<script src="/partner-dialer.js"></script>
<script type="module">
  await fetch('${sandbox}/login', { method: 'POST', credentials: 'include', body: '{"memberNo":"agent001"}' });
  const dialer = document.createElement('partner-dialer');
  dialer.lang = 'en';
  for (const [name, value] of Object.entries({
    'broker-url': '${sandbox}/dialer/session',
    'broker-credentials': 'include',
    'sdk-url': '${sandbox}/vendor/vbot-sdk.js',
    'sdk-base-url': '${sandbox}/vendor/v3.0',
  })) dialer.setAttribute(name, value);
  dialer.addEventListener('dialer-error', ({ detail }) => console.error(detail.error.code, detail.error.message));
  document.body.append(dialer);
</script>`;

const NAME = 'partner-dialer-sandbox';
const COMMAND = join('node_modules/.bin', NAME);

let sandbox: Tarball;
let project: string;
before(async () => {
  sandbox = await pack(join(ROOT, 'demo/sandbox'));
  project = await mkdtemp(join(tmpdir(), 'fresh-sandbox-'));
  await writeFile(join(project, 'package.json'), '{"private":true}');
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', sandbox.path], project);
});
after(async () => {
  await sandbox.remove();
  await rm(project, { recursive: true, force: true });
});

/** Resolves when it has printed its address; `end` sends SIGTERM and resolves to the exit status. */
async function start(t: TestContext, program: string, ...args: readonly string[]) {
  // A group of its own, as npx starts the command in a shell.
  const child = spawn(program, [...args, '--port', '0'], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const exit = once(child, 'exit') as Promise<[number | null]>;
  const kill = (signal: NodeJS.Signals) => child.pid !== undefined && process.kill(-child.pid, signal);
  t.after(() => child.exitCode === null && child.signalCode === null && kill('SIGKILL'));
  let output = '';
  const origin = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += String(chunk);
        const found = /listens on (http:\/\/[^\s"]+?:\d+)/.exec(output)?.[1];
        if (found) resolve(found);
      });
    }
    child.once('exit', () => reject(new Error(output)));
  });
  const end = async () => {
    kill('SIGTERM');
    return (await exit)[0];
  };
  return { origin, end };
}

describe(NAME, { timeout: 420_000 }, () => {
  it('holds built programs, their licences, and no source', async () => {
    const others = sandbox.files.filter((file) => !/^dist\/.+(?<!\.ts)$/.test(file));
    assert.deepEqual(others, ['LICENSE', 'README.md', 'package.json']);
    const { dependencies } = (await readJson(join(sandbox.folder, 'package.json'))) as {
      dependencies: object;
    };
    assert.equal('vite' in dependencies, false, 'nothing is bundled at run time');
  });

  it('lists its options for --help, and refuses unknown ones', async () => {
    assert.match(await run(COMMAND, ['--help'], project), /--scenario/);
    for (const wrong of [['--scenario', 'rich'], ['--port', '99999'], ['--colour']]) {
      await assert.rejects(run(COMMAND, wrong, project), /--help to list/);
    }
  });

  it('signs in, provisions, serves a page of another port, and ends on SIGTERM', async (t) => {
    const { origin, end } = await start(t, COMMAND, '--scenario', 'no-money');
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
    assert.equal(await end(), 0);
  });

  it('takes the headers and the switches of a page of another port, and of no other site', async (t) => {
    const { origin } = await start(t, COMMAND);
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

  it('starts by npx, and a page calls somebody', async (t) => {
    const element = await pack();
    t.after(() => element.remove());
    const { origin, end } = await start(t, 'npx', '--no-install', NAME);
    const dist = join(element.folder, 'dist');
    const server = createServer(async ({ url = '/' }, response) => {
      if (url === '/') {
        return response.setHeader('Content-Type', 'text/html; charset=utf-8').end(pageFor(origin));
      }
      const script = await readFile(join(dist, url)).catch(() => undefined);
      if (!script) return response.writeHead(204).end();
      return response.setHeader('Content-Type', 'text/javascript').end(script);
    });
    const pageOrigin = await startServer(server, t);

    const browser = await launchBrowser();
    t.after(() => browser.close());
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.goto(pageOrigin);
    const dialer = page.locator('partner-dialer');
    const outcome = page.evaluate(
      () =>
        new Promise<unknown>((resolve) => {
          document.addEventListener('dialer-callend', ({ detail }) => resolve(detail.call.outcome));
        }),
    );
    await dialer.getByText('Ready').first().waitFor();
    await page.evaluate(() => document.querySelector<PartnerDialer>('partner-dialer')?.call('0900000200'));
    await dialer.getByText('In call').first().waitFor();
    await page.evaluate(() => document.querySelector<PartnerDialer>('partner-dialer')?.hangUp());
    assert.equal(await outcome, 'answered');
    assert.deepEqual(errors, []);

    await end();
    await assert.rejects(fetch(`${origin}/sandbox`), 'nothing listens any more');
  });
});
