/** Projects as partners begin them, with the package installed from its tarball. */
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from '@playwright/test';
import { startServer } from '../../demo/companion/test/free-port.ts';
import type { FakePhone } from '../../src/testing/fake-phone.ts';
import { METHODS } from '../../src/element/public-names.ts';
import type { PartnerDialer } from '../../src/element.ts';
import { launchBrowser } from '../end-to-end/browser.ts';
import { pack, run, type Tarball } from '../package/tarball.ts';

const PROJECTS = new URL('../package/projects/', import.meta.url).pathname;
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript',
  css: 'text/css',
};

/** What each project's page shows to the test. */
interface TestPage {
  readonly phone: FakePhone;
  readonly events: string[];
  readonly dialer: { readonly current: PartnerDialer | null };
  unmount(): void;
}

let tarball: Tarball;
let folder: string;
let browser: Browser;
before(async () => {
  tarball = await pack();
  folder = await mkdtemp(join(tmpdir(), 'fresh-projects-'));
  browser = await launchBrowser();
});
after(async () => {
  await browser.close();
  await tarball.remove();
  await rm(folder, { recursive: true, force: true });
});

/** @param versions of packages, in place of the project's own */
async function install(name: string, versions: Readonly<Record<string, string>> = {}): Promise<string> {
  const project = await mkdtemp(join(folder, `${name}-`));
  await cp(join(PROJECTS, name), project, { recursive: true });
  const file = join(project, 'package.json');
  const manifest = (await readFile(file, 'utf8')).replaceAll(
    /"([^"]+)": "[\^~][^"]+"/g,
    (line, dependency: string) =>
      versions[dependency] ? `"${dependency}": "${versions[dependency]}"` : line,
  );
  await writeFile(file, manifest);
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', tarball.path], project);
  return project;
}

function serverOf(root: string): Server {
  return createServer(async ({ url = '/' }, response) => {
    if (url === '/favicon.ico') return response.writeHead(204).end();
    const path = url === '/' ? '/index.html' : url;
    const content = await readFile(join(root, path)).catch(() => undefined);
    if (!content) return response.writeHead(404).end();
    return response
      .setHeader('Content-Type', TYPES[path.split('.').at(-1) ?? ''] ?? 'text/plain')
      .end(content);
  });
}

/** One call out and one call in; then the component is unmounted. */
async function callOnce(root: string): Promise<void> {
  const server = serverOf(root);
  const origin = await startServer(server);
  const page: Page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  // tsx names functions through this helper, which the page does not have.
  await page.addInitScript({ content: 'globalThis.__name ??= (named) => named' });
  try {
    await page.goto(origin);
    await page.waitForFunction(() => (globalThis as unknown as TestPage).events?.includes('ready'));
    const seen = await page.evaluate(
      async ([methods]) => {
        const { phone, events, dialer } = globalThis as unknown as TestPage;
        const phoned = dialer.current;
        if (!phoned) throw new Error('The ref is empty.');
        const until = async (event: string) => {
          while (events.at(-1) !== event) await new Promise((resolve) => setTimeout(resolve, 20));
        };
        await phoned.call('0900000200');
        phone.answer();
        await until('connect outgoing');
        phone.hangUp();
        await until('end answered');
        phone.ring('84901234567');
        while (phoned.state?.status !== 'incoming') await new Promise((resolve) => setTimeout(resolve, 20));
        await phoned.answer();
        await phoned.hangUp();
        await until('end answered');
        return {
          missing: methods.filter((name) => typeof phoned[name] !== 'function'),
          sessions: phone.requests.filter((name) => name === 'session').length,
          events,
          calls: phone.calls.map(({ state }) => state),
          tags: document.querySelectorAll('partner-dialer.phone').length,
        };
      },
      [Object.keys(METHODS) as (keyof typeof METHODS)[]] as const,
    );
    assert.deepEqual(seen, {
      missing: [],
      sessions: 1,
      events: ['ready', 'beforecall', 'connect outgoing', 'end answered', 'connect incoming', 'end answered'],
      calls: ['ended', 'ended'],
      tags: 1,
    });
    await page.evaluate(() => (globalThis as unknown as TestPage).unmount());
    await page.waitForFunction(() => {
      const { phone } = globalThis as unknown as TestPage;
      try {
        phone.loseSocket();
        return false;
      } catch {
        return document.querySelector('partner-dialer, audio') === null;
      }
    });
    assert.deepEqual(errors, []);
  } finally {
    await page.close();
    server.close().closeAllConnections();
  }
}

const FRAMEWORKS = new URL('../../docs/frameworks.md', import.meta.url).pathname;

describe('a project of a partner', () => {
  for (const library of ['solid-js', 'preact'])
    it(
      `with ${library} and strict TypeScript knows the tag by the declaration that docs print`,
      {
        timeout: 300_000,
      },
      async () => {
        const [, declaration = ''] =
          /^```ts\n([^`]*declare module 'solid-js'[^`]*)^```$/m.exec(await readFile(FRAMEWORKS, 'utf8')) ??
          [];
        const project = await mkdtemp(join(folder, `${library}-`));
        await writeFile(join(project, 'package.json'), '{"type":"module","private":true}');
        const packages = [tarball.path, library, 'typescript@~5.9.0'];
        await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages], project);
        const tag =
          '<partner-dialer broker-url="/session" brokerHeaders={headers} on:dialer-callend={headers} />';
        const component = `/** @jsxImportSource ${library} */\nconst headers = {};\nexport const phone = ${tag};`;
        await writeFile(join(project, 'phone.tsx'), component);
        const options = ['--noEmit', '--strict', '--target', 'es2022', '--moduleResolution', 'bundler'];
        const check = () =>
          run('npx', ['tsc', ...options, '--jsx', 'preserve', 'phone.tsx', 'tag.d.ts'], project);
        await writeFile(join(project, 'tag.d.ts'), '');
        await assert.rejects(check(), /partner-dialer/);
        await writeFile(join(project, 'tag.d.ts'), declaration.replaceAll('solid-js', library));
        await check();
      },
    );

  it('with a script tag calls', { timeout: 300_000 }, async () => {
    const root = join(folder, 'plain');
    await cp(join(PROJECTS, 'plain'), root, { recursive: true });
    await cp(join(tarball.folder, 'dist'), root, { recursive: true });
    await callOnce(root);
  });

  for (const version of ['^19.0.0', '^18.3.0']) {
    it(
      `with Vite, React ${version} and strict TypeScript compiles and calls`,
      { timeout: 300_000 },
      async () => {
        const versions = ['react', 'react-dom', '@types/react', '@types/react-dom'].map((name) => [
          name,
          version,
        ]);
        const project = await install('react', Object.fromEntries(versions));
        await run('npm', ['run', 'types'], project);
        await run('npm', ['run', 'build'], project);
        await callOnce(join(project, 'dist'));
        assert.match(
          await run(process.execPath, ['render.mjs'], project),
          /^<partner-dialer [^>]*><\/partner-dialer>\n$/,
        );
      },
    );
  }

  it('with Vite, Vue and vue-tsc compiles and calls', { timeout: 300_000 }, async () => {
    const project = await install('vue');
    await run('npm', ['run', 'types'], project);
    await run('npm', ['run', 'build'], project);
    await callOnce(join(project, 'dist'));
  });

  it(
    'is installed without React and Vue, has types all the same, and can be imported by Node',
    {
      timeout: 300_000,
    },
    async () => {
      const project = await mkdtemp(join(folder, 'node-'));
      await writeFile(join(project, 'package.json'), '{"type":"module","private":true}');
      await run(
        'npm',
        ['install', '--no-audit', '--no-fund', '--loglevel=error', tarball.path, 'typescript@~5.9.0'],
        project,
      );
      const program = `import { DialerError } from 'partner-dialer';
      import 'partner-dialer/element';
      import { fakePhone } from 'partner-dialer/testing';
      document.addEventListener('dialer-callend', ({ detail }) => detail.call.outcome);
      document.querySelector('partner-dialer')?.call('0900000200');
      export { DialerError, fakePhone };`;
      await writeFile(join(project, 'program.ts'), program);
      for (const resolution of [
        ['--module', 'nodenext'],
        ['--module', 'esnext', '--moduleResolution', 'bundler'],
      ]) {
        const options = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--target', 'es2022'];
        await run('npx', ['tsc', ...resolution, ...options, 'program.ts'], project);
      }
      const imports = ['partner-dialer', 'partner-dialer/element', 'partner-dialer/testing'];
      const program2 = imports.map((name) => `import '${name}';`).join('\n');
      await writeFile(join(project, 'program.mjs'), `${program2}\nconsole.log('imported');`);
      assert.equal(await run(process.execPath, ['program.mjs'], project), 'imported\n');
    },
  );
});
