/** What the script does to the page it is loaded into, and what the page's address can do to it. */
import { ANSWERS } from './bench.ts';
import { expect, test } from './fixtures.ts';

/** The others stay: debug, dir, group, assert, time … */
const REPLACED = ['error', 'exception', 'info', 'log', 'table', 'trace', 'warn'];
const ELSEWHERE = '/elsewhere/v3.0';

test('console methods are replaced for the whole page', async ({ bench }) => {
  const changed = await bench.page.evaluate(() => {
    const names = Object.keys(console) as (keyof Console | 'memory')[];
    return names.filter((name) => name !== 'memory' && pristine.console[name] !== console[name]);
  });
  expect(changed.toSorted()).toEqual(REPLACED);
});

test('fetch and WebSocket stay what they were; VBotWidget is added', async ({ bench }) => {
  const kept = await bench.page.evaluate(() => ({
    fetch: fetch === pristine.fetch,
    WebSocket: WebSocket === pristine.WebSocket,
    defineProperty: Object.defineProperty === pristine.defineProperty,
    define: Object.hasOwn(customElements, 'define') === false,
    global: typeof Reflect.get(globalThis, 'VBotWidget'),
    storage: localStorage.length + sessionStorage.length,
    cookies: document.cookie,
  }));
  const untouched = { fetch: true, WebSocket: true, defineProperty: true, define: true };
  expect(kept).toEqual({ ...untouched, global: 'object', storage: 0, cookies: '' });
});

test('the socket is made with the WebSocket the page has at that moment', async ({ bench }) => {
  await bench.page.evaluate(() => {
    globalThis.WebSocket = new Proxy(WebSocket, {
      construct: (target, args) => {
        void note({ name: 'tapped', detail: {} });
        return Reflect.construct(target, args) as WebSocket;
      },
    });
  });
  await bench.register();
  bench.journal.expectOrder(['onConnecting', 'tapped', 'onConnected']);
});

test('without base-url the address of the page names the API', async ({ bench }) => {
  await bench.open(`?vbot_api_url=${encodeURIComponent(new URL(ELSEWHERE, bench.baseUrl).href)}`);
  await bench.insert({ 'base-url': null });
  await bench.journal.until(`POST ${ELSEWHERE}/api/sdk/info`);
});

test('base-url wins over the address of the page', async ({ bench }) => {
  await bench.open(`?vbot_api_url=${encodeURIComponent(new URL(ELSEWHERE, bench.baseUrl).href)}`);
  await bench.register();
  await bench.journal.expectNone('http', new RegExp(ELSEWHERE));
});

test('in a closed shadow root the element works, and its events stay inside', async ({ bench }) => {
  const { journal } = bench;
  await bench.page.evaluate(() => watch(document.body, 'from the body'));
  await bench.insert({}, 'closed shadow root');
  await journal.until('onUserConnected');
  await bench.dial(ANSWERS);
  await journal.until(/^onCallAccepted/);
  expect(await bench.page.evaluate(() => document.querySelectorAll('body > audio').length)).toBe(1);
  await journal.expectNone('sdk', /from the body$/);
});

test('loaded twice, the script still works', async ({ bench }) => {
  await bench.page.evaluate(async () => {
    const script = document.createElement('script');
    script.src = document.querySelector('script')?.src ?? '';
    const loaded = new Promise((resolve) => {
      script.addEventListener('load', resolve);
    });
    document.head.append(script);
    await loaded;
  });
  await bench.register();
  await bench.journal.expectNone('note', /^page error/);
});
