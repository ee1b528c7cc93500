/** Whether everybody can read a page, as far as axe-core can tell. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from '@playwright/test';
import { isLong } from './fixtures.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const HEIGHT = 900;

type ColorScheme = 'light' | 'dark';

/** What axe finds, each with the element. */
export async function flaws(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await readFile(AXE, 'utf8'));
  const { violations } = await page.evaluate(() => {
    const axe = Reflect.get(globalThis, 'axe') as { run(options: object): Promise<AxeResults> };
    return axe.run({ resultTypes: ['violations'] });
  });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/**
 * In each theme and at each width nothing is cut off; nor has axe anything against it, which `npm test` asks for the widest
 * in light and for the narrowest in dark alone, as that takes a second.
 *
 * @param widths in pixels, the widest first
 */
export async function assertReadable(
  page: Page,
  widths: readonly number[],
  { what = '', colorSchemes = ['light', 'dark'] as readonly ColorScheme[] } = {},
): Promise<void> {
  for (const colorScheme of colorSchemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of widths) {
      await page.setViewportSize({ width, height: HEIGHT });
      const where = `${what} ${colorScheme}, ${width} px`;
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${where}: the page is ${wide} px wide`);
      const isAsked = isLong || width === (colorScheme === 'light' ? widths[0] : widths.at(-1));
      if (isAsked) assert.deepEqual(await flaws(page), [], where);
    }
  }
}
