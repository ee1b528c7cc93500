/** Calls to the member. Their state is `dialing` while they ring, too. */
import assert from 'node:assert/strict';
import type { CallRecord } from '../../../demo/sandbox/world/world.ts';
import { ANSWERS, type Bench } from '../bench.ts';
import type { Family } from '../scenario.ts';
import { CANCELLED, ended, over, RINGING } from '../texts.ts';
import { eventually } from '../wait.ts';

const NAME = 'Khach Hang';
const ACCEPTED = ['onCallStateChange in-call', 'onCallAccepted incoming with session'];

/** As long as an SDK needs to say, or not to say, that a call has ended. */
const A_WHILE_MS = 800;

export const incoming: Family = {
  name: 'incoming',
  scenarios: [
    { name: 'answered, then hung up here', run: answerAndHangUp },
    { name: 'answered, then hung up there', run: answerAndLose },
    { name: 'the caller is in the data of the call', run: knowCaller },
    { name: 'answering asks for the microphone twice', run: askTwice },
    { name: 'rejected: 480 on the wire, and a failure in the page', run: reject },
    { name: 'missed: the caller gives up', run: miss },
    {
      name: 'a second call during a call is refused with 486, and no event tells',
      isSlow: true,
      run: callWhenBusy,
    },
    { name: 'answered twice: an end is told, then the call is there without data', run: answerTwice },
  ],
};

async function answer(bench: Bench, name?: string): Promise<CallRecord> {
  const call = await bench.ring(name);
  await bench.invoke('answerCall');
  await bench.journal.until(/^onCallAccepted/);
  return call;
}

async function answerAndHangUp(bench: Bench): Promise<void> {
  const call = await answer(bench, NAME);
  await bench.invoke('hangupCall');
  const farewell = `onInfo ${ended(NAME)}`;
  await bench.journal.expectCall([...RINGING, ...ACCEPTED, farewell, ...over('incoming'), farewell]);
  assert.equal(call.endedBy, 'callee');
}

async function answerAndLose(bench: Bench): Promise<void> {
  const call = await answer(bench);
  await bench.exchange.hangUp(call);
  const farewell = `onInfo ${ended(call.number)}`;
  await bench.journal.expectCall([...RINGING, ...ACCEPTED, ...over('incoming'), farewell]);
}

async function knowCaller(bench: Bench): Promise<void> {
  const { number } = await bench.ring(NAME);
  const { detail } = await bench.journal.until(/^onCallIncoming/);
  const { call } = detail as { call: Record<string, unknown> };
  assert.equal(call['phoneNumber'], number);
  assert.equal(call['displayName'], NAME);
  assert.equal(call['direction'], 'incoming');
}

async function askTwice(bench: Bench): Promise<void> {
  await answer(bench);
  assert.equal(bench.journal.texts('note').filter((text) => text === 'microphone asked for').length, 2);
}

async function reject(bench: Bench): Promise<void> {
  const call = await bench.ring();
  await bench.invoke('hangupCall');
  const failure = ['onCallFailed Rejected', 'onError Rejected'];
  await bench.journal.expectCall([...RINGING, ...over('incoming'), ...failure]);
  assert.equal(call.finalStatus, 480);
}

async function miss(bench: Bench): Promise<void> {
  const call = await bench.ring();
  await bench.exchange.hangUp(call);
  const failure = [`onCallFailed ${CANCELLED}`, `onInfo ${CANCELLED}`];
  await bench.journal.expectCall([...RINGING, ...over('incoming'), ...failure]);
}

async function callWhenBusy(bench: Bench): Promise<void> {
  await bench.register();
  await bench.dial(ANSWERS);
  await bench.journal.until(/^onCallAccepted/);
  const mark = bench.journal.mark();
  const second = await bench.exchange.ring();
  await eventually(() => second.state === 'ended', 'the end of the second call');
  assert.equal(second.finalStatus, 486);
  await bench.journal.quiet(A_WHILE_MS);
  assert.deepEqual(bench.journal.callEvents(mark), []);
}

async function answerTwice(bench: Bench): Promise<void> {
  await bench.ring();
  const mark = bench.journal.mark();
  await bench.page.evaluate(() => {
    void widget.answerCall();
    void widget.answerCall();
  });
  await bench.journal.until(/^onCallAccepted/);
  await bench.journal.quiet();
  const end = [
    'onCallStateChange idle',
    /^onCallEnded incoming/,
    'onCallStateChange in-call',
    /^onCallAccepted/,
  ];
  bench.journal.expectOrder(['onError Không thể trả lời cuộc gọi', ...end], mark);
  assert.equal(await bench.page.evaluate(() => widget.getCallData()), null);
}
