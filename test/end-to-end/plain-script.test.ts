/** The script for a plain tag: one classic file, wherever and whenever a page loads it. */
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, test as base } from '@playwright/test';
import { startServer } from '../../demo/companion/test/free-port.ts';
import { BUILT_SCRIPT } from './build.ts';
import { hashOf, PartnerSite, SDK, STRICT } from './partner-page.ts';

const FIRST = 'partner-dialer.js';

interface Script {
  /** By name. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** Of the first file. */
  readonly integrity: string;
}

interface Cdn {
  readonly origin: string;
  /** Whether pages of other origins may read what is in its files. */
  allowsOthers: boolean;
}

const test = base.extend<{ site: PartnerSite; cdn: Cdn }, { script: Script }>({
  script: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
    async ({}, use) => {
      const files = new Map<string, Buffer>();
      for (const name of await readdir(BUILT_SCRIPT))
        files.set(name, await readFile(join(BUILT_SCRIPT, name)));
      await use({ files, integrity: hashOf(files.get(FIRST) ?? '') });
    },
    { scope: 'worker' },
  ],
  site: async ({ browser, script }, use) => {
    const site = await PartnerSite.open(browser, '');
    for (const [name, file] of script.files)
      site.on(`/assets/v1/${name}`, (_, response) => send(response, file));
    await use(site);
    await site.close();
  },
  cdn: async ({ script }, use) => {
    const server = createServer((request, response) => {
      if (cdn.allowsOthers) response.setHeader('Access-Control-Allow-Origin', '*');
      const file = script.files.get(/[^/?]*(?=$|\?)/.exec(request.url ?? '')?.[0] ?? '');
      if (file) send(response, file);
      else response.writeHead(404).end();
    });
    const cdn: Cdn = { origin: await startServer(server), allowsOthers: true };
    await use(cdn);
    server.close();
    server.closeAllConnections();
  },
});

function send(response: ServerResponse, script: Buffer | string): void {
  response.setHeader('Content-Type', 'text/javascript').end(script);
}

function tag(attributes: string, address = `/assets/v1/${FIRST}`): string {
  return `<script nonce="n0nce" src="${address}" ${attributes}></script>`;
}

test.describe('the plain script', () => {
  test('is one file, in which nothing is imported later', ({ script }) => {
    expect([...script.files.keys()].filter((name) => !name.endsWith('.map'))).toEqual([FIRST]);
    expect(String(script.files.get(FIRST))).not.toMatch(/\bimport\s*\(/);
  });

  test('works under a strict policy with a hash on it, and leaves no global of its own', async ({
    script,
    site,
  }) => {
    const visit = await site.visit({
      headers: { 'Content-Security-Policy': STRICT },
      script: "window.before = new Set(Object.getOwnPropertyNames(window).concat('before'))",
      tag: tag(`defer integrity="${script.integrity}"`),
    });
    await expect(visit.text('Ready')).toBeVisible();
    expect(await visit.seen()).toEqual([]);
    const added = await visit.page.evaluate(() => {
      const known = Reflect.get(globalThis, 'before') as Set<string>;
      return Object.getOwnPropertyNames(globalThis).filter((name) => !known.has(name));
    });
    // Lit tells of its versions, zod keeps its configuration.
    expect(
      added.filter(
        (name) => !/^(?:litHtml|litElement|reactiveElement)Versions$|^litPropertyMetadata$|^__zod/.test(name),
      ),
    ).toEqual([]);
  });

  test('works from another origin, with its hash checked where that lets pages read it', async ({
    cdn,
    script,
    site,
  }) => {
    const visit = await site.visit({
      tag: tag(`defer crossorigin integrity="${script.integrity}"`, `${cdn.origin}/any/where/${FIRST}?v=1`),
    });
    await expect(visit.text('Ready')).toBeVisible();
    await visit.close();
    cdn.allowsOthers = false;
    await expect(
      (await site.visit({ tag: tag('defer', `${cdn.origin}/${FIRST}`) })).text('Ready'),
    ).toBeVisible();
  });

  test('does not run where its hash does not fit', async ({ site }) => {
    const visit = await site.visit({ tag: tag(`defer integrity="sha384-${'A'.repeat(64)}"`) });
    await visit.page.waitForLoadState('load');
    expect(await visit.page.evaluate(() => customElements.get('partner-dialer') === undefined)).toBe(true);
  });

  test('leaves a page its own Trusted Types wrapper', async ({ site }) => {
    const visit = await site.visit({
      script: `const factory = window.trustedTypes; const original = factory.createPolicy.bind(factory);
        window.own = (name, rules) => original(name, rules);
        Object.defineProperty(factory, 'createPolicy', { configurable: true, value: window.own });`,
      tag: tag('defer'),
    });
    await expect(visit.text('Ready')).toBeVisible();
    expect(await visit.page.evaluate('trustedTypes.createPolicy === own')).toBe(true);
  });

  test('works as a module, in the head without defer, late, and twice', async ({ site }) => {
    const late = `<script nonce="n0nce">addEventListener('load', () => setTimeout(() => {
      const script = document.createElement('script'); script.src = '/assets/v1/${FIRST}'; document.head.append(script);
    }, 100));</script>`;
    for (const html of [tag('type="module"'), tag(''), late, tag('') + tag('defer')]) {
      const visit = await site.visit({ tag: html });
      await expect(visit.text('Ready')).toBeVisible();
      expect(await visit.seen()).toEqual([]);
      await visit.close();
    }
  });

  test('asks neither broker nor vendor before somebody shows interest', async ({ site }) => {
    const visit = await site.visit({ tag: tag('defer'), attributes: { 'connect-mode': 'interaction' } });
    const asked: string[] = [];
    visit.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await visit.page.reload();
    await expect(visit.text('Not connected')).toBeVisible();
    await visit.page.waitForTimeout(300);
    expect(asked).toEqual(['/', `/assets/v1/${FIRST}`]);
    await visit.page.locator('partner-dialer').hover();
    await expect(visit.text('Ready')).toBeVisible();
  });

  const HINTS: readonly (readonly [
    name: string,
    hint: string,
    attributes: Readonly<Record<string, string>>,
  ])[] = [
    ['without a hint', '', {}],
    ['with a preload hint', '<link rel="preload" as="script" href="/sdk.js" />', {}],
    [
      'with its hash and a preload hint',
      `<link rel="preload" as="script" href="/sdk.js" crossorigin integrity="${hashOf(SDK)}" />`,
      { 'sdk-integrity': hashOf(SDK) },
    ],
  ];
  for (const [name, hint, attributes] of HINTS) {
    test(`fetches the SDK once ${name}`, async ({ site }) => {
      let count = 0;
      site.on('/sdk.js', (_, response) => {
        count += 1;
        send(response, SDK);
      });
      const visit = await site.visit({ tag: `${hint}${tag('defer')}`, attributes });
      await expect(visit.text('Ready')).toBeVisible();
      expect(count).toBe(1);
    });
  }
});
