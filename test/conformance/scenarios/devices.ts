/** Choosing another microphone or loudspeaker. */
import assert from 'node:assert/strict';
import type { Bench } from '../bench.ts';
import type { Family } from '../scenario.ts';

export const devices: Family = {
  name: 'devices',
  scenarios: [
    { name: 'a microphone chosen while idle is opened, and stays open', run: chooseIdle },
    { name: 'a microphone chosen in a call is heard unmuted', run: chooseMuted },
    { name: 'unknown devices resolve to false', run: chooseUnknown },
  ],
};

const chooseMicrophone = ({ page }: Bench, id: string): Promise<unknown> =>
  page.evaluate((deviceId) => widget.setAudioInputDevice(deviceId), id);

async function chooseIdle(bench: Bench): Promise<void> {
  await bench.register();
  assert.equal(await chooseMicrophone(bench, 'default'), true);
  await bench.journal.quiet();
  assert.deepEqual(await bench.microphones(), ['live']);
}

async function chooseMuted(bench: Bench): Promise<void> {
  await bench.converse();
  await bench.invoke('toggleMuteMicrophone');
  assert.equal(await bench.invoke('isMicrophoneMuted'), true);
  assert.equal(await chooseMicrophone(bench, 'default'), true);
  assert.equal(await bench.invoke('isMicrophoneMuted'), false);
}

async function chooseUnknown(bench: Bench): Promise<void> {
  await bench.register();
  assert.equal(await chooseMicrophone(bench, 'no such device'), false);
  assert.equal(await bench.page.evaluate(() => widget.setAudioOutputDevice('no such device')), false);
}
