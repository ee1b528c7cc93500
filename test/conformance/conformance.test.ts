/**
 * What was measured with the vendor's SDK, asked of the stand-in; with `SDK_FILE=PATH` or an address, of another build.
 * Every scenario has a sandbox of its own.
 */
import { test as base } from '@playwright/test';
import { BenchPage } from './bench-page.ts';
import type { Bench } from './bench.ts';
import { FAMILIES } from './families.ts';
import type { Microphone } from './observer.ts';
import { openBench } from './open-bench.ts';
import { isForAll } from './scenario.ts';
import { loadSdk } from './sdk-script.ts';

interface Fixtures {
  readonly open: (microphone: Microphone) => Promise<Bench>;
}

const test = base.extend<Fixtures, { readonly sdk: string }>({
  sdk: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
    async ({}, use) => {
      await use(await loadSdk(process.env['SDK_FILE']));
    },
    { scope: 'worker' },
  ],
  open: async ({ browser, sdk }, use) => {
    const closings: (() => Promise<void>)[] = [];
    await use(async (microphone) => {
      const page = await BenchPage.open(browser, microphone);
      const { bench, close } = await openBench(page, sdk);
      closings.push(close, () => page.close());
      return bench;
    });
    for (const close of closings) await close();
  },
});

for (const { name, scenarios } of FAMILIES) {
  test.describe(name, () => {
    for (const scenario of scenarios) {
      const tag = isForAll(scenario, scenarios) ? [] : '@long';
      test(scenario.name, { tag }, async ({ open }) => {
        await scenario.run(await open(scenario.microphone ?? 'granted'));
      });
    }
  });
}
