/** The built package where it will live: under a content security policy, and with a broker that leads astray. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  buildPackage,
  PartnerSite,
  SDK,
  sendJson,
  type Package,
  type PageOptions,
  type Visit,
} from './partner-page.ts';
import { test } from './fixtures.ts';

let built: Package;
let site: PartnerSite;
let visit: Visit | undefined;
test.beforeAll(async ({ browser }) => {
  built = await buildPackage();
  site = await PartnerSite.open(browser, built.bundle);
});
test.afterAll(async () => {
  await site.close();
  await built.remove();
});
test.afterEach(() => visit?.close());

const STRICT =
  "default-src 'none'; script-src 'nonce-n0nce'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types lit-html partner-dialer";
const policy = (change: (text: string) => string = (text) => text): PageOptions => ({
  headers: { 'Content-Security-Policy': change(STRICT) },
});

test.describe('the package under a content security policy', () => {
  const BLOCKED: readonly (readonly [string, string, PageOptions, RegExp])[] = [
    [
      'the SDK script',
      'script-src',
      { ...policy(), attributes: { nonce: '' } },
      /script-src\) blocks the calling SDK/,
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
      /calling service/,
    ],
    [
      'our own policy',
      'trusted-types',
      policy((text) => text.replace(' partner-dialer', '')),
      /partner-dialer/,
    ],
  ];
  for (const [name, directive, options, message] of BLOCKED) {
    test(`says so, and which directive, when it blocks ${name}`, async () => {
      visit = await site.visit(options);
      await visit.see(`content security policy (${directive}) blocks`);
      await visit.see('the developers of this page');
      const error = await visit.error();
      assert.deepEqual([error.code, error.directive], ['configuration', directive]);
      assert.match(error.message ?? '', message);
      const thrown = (await visit.seen()).filter((each) => !each.startsWith('violation'));
      assert.deepEqual(thrown, []);
    });
  }

  test('warns of each sound that it blocks, and names the directive', async () => {
    const sounds = ['disconnect-sound-url', 'ringtone-url', 'hold-music-url'];
    visit = await site.visit({
      ...policy(),
      attributes: Object.fromEntries(sounds.map((name) => [name, `/${name}.wav`])),
      script: 'globalThis.warnings = []; console.warn = (text) => warnings.push(text);',
    });
    await visit.see('Ready');
    const warnings = await visit.page.waitForFunction(() => {
      const all = Reflect.get(globalThis, 'warnings') as string[];
      return all.length >= 3 && all;
    });
    for (const [index, text] of ((await warnings.jsonValue()) as string[]).toSorted().entries()) {
      assert.match(text, new RegExp(`${sounds.toSorted()[index]}=.*content security policy \\(media-src\\)`));
    }
  });

  test('says so in plain text where it forbids the policy of Lit, and connects to nothing', async () => {
    visit = await site.visit(policy((text) => text.replace('lit-html ', '')));
    await visit.page.waitForFunction(
      () => document.querySelector('partner-dialer')?.state.status === 'failed',
    );
    assert.match(await visit.text(), /content security policy \(trusted-types\) blocks the dialer/);
    assert.equal((await visit.error()).directive, 'trusted-types');
    const seen = await visit.seen();
    assert.deepEqual(
      seen.filter((each) => !each.startsWith('violation')),
      [],
    );
  });

  test('works where it names other policies without requiring any', async () => {
    visit = await site.visit({
      headers: { 'Content-Security-Policy': 'trusted-types partner-dialer other' },
    });
    await visit.see('Ready');
  });

  test('works under the one of the documentation, word for word', async () => {
    const documents = [
      'README.md',
      ...(existsSync('docs') ? readdirSync('docs').map((name) => `docs/${name}`) : []),
    ];
    const [block] = documents.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/^```\w*\n(script-src[^`]*)^```$/gm)].map(
        ([, text = '']) => text,
      ),
    );
    const documented = (block ?? '')
      .replaceAll('\n', ' ')
      .replace(/https:\/\/cdn\.example|https:\/\/api\.example/g, site.origin)
      .trim();
    visit = await site.visit({
      headers: { 'Content-Security-Policy': documented },
      attributes: { nonce: '', 'sdk-url': `${site.origin}/sdk.js`, 'disconnect-sound-url': '/end.wav' },
    });
    await visit.see('Ready');
    assert.deepEqual(await visit.seen(), []);
  });

  test('does not blame a policy that only reports', async () => {
    visit = await site.visit({
      headers: { 'Content-Security-Policy-Report-Only': "script-src 'nonce-n0nce'; connect-src 'none'" },
      attributes: { 'sdk-url': '/no-such-sdk.js', nonce: '' },
    });
    await visit.see('phone software could not be loaded');
    const error = await visit.error();
    assert.deepEqual([error.code, error.directive], ['sdk-load-failed', undefined]);
  });
});

function hashOf(text: string): string {
  return `sha384-${createHash('sha384').update(text).digest('base64')}`;
}

test.describe('the hash of the SDK script', () => {
  test('lets the script run that it is of, and no other', async () => {
    visit = await site.visit({ attributes: { 'sdk-integrity': hashOf(SDK) } });
    await visit.see('Ready');
    await visit.close();
    visit = await site.visit({ attributes: { 'sdk-integrity': hashOf('another script') } });
    await visit.see('phone software could not be loaded');
    assert.equal((await visit.error()).code, 'sdk-load-failed');
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
  test.beforeAll(async () => {
    stranger.listen(0, '127.0.0.1');
    await once(stranger, 'listening');
  });
  test.afterAll(() => {
    stranger.close();
    stranger.closeAllConnections();
  });

  for (const status of [301, 302, 303, 307, 308]) {
    test(`stay at the broker's origin when it redirects with ${status}`, async () => {
      const location = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}/`;
      site.on('/broker/astray', (_, response) => response.writeHead(status, { location }).end());
      visit = await site.visit({ script, attributes: { 'broker-url': '/broker/astray' } });
      await visit.see('The answer of the sign-in server cannot be used');
      const { code, message } = await visit.error();
      assert.deepEqual([code, arrived], ['broker-invalid-answer', []]);
      assert.match(message ?? '', /redirects/);
    });
  }

  test('are sent to the broker itself', async () => {
    const received: unknown[] = [];
    site.on('/broker/own', (request, response) => {
      received.push(request.headers.authorization);
      sendJson(response, { token: 'a.b.c' });
    });
    visit = await site.visit({ script, attributes: { 'broker-url': '/broker/own' } });
    await visit.see('Ready');
    assert.deepEqual(received, ['Bearer secret']);
  });
});
