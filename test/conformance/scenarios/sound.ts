/** Which sound is loaded and played, and which way of naming it counts. */
import assert from 'node:assert/strict';
import type { Bench } from '../bench.ts';
import { SOUND_PATH as SOUND } from '../open-bench.ts';
import type { Family } from '../scenario.ts';

const NO_MONEY = '0900000402';

const config = (bench: Bench): string =>
  JSON.stringify({ disconnectSoundUrl: new URL(SOUND, bench.baseUrl).href });

export const sound: Family = {
  name: 'sound',
  scenarios: [
    { name: 'the disconnect sound of the config is loaded once, at boot', run: loadOnce },
    { name: 'it is played at a hang-up', run: playAtHangUp },
    { name: 'it is played at a failure', run: playAtFailure },
    { name: 'a config set later counts from then on', run: configureLater },
    { name: 'the attribute disconnect-sound-url is ignored', run: ignoreAttribute },
    { name: 'updateWidgetConfig has no effect', run: ignoreUpdate },
  ],
};

const loads = ({ journal }: Bench): number =>
  journal.texts('http').filter((text) => text === `GET ${SOUND}`).length;

async function expectPlayed(bench: Bench, from: number): Promise<void> {
  await bench.journal.until(new RegExp(`^play http.*${SOUND}$`), from);
}

async function loadOnce(bench: Bench): Promise<void> {
  await bench.converse({ config: config(bench) });
  assert.equal(loads(bench), 1);
  await bench.invoke('hangupCall');
  await expectPlayed(bench, 0);
  await bench.journal.quiet();
  assert.equal(loads(bench), 1);
}

async function playAtHangUp(bench: Bench): Promise<void> {
  await bench.converse({ config: config(bench) });
  const mark = bench.journal.mark();
  await bench.invoke('hangupCall');
  await expectPlayed(bench, mark);
}

async function playAtFailure(bench: Bench): Promise<void> {
  await bench.register({ config: config(bench) });
  const mark = bench.journal.mark();
  await bench.dial(NO_MONEY);
  await bench.journal.until(/^onCallFailed/);
  await expectPlayed(bench, mark);
}

async function configureLater(bench: Bench): Promise<void> {
  await bench.register();
  assert.equal(loads(bench), 0);
  await bench.page.evaluate((value) => widget.setAttribute('config', value), config(bench));
  await bench.journal.until(`GET ${SOUND}`);
  const mark = bench.journal.mark();
  await bench.dial(NO_MONEY);
  await expectPlayed(bench, mark);
}

async function ignoreAttribute(bench: Bench): Promise<void> {
  await bench.register({ 'disconnect-sound-url': new URL(SOUND, bench.baseUrl).href });
  await bench.dial(NO_MONEY);
  await bench.journal.until(/^onCallFailed/);
  await bench.journal.quiet();
  assert.equal(loads(bench), 0);
}

async function ignoreUpdate(bench: Bench): Promise<void> {
  await bench.register();
  await bench.page.evaluate((value) => void widget.updateWidgetConfig(JSON.parse(value)), config(bench));
  const mark = bench.journal.mark();
  await bench.dial(NO_MONEY);
  await bench.journal.until(/^onCallFailed/);
  await bench.journal.expectNone('note', new RegExp(`play .*${SOUND}`), mark);
}
