/**
 * `npx tsx demo/tools/screenshots.ts`: the pictures in the README, of the demo with a call in progress, without balance, and with an
 * incoming call; and those of the agents' page, of the states that `/states.html` draws, in each language.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { createServer } from 'vite';
import { LANGUAGES } from '../../src/i18n/words.ts';
import { launchBrowser } from '../../test/end-to-end/browser.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const AGENT = '/sandbox/members/agent001';
const SIZE = { width: 1400, height: 1000 };
/** Pixels of the page around the dialer. */
const MARGIN = 12;
/** Of `/states.html`, by the name of the picture. */
const VIEWS = {
  keypad: 'ready, a number typed',
  incoming: 'a customer calls',
  call: 'a customer',
  blocked: 'insufficient-funds, a number waits',
  recent: 'recent calls',
  devices: 'sound devices',
};
/** Longer than the dialer ignores presses after its view has changed. */
const LOOK_MS = 700;

const folder = await mkdtemp(join(tmpdir(), 'screenshots-'));
process.env['DATABASE_URL'] = `file:${join(folder, 'companion.db')}`;
const server = await createServer({ configFile: here('../vite.config.ts'), server: { port: 0 } });
await server.listen();
const origin = server.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? '';
const browser = await launchBrowser();
try {
  const context = await browser.newContext({
    viewport: SIZE,
    // Sharp on the screens that most readers have.
    deviceScaleFactor: 2,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    permissions: ['microphone'],
  });
  const page = await context.newPage();
  await page.request.post(`${origin}${AGENT}`, { data: { balance: 12_500, hotlines: ['842899990001'] } });
  await page.goto(origin);
  await see(page, 'Ready');
  await page.getByRole('row').getByRole('button', { name: '0900 000 200' }).click();
  await see(page, 'In call');
  await page.waitForTimeout(4000);
  await take(page, 'call');
  await page.locator('partner-dialer').getByRole('button', { name: 'Hang up' }).click();
  await see(page, 'Answered');
  await page.request.post(`${origin}${AGENT}`, { data: { balance: 0 } });
  await page.getByRole('row').getByRole('button', { name: '0900 000 200' }).click();
  await see(page, 'Ask for a top-up');
  await take(page, 'no-balance');
  await page.request.post(`${origin}${AGENT}`, { data: { balance: 12_500 } });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.reload();
  await see(page, 'Ready');
  await page.request.post(`${origin}/sandbox/calls`, { data: { memberNo: 'agent001', from: '0900000200' } });
  await see(page, 'Incoming call');
  await take(page, 'incoming-dark');
  const views = await browser.newPage({ viewport: SIZE, reducedMotion: 'reduce' });
  for (const language of Object.keys(LANGUAGES)) {
    await views.goto(`${origin}/states.html?lang=${language}&width=280`);
    for (const [name, state] of Object.entries(VIEWS)) {
      const path = here(`../../docs/agents/${name}-${language}.png`);
      await views.locator(`[data-state="${state}"]`).first().screenshot({ path });
    }
  }
} finally {
  await browser.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
}
// The companion's timers would keep the process alive for another half minute.
process.exit(0);

async function see(page: Page, text: string): Promise<void> {
  await page.locator('partner-dialer').getByText(text).first().waitFor();
  await page.waitForTimeout(LOOK_MS);
}

async function take(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  await page.evaluate(() => scrollTo(0, 0));
  const box = await page.locator('partner-dialer').boundingBox();
  if (!box) throw new Error('There is no dialer in the page.');
  const [x, y] = [box.x - MARGIN, box.y - MARGIN];
  const clip = { x, y, width: box.width + 2 * MARGIN, height: box.height + 2 * MARGIN };
  await page.screenshot({ path: here(`../../docs/${name}.png`), clip });
}
