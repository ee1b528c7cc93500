/** The phone company in a box, installed from its tarball and called by a page of another origin. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { chromium } from '@playwright/test';
import { startServer } from '../../demo/companion/test/free-port.ts';
import type { PartnerDialer } from '../../src/element.ts';
import { findChromium } from '../chromium.ts';
import { pack, ROOT, run } from '../package/tarball.ts';

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

/** @returns the address that it prints */
async function started(child: ChildProcess): Promise<string> {
  let output = '';
  const address = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += String(chunk);
      const found = /listens on (http:\/\/\S+)/.exec(output)?.[1];
      if (found) resolve(found);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', () => reject(new Error(output)));
  });
  return address;
}

test(
  'a fresh project starts the sandbox by npx, and its page calls somebody',
  { timeout: 420_000 },
  async (t) => {
    const [sandboxPackage, elementPackage] = [await pack(join(ROOT, 'demo/sandbox')), await pack()];
    t.after(() => Promise.all([sandboxPackage.remove(), elementPackage.remove()]));
    const project = await mkdtemp(join(tmpdir(), 'fresh-sandbox-'));
    t.after(() => rm(project, { recursive: true, force: true }));
    await writeFile(join(project, 'package.json'), '{"private":true}');
    await run(
      'npm',
      ['install', '--no-audit', '--no-fund', '--loglevel=error', sandboxPackage.path],
      project,
    );

    // A group of its own, as npx starts the command in a shell.
    const child = spawn('npx', ['--no-install', 'partner-dialer-sandbox', '--port', '0'], {
      cwd: project,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    t.after(() => {
      const isOver = child.exitCode !== null || child.signalCode !== null;
      if (!isOver && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    });
    const sandbox = await started(child);

    const dist = join(elementPackage.folder, 'dist');
    const server = createServer(async ({ url = '/' }, response) => {
      if (url === '/') {
        return response.setHeader('Content-Type', 'text/html; charset=utf-8').end(pageFor(sandbox));
      }
      const script = await readFile(join(dist, url)).catch(() => undefined);
      if (!script) return response.writeHead(204).end();
      return response.setHeader('Content-Type', 'text/javascript').end(script);
    });
    const origin = await startServer(server, t);

    const browser = await chromium.launch({
      executablePath: findChromium(),
      args: [
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--use-fake-device-for-media-stream',
        '--use-fake-ui-for-media-stream',
        '--allow-loopback-in-peer-connection',
      ],
    });
    t.after(() => browser.close());
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.goto(origin);
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

    const ended = once(child, 'exit');
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await ended;
    await assert.rejects(fetch(`${sandbox}/sandbox`), 'nothing listens any more');
  },
);
