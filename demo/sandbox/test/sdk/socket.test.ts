/** The socket lost: while idle, while a call is being set up, and during one. It comes back by itself. */
import { ANSWERS, RINGS } from './bench.ts';
import { CANCELLED, ended, failed, NOT_REGISTERED, over, RINGING } from './texts.ts';
import { expect, test } from './fixtures.ts';

const LOST = ['onDisconnected', 'onUserDisconnected'];
const BACK = ['onConnecting', 'onConnected', 'onUserConnected'];

test('the socket lost while idle: back after 2 s, without HTTP', async ({ bench }) => {
  const { journal } = bench;
  await bench.register();
  const mark = journal.mark();
  await bench.exchange.dropSockets();
  const lost = await journal.until('onDisconnected', mark);
  const trying = await journal.until('onConnecting', mark);
  await journal.until('onUserConnected', mark);
  await journal.quiet();
  expect(journal.texts('sdk', mark)).toEqual([...LOST, ...BACK]);
  expect(journal.texts('http', mark)).toEqual([]);
  const waited = trying.at - lost.at;
  expect(waited > 1500 && waited < 3500, `tried again after ${waited.toFixed()} ms`).toBeTruthy();
  await bench.dial(ANSWERS);
  await journal.until(/^onCallAccepted/, mark);
});

test('the socket lost before the exchange has answered the registration: no phone is left', async ({
  bench,
}) => {
  bench.world.faults.set('register', { kind: 'slow', value: 1500 });
  await bench.insert();
  await bench.journal.until('401 REGISTER');
  // The SDK has answered the challenge by now.
  await bench.page.waitForTimeout(500);
  await bench.exchange.dropSockets();
  await bench.page.evaluate(() => widget.remove());
  await bench.page.waitForTimeout(2000);
  expect(await bench.exchange.registrations()).toEqual([]);
});

test('while the socket is lost, calls are refused', async ({ bench }) => {
  await bench.register();
  const mark = bench.journal.mark();
  await bench.exchange.dropSockets();
  await bench.journal.until('onUserDisconnected', mark);
  await bench.dial(ANSWERS);
  bench.journal.expectOrder([`onError ${NOT_REGISTERED}`, 'makeCall resolved undefined'], mark);
  await bench.journal.expectNone('sdk', /^onCall/, mark);
});

test('the socket lost while it rings there: the call ends at once, without CANCEL', async ({ bench }) => {
  const { journal } = bench;
  await bench.register();
  await bench.dial(RINGS);
  await journal.until('180 INVITE');
  const mark = journal.mark();
  await bench.exchange.dropSockets();
  await journal.until('onUserConnected', mark);
  expect(journal.texts('sdk', mark)).toEqual([...failed(CANCELLED, 'onInfo', true), ...LOST, ...BACK]);
  await journal.expectNone('sent', /^CANCEL/, mark);
});

test('the socket lost while it rings here: it rings on, and an answer reaches nobody; hung up, all is closed', async ({
  bench,
}) => {
  const { journal } = bench;
  await bench.ring();
  const mark = journal.mark();
  await bench.exchange.dropSockets();
  await journal.until('onUserConnected', mark);
  expect(journal.texts('sdk', mark)).toEqual([...LOST, ...BACK]);
  await bench.invoke('answerCall');
  await expect.poll(() => bench.microphones()).toHaveLength(2);
  await journal.quiet();
  await journal.expectNone('sent', /^SIP\/2.0 200/, mark);
  expect(journal.callEvents(mark)).toEqual([]);
  expect(await bench.microphones()).toEqual(['live', 'live']);
  await bench.invoke('hangupCall');
  const failure = ['onCallFailed Rejected', 'onError Rejected'];
  await bench.journal.expectCall([...RINGING, ...over('incoming'), ...failure]);
  expect(await bench.microphones()).toEqual(['ended', 'ended']);
});

test('the socket lost in a call: it goes on, and ends with BYE over the next socket', async ({ bench }) => {
  const { journal } = bench;
  const call = await bench.converse();
  const mark = journal.mark();
  await bench.exchange.dropSockets();
  await journal.until('onUserConnected', mark);
  expect(journal.texts('sdk', mark)).toEqual([...LOST, ...BACK]);
  expect(await bench.page.evaluate(() => widget.getCallState())).toBe('in-call');
  const { audioPackets } = call;
  await expect.poll(() => call.audioPackets).toBeGreaterThan(audioPackets);
  await bench.invoke('hangupCall');
  await journal.until(/^BYE /, mark);
  await expect.poll(() => call.endedBy).toBe('caller');
});

test('hung up while offline: over at once here, and never told there', async ({ bench }) => {
  const call = await bench.converse();
  bench.world.faults.set('socket', { kind: 'drop' });
  const mark = bench.journal.mark();
  await bench.exchange.dropSockets();
  await bench.journal.until('onUserDisconnected', mark);
  await bench.invoke('hangupCall');
  const farewell = `onInfo ${ended(ANSWERS)}`;
  await bench.journal.expectCall([farewell, ...over('outgoing'), farewell], mark);
  expect(call.state).toBe('answered');
});
