/** The socket lost: while idle, while a call is being set up, and during one. It comes back by itself. */
import assert from 'node:assert/strict';
import { ANSWERS, RINGS, type Bench } from '../bench.ts';
import type { Family } from '../scenario.ts';
import { CANCELLED, ended, failed, NOT_REGISTERED, over, RINGING } from '../texts.ts';
import { eventually } from '../wait.ts';

const LOST = ['onDisconnected', 'onUserDisconnected'];
const BACK = ['onConnecting', 'onConnected', 'onUserConnected'];

export const socket: Family = {
  name: 'socket',
  scenarios: [
    { name: 'lost while idle: back after 2 s, without HTTP', isSlow: true, run: loseIdle },
    { name: 'calls meanwhile are refused', run: callMeanwhile },
    {
      name: 'lost while it rings there: the call ends at once, without CANCEL',
      isSlow: true,
      run: loseWhileDialling,
    },
    {
      name: 'lost while it rings here: it rings on, and an answer reaches nobody; hung up, all is closed',
      isSlow: true,
      run: loseWhileRinging,
    },
    {
      name: 'lost in a call: it goes on, and ends with BYE over the next socket',
      isSlow: true,
      run: loseInCall,
    },
    { name: 'hung up while offline: over at once here, and never told there', run: hangUpOffline },
  ],
};

async function loseIdle(bench: Bench): Promise<void> {
  const { journal } = bench;
  await bench.register();
  const mark = journal.mark();
  await bench.exchange.dropSockets();
  const lost = await journal.until('onDisconnected', mark);
  const trying = await journal.until('onConnecting', mark);
  await journal.until('onUserConnected', mark);
  await journal.quiet();
  assert.deepEqual(journal.texts('sdk', mark), [...LOST, ...BACK]);
  assert.deepEqual(journal.texts('http', mark), []);
  const waited = trying.at - lost.at;
  assert.ok(waited > 1500 && waited < 3500, `tried again after ${waited.toFixed()} ms`);
  await bench.dial(ANSWERS);
  await journal.until(/^onCallAccepted/, mark);
}

async function callMeanwhile(bench: Bench): Promise<void> {
  await bench.register();
  const mark = bench.journal.mark();
  await bench.exchange.dropSockets();
  await bench.journal.until('onUserDisconnected', mark);
  await bench.dial(ANSWERS);
  bench.journal.expectOrder([`onError ${NOT_REGISTERED}`, 'makeCall resolved undefined'], mark);
  await bench.journal.expectNone('sdk', /^onCall/, mark);
}

async function loseWhileDialling(bench: Bench): Promise<void> {
  const { journal } = bench;
  await bench.register();
  await bench.dial(RINGS);
  await journal.until('180 INVITE');
  const mark = journal.mark();
  await bench.exchange.dropSockets();
  await journal.until('onUserConnected', mark);
  assert.deepEqual(journal.texts('sdk', mark), [...failed(CANCELLED, 'onInfo', true), ...LOST, ...BACK]);
  await journal.expectNone('sent', /^CANCEL/, mark);
}

async function loseWhileRinging(bench: Bench): Promise<void> {
  const { journal } = bench;
  await bench.ring();
  const mark = journal.mark();
  await bench.exchange.dropSockets();
  await journal.until('onUserConnected', mark);
  assert.deepEqual(journal.texts('sdk', mark), [...LOST, ...BACK]);
  await bench.invoke('answerCall');
  await eventually(async () => (await bench.microphones()).length === 2, 'both microphones');
  await journal.quiet();
  await journal.expectNone('sent', /^SIP\/2.0 200/, mark);
  assert.deepEqual(journal.callEvents(mark), []);
  assert.deepEqual(await bench.microphones(), ['live', 'live']);
  await bench.invoke('hangupCall');
  const failure = ['onCallFailed Rejected', 'onError Rejected'];
  await bench.journal.expectCall([...RINGING, ...over('incoming'), ...failure]);
  assert.deepEqual(await bench.microphones(), ['ended', 'ended']);
}

async function loseInCall(bench: Bench): Promise<void> {
  const { journal } = bench;
  const call = await bench.converse();
  const mark = journal.mark();
  await bench.exchange.dropSockets();
  await journal.until('onUserConnected', mark);
  assert.deepEqual(journal.texts('sdk', mark), [...LOST, ...BACK]);
  assert.equal(await bench.page.evaluate(() => widget.getCallState()), 'in-call');
  const { audioPackets } = call;
  await eventually(() => call.audioPackets > audioPackets, 'more audio');
  await bench.invoke('hangupCall');
  await journal.until(/^BYE /, mark);
  await eventually(() => call.endedBy === 'caller', 'the end at the exchange');
}

async function hangUpOffline(bench: Bench): Promise<void> {
  const call = await bench.converse();
  bench.world.faults.set('socket', { kind: 'drop' });
  const mark = bench.journal.mark();
  await bench.exchange.dropSockets();
  await bench.journal.until('onUserDisconnected', mark);
  await bench.invoke('hangupCall');
  const farewell = `onInfo ${ended(ANSWERS)}`;
  await bench.journal.expectCall([farewell, ...over('outgoing'), farewell], mark);
  assert.equal(call.state, 'answered');
}
