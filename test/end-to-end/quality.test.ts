/** How a call sounds, with real audio over a network that loses it. */
import assert from 'node:assert/strict';
import type { QualityWarning } from '../../src/index.ts';
import { eventually, isLong, LONG, test, type AgentPage, type Site } from './fixtures.ts';

let site: Site;
let agent: AgentPage;
test.beforeEach(({ sandbox, agent: ready }) => {
  site = sandbox;
  agent = ready;
});

type Microphone = 'silent' | 'speaking';

/** In the place of the browser's own, which beeps. */
async function useMicrophone(microphone: Microphone): Promise<void> {
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

async function call(): Promise<void> {
  await agent.clickCustomer('0900 000 200');
  await agent.see('In call');
}

const network = (packetLoss: number, packetDelay = 0, packetJitter = 0) =>
  site.sandbox('settings', { packetLoss, packetDelay, packetJitter });

const warnings = () =>
  agent.page.evaluate((): readonly QualityWarning[] => {
    const live = document.querySelector('partner-dialer')?.state.call;
    return live?.is === 'active' ? (live.quality?.warnings ?? []) : [];
  });

const quality = () =>
  agent.page.evaluate(() => {
    const last = document.querySelector('partner-dialer')?.state.call;
    return last?.is === 'active' || last?.is === 'ended' ? last.info.quality : undefined;
  });

/** Resolves to how long it took, in seconds. */
async function becomes(expected: readonly QualityWarning[], what: string): Promise<number> {
  const from = Date.now();
  await eventually(async () => {
    const raised = await warnings();
    return expected.length === 0 ? raised.length === 0 : expected.every((one) => raised.includes(one));
  }, what);
  return (Date.now() - from) / 1000;
}

const log = (text: string) => {
  if (isLong) console.log(text);
};

test.describe('an agent in a call', LONG, () => {
  test('reads within ten seconds that the network loses sound, and that it no longer does', async () => {
    await call();
    await agent.see('good');
    await network(20);
    const raised = await becomes(['loss-to-customer', 'loss-to-agent'], 'the warnings');
    await agent.see('The customer hardly hears you');
    await network(0);
    const cleared = await becomes([], 'no warning');
    log(`20 % loss: said after ${raised} s, gone ${cleared} s after it`);
    assert.ok(raised <= 10, `raised after ${raised} s`);
    assert.ok(cleared <= 10, `cleared after ${cleared} s`);
    await agent.hangUp();
  });

  test('reads that a silent microphone is not heard', async () => {
    await useMicrophone('silent');
    await call();
    await agent.see('We do not hear you');
    await agent.hangUp();
  });

  test('reads that they are muted when they speak, and no more once they are not', async () => {
    await useMicrophone('speaking');
    await call();
    await agent.press('Mute');
    await agent.see('You are muted');
    assert.equal((await site.call(({ state }) => state === 'answered')).state, 'answered');
    await agent.press('Mute');
    assert.deepEqual(await warnings(), []);
    await agent.hangUp();
  });

  const NETWORKS = [
    [5, 0, 0],
    [0, 200, 0],
    [2, 50, 40],
  ] as const;
  for (const [loss, delay, jitter] of NETWORKS) {
    test(`with ${loss} % loss, ${delay} ms and ${jitter} ms of jitter has the MOS that the exchange measures`, async () => {
      await network(loss, delay, jitter);
      await call();
      await agent.page.waitForTimeout(24_000);
      const { quality: theirs } = await site.call(({ state }) => state === 'answered');
      const ours = await quality();
      await agent.hangUp();
      log(`${loss} %, ${delay} ms, ${jitter} ms: ${JSON.stringify({ ours, theirs })}`);
      assert.ok(ours && theirs);
      assert.ok(Math.abs(ours.mos - theirs.mos) <= 0.3, `${ours.mos} and ${theirs.mos}`);
    });
  }

  test('is not warned in a good call of 30 s', async () => {
    test.setTimeout(15 * 60_000);
    const calls = Number(process.env['GOOD_CALLS'] ?? 1);
    await agent.page.evaluate(() => {
      const told: unknown[] = [];
      Reflect.set(globalThis, 'told', told);
      document.addEventListener('dialer-quality', ({ detail }) => {
        // A machine without time for its audio may well sound fair.
        if (detail.warnings.length > 0) told.push(detail);
      });
    });
    for (let count = 0; count < calls; count++) {
      await call();
      await agent.page.waitForTimeout(30_000);
      await agent.hangUp();
      const told = await agent.page.evaluate(() => Reflect.get(globalThis, 'told') as unknown[]);
      assert.deepEqual(told, [], `call ${count + 1}`);
    }
    log(`${calls} good calls without a warning`);
  });
});
