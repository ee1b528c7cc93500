/** The pages that an integrator copies from: each has one telephone that works, and leaves the page as it was. */
import { readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { CDPSession, FrameLocator, Page } from '@playwright/test';
import { expect, LONG, test as base, type AgentPage, type Site } from './fixtures.ts';
import { LOOK_MS } from './site.ts';

/** Of the vendor's own SDK, with each boot: measured without us. */
const NODES_LEFT_BY_SDK = process.env['SDK_FILE'] ? 13 : 0;

/** Words of React's and of the browser's own, the latter about a socket that was closed while it was opening. */
const OTHERS = /React DevTools|WebSocket is closed before the connection is established/;

/** By how much a page is older than a window that it opens: longer than the window's part of a test takes. */
const PAGE_IS_OLDER_MS = 8000;

const SYSTEM = { id: '', label: '' };

/** A page to copy from, whose console stays empty. */
const test = base.extend<{ open: (name: string) => Promise<AgentPage> }>({
  open: async ({ site }, use) => {
    const agents: AgentPage[] = [];
    await use(async (name) => {
      const agent = await site.open(name);
      agents.push(agent);
      return agent;
    });
    const lines = agents.flatMap(({ consoleOutput }) => consoleOutput);
    expect(lines.filter((line) => !OTHERS.test(line))).toEqual([]);
  },
});

type Place = Page | FrameLocator;

/** Twice, by what the page itself offers: a link or a button with the number. After a call the next one has to be possible. */
async function call(site: Site, place: Place): Promise<void> {
  const dialer = place.locator('partner-dialer').first();
  await expect(dialer.getByText('Ready', { exact: true }).first()).toBeVisible();
  for (const calls of [1, 2]) {
    await place
      .getByText(/0900 000 200$/)
      .first()
      .click();
    await expect(dialer.getByText('In call', { exact: true }).first()).toBeVisible();
    await expect.poll(async () => (await site.call()).audioBytes).toBeGreaterThan(0);
    await dialer.evaluate((element) => (element as HTMLElement & { hangUp(): Promise<void> }).hangUp());
    const { number, endedBy } = await site.call({ state: 'ended' });
    expect([number, endedBy, (await site.calls()).length]).toEqual(['0900000200', 'caller', calls]);
    await expect(dialer.getByText('Answered').first()).toBeVisible();
    // Within half a second of the first click, the next one on a tel: link belongs to a double click.
    await delay(500);
  }
}

const registrations = (site: Site) => site.sandbox<unknown[]>('registrations');
const sessions = (agent: AgentPage) =>
  agent.requested.filter((url) => new URL(url).pathname === '/server/dialer/session').length;

test.describe('a page to copy from', () => {
  test('is linked from the CRM', LONG, async ({ open }) => {
    const agent = await open('/');
    const links = agent.page.locator('#pages a');
    await expect(links.first()).toBeVisible();
    const addresses = await links.evaluateAll((all) => all.map((each) => each.getAttribute('href')));
    expect(addresses.toSorted()).toEqual(
      (await readdir(new URL('../../demo/pages/', import.meta.url)))
        .filter((name) => name.endsWith('.html'))
        .map((name) => `/pages/${name}`)
        .toSorted(),
    );
  });

  test('is plain HTML around the built script', async ({ open, site }) => {
    const agent = await open('/pages/plain.html');
    await call(site, agent.page);
    expect([sessions(agent), (await registrations(site)).length]).toEqual([1, 1]);
  });

  test('is one with a strict policy and Trusted Types, which nothing violates', async ({ open, site }) => {
    const agent = await open('/pages/strict-csp.html');
    await call(site, agent.page);
    const response = await agent.page.request.get(agent.page.url());
    const policy = response.headers()['content-security-policy'] ?? '';
    expect(policy).toMatch(/script-src 'nonce-[\w-]+';.*trusted-types lit-html partner-dialer$/);
    expect(policy).not.toMatch(/unsafe/);
  });

  test(
    'lets a call ring on a chosen device under that policy, and the browser reports nothing',
    LONG,
    async ({ open, site }) => {
      const agent = await open('/pages/strict-csp.html');
      const devices = { microphone: SYSTEM, speaker: SYSTEM, ringers: [{ id: 'other', label: 'Screen' }] };
      await agent.page.evaluate(
        (choice) => localStorage.setItem('partner-dialer devices', choice),
        JSON.stringify(devices),
      );
      await agent.page.reload();
      await expect(agent.text('Ready')).toBeVisible();
      await agent.page.evaluate(() => {
        addEventListener('securitypolicyviolation', ({ blockedURI }) => console.log(blockedURI));
      });
      const memberNo = await agent.dialer.evaluate(
        (element) => (element as HTMLElementTagNameMap['partner-dialer']).member?.memberNo,
      );
      await site.sandbox('calls', { memberNo, from: '0912345678' });
      await expect(agent.text('Incoming call')).toBeVisible();
      await agent.dialer.evaluate((element) => (element as HTMLElementTagNameMap['partner-dialer']).reject());
      await expect(agent.text('Declined')).toBeVisible();
    },
  );

  test('is one in React’s StrictMode, which mounts twice, with one session and one registration', async ({
    open,
    site,
  }) => {
    const agent = await open('/pages/react.html');
    await call(site, agent.page);
    expect([sessions(agent), (await registrations(site)).length]).toEqual([1, 1]);
  });

  test('is one in Vue', LONG, async ({ open, site }) => {
    const agent = await open('/pages/vue.html');
    await call(site, agent.page);
    expect([sessions(agent), (await registrations(site)).length]).toEqual([1, 1]);
  });

  test(
    'is one with the dialer in a frame that was lent the microphone and the choice of the speaker',
    LONG,
    async ({ open, site }) => {
      const agent = await open('/pages/iframe.html');
      const frames = agent.page.frames().map((frame) => new URL(frame.url()).origin);
      expect(new Set(frames).size, 'the frame is of another origin').toBe(2);
      const lent = await agent.page.frames()[1]?.evaluate(() => {
        const policy = Reflect.get(document, 'featurePolicy') as { allowedFeatures(): string[] };
        return ['autoplay', 'clipboard-write', 'microphone', 'speaker-selection'].filter((name) =>
          policy.allowedFeatures().includes(name),
        );
      });
      expect(lent).toEqual(['autoplay', 'clipboard-write', 'microphone', 'speaker-selection']);
      await call(site, agent.page.frameLocator('iframe'));
    },
  );

  test('is called from in a frame that may send no forms', LONG, async ({ open, site }) => {
    const agent = await open('/pages/iframe.html');
    await agent.page.locator('iframe').evaluate((frame: HTMLIFrameElement) => {
      frame.sandbox.add('allow-scripts', 'allow-same-origin');
      frame.src += '?sandbox';
    });
    const dialer = agent.page.frameLocator('iframe[src$=sandbox]').locator('partner-dialer');
    await dialer.getByLabel('Phone number').fill('0900000200');
    await expect(dialer.getByText('Ready', { exact: true }).first()).toBeVisible();
    await dialer.getByRole('button', { name: 'Call', exact: true }).click();
    await site.call({ number: '0900000200', state: 'answered' });
  });

  test(
    'keeps it in a window for picture-in-picture that is opened later, and can be hung up there',
    LONG,
    async ({ open, site }) => {
      const agent = await open('/pages/plain.html');
      await expect(agent.text('Ready')).toBeVisible();
      const popOut = await agent.page.evaluateHandle(() => {
        const button = document.body.appendChild(document.createElement('button'));
        button.style.cssText = 'position: fixed; inset: 0 auto auto 0';
        button.addEventListener('click', async () => {
          const pictures = Reflect.get(globalThis, 'documentPictureInPicture') as {
            requestWindow(size: { width: number; height: number }): Promise<Window>;
          };
          const own = await pictures.requestWindow({ width: 360, height: 600 });
          own.document.body.append(...document.querySelectorAll('partner-dialer'));
        });
        return button;
      });
      // Its clock begins as much later.
      await delay(PAGE_IS_OLDER_MS);
      const opened = agent.page.context().waitForEvent('page');
      await popOut.click();
      const dialer = (await opened).locator('partner-dialer');
      const press = (name: string) => dialer.getByRole('button', { name, exact: true }).click();
      await expect(dialer.getByText('Ready', { exact: true }).first()).toBeVisible();
      for (const key of '0900000200') await press(key);
      await press('Call');
      await expect(dialer.getByText('In call', { exact: true }).first()).toBeVisible();
      await delay(LOOK_MS);
      await press('Hang up');
      expect(await site.call({ state: 'ended' })).toMatchObject({ number: '0900000200', endedBy: 'caller' });
      await expect(dialer.getByText('Answered').first()).toBeVisible();
    },
  );

  test(
    'is one with two elements: the first one works, the second one says where it is',
    LONG,
    async ({ open, site }) => {
      const agent = await open('/pages/two-elements.html');
      const second = agent.dialer.nth(1);
      await expect(
        second.getByText('Another dialer on this page is already in use. Call there').first(),
      ).toBeVisible();
      await call(site, agent.page);
      const code = await second.evaluate((element) => {
        const { line } = (element as HTMLElementTagNameMap['partner-dialer']).state;
        return line.is === 'failed' ? line.error.code : line.is;
      });
      expect(code).toBe('active-elsewhere');
    },
  );

  test(
    'mounts 200 times, never with two registrations, and nothing is left behind',
    LONG,
    async ({ open, site }) => {
      const agent = await open('/pages/mounts.html');
      const { page } = agent;
      let sockets = 0;
      page.on('websocket', (socket) => {
        sockets += 1;
        socket.once('close', () => (sockets -= 1));
      });
      const devtools = await page.context().newCDPSession(page);
      const start = page.getByRole('button', { name: 'Mount 200 times' });
      await page.waitForFunction(() => customElements.get('partner-dialer'));
      const atFirst = await measure(devtools);

      await start.click();
      const counts = new Set<number>();
      while (!(await start.isEnabled())) counts.add((await registrations(site)).length);
      await expect(page.locator('#count')).toHaveText('200');
      expect([...counts].filter((count) => count > 1)).toEqual([]);
      await call(site, agent.page);

      await page.locator('partner-dialer').evaluate((element) => element.remove());
      await expect
        .poll(async () => ({ sockets, registrations: await registrations(site) }))
        .toEqual({ sockets: 0, registrations: [] });
      expect(await media(page)).toEqual({ isRecording: false, open: 0, players: 0 });
      await expect.poll(() => dialers(devtools), 'the end of 200 elements').toBeLessThanOrEqual(1);
      const left = await measure(devtools);
      // What is listened to once for the whole page is more than a few.
      expect(left.listeners - atFirst.listeners, 'listeners that are left of 200 elements').toBeLessThan(100);
      const nodes = left.nodes - atFirst.nodes - 200 * NODES_LEFT_BY_SDK;
      // Lit's templates, and the one element that may still be in memory.
      expect(nodes, 'nodes that are left of 200 elements').toBeLessThan(1500);
    },
  );
});

/** What the page's calls have left of microphones, connections and players. */
function media(page: Page) {
  return page.evaluate(() => {
    const { connections } = Reflect.get(globalThis, 'spy') as { connections: RTCPeerConnection[] };
    const tracks = connections.flatMap((one) => one.getSenders().map(({ track }) => track?.readyState));
    return {
      isRecording: tracks.includes('live'),
      open: connections.filter(({ connectionState }) => connectionState !== 'closed').length,
      players: document.querySelectorAll('audio').length,
    };
  });
}

async function measure(devtools: CDPSession): Promise<{ nodes: number; listeners: number }> {
  await devtools.send('Performance.enable');
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const read = (metric: string) => metrics.find(({ name }) => name === metric)?.value ?? Infinity;
  return { nodes: read('Nodes'), listeners: read('JSEventListeners') };
}

/** How many of the elements are still in memory. */
async function dialers(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const expression = "customElements.get('partner-dialer').prototype";
  const prototype = await devtools.send('Runtime.evaluate', { expression });
  const { objects } = await devtools.send('Runtime.queryObjects', {
    prototypeObjectId: prototype.result.objectId ?? '',
  });
  const { result } = await devtools.send('Runtime.callFunctionOn', {
    objectId: objects.objectId ?? '',
    functionDeclaration: 'function () { return this.length; }',
  });
  await devtools.send('Runtime.releaseObject', { objectId: objects.objectId ?? '' });
  return Number(result.value);
}
