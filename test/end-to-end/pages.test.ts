/** The pages that an integrator copies from: each has one telephone that works, and leaves the page as it was. */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import type { CDPSession, FrameLocator, Page } from '@playwright/test';
import { eventually, LONG, test, type AgentPage, type Site } from './fixtures.ts';

/** Words of React's and of the browser's own, the latter about a socket that was closed while it was opening. */
const OTHERS = /React DevTools|WebSocket is closed before the connection is established/;

const SYSTEM = { id: '', label: '' };

let site: Site;
let agent: AgentPage;
test.beforeEach(({ sandbox }) => {
  site = sandbox;
});
test.afterEach(async () => {
  assert.deepEqual(
    agent.consoleOutput.filter((line) => !OTHERS.test(line)),
    [],
  );
  await agent.closeWithoutErrors();
});

type Place = Page | FrameLocator;

async function open(name: string): Promise<void> {
  agent = await site.open(`/pages/${name}.html`);
}

/** By what the page itself offers: a link or a button with the number. */
async function call(place: Place = agent.page): Promise<void> {
  const dialer = place.locator('partner-dialer').first();
  await dialer.getByText('Ready', { exact: true }).first().waitFor();
  await place
    .getByText(/0900 000 200$/)
    .first()
    .click();
  await dialer.getByText('In call', { exact: true }).first().waitFor();
  await site.call(({ audioBytes }) => audioBytes > 0);
  await dialer.evaluate((element) => (element as HTMLElement & { hangUp(): Promise<void> }).hangUp());
  const { number, endedBy } = await site.call(({ state }) => state === 'ended');
  assert.deepEqual([number, endedBy], ['0900000200', 'caller']);
  await dialer.getByText('Answered').first().waitFor();
}

const registrations = () => site.sandbox<unknown[]>('registrations');
const sessions = () => agent.requested.filter((url) => url.endsWith('/dialer/session')).length;

test.describe('a page to copy from', () => {
  test('is linked from the CRM', async () => {
    agent = await site.open();
    const links = agent.page.locator('#pages a');
    await links.first().waitFor();
    const addresses = await links.evaluateAll((all) => all.map((each) => each.getAttribute('href')));
    assert.deepEqual(
      addresses.toSorted(),
      (await readdir(new URL('../../demo/pages/', import.meta.url)))
        .filter((name) => name.endsWith('.html'))
        .map((name) => `/pages/${name}`)
        .toSorted(),
    );
  });

  test('is plain HTML around the built script', async () => {
    await open('plain');
    await call();
  });

  test('is one with a strict policy and Trusted Types, which nothing violates', async () => {
    await open('strict-csp');
    await call();
    const response = await agent.page.request.get(agent.page.url());
    const policy = response.headers()['content-security-policy'] ?? '';
    assert.match(policy, /script-src 'nonce-[\w-]+';.*trusted-types lit-html partner-dialer$/);
    assert.doesNotMatch(policy, /unsafe/);
  });

  test('lets a call ring on a chosen device under that policy, and the browser reports nothing', async () => {
    await open('strict-csp');
    const devices = { microphone: SYSTEM, speaker: SYSTEM, ringers: [{ id: 'other', label: 'Screen' }] };
    await agent.page.evaluate(
      (choice) => localStorage.setItem('partner-dialer devices', choice),
      JSON.stringify(devices),
    );
    await agent.page.reload();
    const dialer = agent.page.locator('partner-dialer');
    await dialer.getByText('Ready', { exact: true }).first().waitFor();
    await agent.page.evaluate(() => {
      addEventListener('securitypolicyviolation', ({ blockedURI }) => console.log(blockedURI));
    });
    const memberNo = await dialer.evaluate(
      (element) => (element as HTMLElementTagNameMap['partner-dialer']).member?.memberNo,
    );
    await site.sandbox('calls', { memberNo, from: '0912345678' });
    await dialer.getByText('Incoming call').first().waitFor();
    await dialer.evaluate((element) => (element as HTMLElementTagNameMap['partner-dialer']).reject());
    await dialer.getByText('Declined').first().waitFor();
  });

  test('is one in React’s StrictMode, which mounts twice, with one session and one registration', async () => {
    await open('react');
    await call();
    assert.deepEqual([sessions(), (await registrations()).length], [1, 1]);
  });

  test('is one in Vue', async () => {
    await open('vue');
    await call();
    assert.deepEqual([sessions(), (await registrations()).length], [1, 1]);
  });

  test('is one with the dialer in a frame that was lent the microphone', async () => {
    await open('iframe');
    const frames = agent.page.frames().map((frame) => new URL(frame.url()).origin);
    assert.equal(new Set(frames).size, 2, 'the frame is of another origin');
    await call(agent.page.frameLocator('iframe'));
  });

  test('is one with two elements: the first one works, the second one says where it is', async () => {
    await open('two-elements');
    const second = agent.page.locator('partner-dialer').nth(1);
    await second.getByText('Another dialer on this page is already in use. Call there').first().waitFor();
    await call();
    const code = await second.evaluate((element) => {
      const { line } = (element as HTMLElementTagNameMap['partner-dialer']).state;
      return line.is === 'failed' ? line.error.code : line.is;
    });
    assert.equal(code, 'active-elsewhere');
  });

  test('mounts 200 times, never with two registrations, and nothing is left behind', LONG, async () => {
    await open('mounts');
    const { page } = agent;
    let sockets = 0;
    page.on('websocket', (socket) => {
      sockets += 1;
      socket.once('close', () => (sockets -= 1));
    });
    const devtools = await page.context().newCDPSession(page);
    const start = page.getByRole('button', { name: 'Mount 200 times' });
    await page.waitForFunction(() => customElements.get('partner-dialer'));
    const atFirst = await listeners(devtools);

    await start.click();
    const counts = new Set<number>();
    while (!(await start.isEnabled())) counts.add((await registrations()).length);
    assert.equal(await page.locator('#count').textContent(), '200');
    assert.deepEqual(
      [...counts].filter((count) => count > 1),
      [],
    );
    await call();

    await page.locator('partner-dialer').evaluate((element) => element.remove());
    await eventually(
      async () => sockets === 0 && (await registrations()).length === 0,
      'the end of all sockets and registrations',
    );
    assert.deepEqual(await media(page), { isRecording: false, open: 0, players: 0 });
    await eventually(async () => (await dialers(devtools)) <= 1, 'the end of 200 elements');
    const left = (await listeners(devtools)) - atFirst;
    // What is listened to once for the whole page is more than a few.
    assert.equal(left < 100, true, `${left} listeners are left of 200 elements`);
  });
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

async function listeners(devtools: CDPSession): Promise<number> {
  await devtools.send('Performance.enable');
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'JSEventListeners')?.value ?? Infinity;
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
