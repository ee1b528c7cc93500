/** What can be done during a call: mute, hold and keys. None of it has an event. */
import assert from 'node:assert/strict';
import { ANSWERS, type Bench } from '../bench.ts';
import type { Family } from '../scenario.ts';
import { eventually, pause } from '../wait.ts';

/** Long enough for what was on its way to arrive. */
const SETTLE_MS = 400;
const LISTEN_MS = 600;
/** Far below one moment of the made-up microphone's noise. */
const SILENCE = 1e-4;

export const inCall: Family = {
  name: 'in call',
  scenarios: [
    { name: 'muted through the session, the exchange hears silence', run: muteSession },
    { name: 'muted by the toggle, the exchange hears silence', run: muteByToggle },
    { name: 'the toggle works while idle too, and the next call resets it', run: toggleIdle },
    { name: 'on hold the audio stops, and comes back', run: hold },
    { name: 'keys go out one by one', run: sendKeys },
    { name: 'one wrong key, and none of them goes out', run: sendWrongKeys },
    { name: 'keys outside a call are ignored', run: sendKeysIdle },
  ],
};

/** The voice that comes back from the exchange within a moment; it echoes what it hears. */
async function listen(bench: Bench): Promise<number> {
  await pause(SETTLE_MS);
  const before = await bench.heard();
  await pause(LISTEN_MS);
  return (await bench.heard()) - before;
}

async function muteSession(bench: Bench): Promise<void> {
  await bench.converse();
  const mark = bench.journal.mark();
  assert.ok((await listen(bench)) > SILENCE, 'a voice before');
  await bench.page.evaluate(() => widget.getCallData()?.session?.mute({ audio: true }));
  assert.ok((await listen(bench)) < SILENCE, 'silence while muted');
  await bench.page.evaluate(() => widget.getCallData()?.session?.unmute({ audio: true }));
  assert.ok((await listen(bench)) > SILENCE, 'a voice after');
  await bench.journal.expectNone('sdk', /^on/, mark);
}

async function muteByToggle(bench: Bench): Promise<void> {
  await bench.converse();
  const mark = bench.journal.mark();
  await bench.tell('toggleMuteMicrophone');
  assert.equal(await bench.tell('isMicrophoneMuted'), true);
  assert.ok((await listen(bench)) < SILENCE, 'silence while muted');
  await bench.tell('toggleMuteMicrophone');
  assert.equal(await bench.tell('isMicrophoneMuted'), false);
  assert.ok((await listen(bench)) > SILENCE, 'a voice after');
  await bench.journal.expectNone('sdk', /^on/, mark);
}

async function toggleIdle(bench: Bench): Promise<void> {
  await bench.register();
  await bench.tell('toggleMuteMicrophone');
  assert.equal(await bench.tell('isMicrophoneMuted'), true);
  await bench.dial(ANSWERS);
  await bench.journal.until(/^onCallAccepted/);
  assert.equal(await bench.tell('isMicrophoneMuted'), false);
  assert.ok((await listen(bench)) > SILENCE, 'a voice');
}

async function hold(bench: Bench): Promise<void> {
  const { journal, page } = bench;
  const call = await bench.converse();
  const mark = journal.mark();
  const flows = async () => {
    await pause(SETTLE_MS);
    const before = call.audioPackets;
    await pause(LISTEN_MS);
    return call.audioPackets > before;
  };
  assert.equal(await flows(), true, 'audio before');
  await page.evaluate(() => void widget.getCallData()?.session?.hold());
  const held = await journal.until(/^INVITE /, mark);
  assert.match(String(held.detail), /^a=sendonly/m);
  assert.ok((await listen(bench)) < SILENCE, 'silence from there');
  const resuming = journal.mark();
  await page.evaluate(() => void widget.getCallData()?.session?.unhold());
  const resumed = await journal.until(/^INVITE /, resuming);
  assert.match(String(resumed.detail), /^a=sendrecv/m);
  assert.ok((await listen(bench)) > SILENCE, 'a voice after');
  await journal.expectNone('sdk', /^on/, mark);
  assert.equal(await page.evaluate(() => widget.getCallState()), 'in-call');
}

async function sendKeys(bench: Bench): Promise<void> {
  const call = await bench.converse();
  await bench.tell('sendDTMF', '12#');
  await eventually(() => call.dtmf === '12#', 'three keys at the exchange');
  const { detail } = await bench.journal.until(/^INFO /);
  assert.match(String(detail), /^content-type: application\/dtmf-relay\r$/im);
  assert.match(String(detail), /^Signal=1\r?\nDuration=100\b/m);
}

async function sendWrongKeys(bench: Bench): Promise<void> {
  const call = await bench.converse();
  const mark = bench.journal.mark();
  await bench.tell('sendDTMF', '1x2');
  await bench.tell('sendDTMF', '3');
  await eventually(() => call.dtmf !== '', 'a key');
  await bench.journal.expectNone('sdk', /^on/, mark);
  assert.equal(call.dtmf, '3');
}

async function sendKeysIdle(bench: Bench): Promise<void> {
  await bench.register();
  const mark = bench.journal.mark();
  await bench.tell('sendDTMF', '1');
  await bench.journal.quiet();
  assert.deepEqual(bench.journal.texts('sdk', mark), []);
  assert.deepEqual(bench.journal.texts('sent', mark), []);
}
