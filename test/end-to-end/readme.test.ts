/** Every snippet of README and docs, as somebody pastes it. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import vue from '@vitejs/plugin-vue';
import { build, createLogger, createServer, loadConfigFromFile, type Logger } from 'vite';
import { freePort } from '../../demo/companion/test/free-port.ts';
import { PACKAGE } from '../../demo/dev/package-alias.ts';
import type { PartnerDialer } from '../../src/index.ts';
import { parseSession } from '../../src/broker/answers.ts';
import { BUILT_SCRIPT } from './build.ts';
import { expect, test as base, type AgentPage, type Site } from './fixtures.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache');
/** Commands are run by tests of their own; a policy is held to by that of its area. */
const TESTING = 'src/testing/fake-phone.ts';
const RUN_ELSEWHERE = ['sh', ''];
/** The test of the package compiles it. */
const DECLARATION = 'declare module';

interface Snippet {
  readonly language: string;
  readonly code: string;
}

const documents = (await readdir(join(ROOT, 'docs'))).filter((name) => name.endsWith('.md'));
const texts = await Promise.all(
  ['README.md', ...documents.map((name) => join('docs', name))].map((path) =>
    readFile(join(ROOT, path), 'utf8'),
  ),
);
const snippets = [...texts.join('\n').matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(
  ([, language = '', code = '']): Snippet => ({ language, code }),
);
const tried = new Set<Snippet>();

/** The only snippet that is as wanted. */
function snippet(language: string, holds: string): string {
  const [found, ...others] = snippets.filter((one) => one.language === language && one.code.includes(holds));
  if (!found || others.length > 0)
    throw new Error(`${others.length + (found ? 1 : 0)} snippets hold ${holds}.`);
  tried.add(found);
  return found.code;
}

const BROKER_URL = 'https://crm.example/session';

/** What the tests paste. */
const VITE_CONFIG = snippet('js', 'vite.config.mjs');
const PART_STYLES = snippet('css', '::part');
const TOP_UP_HANDLER = snippet('js', 'dialer-topuprequest');
const WORDS = snippet('js', 'dialer.words');
const TAG = snippet('html', 'disconnect-sound-url');
const TWO_LINES = snippet('html', 'broker-url="/dialer/session"></partner-dialer>');
const OWN_SESSION = snippet('html', '.session = fetch');
const STATE_STYLES = snippet('css', ':state(');
const SANDBOX_TAG = snippet('html', 'sdk-base-url');
const OWN_BUTTON = snippet('js', 'canCall');
const CALL_LOG = snippet('js', 'keepalive');
const BUTTON_CALLS = snippet('ts', 'order42');
const PINNED_TAG = snippet('html', 'integrity');
const SESSION = snippet('json', '"token"');
const REFUSAL = snippet('json', '"requestId"');
const REACT = snippet('tsx', 'partner-dialer/react');
const VUE = snippet('vue', 'partner-dialer/vue');
const PRELOAD = snippet('html', 'rel="preload"');
const SIGN_IN = snippet('ts', "fetch('/login'");
const LOG_OUT = snippet('js', 'dialer.disconnect()');
const FAKE_PHONE = snippet('ts', 'fakePhone({ blockers');
const SETUP_FILE = snippet('ts', 'RTCPeerConnection: class');
const PLAYWRIGHT = snippet('ts', 'await page.evaluate');

/** Adds up how far the page has jumped. The dialer's script comes after the first picture, as on a slow line. */
const SLOW_LINE = `<script>
  shift = 0;
  new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (shift += value)))
    .observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((_, observer) => {
    observer.disconnect();
    document.head.append(Object.assign(document.createElement('script'), { src: '/partner-dialer/partner-dialer.js' }));
  }).observe({ type: 'paint', buffered: true });
</script>`;

/** For the tests of what a page adds to a dialer that works. */
const SCRIPT = '<script src="/partner-dialer/partner-dialer.js" defer></script>';
const READY_DIALER = `${SCRIPT}<partner-dialer broker-url="/dialer/session" sdk-url="/vendor/vbot-sdk.js" sdk-base-url="/vendor/v3.0" lang="en"></partner-dialer>`;

const logger = createLogger('error');
/** A page that is closed cuts its proxied connections off, which is no error of the page. */
const QUIET: Logger = {
  ...logger,
  error: (message, options) => /ECONNRESET|EPIPE/.test(message) || logger.error(message, options),
};

/** The dev server of the docs, in front of the sandbox. */
interface DocsServer {
  readonly folder: string;
  readonly origin: string;
}

const test = base.extend<{ paste(body: string): Promise<AgentPage> }, { docs: DocsServer }>({
  docs: [
    async ({ demo }, use) => {
      await mkdir(CACHE, { recursive: true });
      const folder = await mkdtemp(join(CACHE, 'readme-'));
      await cp(BUILT_SCRIPT, join(folder, 'public/partner-dialer'), { recursive: true });
      // In a project that has no packages: README serves it with `npx vite`.
      const project = await mkdtemp(join(tmpdir(), 'vite-'));
      const file = join(project, 'vite.config.mjs');
      await writeFile(file, VITE_CONFIG.replaceAll('http://127.0.0.1:8788', demo.origin));
      const loaded = await loadConfigFromFile({ command: 'serve', mode: 'development' }, file, project);
      await rm(project, { recursive: true });
      const devServer = await createServer({
        ...loaded?.config,
        configFile: false,
        root: folder,
        appType: 'mpa',
        customLogger: QUIET,
        server: { ...loaded?.config.server, host: '127.0.0.1', port: 0, watch: null, hmr: false },
        optimizeDeps: { noDiscovery: true },
      });
      await devServer.listen();
      await use({ folder, origin: devServer.resolvedUrls?.local[0] ?? '' });
      await devServer.close();
      await rm(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  paste: ({ docs, site }, use) => use((body) => open(docs, site, body)),
});

/** A page of a partner's with this in its body, signed in. */
async function open({ folder, origin }: DocsServer, site: Site, body: string): Promise<AgentPage> {
  const agent = await site.open('/healthz');
  const { page } = agent;
  // The vendor's addresses are the sandbox's here: a snippet names neither.
  await page.route(/^https:\/\/[\w.-]*vbot\.vn\//, async (route) => {
    const request = route.request();
    const { pathname, search } = new URL(request.url());
    const path = pathname.endsWith('.js') ? '/vendor/vbot-sdk.js' : `/vendor${pathname}${search}`;
    const headers = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' };
    if (request.method() === 'OPTIONS') return route.fulfill({ status: 204, headers });
    // Not by Playwright's own request: its response is gone as soon as the page is, also for a route that still answers.
    const response = await fetch(site.origin + path, {
      method: request.method(),
      headers: request.headers(),
      body: request.postData(),
    });
    const contentType = response.headers.get('Content-Type') ?? '';
    return route.fulfill({
      status: response.status,
      headers: { ...headers, 'Content-Type': contentType },
      body: Buffer.from(await response.arrayBuffer()),
    });
  });
  await writeFile(join(folder, 'try.html'), `<!doctype html><html lang="en"><body>${body}</body></html>`);
  await page.request.post(`${origin}login`, {
    headers: { Origin: new URL(origin).origin },
    data: { memberNo: 'agent001' },
  });
  await page.goto(`${origin}try.html`);
  return agent;
}

/** What a page's bundler makes of a file, as a script tag. */
async function bundle({ folder }: DocsServer, name: string, code: string, main: string): Promise<string> {
  await writeFile(join(folder, name), code);
  const entry = join(folder, `${name}.main.ts`);
  await writeFile(entry, main);
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    publicDir: false,
    base: './',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [vue()],
    resolve: { conditions: ['module', 'browser', 'production'], alias: PACKAGE },
    build: {
      outDir: join(folder, 'built'),
      emptyOutDir: false,
      target: 'es2022',
      rolldownOptions: { input: entry, output: { entryFileNames: `${name}.js` } },
    },
  });
  return `<script type="module" src="/built/${name}.js"></script>`;
}

const speakEnglish = ({ dialer }: AgentPage) =>
  dialer.evaluate((element) => (element as HTMLElement).setAttribute('lang', 'en'));

const callFrom = ({ dialer }: AgentPage, number: string) =>
  dialer.evaluate((element, to) => (element as PartnerDialer).call(to), number);

async function callAndHangUp(agent: AgentPage): Promise<void> {
  await speakEnglish(agent);
  await expect(agent.text('In call')).toBeVisible();
  await agent.hangUp();
}

test.describe('what a newcomer pastes from README and docs', () => {
  test('is a dialer in an HTML page, in the colours of the page, that asks the page for money', async ({
    paste,
    site,
  }) => {
    const agent = await paste(
      `${TAG}<style>${PART_STYLES}</style><script type="module">${TOP_UP_HANDLER}</script>`,
    );
    await expect(agent.text('Sẵn sàng')).toBeVisible();
    const button = agent.dialer.locator('[part~="call-button"]');
    expect(await button.evaluate((element) => getComputedStyle(element).textTransform)).toBe('uppercase');
    await site.sandbox('members/agent001', { balance: 0 });
    await speakEnglish(agent);
    await callFrom(agent, '0912345678');
    await agent.page.route('**/admin/**', (route) => route.fulfill({ body: 'The admin page' }));
    await agent.press('Ask for a top-up');
    await agent.page.waitForURL(/\/admin\/top-up\?member=agent001$/);
    await agent.close();
  });

  test('is two lines that connect, in the colours of their state', async ({ paste }) => {
    const styles = STATE_STYLES.replace('incoming', 'ready');
    const agent = await paste(`${TWO_LINES}<style>${styles}</style>`);
    await expect(agent.text('Ready')).toBeVisible();
    const tag = agent.page.locator('partner-dialer');
    const outline = await tag.evaluate((element) => getComputedStyle(element).outlineStyle);
    expect(outline).toBe('solid');
    const icons = agent.dialer.locator('svg.icon');
    expect(await icons.count()).toBeGreaterThan(1);
    await expect(icons.locator('> * > *'), 'shapes that the minifier has put into others').toHaveCount(0);
    await agent.close();
  });

  test('is a sign-in that the page begins in a line after the tag', async ({ paste }) => {
    const agent = await paste(TWO_LINES + OWN_SESSION);
    await expect(agent.text('Ready')).toBeVisible();
    expect(agent.requested.filter((url) => url.endsWith('/dialer/session'))).toHaveLength(1);
    expect(agent.consoleOutput).toEqual([]);
    await agent.close();
  });

  test('keeps the place of the dialer until its script has run, so that the page below does not jump', async ({
    paste,
  }) => {
    const shiftOf = async (style: string) => {
      const late = TAG.replace(/<script .*<\/script>/, SLOW_LINE).replace(/<style>.*<\/style>/, style);
      const agent = await paste(`${late}${'<p>Below</p>'.repeat(5)}`);
      await expect(agent.text('Sẵn sàng')).toBeVisible();
      const shift = await agent.page.evaluate(() => Number(Reflect.get(globalThis, 'shift')));
      await agent.close();
      return shift;
    };
    expect(await shiftOf(''), 'without a rule').toBeGreaterThan(0.1);
    expect(await shiftOf('$&'), 'with that of README').toBeCloseTo(0, 3);
  });

  test('calls from a module, when its button is pressed and not before', async ({ docs, paste, site }) => {
    const main = `import './module.ts'; ${CALL_LOG}`;
    const tag = await bundle(docs, 'module.ts', BUTTON_CALLS, main);
    const agent = await paste(
      `<button id="call">Call the customer</button><partner-dialer broker-url="/dialer/session" lang="en"></partner-dialer>${tag}`,
    );
    await expect(agent.text('Ready')).toBeVisible();
    expect(await site.calls()).toEqual([]);
    const logged = agent.page.waitForRequest('**/crm/call-log');
    await agent.page.getByText('Call the customer').click();
    await callAndHangUp(agent);
    expect((await site.call({ state: 'ended' })).externalCallId).toBe('order42');
    const { number, outcome } = (await logged).postDataJSON() as Record<string, unknown>;
    expect({ number, outcome }).toEqual({ number: '0912345678', outcome: 'answered' });
    await agent.close();
  });

  test('is a button of the page that is pressed only while a call can be placed', async ({ paste }) => {
    const agent = await paste(
      `<button id="call" disabled>Mine</button><script type="module">${OWN_BUTTON}</script>${READY_DIALER}`,
    );
    const button = agent.page.getByText('Mine');
    await expect(agent.text('Ready')).toBeVisible();
    await expect(button).toBeEnabled();
    await callFrom(agent, '0900000200');
    await expect(agent.text('In call')).toBeVisible();
    await expect(button).toBeDisabled();
    await agent.hangUp();
    await expect(button).toBeEnabled();
    await agent.close();
  });

  const WITHOUT_ACCOUNT = {
    'npm run sandbox': {
      file: 'demo/sandbox/command.ts',
      port: () => '0',
      tag: (printed: string) => {
        const [origin = ''] = /http:\/\/[\d.:]+/.exec(printed) ?? [];
        return SANDBOX_TAG.replaceAll('http://127.0.0.1:8788', origin);
      },
    },
    'npm run server, which prints the tag': {
      file: 'demo/dev/server.ts',
      port: async () => String(await freePort()),
      tag: (printed: string) => `${printed}<script src="/partner-dialer/partner-dialer.js" defer></script>`,
    },
  };
  for (const [command, { file, port, tag }] of Object.entries(WITHOUT_ACCOUNT)) {
    test(`is a tag that calls without an account, with ${command}`, async ({ paste }) => {
      test.skip(process.env['SDK_FILE'] !== undefined, 'the vendor’s own script speaks SIP over TLS only');
      const folder = await mkdtemp(join(tmpdir(), 'without-account-'));
      const { VENDOR_BASE_URL: _url, VENDOR_API_KEY: _key, ...env } = process.env;
      const PORT = await port();
      const args = ['--import', import.meta.resolve('tsx'), join(ROOT, file)];
      const server = spawn(process.execPath, file.includes('sandbox') ? [...args, '--port', PORT] : args, {
        cwd: folder,
        env: { ...env, PORT },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      try {
        const [printed] = (await once(server.stdout, 'data')) as [Buffer];
        const agent = await paste(tag(String(printed)));
        await speakEnglish(agent);
        await expect(agent.text('Ready')).toBeVisible();
        if (command === 'npm run sandbox')
          expect(await agent.page.evaluate(() => document.characterSet)).toBe('UTF-8');
        await callFrom(agent, '0900000200');
        await callAndHangUp(agent);
        await agent.close();
      } finally {
        server.kill();
        await once(server, 'close');
        await rm(folder, { recursive: true, force: true });
      }
    });
  }

  test('is the script of a CDN, pinned by its hash', async ({ docs, site }) => {
    const [address = ''] = /https:[^"]+/.exec(PINNED_TAG) ?? [];
    const script = await readFile(join(docs.folder, 'public/partner-dialer/partner-dialer.js'));
    const hash = `sha384-${createHash('sha384').update(script).digest('base64')}`;
    const agent = await site.open('/healthz');
    const headers = { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'text/javascript' };
    await agent.page.route(address, (route) => route.fulfill({ body: script, headers }));
    await writeFile(
      join(docs.folder, 'pinned.html'),
      `<!doctype html>${PINNED_TAG.replace('sha384-…', hash)}`,
    );
    await agent.page.goto(`${docs.origin}pinned.html`);
    await agent.page.waitForFunction(() => customElements.get('partner-dialer'));
    await agent.close();
  });

  test('is a broker’s answer that the dialer understands, and a refusal', () => {
    const session = parseSession({ status: 200, body: SESSION }, BROKER_URL);
    expect(session.member?.balance).toBe(12_500);
    expect(session.leftOut).toEqual([]);
    expect(Object.keys(session.links ?? {})).toEqual(['status', 'topUp', 'hotline', 'calls', 'customers']);
    const refusal = parseSession({ status: 402, body: REFUSAL }, BROKER_URL);
    expect(refusal).toEqual({ blockers: ['insufficient-funds'] });
  });

  test('is a React component that calls when its button is pressed', async ({ docs, paste }) => {
    const main = `import { createElement, StrictMode } from 'react'; import { createRoot } from 'react-dom/client';
      import { Phone } from './phone.tsx';
      createRoot(document.querySelector('main')!).render(createElement(StrictMode, null, createElement(Phone, { number: '0900000200' })));`;
    const agent = await paste(`<main></main>${await bundle(docs, 'phone.tsx', REACT, main)}`);
    await expect(agent.text('Sẵn sàng')).toBeVisible();
    await agent.page.getByRole('button', { name: 'Call', exact: true }).first().click();
    await callAndHangUp(agent);
    expect(agent.consoleOutput.join()).toMatch(/answered/);
  });

  test('is a Vue component that calls when its button is pressed', async ({ docs, paste }) => {
    const main = `import { createApp } from 'vue'; import Phone from './Phone.vue'; createApp(Phone).mount('main');`;
    const agent = await paste(`<main></main>${await bundle(docs, 'Phone.vue', VUE, main)}`);
    await expect(agent.text('Sẵn sàng')).toBeVisible();
    await agent.page.getByRole('button', { name: 'Call', exact: true }).first().click();
    await callAndHangUp(agent);
    expect(agent.consoleOutput.join()).toMatch(/answered/);
  });

  test('gives the dialer words of another language', async ({ paste }) => {
    const agent = await paste(READY_DIALER);
    await agent.page.evaluate(`{ ${WORDS} }`);
    await expect(agent.text('โทร')).toBeVisible();
    await expect(agent.text('ยอดเงิน')).toBeVisible();
  });

  test('preloads the vendor script once', async ({ paste }) => {
    const [, before, after] = /(<link [^>]*href=")https:[^"]*vbot-sdk[^"]*("[^>]*>)/.exec(PRELOAD) ?? [];
    const agent = await paste(`${before}/vendor/vbot-sdk.js${after}${READY_DIALER}`);
    await expect(agent.text('Ready')).toBeVisible();
    expect(await agent.page.locator('link[rel=preload][href="/vendor/vbot-sdk.js"]').count()).toBe(1);
    expect(agent.requested.filter((url) => url.endsWith('/vendor/vbot-sdk.js'))).toHaveLength(1);
  });

  test('signs in at the sandbox a page that was there before', async ({ paste }) => {
    const agent = await paste(READY_DIALER);
    await expect(agent.text('Ready')).toBeVisible();
    await agent.page.context().clearCookies();
    await agent.page.reload();
    await expect(agent.text('PD-SIGN-IN')).toBeVisible();
    await agent.page.evaluate(`(async () => { ${SIGN_IN} })()`);
    await expect(agent.text('Ready')).toBeVisible();
    await agent.close();
  });

  test('signs the dialer out before the page logs out, and another agent in', async ({ docs, paste }) => {
    const agent = await paste(READY_DIALER);
    await expect(agent.text('Ready')).toBeVisible();
    const loggedOut = agent.page.waitForRequest('**/logout');
    await agent.page.evaluate(
      `(async () => { ${LOG_OUT}; await logOut(document.querySelector('partner-dialer')); })()`,
    );
    expect((await loggedOut).method()).toBe('POST');
    await expect(agent.text('Not connected')).toBeVisible();
    const Origin = new URL(docs.origin).origin;
    await agent.page.request.post(`${docs.origin}login`, {
      headers: { Origin },
      data: { memberNo: 'agent002' },
    });
    await agent.dialer.evaluate((element) => (element as PartnerDialer).connect());
    expect(await agent.dialer.evaluate((element) => (element as PartnerDialer).member?.memberNo)).toBe(
      'agent002',
    );
    await agent.close();
  });

  test('is a test of a page that needs no server', async ({ docs, paste }) => {
    const main = `const events: string[] = []; Reflect.set(globalThis, 'seen', events);
      for (const name of ['blocked', 'ready', 'callincoming', 'callend'])
        addEventListener('dialer-' + name, () => events.push(name));
      await import('./page-test.ts'); events.push('over');`;
    const agent = await paste(await bundle(docs, 'page-test.ts', FAKE_PHONE, main));
    await agent.page.waitForFunction(() => (Reflect.get(globalThis, 'seen') as string[]).includes('over'));
    const seen = await agent.page.evaluate(() => Reflect.get(globalThis, 'seen') as string[]);
    expect(seen).toEqual(['blocked', 'ready', 'callincoming', 'callend', 'over']);
  });

  test('is a setup file, with which a page as poor as that of jsdom plays the test', async ({
    docs,
    paste,
  }) => {
    const main = `for (const name of ['isSecureContext', 'RTCPeerConnection', 'CSS', 'ResizeObserver', 'IntersectionObserver', 'matchMedia']) delete globalThis[name];
      delete Navigator.prototype.mediaDevices;
      delete ShadowRoot.prototype.adoptedStyleSheets;
      HTMLMediaElement.prototype.play = () => undefined;
      const thrown: string[] = []; Reflect.set(globalThis, 'seen', thrown);
      addEventListener('unhandledrejection', ({ reason }) => thrown.push(String(reason)));
      addEventListener('error', ({ message }) => thrown.push(message));
      addEventListener('dialer-callincoming', ({ target }) => (target as Element).shadowRoot?.querySelector('button')?.focus());
      ${SETUP_FILE}
      await import('./poor-page-test.ts'); thrown.push('over');`;
    const agent = await paste(await bundle(docs, 'poor-page-test.ts', FAKE_PHONE, main));
    await agent.page.waitForFunction(() => (Reflect.get(globalThis, 'seen') as string[]).includes('over'));
    expect(await agent.page.evaluate(() => Reflect.get(globalThis, 'seen') as string[])).toEqual(['over']);
  });

  test('is a phone made inside a page by Playwright', async ({ docs, paste }) => {
    const file = join(docs.folder, 'node_modules/partner-dialer/dist');
    await build({
      configFile: false,
      root: ROOT,
      logLevel: 'error',
      publicDir: false,
      build: { outDir: file, lib: { entry: join(ROOT, TESTING), formats: ['es'], fileName: 'testing' } },
    });
    const agent = await paste(`${SCRIPT}<partner-dialer lang="en"></partner-dialer>`);
    // The snippet is a part of a function that has Playwright's page.
    const play = new Function('page', `return (async () => { ${PLAYWRIGHT} })();`) as (
      page: unknown,
    ) => Promise<void>;
    await play(agent.page);
    await expect(agent.text('Incoming call')).toBeVisible();
    await agent.close();
  });

  test('is tried to the last snippet', () => {
    const untried = snippets.filter(
      (one) => !tried.has(one) && !RUN_ELSEWHERE.includes(one.language) && !one.code.includes(DECLARATION),
    );
    expect(untried).toEqual([]);
  });
});
