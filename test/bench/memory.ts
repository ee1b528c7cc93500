/** What a hundred dialers that came and went leave behind in a page: memory, nodes, listeners. */
import type { CDPSession } from '@playwright/test';
import { launchBrowser } from '../end-to-end/browser.ts';
import { buildPackage, PartnerSite } from '../end-to-end/partner-page.ts';
import type { Measure } from './measure.ts';

/** Until the engine has compiled what is hot, and every sheet and word is kept. */
const WARM_UP = 50;
const CYCLES = 100;
const KB = 1000;

const MOUNT = async (count: number) => {
  for (let cycle = 0; cycle < count; cycle += 1) {
    const dialer = document.createElement('partner-dialer');
    dialer.setAttribute('broker-url', '/session');
    dialer.setAttribute('connect-mode', 'manual');
    document.body.append(dialer);
    await dialer.updateComplete;
    dialer.remove();
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
  }
};

export async function benchMemory(): Promise<Measure[]> {
  const built = await buildPackage();
  const browser = await launchBrowser();
  const site = await PartnerSite.open(browser, built.bundle);
  try {
    const { page } = await site.visit({ attributes: { 'connect-mode': 'manual', lang: 'en' } });
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    await page.waitForFunction(() => customElements.get('partner-dialer') !== undefined);
    await page.evaluate(MOUNT, WARM_UP);
    const before = await kept(session);
    await page.evaluate(MOUNT, CYCLES);
    const after = await kept(session);
    const left = (name: string) => (after.get(name) ?? Number.NaN) - (before.get(name) ?? Number.NaN);
    const note = `of ${CYCLES} dialers that came and went`;
    return [
      { name: 'kB of memory left', value: left('JSHeapUsedSize') / KB, goal: 50, note },
      { name: 'nodes left', value: left('Nodes'), goal: 0, note },
      { name: 'listeners left', value: left('JSEventListeners'), goal: 0, note },
    ];
  } finally {
    await site.close();
    await browser.close();
    await built.remove();
  }
}

async function kept(session: CDPSession): Promise<ReadonlyMap<string, number>> {
  // What the first collection finalizes goes with the second one.
  for (let time = 0; time < 2; time += 1) await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  return new Map(metrics.map(({ name, value }) => [name, value]));
}
