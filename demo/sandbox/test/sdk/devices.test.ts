/** Choosing another microphone or loudspeaker. */
import type { Bench } from './bench.ts';
import { expect, test } from './fixtures.ts';

const chooseMicrophone = ({ page }: Bench, id: string): Promise<unknown> =>
  page.evaluate((deviceId) => widget.setAudioInputDevice(deviceId), id);

test('a microphone chosen while idle is opened, and stays open', async ({ bench }) => {
  await bench.register();
  expect(await chooseMicrophone(bench, 'default')).toBe(true);
  await bench.journal.quiet();
  expect(await bench.microphones()).toEqual(['live']);
});

test('a microphone chosen in a call is heard unmuted', async ({ bench }) => {
  await bench.converse();
  const speaks = () =>
    bench.page.evaluate(() => {
      const senders = widget.getCallData()?.session?.connection.getSenders();
      return senders?.some(({ track }) => track?.enabled);
    });
  await bench.page.evaluate(() => widget.getCallData()?.session?.mute({ audio: true }));
  expect(await speaks()).toBe(false);
  expect(await chooseMicrophone(bench, 'default')).toBe(true);
  expect(await speaks()).toBe(true);
});

test('unknown devices resolve to false', async ({ bench }) => {
  await bench.register();
  expect(await chooseMicrophone(bench, 'no such device')).toBe(false);
  expect(await bench.page.evaluate(() => widget.setAudioOutputDevice('no such device'))).toBe(false);
});
