/** Two companions behind a proxy, as README's production has them: nobody loses a request when they restart. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../app.ts';
import { freePort, startServer } from '../free-port.ts';
import { environmentOf, signToken, start, type Running } from '../process.ts';
import { makeFolder, sqliteUrl } from '../stores.ts';
import { startVendor } from '../vendor.ts';

const NGINX = '/usr/sbin/nginx';
const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const AGENTS = 12;
const RESTARTS = 2;
/** How often a proxy asks who is ready. */
const CHECK_MS = 500;

/** The block of README, for these ports. */
function configure(port: number, companions: readonly number[], folder: string): string {
  const block = /```nginx\n([^]*?)```/.exec(README)?.[1] ?? '';
  assert.match(block, /:8787 .*:8789 /);
  const site = block
    .replace(':8787', `:${companions[0]}`)
    .replace(':8789', `:${companions[1]}`)
    .replace(/# … your site.*/, `listen 127.0.0.1:${port};`);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder};`,
  );
  return `daemon off; pid ${folder}/pid; error_log ${folder}/log;
    events {}
    http { access_log off; ${paths.join(' ')} ${site} }`;
}

/** Without nginx a test is skipped, in CI it fails. */
const isMissing = !existsSync(NGINX);
const skip = isMissing && !process.env['CI'] ? 'nginx is not installed' : false;

interface Proxy {
  readonly origin: string;
  /** What it has logged as an error. */
  errors(): string;
}

async function startNginx(t: TestContext, companions: readonly number[]): Promise<Proxy> {
  assert.ok(!isMissing, 'nginx is not installed');
  const folder = await makeFolder(t);
  const port = await freePort();
  await writeFile(`${folder}/nginx.conf`, configure(port, companions, folder));
  const nginx = spawn(NGINX, ['-c', `${folder}/nginx.conf`, '-e', `${folder}/log`], { stdio: 'ignore' });
  t.after(() => nginx.kill());
  const errors = () => readFileSync(`${folder}/log`, 'utf8');
  await until(() => existsSync(`${folder}/pid`));
  return { origin: `http://127.0.0.1:${port}`, errors };
}

/** Keeps its connections, asks whoever is ready, and repeats nothing. */
async function startPlainProxy(t: TestContext, companions: readonly number[]): Promise<Proxy> {
  const agent = new Agent({ keepAlive: true });
  const failures: string[] = [];
  const ready = new Set(companions);
  const check = async (port: number) => {
    const { ok } = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => ({ ok: false }));
    if (ok) ready.add(port);
    else ready.delete(port);
  };
  const checks = setInterval(() => void Promise.all(companions.map(check)), CHECK_MS);
  t.after(() => clearInterval(checks));
  let turn = 0;
  const server = createServer((incoming, response) => {
    const { method, url: path, headers } = incoming;
    const port = [...ready][(turn += 1) % ready.size];
    const outgoing = request({ host: '127.0.0.1', port, agent, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, { 'Content-Type': answer.headers['content-type'] });
      answer.pipe(response);
    });
    outgoing.on('error', ({ message }) => {
      failures.push(`${message} of ${port}, on a ${outgoing.reusedSocket ? 'kept' : 'new'} connection`);
      response.writeHead(502).end();
    });
    incoming.pipe(outgoing);
  });
  return { origin: await startServer(server, t), errors: () => failures.join('\n') };
}

for (const [name, startProxy, skipped] of [
  ['nginx', startNginx, skip],
  ['a proxy that repeats nothing', startPlainProxy, false],
] as const) {
  const title = `two rolling restarts behind ${name} lose no request, and pay nobody twice`;
  test(title, { timeout: 180_000, skip: skipped }, async (t) => {
    const stub = await startVendor(t);
    const ports = await Promise.all([freePort(), freePort()]);
    const env = {
      ...environmentOf(stub, await sqliteUrl(t)),
      PROXY_HOPS: '1',
      RATE_LIMIT_PER_MEMBER: '100000',
      LOG_LEVEL: 'error',
    };
    const serve = (at: number) => start(t, { ...env, PORT: String(at) });
    const companions: Running[] = await Promise.all(ports.map(serve));
    const { origin, errors } = await startProxy(t, ports);
    const members = Array.from({ length: AGENTS }, (_, n) => `agent${n}`);
    const tokens = await Promise.all(members.map(signToken));
    const ask = (n: number) =>
      fetch(`${origin}/dialer/session`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${tokens[n]}` },
      }).then(
        async (answer) => (await answer.text(), answer.status),
        (error: Error) => error.message,
      );
    await until(async () => (await ask(0)) === 200);

    const statuses: (number | string)[] = [];
    const over = new AbortController();
    t.after(() => over.abort());
    const agents = tokens.map(async (_, n) => {
      while (!over.signal.aborted) {
        statuses.push(await ask(n));
        await delay(50);
      }
    });
    for (let round = 0; round < RESTARTS; round += 1) {
      for (const [n, at] of ports.entries()) {
        const child = companions[n]?.child;
        child?.kill('SIGTERM');
        if (child) await once(child, 'close');
        await delay(500);
        companions[n] = await serve(at);
        await delay(500);
      }
    }
    over.abort();
    await Promise.all(agents);
    const lost = statuses.filter((status) => status !== 200);
    t.diagnostic(`${statuses.length} sign-ins during ${RESTARTS} rolling restarts, ${lost.length} lost`);
    assert.ok(statuses.length > AGENTS * RESTARTS, 'hardly anything was asked');
    assert.deepEqual(lost, [], errors());
    const paid = stub.paid.map(({ memberNo }) => memberNo).toSorted();
    assert.deepEqual(paid, [...members].toSorted());
  });
}

test(
  'behind nginx, a POST that one companion cuts off is answered by the other; only call-me is not sent twice',
  { skip },
  async (t) => {
    const received: string[] = [];
    const listen = async (isStopping: boolean) => {
      const server = createServer((incoming, response) => {
        received.push(incoming.url ?? '');
        if (isStopping) incoming.socket.destroy();
        else response.end();
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      t.after(() => server.close().closeAllConnections());
      return (server.address() as AddressInfo).port;
    };
    const { origin } = await startNginx(t, [await listen(true), await listen(false)]);
    const post = async (path: string) => (await fetch(`${origin}${path}`, { method: 'POST' })).status;
    for (const path of ['/dialer/session', '/dialer/top-up', '/webhooks/calls']) {
      assert.deepEqual([await post(path), await post(path)], [200, 200], path);
    }
    received.length = 0;
    const statuses = [await post('/dialer/call-me'), await post('/dialer/call-me')];
    assert.deepEqual(statuses.toSorted(), [200, 502]);
    assert.equal(received.length, 2);
  },
);
