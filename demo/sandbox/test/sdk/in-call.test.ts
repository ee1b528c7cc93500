/** What can be done during a call: mute, hold and keys. None of it has an event. */
import { ANSWERS, type Bench } from './bench.ts';
import { expect, test } from './fixtures.ts';

const LISTEN_MS = 600;
/** Far below one moment of the made-up microphone's noise. */
const SILENCE = 1e-4;

/** What comes back from the exchange within a moment; it echoes what it hears. */
async function listen(bench: Bench): Promise<number> {
  const before = await bench.audioEnergy();
  await bench.page.waitForTimeout(LISTEN_MS);
  return (await bench.audioEnergy()) - before;
}

/** What is still on its way may be heard first. */
const expectVoice = (bench: Bench): Promise<void> =>
  expect.poll(() => listen(bench)).toBeGreaterThan(SILENCE);

const expectSilence = (bench: Bench): Promise<void> => expect.poll(() => listen(bench)).toBeLessThan(SILENCE);

/** A held call goes on sending, though nothing but silence. */
const speaks = ({ page }: Bench): Promise<boolean | undefined> =>
  page.evaluate(() => {
    const senders = widget.getCallData()?.session?.connection.getSenders();
    return senders?.some(({ track }) => track?.enabled);
  });

test('muted through the session, the exchange hears silence', async ({ bench }) => {
  await bench.converse();
  const mark = bench.journal.mark();
  await expectVoice(bench);
  await bench.page.evaluate(() => widget.getCallData()?.session?.mute({ audio: true }));
  await expectSilence(bench);
  await bench.page.evaluate(() => widget.getCallData()?.session?.unmute({ audio: true }));
  await expectVoice(bench);
  await bench.journal.expectNone('sdk', /^on/, mark);
});

test('muted by its own method, the exchange hears silence, and no event tells', async ({ bench }) => {
  const isMuted = () => bench.page.evaluate(() => widget.isMicrophoneMuted());
  const toggle = () => bench.page.evaluate(() => widget.toggleMuteMicrophone());
  await bench.converse();
  const mark = bench.journal.mark();
  await expectVoice(bench);
  await toggle();
  expect(await isMuted()).toBe(true);
  await expectSilence(bench);
  expect(await bench.page.evaluate(() => widget.setAudioInputDevice('default'))).toBe(true);
  expect(await isMuted(), 'with another microphone').toBe(false);
  await expectVoice(bench);
  await bench.journal.expectNone('sdk', /^on/, mark);
});

test('muted while nobody calls, it is not in the next call', async ({ bench }) => {
  const isMuted = () => bench.page.evaluate(() => widget.isMicrophoneMuted());
  await bench.register();
  await bench.page.evaluate(() => widget.toggleMuteMicrophone());
  expect(await isMuted()).toBe(true);
  await bench.dial(ANSWERS);
  await bench.journal.until(/^onCallAccepted/);
  expect(await isMuted()).toBe(false);
  await expectVoice(bench);
});

test('on hold the voice stops both ways, and comes back', async ({ bench }) => {
  const { journal, page } = bench;
  await bench.converse();
  const mark = journal.mark();
  await expectVoice(bench);
  await page.evaluate(() => void widget.getCallData()?.session?.hold());
  const held = await journal.until(/^INVITE /, mark);
  expect(String(held.detail)).toMatch(/^a=sendonly/m);
  await expectSilence(bench);
  expect(await speaks(bench), 'silence from here').toBe(false);
  const resuming = journal.mark();
  await page.evaluate(() => void widget.getCallData()?.session?.unhold());
  const resumed = await journal.until(/^INVITE /, resuming);
  expect(String(resumed.detail)).toMatch(/^a=sendrecv/m);
  await expectVoice(bench);
  expect(await speaks(bench)).toBe(true);
  await journal.expectNone('sdk', /^on/, mark);
  expect(await page.evaluate(() => widget.getCallState())).toBe('in-call');
});

test('keys go out one by one', async ({ bench }) => {
  const call = await bench.converse();
  await bench.invoke('sendDTMF', '12#');
  await expect.poll(() => call.dtmf).toBe('12#');
  const { detail } = await bench.journal.until(/^INFO /);
  expect(String(detail)).toMatch(/^content-type: application\/dtmf-relay\r$/im);
  expect(String(detail)).toMatch(/^Signal=1\r?\nDuration=100\b/m);
});

test('one wrong key, and none of them goes out', async ({ bench }) => {
  const call = await bench.converse();
  const mark = bench.journal.mark();
  await bench.invoke('sendDTMF', '1x2');
  await bench.invoke('sendDTMF', '3');
  await expect.poll(() => call.dtmf).not.toBe('');
  await bench.journal.expectNone('sdk', /^on/, mark);
  expect(call.dtmf).toBe('3');
});

test('keys outside a call are ignored', async ({ bench }) => {
  await bench.register();
  const mark = bench.journal.mark();
  await bench.invoke('sendDTMF', '1');
  await bench.journal.quiet();
  expect(bench.journal.texts('sdk', mark)).toEqual([]);
  expect(bench.journal.texts('sent', mark)).toEqual([]);
});
