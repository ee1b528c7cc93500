/** What the dialer leaves behind in the page that hosts it: nothing. */
import assert from 'node:assert/strict';
import { isLong, LONG, test, type AgentPage, type Site } from './fixtures.ts';

/** Each takes a second, as registrations of one member are a second apart; 50 in `npm run soak`. */
const MOVES = Number(process.env['MOVES'] ?? (isLong ? 12 : 3));
/** By then all is loaded. */
const SETTLED = 3;

let site: Site;
let agent: AgentPage;
test.beforeEach(({ sandbox }) => {
  site = sandbox;
});
test.afterEach(() => agent.closeWithoutErrors());

async function openReady(): Promise<void> {
  agent = await site.open();
  await agent.see('Ready');
}

async function watchRegistrations(seen: number[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    seen.push((await site.sandbox<unknown[]>('registrations')).length);
    await agent.page.waitForTimeout(20);
  }
}

test.describe('the page around the dialer', LONG, () => {
  test('keeps its console, its constructors and its secrets', async () => {
    agent = await site.open('/?vbot_api_url=https://evil.example&vbot_base_url=https://evil.example');
    await agent.see('Ready');
    const page = await agent.page.evaluate(() => ({
      console: ['log', 'warn', 'info', 'error', 'table', 'trace'].every((name) =>
        String(Reflect.get(console, name)).includes('[native code]'),
      ),
      socket: String(WebSocket).includes('[native code]'),
      element: String(HTMLElement).includes('[native code]'),
      html: document.documentElement.outerHTML,
    }));
    assert.deepEqual([page.console, page.socket, page.element], [true, true, true]);
    assert.doesNotMatch(page.html, /eyJ/, 'the token is in an attribute');
    assert.deepEqual(
      agent.requested.filter((url) => new URL(url).hostname === 'evil.example' || url.includes('eyJ')),
      [],
    );
  });

  test(`may take the dialer out and put it back ${MOVES} times: never two registrations, nothing left behind`, async () => {
    test.setTimeout(30_000 + MOVES * 3000);
    await openReady();
    const registrations: number[] = [];
    const watch = new AbortController();
    const watched = watchRegistrations(registrations, watch.signal);
    const client = await agent.page.context().newCDPSession(agent.page);
    await client.send('Performance.enable');
    const measure = async () => {
      // The page's own log grows with every round; it is not what is measured.
      await agent.page.getByRole('button', { name: 'Clear' }).click();
      await client.send('HeapProfiler.collectGarbage');
      const { metrics } = await client.send('Performance.getMetrics');
      const read = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
      return { nodes: read('Nodes'), listeners: read('JSEventListeners') };
    };
    let first = await measure();
    for (let round = 1; round <= MOVES; round += 1) {
      await agent.page.evaluate(async () => {
        const dialer = document.querySelector('partner-dialer');
        const parent = dialer?.parentElement;
        if (!dialer || !parent) throw new Error('the dialer is gone');
        dialer.remove();
        await new Promise((resolve) => {
          setTimeout(resolve, 10);
        });
        parent.append(dialer);
        await dialer.connect();
      });
      if (round === SETTLED) first = await measure();
    }
    const last = await measure();
    watch.abort();
    await watched;
    assert.equal(Math.max(...registrations), 1);
    assert.ok(last.listeners <= first.listeners + 10, `listeners ${first.listeners} → ${last.listeners}`);
    assert.ok(last.nodes <= first.nodes + 50, `nodes ${first.nodes} → ${last.nodes}`);
    assert.equal((await agent.page.locator('audio').count()) <= 1, true);
    await agent.reachSomebody();
  });
});
