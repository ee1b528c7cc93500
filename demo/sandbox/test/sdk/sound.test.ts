/** Which sound is loaded and played, and which way of naming it counts. */
import type { Bench } from './bench.ts';
import { SOUND_PATH as SOUND } from './fixtures.ts';
import { expect, test } from './fixtures.ts';

const NO_MONEY = '0900000402';

const config = (bench: Bench): string =>
  JSON.stringify({ disconnectSoundUrl: new URL(SOUND, bench.baseUrl).href });

const loads = ({ journal }: Bench): number =>
  journal.texts('http').filter((text) => text === `GET ${SOUND}`).length;

async function expectPlayed(bench: Bench, from: number): Promise<void> {
  await bench.journal.until(new RegExp(`^play http.*${SOUND}$`), from);
}

test('the disconnect sound of the config is loaded once, at boot', async ({ bench }) => {
  await bench.converse({ config: config(bench) });
  expect(loads(bench)).toBe(1);
  await bench.invoke('hangupCall');
  await expectPlayed(bench, 0);
  await bench.journal.quiet();
  expect(loads(bench)).toBe(1);
});

test('the disconnect sound is played at a hang-up', async ({ bench }) => {
  await bench.converse({ config: config(bench) });
  const mark = bench.journal.mark();
  await bench.invoke('hangupCall');
  await expectPlayed(bench, mark);
});

test('the disconnect sound is played at a failure', async ({ bench }) => {
  await bench.register({ config: config(bench) });
  const mark = bench.journal.mark();
  await bench.dial(NO_MONEY);
  await bench.journal.until(/^onCallFailed/);
  await expectPlayed(bench, mark);
});

test('a sound in a config set later counts from then on', async ({ bench }) => {
  await bench.register();
  expect(loads(bench)).toBe(0);
  await bench.page.evaluate((value) => widget.setAttribute('config', value), config(bench));
  await bench.journal.until(`GET ${SOUND}`);
  const mark = bench.journal.mark();
  await bench.dial(NO_MONEY);
  await expectPlayed(bench, mark);
});

test('the attribute disconnect-sound-url is ignored', async ({ bench }) => {
  await bench.register({ 'disconnect-sound-url': new URL(SOUND, bench.baseUrl).href });
  await bench.dial(NO_MONEY);
  await bench.journal.until(/^onCallFailed/);
  await bench.journal.quiet();
  expect(loads(bench)).toBe(0);
});
