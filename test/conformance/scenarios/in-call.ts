/** What can be done during a call: mute, hold and keys. None of it has an event. */
import assert from 'node:assert/strict';
import { ANSWERS, type Bench } from '../bench.ts';
import type { Family } from '../scenario.ts';
import { eventually, pause } from '../wait.ts';

const LISTEN_MS = 600;
/** Far below one moment of the made-up microphone's noise. */
const SILENCE = 1e-4;

export const inCall: Family = {
  name: 'in call',
  scenarios: [
    { name: 'muted through the session, the exchange hears silence', isSlow: true, run: muteSession },
    { name: 'muted by the toggle, the exchange hears silence', isSlow: true, run: muteByToggle },
    { name: 'the toggle works while idle too, and the next call resets it', run: toggleIdle },
    { name: 'on hold the voice stops both ways, and comes back', isSlow: true, run: hold },
    { name: 'keys go out one by one', isSlow: true, run: sendKeys },
    { name: 'one wrong key, and none of them goes out', run: sendWrongKeys },
    { name: 'keys outside a call are ignored', run: sendKeysIdle },
  ],
};

/** What comes back from the exchange within a moment; it echoes what it hears. */
async function listen(bench: Bench): Promise<number> {
  const before = await bench.audioEnergy();
  await pause(LISTEN_MS);
  return (await bench.audioEnergy()) - before;
}

/** What is still on its way may be heard first. */
const expectVoice = (bench: Bench): Promise<void> =>
  eventually(async () => (await listen(bench)) > SILENCE, 'a voice from the exchange');

const expectSilence = (bench: Bench): Promise<void> =>
  eventually(async () => (await listen(bench)) < SILENCE, 'silence from the exchange');

async function muteSession(bench: Bench): Promise<void> {
  await bench.converse();
  const mark = bench.journal.mark();
  await expectVoice(bench);
  await bench.page.evaluate(() => widget.getCallData()?.session?.mute({ audio: true }));
  await expectSilence(bench);
  await bench.page.evaluate(() => widget.getCallData()?.session?.unmute({ audio: true }));
  await expectVoice(bench);
  await bench.journal.expectNone('sdk', /^on/, mark);
}

async function muteByToggle(bench: Bench): Promise<void> {
  await bench.converse();
  const mark = bench.journal.mark();
  await bench.invoke('toggleMuteMicrophone');
  assert.equal(await bench.invoke('isMicrophoneMuted'), true);
  await expectSilence(bench);
  await bench.invoke('toggleMuteMicrophone');
  assert.equal(await bench.invoke('isMicrophoneMuted'), false);
  await expectVoice(bench);
  await bench.journal.expectNone('sdk', /^on/, mark);
}

async function toggleIdle(bench: Bench): Promise<void> {
  await bench.register();
  await bench.invoke('toggleMuteMicrophone');
  assert.equal(await bench.invoke('isMicrophoneMuted'), true);
  await bench.dial(ANSWERS);
  await bench.journal.until(/^onCallAccepted/);
  assert.equal(await bench.invoke('isMicrophoneMuted'), false);
  await expectVoice(bench);
}

/** A held call goes on sending, though nothing but silence. */
const speaks = ({ page }: Bench): Promise<boolean | undefined> =>
  page.evaluate(() => {
    const senders = widget.getCallData()?.session?.connection.getSenders();
    return senders?.some(({ track }) => track?.enabled);
  });

async function hold(bench: Bench): Promise<void> {
  const { journal, page } = bench;
  await bench.converse();
  const mark = journal.mark();
  await expectVoice(bench);
  await page.evaluate(() => void widget.getCallData()?.session?.hold());
  const held = await journal.until(/^INVITE /, mark);
  assert.match(String(held.detail), /^a=sendonly/m);
  await expectSilence(bench);
  assert.equal(await speaks(bench), false, 'silence from here');
  const resuming = journal.mark();
  await page.evaluate(() => void widget.getCallData()?.session?.unhold());
  const resumed = await journal.until(/^INVITE /, resuming);
  assert.match(String(resumed.detail), /^a=sendrecv/m);
  await expectVoice(bench);
  assert.equal(await speaks(bench), true);
  await journal.expectNone('sdk', /^on/, mark);
  assert.equal(await page.evaluate(() => widget.getCallState()), 'in-call');
}

async function sendKeys(bench: Bench): Promise<void> {
  const call = await bench.converse();
  await bench.invoke('sendDTMF', '12#');
  await eventually(() => call.dtmf === '12#', 'three keys at the exchange');
  const { detail } = await bench.journal.until(/^INFO /);
  assert.match(String(detail), /^content-type: application\/dtmf-relay\r$/im);
  assert.match(String(detail), /^Signal=1\r?\nDuration=100\b/m);
}

async function sendWrongKeys(bench: Bench): Promise<void> {
  const call = await bench.converse();
  const mark = bench.journal.mark();
  await bench.invoke('sendDTMF', '1x2');
  await bench.invoke('sendDTMF', '3');
  await eventually(() => call.dtmf !== '', 'a key');
  await bench.journal.expectNone('sdk', /^on/, mark);
  assert.equal(call.dtmf, '3');
}

async function sendKeysIdle(bench: Bench): Promise<void> {
  await bench.register();
  const mark = bench.journal.mark();
  await bench.invoke('sendDTMF', '1');
  await bench.journal.quiet();
  assert.deepEqual(bench.journal.texts('sdk', mark), []);
  assert.deepEqual(bench.journal.texts('sent', mark), []);
}
