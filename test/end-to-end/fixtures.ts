/** What a test is given: the demo with its sandbox, and an agent in front of it. */
import { test as base } from '@playwright/test';
import { startDemo, type RunningDemo } from './demo.ts';
import { Site, type AgentPage } from './site.ts';

export { expect } from '@playwright/test';
export type { AgentPage, Site };

interface Fixtures {
  /** The demo, its sandbox as new, and an agent with money and a caller number. Nothing may be thrown into its pages. */
  readonly site: Site;
  /** Signed in and ready, at the demo's CRM. */
  readonly agent: AgentPage;
}

interface WorkerFixtures {
  readonly demo: RunningDemo;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  demo: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
    async ({}, use) => {
      const demo = await startDemo();
      await use(demo);
      await demo.close();
    },
    { scope: 'worker' },
  ],
  site: async ({ demo, browser }, use) => {
    await demo.reset();
    const site = new Site(demo.origin, browser);
    await use(site);
    await site.close();
  },
  agent: ({ site }, use) => site.openReady().then(use),
});

/** CI plays all cases. */
export const isLong = process.env['LONG'] === '1';
/** Only CI runs this test: it is slow, tests the demo's own pages, or varies another test. */
export const LONG = { tag: '@long' };

/** Of cases that are alike `npm test` plays the first one. */
export function inFirstCase(index: number): { tag?: string } {
  return index === 0 ? {} : LONG;
}
