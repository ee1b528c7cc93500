/** What a stranger sees first: nothing jumps while it loads, and the telephone stands in the first screen. */
import { expect, type Page } from '@playwright/test';
import { LONG, test } from './fixtures.ts';

/** Half a percent of the screen, moved by half of it: nobody sees that. */
const UNSEEN = 0.005;

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

async function shiftsOf(page: Page, address: string): Promise<number> {
  await page.addInitScript(() => {
    Reflect.set(globalThis, 'shifts', 0);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value } = entry as PerformanceEntry & { value: number };
        Reflect.set(globalThis, 'shifts', Number(Reflect.get(globalThis, 'shifts')) + value);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(address);
  await expect(page.locator('partner-dialer').getByText('Ready', { exact: true }).first()).toBeVisible();
  return page.evaluate(() => Number(Reflect.get(globalThis, 'shifts')));
}

for (const size of SIZES)
  test.describe(`at ${size.width} px`, LONG, () => {
    for (const path of ['/', '/pages/plain.html'])
      test(`nothing of ${path} jumps while the dialer boots, at ${size.width} px`, async ({ agent }) => {
        await agent.page.setViewportSize(size);
        expect(await shiftsOf(agent.page, new URL(path, agent.page.url()).href)).toBeLessThan(UNSEEN);
      });

    test(`the headline and the whole dialer stand in the first screen, at ${size.width} px`, async ({
      agent,
    }) => {
      const { page } = agent;
      await page.setViewportSize(size);
      await page.evaluate(() => scrollTo(0, 0));
      const headline = await page.getByRole('heading', { level: 1 }).boundingBox();
      const dialer = await page.locator('partner-dialer').boundingBox();
      expect(headline?.height).toBeLessThan(100);
      expect((dialer?.y ?? 0) + (dialer?.height ?? 0)).toBeLessThanOrEqual(size.height);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);
    });
  });
