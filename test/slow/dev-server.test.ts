/** `npm run dev` as a person meets it: one address for the page, the companion and the sandbox, and a clean end. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { WebSocket } from 'ws';
import { demoServer } from '../../demo/dev/dev-server.ts';
import { freePort } from '../../demo/companion/test/free-port.ts';
import { runProgram } from '../../demo/companion/test/process.ts';
import { signIn } from '../../demo/companion/test/app.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const COMPANION = join(ROOT, 'demo/dev/companion.ts');
const VITE = join(ROOT, 'node_modules/vite/bin/vite.js');

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dev-server-'));
});
after(() => rm(folder, { recursive: true, force: true }));

describe('npm run dev', () => {
  let vite: ChildProcess;
  let origin: string;
  let output = '';
  before(async () => {
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    vite = run(['--port', String(port), '--strictPort'], environmentIn('cli'));
    vite.stdout?.on('data', (chunk) => (output += String(chunk)));
    await printed(vite, 'VENDOR_API_KEY=');
  });
  after(() => vite.kill('SIGKILL'));

  it('serves the page, its scripts and its sound', async () => {
    const page = await fetch(origin);
    assert.match(await page.text(), /<partner-dialer[^>]+broker-url="\/dialer\/session"/);
    const script = await fetch(`${origin}/crm/main.ts`);
    assert.match(script.headers.get('content-type') ?? '', /javascript/);
    const sound = await fetch(`${origin}/crm/hang-up.wav`);
    assert.equal(Buffer.from(await sound.arrayBuffer()).toString('latin1', 0, 4), 'RIFF');
  });

  it('compiles the decorators of the element', async () => {
    const script = await fetch(`${origin}/@fs${ROOT}src/element/partner-dialer.ts`);
    assert.doesNotMatch(await script.text(), /^\s*@(property|state)\(/m);
  });

  it('has ready what every page imports: found only when somebody opens it, it would reload the others', async () => {
    for (const script of [`@fs${ROOT}src/element/partner-dialer.ts`, 'pages/react.tsx', 'pages/vue.ts']) {
      const text = await (await fetch(`${origin}/${script}`)).text();
      const packages = [...text.matchAll(/"(\/@fs[^"]+\/deps\/[^"]+)"/g)].map(([, path]) => path);
      assert.notEqual(packages.length, 0, script);
      for (const path of packages) assert.equal((await fetch(`${origin}${path}`)).status, 200, path);
    }
    assert.doesNotMatch(output, /optimized|reloading/);
  });

  it('answers 404 where there is nothing', async () => {
    assert.equal((await fetch(`${origin}/nowhere`)).status, 404);
  });

  it('serves no file but those of the page', async () => {
    for (const path of ['package.json', '.gitignore', 'test/run.ts', '.data/companion.db']) {
      const { status } = await fetch(`${origin}/@fs${ROOT}${path}?raw`);
      assert.ok(status === 403 || status === 404, `${path}: ${status}`);
    }
  });

  it('refuses a session to nobody, and gives one to an agent who signed in', async () => {
    assert.equal((await fetch(`${origin}/dialer/session`, { method: 'POST' })).status, 401);
    const session = await openSession(origin);
    assert.deepEqual(session.blockers, []);
    assert.match(session.token, /\S/);
  });

  it('tops up play money more than once a day', async () => {
    const headers = { 'Content-Type': 'application/json', Cookie: await signIn(origin, 'agent001') };
    for (const round of [1, 2, 3]) {
      const body = JSON.stringify({ balance: 0 });
      await fetch(`${origin}/sandbox/members/agent001`, { method: 'POST', headers, body });
      const answer = await fetch(`${origin}/dialer/top-up`, { method: 'POST', headers });
      assert.equal(answer.status, 200, `round ${round}`);
    }
  });

  it('takes the SIP socket and leaves the socket of Vite to Vite', async () => {
    await opened(new WebSocket(`${origin.replace('http', 'ws')}/ws`, 'sip'));
    const client = await (await fetch(`${origin}/@vite/client`)).text();
    const token = /wsToken = "([^"]+)"/.exec(client)?.[1];
    await opened(new WebSocket(`${origin.replace('http', 'ws')}/?token=${token}`, 'vite-hmr'));
  });

  it('prints the variables of its sandbox, with which other commands share its members and its ledger', async () => {
    const [, baseUrl = '', apiKey = ''] = /VENDOR_BASE_URL=(\S+) VENDOR_API_KEY=(\S+)/.exec(output) ?? [];
    assert.equal(baseUrl, `${origin}/vendor/v3.0`);
    const env = { ...environmentIn('cli'), VENDOR_BASE_URL: baseUrl, VENDOR_API_KEY: apiKey };
    const { exit, out, err } = await runProgram(COMPANION, ['provision', 'agent777'], env);
    assert.equal(exit, 0, err);
    assert.match(out, /agent777 can call/);
    const members = await (await fetch(`${origin}/sandbox/members`)).text();
    assert.match(members, /agent777/);
  });

  it('ends when told to', async () => {
    const exit = once(vite, 'exit');
    vite.kill('SIGINT');
    assert.deepEqual(await exit, [130, null]);
    await assert.rejects(fetch(origin));
  });
});

describe('a wrong environment', () => {
  it('is named in one message, and the process ends with 78', async () => {
    const vite = run([], { ...environmentIn('wrong'), TOP_UP_MODE: 'sometimes', TOP_UP_AMOUNT: 'much' });
    let message = '';
    vite.stderr?.on('data', (text) => (message += String(text)));
    const [status] = await once(vite, 'close');
    assert.equal(status, 78);
    assert.match(message, /TOP_UP_AMOUNT/);
    assert.match(message, /TOP_UP_MODE/);
    assert.doesNotMatch(message, /^\s+at /m);
  });
});

describe('the plugin', () => {
  it('survives a restart of Vite, and leaves nothing behind when it is closed', async () => {
    const interrupts = process.listenerCount('SIGINT');
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const server = await createServer({
      configFile: false,
      root: join(ROOT, 'demo'),
      cacheDir: join(folder, 'cache'),
      logLevel: 'silent',
      server: { host: '127.0.0.1', port, strictPort: true },
      plugins: [demoServer(environmentIn('restart'))],
    });
    await server.listen();
    const Cookie = await signIn(origin, 'agent001');

    await server.restart();
    // Whoever was signed in still is.
    assert.deepEqual((await openSession(origin, Cookie)).blockers, []);
    assert.equal(process.listenerCount('SIGINT'), interrupts + 1);

    await server.close();
    await assert.rejects(fetch(origin));
    assert.equal(process.listenerCount('SIGINT'), interrupts);
  });
});

/** Every run has files of its own, and no vendor. */
function environmentIn(name: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    DATABASE_URL: `file:${join(folder, name, 'companion.db')}`,
  };
}

function run(args: readonly string[], env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [VITE, 'demo', ...args], {
    cwd: ROOT,
    env: { ...env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Resolves when the text was printed; rejects with all that was printed instead. */
function printed(child: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    const listen = (chunk: Buffer) => {
      output += String(chunk);
      if (output.includes(text)) resolve();
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('exit', () => reject(new Error(output)));
  });
}

async function openSession(origin: string, cookie?: string): Promise<{ token: string; blockers: string[] }> {
  const headers = { Cookie: cookie ?? (await signIn(origin, 'agent001')) };
  const answer = await fetch(`${origin}/dialer/session`, { method: 'POST', headers });
  assert.equal(answer.status, 200);
  return (await answer.json()) as { token: string; blockers: string[] };
}

async function opened(socket: WebSocket): Promise<void> {
  await once(socket, 'open');
  socket.close();
  await once(socket, 'close');
}
