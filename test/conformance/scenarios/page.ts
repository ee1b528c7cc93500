/** What the script does to the page it is loaded into, and what the page's address can do to it. */
import assert from 'node:assert/strict';
import { ANSWERS, type Bench } from '../bench.ts';
import type { Family } from '../scenario.ts';

/** The others stay: debug, dir, group, assert, time … */
const REPLACED = ['error', 'exception', 'info', 'log', 'table', 'trace', 'warn'];
const ELSEWHERE = '/elsewhere/v3.0';

export const page: Family = {
  name: 'page',
  scenarios: [
    { name: 'console methods are replaced for the whole page', run: replaceConsole },
    { name: 'fetch and WebSocket stay what they were; VBotWidget is added', run: keepPlatform },
    { name: 'the socket is made with the WebSocket the page has at that moment', run: useWebSocketOfPage },
    { name: 'without base-url the address of the page names the API', run: followQuery },
    { name: 'base-url wins over the address of the page', run: preferAttribute },
    { name: 'in a closed shadow root it works, and its events stay inside', run: hideInShadow },
    { name: 'loaded twice, it still works', run: loadTwice },
  ],
};

async function replaceConsole(bench: Bench): Promise<void> {
  const changed = await bench.page.evaluate(() => {
    const names = Object.keys(console) as (keyof Console | 'memory')[];
    return names.filter((name) => name !== 'memory' && pristine.console[name] !== console[name]);
  });
  assert.deepEqual(changed.toSorted(), REPLACED);
}

async function keepPlatform(bench: Bench): Promise<void> {
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
  assert.deepEqual(kept, { ...untouched, global: 'object', storage: 0, cookies: '' });
}

async function useWebSocketOfPage(bench: Bench): Promise<void> {
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
}

async function followQuery(bench: Bench): Promise<void> {
  await bench.open(`?vbot_api_url=${encodeURIComponent(new URL(ELSEWHERE, bench.baseUrl).href)}`);
  await bench.insert({ 'base-url': null });
  await bench.journal.until(`POST ${ELSEWHERE}/api/sdk/info`);
}

async function preferAttribute(bench: Bench): Promise<void> {
  await bench.open(`?vbot_api_url=${encodeURIComponent(new URL(ELSEWHERE, bench.baseUrl).href)}`);
  await bench.register();
  await bench.journal.expectNone('http', new RegExp(ELSEWHERE));
}

async function loadTwice(bench: Bench): Promise<void> {
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
}

async function hideInShadow(bench: Bench): Promise<void> {
  const { journal } = bench;
  await bench.page.evaluate(() => watch(document.body, 'from the body'));
  await bench.insert({}, 'closed shadow root');
  await journal.until('onUserConnected');
  await bench.dial(ANSWERS);
  await journal.until(/^onCallAccepted/);
  assert.equal(await bench.page.evaluate(() => document.querySelectorAll('body > audio').length), 1);
  await journal.expectNone('sdk', /from the body$/);
}
