/** The built package where it will live: under a content security policy, and with a broker that leads astray. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { startServer } from '../../demo/companion/test/free-port.ts';
import {
  buildPackage,
  hashOf,
  PartnerSite,
  SDK,
  sendJson,
  STRICT,
  type Package,
  type PageOptions,
} from './partner-page.ts';
import { expect, test as base } from '@playwright/test';

const test = base.extend<{ site: PartnerSite }, { built: Package }>({
  built: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
    async ({}, use) => {
      const built = await buildPackage();
      await use(built);
      await built.remove();
    },
    { scope: 'worker' },
  ],
  site: async ({ browser, built }, use) => {
    const site = await PartnerSite.open(browser, built.bundle);
    await use(site);
    await site.close();
  },
});

const policy = (change: (text: string) => string = (text) => text): PageOptions => ({
  headers: { 'Content-Security-Policy': change(STRICT) },
});

test.describe('the package under a content security policy', () => {
  const BLOCKED: readonly (readonly [string, string, PageOptions, RegExp])[] = [
    [
      'the SDK script',
      'script-src',
      { ...policy(), attributes: { nonce: '' } },
      /script-src\) blocks the vendor's script/,
    ],
    [
      'the broker',
      'connect-src',
      policy((text) => text.replace("connect-src 'self'", "connect-src 'none'")),
      /broker/,
    ],
    [
      'the API of the SDK',
      'connect-src',
      { ...policy(), attributes: { 'sdk-base-url': 'http://127.0.0.1:9/v3.0' } },
      /the vendor's API/,
    ],
    [
      'our own policy',
      'trusted-types',
      policy((text) => text.replace(' partner-dialer', '')),
      /partner-dialer/,
    ],
  ];
  for (const [name, directive, options, message] of BLOCKED) {
    test(`says so, and which directive, when it blocks ${name}`, async ({ site }) => {
      const visit = await site.visit(options);
      await expect(visit.text(`content security policy (${directive}) blocks`)).toBeVisible();
      await expect(visit.text('the developers of this page')).toBeVisible();
      const error = await visit.error();
      expect([error.code, error.directive]).toEqual(['configuration', directive]);
      expect(error.message ?? '').toMatch(message);
      const thrown = (await visit.seen()).filter((each) => !each.startsWith('violation'));
      expect(thrown).toEqual([]);
    });
  }

  test('warns of each sound that it blocks, and names the directive', async ({ site }) => {
    const sounds = ['disconnect-sound-url', 'ringtone-url', 'hold-music-url'];
    const visit = await site.visit({
      ...policy(),
      attributes: Object.fromEntries(sounds.map((name) => [name, `/${name}.wav`])),
      script: 'globalThis.warnings = []; console.warn = (text) => warnings.push(text);',
    });
    await expect(visit.text('Ready')).toBeVisible();
    const warnings = await visit.page.waitForFunction(() => {
      const all = Reflect.get(globalThis, 'warnings') as string[];
      return all.length >= 3 && all;
    });
    for (const [index, text] of ((await warnings.jsonValue()) as string[]).toSorted().entries()) {
      expect(text).toMatch(
        new RegExp(`${sounds.toSorted()[index]} is blocked by .*content security policy \\(media-src\\)`),
      );
    }
  });

  test('says so in plain text where it forbids the policy of Lit, and connects to nothing', async ({
    site,
  }) => {
    const visit = await site.visit(policy((text) => text.replace('lit-html ', '')));
    await visit.page.waitForFunction(
      () => document.querySelector('partner-dialer')?.state.status === 'failed',
    );
    expect(await visit.allText()).toMatch(/content security policy \(trusted-types\) blocks the dialer/);
    expect((await visit.error()).directive).toBe('trusted-types');
    const seen = await visit.seen();
    expect(seen.filter((each) => !each.startsWith('violation'))).toEqual([]);
  });

  test('works where it names other policies without requiring any', async ({ site }) => {
    const visit = await site.visit({
      headers: { 'Content-Security-Policy': 'trusted-types partner-dialer other' },
    });
    await expect(visit.text('Ready')).toBeVisible();
  });

  test('works under the one of the documentation, word for word', async ({ site }) => {
    const security = readFileSync('docs/security.md', 'utf8');
    const [, block = ''] = /^```\w*\n(script-src[^`]*)^```$/m.exec(security) ?? [];
    const documented = block
      .replaceAll('\n', ' ')
      .replace(/https:\/\/cdn\.example|https:\/\/api\.example/g, site.origin)
      .trim();
    const visit = await site.visit({
      headers: { 'Content-Security-Policy': documented },
      attributes: { nonce: '', 'sdk-url': `${site.origin}/sdk.js`, 'disconnect-sound-url': '/end.wav' },
    });
    await expect(visit.text('Ready')).toBeVisible();
    expect(await visit.seen()).toEqual([]);
  });

  test('does not blame a policy that only reports', async ({ site }) => {
    const visit = await site.visit({
      headers: { 'Content-Security-Policy-Report-Only': "script-src 'nonce-n0nce'; connect-src 'none'" },
      attributes: { 'sdk-url': '/no-such-sdk.js', nonce: '' },
    });
    await expect(visit.text('phone software could not be loaded')).toBeVisible();
    const error = await visit.error();
    expect([error.code, error.directive]).toEqual(['sdk-load-failed', undefined]);
  });
});

test.describe('the package on a page whose security library has frozen what the language has built in', () => {
  test('connects', async ({ site }) => {
    const script =
      'for (const each of [Object, Array, Function, Promise, Error]) Object.freeze(each.prototype);';
    const visit = await site.visit({ script });
    await expect(visit.text('Ready')).toBeVisible();
    expect(await visit.seen()).toEqual([]);
  });
});

test.describe('the package on a page that lets nothing be drawn', () => {
  test('says what is wrong with its attributes, and leaves the page alone', async ({ site }) => {
    const script =
      "Object.defineProperty(Element.prototype, 'innerHTML', { set() { throw new Error('no markup'); } });";
    const visit = await site.visit({ script, attributes: { 'broker-url': '' } });
    await expect.poll(() => visit.error()).toMatchObject({ code: 'configuration' });
  });
});

test.describe('the hash of the SDK script', () => {
  test('lets the script run that it is of, and no other', async ({ site }) => {
    const visit = await site.visit({ attributes: { 'sdk-integrity': hashOf(SDK) } });
    await expect(visit.text('Ready')).toBeVisible();
    await visit.close();
    const refused = await site.visit({ attributes: { 'sdk-integrity': hashOf('another script') } });
    await expect(refused.text('phone software could not be loaded')).toBeVisible();
    expect((await refused.error()).code).toBe('sdk-load-failed');
  });
});

test.describe('credentials and extra headers', () => {
  const script =
    "document.querySelector('partner-dialer').brokerHeaders = { Authorization: 'Bearer secret' };";

  /** A server of another origin that every page may ask, and that would give a token. */
  const arrived: string[] = [];
  const stranger = createServer((request, response) => {
    arrived.push(`${request.method} ${request.headers.authorization ?? 'without'}`);
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Headers', '*, Authorization');
    sendJson(response, { token: 'a.b.c' });
  });
  let strangerOrigin: string;
  test.beforeAll(async () => {
    strangerOrigin = await startServer(stranger);
  });
  test.afterAll(() => {
    stranger.close();
    stranger.closeAllConnections();
  });

  for (const status of [302, 307]) {
    test(`stay at the broker's origin when it redirects with ${status}`, async ({ site }) => {
      const location = `${strangerOrigin}/`;
      site.on('/broker/astray', (_, response) => response.writeHead(status, { location }).end());
      const visit = await site.visit({ script, attributes: { 'broker-url': '/broker/astray' } });
      await expect(visit.text('The answer of the sign-in server cannot be used')).toBeVisible();
      const { code, message } = await visit.error();
      expect([code, arrived]).toEqual(['broker-invalid-answer', []]);
      expect(message ?? '').toMatch(/redirects/);
    });
  }
});
