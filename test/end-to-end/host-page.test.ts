/** What the dialer leaves behind in the page that hosts it: nothing. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, LONG, test } from './fixtures.ts';

/** Where in the document, closed shadow roots included, an attribute or a text holds it. */
async function placesOf(page: Page, secret: string): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page);
  const { root } = await devtools.send('DOM.getDocument', { depth: -1, pierce: true });
  const places: string[] = [];
  const search = (node: typeof root, path: string): void => {
    const own = `${path} ${node.shadowRootType ?? ''}${node.nodeName}`;
    if ([...(node.attributes ?? []), node.nodeValue].some((text) => text.includes(secret))) places.push(own);
    for (const child of [...(node.shadowRoots ?? []), ...(node.children ?? [])]) search(child, own);
  };
  search(root, '');
  return places;
}

/** Runs in the page, before its scripts: notes which listeners and properties the dialer's own script sets there. */
function watchPage(): void {
  const touched = new Set<string>();
  Reflect.set(globalThis, 'touched', touched);
  const note = (what: string) => {
    const caller = new Error().stack?.split('\n').find((line) => line.includes('http'));
    if (caller?.includes('/partner-dialer.js')) touched.add(what);
  };
  const names = new Map<unknown, string>([
    [globalThis, 'window'],
    [document, 'document'],
    [navigator.mediaDevices, 'navigator.mediaDevices'],
    [console, 'console'],
    [Reflect.get(globalThis, 'trustedTypes'), 'trustedTypes'],
  ]);
  const { addEventListener } = EventTarget.prototype;
  EventTarget.prototype.addEventListener = function (this: EventTarget | undefined, ...args) {
    const target = this ?? globalThis;
    if (names.has(target)) note(`${names.get(target)} ${args[0]}`);
    addEventListener.apply(target, args);
  };
  const { defineProperty } = Object;
  const noted = (target: object, name: PropertyKey, own: PropertyDescriptor) => {
    if (names.has(target)) note(`${names.get(target)}.${String(name)}`);
    return defineProperty(target, name, own);
  };
  Object.defineProperty = noted as typeof Object.defineProperty;
  Reflect.defineProperty = (...args) => Boolean(noted(...args));
  for (const [target, name] of [
    [globalThis, 'WebSocket'],
    [navigator.mediaDevices, 'getUserMedia'],
  ] as const) {
    let value: unknown = Reflect.get(target, name);
    const set = (replacement: unknown) => {
      note(`${names.get(target)}.${name}`);
      value = replacement;
    };
    defineProperty(target, name, { configurable: true, get: () => value, set });
  }
  // As before the first click: for Chromium, a look into the page by Playwright is one.
  defineProperty(navigator, 'userActivation', { value: { hasBeenActive: false } });
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
    const isTried = this.src === '' && this.srcObject === null;
    return isTried ? Promise.reject(new DOMException('No click yet', 'NotAllowedError')) : play.call(this);
  };
}

test.describe('the page around the dialer', () => {
  test('is changed as docs/security.md says, and in no other way', LONG, async ({ site }) => {
    const agent = await site.open('/healthz');
    await agent.page.addInitScript(watchPage);
    await agent.page.goto(`${site.origin}/pages/plain.html`);
    await expect(agent.text('Ready')).toBeVisible();
    const read = () => agent.page.evaluate(() => [...(Reflect.get(globalThis, 'touched') as Set<string>)]);
    await expect.poll(read, 'waits for the first click').toContain('window keydown');
    await agent.page.evaluate(() => document.querySelector('partner-dialer')?.toggleAttribute('hotkeys'));
    await agent.pressKeys('0900000200');
    await agent.press('Call');
    await expect(agent.text('In call')).toBeVisible();
    await agent.hangUp();
    const touched = await read();
    const security = await readFile(new URL('../../docs/security.md', import.meta.url), 'utf8');
    const [, properties = '', listeners = ''] = security.split(/^\| (?:what|listeners on) \|/m);
    const named = [
      ...properties.matchAll(/`((?:window|console|trustedTypes|navigator\.mediaDevices)\.\w+)`/g),
    ].map(([, name]) => name);
    for (const [, target, events = ''] of listeners.matchAll(/^\| `([\w.]+)` \|([^|]*)/gm))
      named.push(...[...events.matchAll(/\w+/g)].map(([name]) => `${target} ${name}`));
    expect(touched.toSorted()).toEqual([...new Set(named)].toSorted());
  });

  test('keeps its console and its constructors, and reads the token nowhere', async ({ site }) => {
    const agent = await site.open('/sandbox');
    const session = agent.page.waitForResponse('**/dialer/session');
    await agent.page.goto(
      `${site.origin}/?vbot_api_url=https://evil.example&vbot_base_url=https://evil.example`,
    );
    const { token } = (await (await session).json()) as { token: string };
    await expect(agent.text('Ready')).toBeVisible();
    const page = await agent.page.evaluate(() => ({
      replaced: ['log', 'warn', 'info', 'error', 'table', 'trace'].filter(
        (name) => !String(Reflect.get(console, name)).includes('[native code]'),
      ),
      socket: String(WebSocket),
      element: String(HTMLElement),
      stored: JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    }));
    expect(page.replaced).toEqual([]);
    expect([page.socket, page.element]).toEqual([
      expect.stringContaining('[native code]'),
      expect.stringContaining('[native code]'),
    ]);
    const places = await placesOf(agent.page, token);
    expect(places, 'the SDK takes the token from its tag').not.toEqual([]);
    expect(places.filter((place) => !place.includes(' closed#document-fragment '))).toEqual([]);
    expect([page.stored, ...agent.consoleOutput].filter((text) => text.includes(token))).toEqual([]);
    expect(
      agent.requested.filter((url) => new URL(url).hostname === 'evil.example' || url.includes(token)),
    ).toEqual([]);
  });

  test(
    'may go on with another body and keep the dialer in it, idle and in a call',
    LONG,
    async ({ site }) => {
      const agent = await site.open('/pages/plain.html');
      await expect(agent.text('Ready')).toBeVisible();
      const turnPage = () =>
        agent.page.evaluate(() => {
          const next = document.createElement('body');
          const dialer = document.querySelector('partner-dialer');
          if (dialer) next.append(dialer);
          document.body.replaceWith(next);
        });
      await turnPage();
      await agent.pressKeys('0900000200');
      await agent.press('Call');
      await expect(agent.text('In call')).toBeVisible();
      await turnPage();
      await agent.press('Mute');
      await expect(agent.button('Mute')).toHaveAttribute('aria-pressed', 'true');
      expect(await site.call()).toMatchObject({ state: 'answered' });
      await agent.hangUp();
    },
  );
});
