/** Calls that are placed and answered: what is said, in which order, and what reaches the exchange. */
import assert from 'node:assert/strict';
import { ANSWERS, RINGS, type Bench } from '../bench.ts';
import type { Family } from '../scenario.ts';
import { ACCEPTED, DIALING, ended, over } from '../texts.ts';
import { eventually } from '../wait.ts';

const EARLY_MEDIA = '0900000183';
const INVITE = /^INVITE /;
const ENDED = ended(ANSWERS);

export const outgoing: Family = {
  name: 'outgoing',
  scenarios: [
    { name: 'answered, then hung up here', run: hangUpHere },
    { name: 'answered, then hung up there', run: hangUpThere },
    { name: 'hung up there within 150 ms: all events arrive', run: hangUpThereAtOnce },
    { name: 'early media is heard before the answer, and no event tells', isSlow: true, run: hearEarlyMedia },
    { name: 'dialing, its progress and the promise come before the INVITE', run: dialBeforeInvite },
    { name: 'the session appears with the ringing, which has no event', run: findSessionWhenRinging },
    { name: 'the seconds of a call are counted from 0', isSlow: true, run: countSeconds },
    { name: 'the data of a call are there from its first event', run: knowCallData },
  ],
};

async function hangUpHere(bench: Bench): Promise<void> {
  const call = await bench.converse();
  await bench.invoke('hangupCall');
  const farewell = `onInfo ${ENDED}`;
  await bench.journal.expectCall([...DIALING, ...ACCEPTED, farewell, ...over('outgoing'), farewell]);
  assert.equal(call.endedBy, 'caller');
  assert.equal(call.finalStatus, 200);
}

async function hangUpThere(bench: Bench): Promise<void> {
  const call = await bench.converse();
  await bench.exchange.hangUp(call);
  await bench.journal.expectCall([...DIALING, ...ACCEPTED, ...over('outgoing'), `onInfo ${ENDED}`]);
}

async function hangUpThereAtOnce(bench: Bench): Promise<void> {
  await bench.register();
  await bench.dial(ANSWERS);
  const call = await bench.exchange.call();
  await eventually(() => call.state === 'answered', 'the answer');
  await bench.exchange.hangUp(call);
  await bench.journal.expectCall([...DIALING, ...ACCEPTED, ...over('outgoing'), `onInfo ${ENDED}`]);
}

async function hearEarlyMedia(bench: Bench): Promise<void> {
  await bench.register();
  await bench.dial(EARLY_MEDIA);
  await bench.journal.until('183 INVITE');
  await eventually(async () => (await bench.audioEnergy()) > 0, 'the ringback of the other party');
  assert.equal((await bench.exchange.call()).state, 'ringing');
  await bench.journal.expectCall([...DIALING, ...ACCEPTED]);
}

async function dialBeforeInvite(bench: Bench): Promise<void> {
  await bench.register();
  const mark = bench.journal.mark();
  await bench.dial(RINGS);
  await bench.journal.until(INVITE);
  const order = ['microphone asked for', ...DIALING, 'makeCall resolved undefined', INVITE];
  bench.journal.expectOrder(order, mark);
}

async function findSessionWhenRinging(bench: Bench): Promise<void> {
  const hasSession = () => bench.page.evaluate(() => Boolean(widget.getCallData()?.session));
  bench.world.faults.set('invite', { kind: 'slow', value: 800 });
  await bench.register();
  await bench.dial(RINGS);
  await bench.journal.until(INVITE);
  const mark = bench.journal.mark();
  assert.equal(await hasSession(), false);
  await bench.journal.until('180 INVITE');
  await eventually(hasSession, 'the session in the call data');
  await bench.journal.expectNone('sdk', /^on/, mark);
}

async function countSeconds(bench: Bench): Promise<void> {
  await bench.converse();
  const seconds = () => bench.journal.entries.filter(({ kind }) => kind === 'second');
  await eventually(() => seconds().length === 3, 'three durations');
  assert.deepEqual(
    seconds().map(({ detail }) => detail),
    [{ duration: 0 }, { duration: 1 }, { duration: 2 }],
  );
  const [first, , third] = seconds().map(({ at }) => at);
  assert.ok(Number(third) - Number(first) > 1500, 'about two seconds between them');
}

async function knowCallData(bench: Bench): Promise<void> {
  await bench.register();
  await bench.dial(RINGS, null, 'abc123');
  const { detail } = await bench.journal.until(/^onCallProgress/);
  const { call } = detail as { call: Record<string, unknown> };
  assert.equal(call['phoneNumber'], RINGS);
  assert.equal(call['direction'], 'outgoing');
  assert.equal(call['externalCallId'], 'abc123');
  assert.ok(call['id'], 'an id');
  assert.ok(call['startTime'], 'a start time');
}
