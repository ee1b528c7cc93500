/** What a browser, a page's own code, its server and an agent's hands do around the dialer. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { inPage, MEMBER, press, type Step } from './step.ts';

/** Longer than a tab may be silent before another one takes the phone. */
const FROZEN_MS = 4500;
const AWAY_MS = 2500;

const inBrowser = (name: string, run: (page: Page) => Promise<unknown>, endsCalls = false): Step => ({
  name,
  endsCalls,
  run: (_, { agent }) => run(agent.page),
});

const keys = (name: string, ...pressed: readonly string[]): Step =>
  inBrowser(`keys: ${name}`, async (page) => {
    await page
      .locator('partner-dialer')
      .first()
      .evaluate((dialer) => {
        // A key on a focused button presses it, as it should.
        const all = [...(dialer.shadowRoot?.querySelectorAll<HTMLElement>('input, button') ?? [])];
        all.find(({ textContent }) => !/Hang up|Decline|Reject/.test(textContent ?? ''))?.focus();
      });
    for (const key of pressed) await page.keyboard.press(key);
  });

async function setMicrophone(page: Page, setting: 'granted' | 'denied'): Promise<void> {
  const client = await page.context().newCDPSession(page);
  const permission = { name: 'microphone' };
  await client.send('Browser.setPermission', { permission, setting });
  await client.detach();
}

async function freeze(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send('Page.setWebLifecycleState', { state: 'frozen' });
  await sleep(FROZEN_MS);
  await client.send('Page.setWebLifecycleState', { state: 'active' });
  await client.detach();
}

/** Nobody reaches the broker for a while; the step itself does not wait for it. */
async function loseBroker(page: Page): Promise<void> {
  await page.route('**/dialer/**', (route) => route.abort());
  setTimeout(() => void page.unroute('**/dialer/**').catch(() => undefined), AWAY_MS);
}

/** A page that went elsewhere is back, its agent signed in, the microphone allowed. */
export async function makeWell(page: Page): Promise<void> {
  if (new URL(page.url()).pathname !== '/') await page.goto(new URL('/', page.url()).href);
  await setMicrophone(page, 'granted');
  await page.evaluate(async (memberNo) => {
    const headers = { 'Content-Type': 'application/json' };
    await fetch('/login', { method: 'POST', headers, body: JSON.stringify({ memberNo }) });
  }, MEMBER);
}

export const SURROUNDINGS: readonly (readonly [weight: number, Step])[] = [
  // The browser ends the microphone's track, and with it the call's audio.
  [1, inBrowser('the microphone is withdrawn', (page) => setMicrophone(page, 'denied'), true)],
  [1, inBrowser('the microphone is allowed', (page) => setMicrophone(page, 'granted'))],
  [1, inBrowser('frozen for a while', freeze, true)],
  [1, inBrowser('away for a moment', (page) => page.goto(new URL('/healthz', page.url()).href), true)],
  [1, inBrowser('back', (page) => page.goBack(), true)],
  [1, inBrowser('the broker is out of reach', loseBroker)],
  [
    1,
    inBrowser('signed out', (page) => page.evaluate(() => fetch('/logout', { method: 'POST' }).then(String))),
  ],
  [2, inBrowser('all is well again', makeWell)],
  [2, press(/^Call$/, false, 2)],
  [1, press(/^Hang up$/, true, 2)],
  [4, press(/^Answer$/, false, 2)],
  [1, keys('a number and Enter', ...'0900000200', 'Enter', 'Enter')],
  [2, keys('Enter', 'Enter')],
  [1, keys('m', 'm')],
  [1, keys('h', 'h')],
  [1, keys('Escape', 'Escape')],
  [1, keys('tones', '4', '2')],
  [
    1,
    inPage('a listener calls at the next end', (dialer) =>
      dialer.addEventListener(
        'dialer-callend',
        () =>
          void (dialer as HTMLElementTagNameMap['partner-dialer']).call('0900000200').catch(() => undefined),
        { once: true },
      ),
    ),
  ],
  [
    1,
    inPage('a listener hangs up at the next answer', (dialer) => {
      const { ask } = Reflect.get(globalThis, 'walk') as { ask(method: string, args: []): void };
      dialer.addEventListener('dialer-callconnect', () => ask('hangUp', []), { once: true });
    }),
  ],
  [
    1,
    inPage('a second element for a while', () => {
      const second = document.createElement('partner-dialer');
      second.setAttribute('broker-url', '/dialer/session');
      document.body.append(second);
      setTimeout(() => second.remove(), 1000);
    }),
  ],
];
