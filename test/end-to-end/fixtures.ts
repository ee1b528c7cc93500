/** What a test is given: the demo with its sandbox, and an agent in front of it. */
import assert from 'node:assert/strict';
import { test as base } from '@playwright/test';
import { startDemo, type RunningDemo } from './demo.ts';
import { Site, type AgentPage } from './site.ts';

export { eventually } from './eventually.ts';
export type { AgentPage, Site };

interface Fixtures {
  /** The demo without faults, and an agent with money and a caller number. */
  readonly sandbox: Site;
  /** Signed in and ready, at the demo's CRM. Nothing may be thrown into the page. */
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
  sandbox: async ({ demo, browser }, use) => {
    const site = new Site(demo.origin, browser);
    await site.prepare();
    await use(site);
    await site.close();
  },
  agent: async ({ sandbox }, use) => {
    const agent = await sandbox.open();
    await agent.see('Ready');
    await use(agent);
    if (!agent.page.isClosed()) assert.deepEqual(await agent.errors(), [], 'thrown into the page');
  },
});

/** CI plays all cases. */
export const isLong = process.env['LONG'] === '1';
/** For a test that varies what another one proves: only CI plays it. */
export const LONG = { tag: '@long' };

/** All in CI; of cases that are alike `npm test` plays the first ones. */
export function someOf<T>(cases: readonly T[], count: number): readonly T[] {
  return isLong ? cases : cases.slice(0, count);
}
