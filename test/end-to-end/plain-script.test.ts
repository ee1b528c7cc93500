/** The script for a plain tag: one classic file, wherever and whenever a page loads it. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { BUILT_SCRIPT } from './build.ts';
import { PartnerSite, sendJson, type PageOptions, type Visit } from './partner-page.ts';
import { test } from './fixtures.ts';

const FIRST = 'partner-dialer.js';

const STRICT =
  "default-src 'none'; script-src 'nonce-n0nce'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types lit-html partner-dialer";

let site: PartnerSite;
let visit: Visit | undefined;
let integrity: string;
const files = new Map<string, Buffer>();
let allowsOthers = true;

const cdn = createServer((request, response) => {
  if (allowsOthers) response.setHeader('Access-Control-Allow-Origin', '*');
  send(request.url ?? '', response);
});
let cdnOrigin: string;

function send(path: string, response: ServerResponse): void {
  const name = /[^/?]*(?=$|\?)/.exec(path)?.[0] ?? '';
  const file = files.get(name);
  if (!file) return void response.writeHead(404).end();
  response.setHeader('Content-Type', 'text/javascript').end(file);
}

test.beforeAll(async ({ browser }) => {
  for (const name of await readdir(BUILT_SCRIPT)) files.set(name, await readFile(join(BUILT_SCRIPT, name)));
  const first = files.get(FIRST) ?? '';
  integrity = `sha384-${createHash('sha384').update(first).digest('base64')}`;
  site = await PartnerSite.open(browser, '');
  for (const name of files.keys()) site.on(`/assets/v1/${name}`, (_, response) => send(name, response));
  cdn.listen(0, '127.0.0.1');
  await once(cdn, 'listening');
  cdnOrigin = `http://127.0.0.1:${(cdn.address() as AddressInfo).port}`;
});
test.afterAll(async () => {
  await site.close();
  cdn.close();
  cdn.closeAllConnections();
});
test.afterEach(async () => {
  await visit?.close();
  allowsOthers = true;
});

function tag(attributes: string, address = `/assets/v1/${FIRST}`): string {
  return `<script nonce="n0nce" src="${address}" ${attributes}></script>`;
}

async function open(options: PageOptions): Promise<Visit> {
  visit = await site.visit(options);
  return visit;
}

test.describe('the plain script', () => {
  test('is one file, in which nothing is imported later', () => {
    assert.deepEqual([...files.keys()], [FIRST]);
    assert.doesNotMatch(String(files.get(FIRST)), /\bimport\s*\(/);
  });

  test('works under a strict policy with a hash on it, and leaves no global of its own', async () => {
    const opened = await open({
      headers: { 'Content-Security-Policy': STRICT },
      script: "window.before = new Set(Object.getOwnPropertyNames(window).concat('before'))",
      tag: tag(`defer integrity="${integrity}"`),
    });
    await opened.see('Ready');
    assert.deepEqual(await opened.seen(), []);
    const added = await opened.page.evaluate(() => {
      const known = Reflect.get(globalThis, 'before') as Set<string>;
      return Object.getOwnPropertyNames(globalThis).filter((name) => !known.has(name));
    });
    // Lit tells of its versions, zod keeps its configuration.
    assert.deepEqual(
      added.filter(
        (name) => !/^(?:litHtml|litElement|reactiveElement)Versions$|^litPropertyMetadata$|^__zod/.test(name),
      ),
      [],
    );
  });

  test('works from another origin, with its hash checked where that lets pages read it', async () => {
    const opened = await open({
      tag: tag(`defer crossorigin integrity="${integrity}"`, `${cdnOrigin}/any/where/${FIRST}?v=1`),
    });
    await opened.see('Ready');
    await opened.close();
    allowsOthers = false;
    await (await open({ tag: tag('defer', `${cdnOrigin}/${FIRST}`) })).see('Ready');
  });

  test('does not run where its hash does not fit', async () => {
    const opened = await open({ tag: tag(`defer integrity="sha384-${'A'.repeat(64)}"`) });
    await opened.page.waitForLoadState('load');
    assert.equal(await opened.page.evaluate(() => customElements.get('partner-dialer') === undefined), true);
  });

  test('leaves a page its own Trusted Types wrapper', async () => {
    const opened = await open({
      script: `const factory = window.trustedTypes; const original = factory.createPolicy.bind(factory);
        window.own = (name, rules) => original(name, rules);
        Object.defineProperty(factory, 'createPolicy', { configurable: true, value: window.own });`,
      tag: tag('defer'),
    });
    await opened.see('Ready');
    assert.equal(await opened.page.evaluate('trustedTypes.createPolicy === own'), true);
  });

  test('works as a module, in the head without defer, late, and twice', async () => {
    const late = `<script nonce="n0nce">addEventListener('load', () => setTimeout(() => {
      const script = document.createElement('script'); script.src = '/assets/v1/${FIRST}'; document.head.append(script);
    }, 100));</script>`;
    for (const html of [tag('type="module"'), tag(''), late, tag('') + tag('defer')]) {
      const opened = await open({ tag: html });
      await opened.see('Ready');
      assert.deepEqual(await opened.seen(), []);
      await opened.close();
    }
    visit = undefined;
  });

  test('asks neither broker nor vendor before somebody shows interest', async () => {
    const opened = await open({ tag: tag('defer'), attributes: { 'connect-mode': 'interaction' } });
    const asked: string[] = [];
    opened.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await opened.page.reload();
    await opened.see('Not connected');
    await opened.page.waitForTimeout(300);
    assert.deepEqual(asked, ['/', `/assets/v1/${FIRST}`]);
    await opened.page.locator('partner-dialer').hover();
    await opened.see('Ready');
  });

  test('asks for the session with the headers that the next script of the page sets', async () => {
    const tenants: unknown[] = [];
    site.on('/broker/with-headers', ({ headers }, response) => {
      tenants.push(headers['x-tenant']);
      sendJson(response, { token: 'a.b.c', blockers: [] });
    });
    site.on('/headers.js', (_, response) =>
      response
        .setHeader('Content-Type', 'text/javascript')
        .end("document.querySelector('partner-dialer').brokerHeaders = { 'X-Tenant': '7' };"),
    );
    const opened = await open({
      tag: `${tag('defer')}<script src="/headers.js" defer></script>`,
      attributes: { 'broker-url': '/broker/with-headers' },
    });
    await opened.see('Ready');
    assert.equal(tenants.at(-1), '7');
  });

  test('fetches the SDK once', async () => {
    for (const head of ['', '<link rel="preload" as="script" href="/sdk.js" />']) {
      const opened = await open({ tag: `${head}${tag('defer')}`, attributes: {} });
      await opened.see('Ready');
      const count = await opened.page.evaluate(
        () => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/sdk.js')).length,
      );
      assert.equal(count, 1, head);
      await opened.close();
    }
    visit = undefined;
  });
});
