/** Calls that are placed and answered: what is said, in which order, and what reaches the exchange. */
import { ANSWERS, RINGS } from './bench.ts';
import { ACCEPTED, DIALING, ended, over } from './texts.ts';
import { expect, test } from './fixtures.ts';

const EARLY_MEDIA = '0900000183';
const INVITE = /^INVITE /;
const ENDED = ended(ANSWERS);

test('a call out is answered, then hung up here', async ({ bench }) => {
  const call = await bench.converse();
  await bench.invoke('hangupCall');
  const farewell = `onInfo ${ENDED}`;
  await bench.journal.expectCall([...DIALING, ...ACCEPTED, farewell, ...over('outgoing'), farewell]);
  expect(call.endedBy).toBe('caller');
  expect(call.finalStatus).toBe(200);
});

test('a call out is answered, then hung up there', async ({ bench }) => {
  const call = await bench.converse();
  await bench.exchange.hangUp(call);
  await bench.journal.expectCall([...DIALING, ...ACCEPTED, ...over('outgoing'), `onInfo ${ENDED}`]);
});

test('a call out is hung up there within 150 ms: all events arrive', async ({ bench }) => {
  await bench.register();
  await bench.dial(ANSWERS);
  const call = await bench.exchange.call();
  await expect.poll(() => call.state, { intervals: [10] }).toBe('answered');
  await bench.exchange.hangUp(call);
  await bench.journal.expectCall([...DIALING, ...ACCEPTED, ...over('outgoing'), `onInfo ${ENDED}`]);
});

test('early media is heard before the answer, and no event tells', async ({ bench }) => {
  await bench.register();
  await bench.dial(EARLY_MEDIA);
  await bench.journal.until('183 INVITE');
  await expect.poll(() => bench.audioEnergy()).toBeGreaterThan(0);
  expect((await bench.exchange.call()).state).toBe('ringing');
  await bench.journal.expectCall([...DIALING, ...ACCEPTED]);
});

test('dialing, its progress and the promise come before the INVITE', async ({ bench }) => {
  await bench.register();
  const mark = bench.journal.mark();
  await bench.dial(RINGS);
  await bench.journal.until(INVITE);
  const order = ['microphone asked for', ...DIALING, 'makeCall resolved undefined', INVITE];
  bench.journal.expectOrder(order, mark);
});

test('the session appears with the ringing, which has no event', async ({ bench }) => {
  const hasSession = () => bench.page.evaluate(() => Boolean(widget.getCallData()?.session));
  bench.world.faults.set('invite', { kind: 'slow', value: 800 });
  await bench.register();
  await bench.dial(RINGS);
  await bench.journal.until(INVITE);
  const mark = bench.journal.mark();
  expect(await hasSession()).toBe(false);
  await bench.journal.until('180 INVITE');
  await expect.poll(hasSession, 'the session in the call data').toBe(true);
  await bench.journal.expectNone('sdk', /^on/, mark);
});

test('the seconds of a call are counted from 0', async ({ bench }) => {
  await bench.converse();
  const seconds = () => bench.journal.entries.filter(({ kind }) => kind === 'second');
  await expect.poll(seconds).toHaveLength(3);
  expect(seconds().map(({ detail }) => detail)).toEqual([{ duration: 0 }, { duration: 1 }, { duration: 2 }]);
  const [first, , third] = seconds().map(({ at }) => at);
  expect(Number(third) - Number(first) > 1500, 'about two seconds between them').toBeTruthy();
});

test('the data of a call are there from its first event', async ({ bench }) => {
  await bench.register();
  await bench.dial(RINGS, null, 'abc123');
  const { detail } = await bench.journal.until(/^onCallProgress/);
  const { call } = detail as { call: Record<string, unknown> };
  expect(call['phoneNumber']).toBe(RINGS);
  expect(call['direction']).toBe('outgoing');
  expect(call['externalCallId']).toBe('abc123');
  expect(call['id'], 'an id').toBeTruthy();
  expect(call['startTime'], 'a start time').toBeTruthy();
});
