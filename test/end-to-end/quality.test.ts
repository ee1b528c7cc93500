/** How a call sounds, with real audio over a network that loses it. */
import type { QualityWarning } from '../../src/index.ts';
import { expect, isLong, LONG, test, type AgentPage, type Site } from './fixtures.ts';

type QualityEvent = HTMLElementEventMap['dialer-quality'];
/** By then the score is that of this network, which was as bad before the call. */
const CONVERGED_MS = 24_000;

type Microphone = 'silent' | 'speaking';

/** In the place of the browser's own, which beeps. */
async function useMicrophone(agent: AgentPage, microphone: Microphone): Promise<void> {
  await agent.page.evaluate((kind) => {
    navigator.mediaDevices.getUserMedia = async () => {
      const context = new AudioContext();
      const output = context.createMediaStreamDestination();
      const volume = context.createGain();
      volume.gain.value = kind === 'speaking' ? 1 : 0;
      const voice = context.createOscillator();
      voice.connect(volume).connect(output);
      voice.start();
      await context.resume();
      return output.stream;
    };
  }, microphone);
}

async function call(agent: AgentPage): Promise<void> {
  await agent.clickCustomer('0900 000 200');
  await expect(agent.text('In call')).toBeVisible();
}

const network = (site: Site, packetLoss: number, packetDelay = 0, packetJitter = 0) =>
  site.sandbox('settings', { packetLoss, packetDelay, packetJitter });

const warnings = (agent: AgentPage) =>
  agent.page.evaluate((): readonly QualityWarning[] => {
    const live = document.querySelector('partner-dialer')?.state.call;
    return live?.is === 'active' ? (live.quality?.warnings ?? []) : [];
  });

const quality = (agent: AgentPage) =>
  agent.page.evaluate(() => {
    const last = document.querySelector('partner-dialer')?.state.call;
    return last?.is === 'active' || last?.is === 'ended' ? last.info.quality : undefined;
  });

/** Resolves to how long it took, in seconds. */
async function becomes(agent: AgentPage, expected: readonly QualityWarning[], what: string): Promise<number> {
  const from = Date.now();
  const raised = expect.poll(() => warnings(agent), what);
  await (expected.length === 0 ? raised.toEqual([]) : raised.toEqual(expect.arrayContaining([...expected])));
  return (Date.now() - from) / 1000;
}

const log = (text: string) => {
  if (isLong) console.log(text);
};

test.describe('an agent in a call', LONG, () => {
  test('reads within ten seconds that the network loses sound, and that it no longer does', async ({
    agent,
    site,
  }) => {
    await call(agent);
    await expect(agent.text('good')).toBeVisible();
    await network(site, 20);
    const raised = await becomes(agent, ['loss-to-customer', 'loss-to-agent'], 'the warnings');
    await expect(agent.text('The customer can hardly hear you')).toBeVisible();
    await network(site, 0);
    const cleared = await becomes(agent, [], 'no warning');
    log(`20 % loss: said after ${raised} s, gone ${cleared} s after it`);
    expect(raised, `raised after ${raised} s`).toBeLessThanOrEqual(10);
    expect(cleared, `cleared after ${cleared} s`).toBeLessThanOrEqual(10);
    await agent.hangUp();
  });

  test('reads that a silent microphone is not heard', async ({ agent }) => {
    await useMicrophone(agent, 'silent');
    await call(agent);
    await expect(agent.text('No sound from your microphone')).toBeVisible();
    await agent.hangUp();
  });

  test('reads that they are muted when they speak, and no more once they are not', async ({
    agent,
    site,
  }) => {
    await useMicrophone(agent, 'speaking');
    await call(agent);
    await agent.press('Mute');
    await expect(agent.text('You are muted')).toBeVisible();
    expect((await site.call({ state: 'answered' })).state).toBe('answered');
    await agent.press('Mute');
    expect(await warnings(agent)).toEqual([]);
    await agent.hangUp();
  });

  const NETWORKS = [
    [5, 0, 0],
    [0, 200, 0],
    [2, 50, 40],
  ] as const;
  for (const [loss, delay, jitter] of NETWORKS) {
    test(`with ${loss} % loss, ${delay} ms and ${jitter} ms of jitter has the MOS that the exchange measures`, async ({
      agent,
      site,
    }) => {
      await network(site, loss, delay, jitter);
      await call(agent);
      await agent.page.waitForTimeout(CONVERGED_MS);
      const { quality: theirs } = await site.call({ state: 'answered' });
      const ours = await quality(agent);
      await agent.hangUp();
      log(`${loss} %, ${delay} ms, ${jitter} ms: ${JSON.stringify({ ours, theirs })}`);
      expect(Math.abs((ours?.mos ?? NaN) - (theirs?.mos ?? NaN))).toBeLessThanOrEqual(0.3);
    });
  }

  test('is not warned in a good call of 30 s', async ({ agent }) => {
    test.setTimeout(15 * 60_000);
    const calls = Number(process.env['GOOD_CALLS'] ?? 1);
    await agent.page.evaluate(() => {
      const told: unknown[] = [];
      Reflect.set(globalThis, 'told', told);
      document.addEventListener('dialer-quality', ({ detail }) => told.push(detail));
    });
    for (let count = 0; count < calls; count++) {
      await call(agent);
      await agent.page.waitForTimeout(30_000);
      await agent.hangUp();
      const told = await agent.page.evaluate(
        () => Reflect.get(globalThis, 'told') as QualityEvent['detail'][],
      );
      // A machine without time for its audio may well sound fair.
      const warned = told.filter((detail) => detail.warnings.length > 0);
      expect(warned, `call ${count + 1}`).toEqual([]);
      expect(told.map(({ level }) => level)).toContain('good');
    }
    log(`${calls} good calls without a warning`);
  });
});
