/** Calls to the member. Their state is `dialing` while they ring, too. */
import type { CallRecord } from '../../world/world.ts';
import { ANSWERS, type Bench } from './bench.ts';
import { CANCELLED, ended, over, RINGING } from './texts.ts';
import { expect, test } from './fixtures.ts';

const NAME = 'Khach Hang';
const ACCEPTED = ['onCallStateChange in-call', 'onCallAccepted incoming with session'];

/** As long as an SDK needs to say, or not to say, that a call has ended. */
const A_WHILE_MS = 800;

async function answer(bench: Bench, name?: string): Promise<CallRecord> {
  const call = await bench.ring(name);
  await bench.invoke('answerCall');
  await bench.journal.until(/^onCallAccepted/);
  return call;
}

test('a call in is answered, then hung up here', async ({ bench }) => {
  const call = await answer(bench, NAME);
  await bench.invoke('hangupCall');
  const farewell = `onInfo ${ended(NAME)}`;
  await bench.journal.expectCall([...RINGING, ...ACCEPTED, farewell, ...over('incoming'), farewell]);
  expect(call.endedBy).toBe('callee');
});

test('a call in is answered, then hung up there', async ({ bench }) => {
  const call = await answer(bench);
  await bench.exchange.hangUp(call);
  const farewell = `onInfo ${ended(call.number)}`;
  await bench.journal.expectCall([...RINGING, ...ACCEPTED, ...over('incoming'), farewell]);
});

test('the caller is in the data of the call', async ({ bench }) => {
  const { number } = await bench.ring(NAME);
  const { detail } = await bench.journal.until(/^onCallIncoming/);
  const { call } = detail as { call: Record<string, unknown> };
  expect(call['phoneNumber']).toBe(number);
  expect(call['displayName']).toBe(NAME);
  expect(call['direction']).toBe('incoming');
});

test('answering asks for the microphone twice', async ({ bench }) => {
  await answer(bench);
  expect(bench.journal.texts('note').filter((text) => text === 'microphone asked for')).toHaveLength(2);
});

test('a call in is rejected: 480 on the wire, and a failure in the page', async ({ bench }) => {
  const call = await bench.ring();
  await bench.invoke('hangupCall');
  const failure = ['onCallFailed Rejected', 'onError Rejected'];
  await bench.journal.expectCall([...RINGING, ...over('incoming'), ...failure]);
  expect(call.finalStatus).toBe(480);
});

test('a call in is missed: the caller gives up', async ({ bench }) => {
  const call = await bench.ring();
  await bench.exchange.hangUp(call);
  const failure = [`onCallFailed ${CANCELLED}`, `onInfo ${CANCELLED}`];
  await bench.journal.expectCall([...RINGING, ...over('incoming'), ...failure]);
});

test('a second call during a call is refused with 486, and no event tells', async ({ bench }) => {
  await bench.register();
  await bench.dial(ANSWERS);
  await bench.journal.until(/^onCallAccepted/);
  const mark = bench.journal.mark();
  const second = await bench.exchange.ring();
  await expect.poll(() => second.state).toBe('ended');
  expect(second.finalStatus).toBe(486);
  await bench.journal.quiet(A_WHILE_MS);
  expect(bench.journal.callEvents(mark)).toEqual([]);
});

test('a call in is answered twice: an end is told, then the call is there without data', async ({
  bench,
}) => {
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
  expect(await bench.page.evaluate(() => widget.getCallData())).toBe(null);
});
