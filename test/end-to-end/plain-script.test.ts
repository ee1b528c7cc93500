/** The script for a plain tag: a small first file, and chunks beside it whose hashes are pinned in it. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { PartnerSite, sendJson, type PageOptions, type Visit } from './partner-page.ts';
import { putScript } from './site.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDER = join(ROOT, 'node_modules/.cache', `script-${process.pid}`);
const FIRST = 'partner-dialer.js';
const LIMIT = { timeout: 30_000 };

const STRICT =
  "default-src 'none'; script-src 'nonce-n0nce'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types lit-html partner-dialer";

let site: PartnerSite;
let visit: Visit | undefined;
let integrity: string;
const files = new Map<string, Buffer>();
/** What a host in the middle makes of a file. */
let tamper: (name: string, text: string) => string = (_, text) => text;
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
  response.setHeader('Content-Type', 'text/javascript').end(tamper(name, file.toString()));
}

before(async () => {
  await putScript(FOLDER);
  for (const name of await readdir(FOLDER)) files.set(name, await readFile(join(FOLDER, name)));
  const first = files.get(FIRST) ?? '';
  integrity = `sha384-${createHash('sha384').update(first).digest('base64')}`;
  site = await PartnerSite.open('');
  for (const name of files.keys()) site.on(`/assets/v1/${name}`, (_, response) => send(name, response));
  cdn.listen(0, '127.0.0.1');
  await once(cdn, 'listening');
  cdnOrigin = `http://127.0.0.1:${(cdn.address() as AddressInfo).port}`;
});
after(async () => {
  await site.close();
  cdn.close();
  cdn.closeAllConnections();
  await rm(FOLDER, { recursive: true, force: true });
});
afterEach(async () => {
  await visit?.close();
  tamper = (_, text) => text;
  allowsOthers = true;
});

function tag(attributes: string, address = `/assets/v1/${FIRST}`): string {
  return `<script nonce="n0nce" src="${address}" ${attributes}></script>`;
}

/** The chunks asked for, with how the browser was to check them. */
async function open(options: PageOptions): Promise<Visit> {
  const opened = await site.visit({
    ...options,
    script: `${options.script ?? ''};
      window.chunks = [];
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes) for (const node of addedNodes)
          if (node.src?.includes('partner-dialer.')) chunks.push([node.src, node.integrity, node.crossOrigin]);
      }).observe(document.head, { childList: true });`,
  });
  visit = opened;
  return opened;
}

function chunksOf({ page }: Visit): Promise<[string, string, string | null][]> {
  return page.evaluate(() => Reflect.get(globalThis, 'chunks') as [string, string, string | null][]);
}

describe('the plain script', () => {
  it('works under a strict policy with a hash on it, and leaves no global of its own', LIMIT, async () => {
    const opened = await open({
      headers: { 'Content-Security-Policy': STRICT },
      script: "window.before = new Set(Object.getOwnPropertyNames(window).concat('before', 'chunks'))",
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
        (name) => !/^(?:litHtml|reactiveElement)Versions$|^litPropertyMetadata$|^__zod/.test(name),
      ),
      [],
    );
    const chunks = await chunksOf(opened);
    assert.equal(chunks.length > 1, true, 'it came in one file');
    for (const [src, hash] of chunks) {
      assert.match(src, /\/assets\/v1\/partner-dialer\.[\w-]+\.[\w-]+\.js$/);
      assert.match(hash, /^sha256-/);
    }
  });

  it(
    'finds its chunks at the other origin that it came from, and has their hashes checked',
    LIMIT,
    async () => {
      const opened = await open({
        tag: tag(`defer crossorigin integrity="${integrity}"`, `${cdnOrigin}/any/where/${FIRST}?v=1`),
      });
      await opened.see('Ready');
      const chunks = await chunksOf(opened);
      assert.equal(chunks.length > 1, true, 'it came in one file');
      for (const [src, hash, mode] of chunks) {
        assert.equal(src.startsWith(`${cdnOrigin}/any/where/partner-dialer.`), true, src);
        assert.deepEqual([hash.slice(0, 7), mode], ['sha256-', 'anonymous']);
      }
    },
  );

  it('works from an origin that lets nobody read its files', LIMIT, async () => {
    allowsOthers = false;
    const opened = await open({ tag: tag('defer', `${cdnOrigin}/${FIRST}`) });
    await opened.see('Ready');
    const [first] = await chunksOf(opened);
    assert.deepEqual(first?.slice(1), ['', null]);
  });

  it('works as a module and in the head without defer', LIMIT, async () => {
    for (const attributes of ['type="module"', '']) {
      const opened = await open({ tag: tag(attributes) });
      await opened.see('Ready');
      await opened.close();
    }
    visit = undefined;
  });

  it(
    'does not run a chunk that was tampered with, says so, and gets the right one when asked again',
    LIMIT,
    async () => {
      tamper = (name, text) => (name.includes('.phone.') ? `window.tampered = true; ${text}` : text);
      const opened = await open({ tag: tag(`defer integrity="${integrity}"`) });
      await opened.see('The phone software could not be loaded.');
      assert.equal(await opened.page.evaluate(() => 'tampered' in globalThis), false);
      assert.equal((await opened.error()).code, 'sdk-load-failed');
      tamper = (_, text) => text;
      await opened.page.getByRole('button', { name: 'Try again' }).click();
      await opened.see('Ready');
      assert.deepEqual(await opened.seen(), []);
    },
  );

  it('names the policy that the page forbids', LIMIT, async () => {
    const opened = await open({
      headers: { 'Content-Security-Policy': STRICT.replace(' partner-dialer', '') },
      tag: tag('defer'),
    });
    await opened.page.waitForFunction(
      () => document.querySelector('partner-dialer')?.state.status === 'failed',
    );
    const error = await opened.error();
    assert.deepEqual([error.code, error.directive], ['configuration', 'trusted-types']);
  });

  it('asks neither broker nor vendor nor for the phone before somebody shows interest', LIMIT, async () => {
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

  it('asks for the session with the headers that the next script of the page sets', LIMIT, async () => {
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
    // Whether it had asked without them before depends on when that script came; such an answer is not used.
    assert.equal(tenants.at(-1), '7');
  });

  it('fetches the SDK once', LIMIT, async () => {
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
