/** The element taken out of the page: the client goes, and nobody tells. */
import assert from 'node:assert/strict';
import { RINGS, type Bench } from '../bench.ts';
import type { Family } from '../scenario.ts';
import { expectUnregistered } from '../unregistered.ts';
import { eventually } from '../wait.ts';

const INFO = /^POST .*sdk\/info$/;

export const removal: Family = {
  name: 'removal',
  scenarios: [
    { name: 'removed while idle: unregistered, and no event tells', run: removeIdle },
    { name: 'removed in a call: BYE, and no event tells', isSlow: true, run: removeInCall },
    { name: 'removed while it rings there: CANCEL, and no event tells', run: removeWhileDialling },
    { name: 'removed while the account is asked for: it registers all the same', run: removeWhileBooting },
    { name: 'the page left in a call: the socket closes, without BYE', run: leavePage },
  ],
};

async function removeIdle(bench: Bench): Promise<void> {
  await bench.register();
  const mark = bench.journal.mark();
  await bench.page.evaluate(() => widget.remove());
  await expectUnregistered(bench);
  await bench.journal.expectNone('sdk', /^on/, mark);
  assert.equal(await bench.page.locator('audio').count(), 0, 'it takes its own <audio> away');
}

async function removeInCall(bench: Bench): Promise<void> {
  const call = await bench.converse();
  const mark = bench.journal.mark();
  await bench.page.evaluate(() => widget.remove());
  await bench.journal.until(/^BYE /, mark);
  await eventually(() => call.endedBy === 'caller', 'the end of the call');
  await expectUnregistered(bench);
  await bench.journal.expectNone('sdk', /^on/, mark);
  assert.deepEqual(await bench.microphones(), ['ended']);
}

async function removeWhileDialling(bench: Bench): Promise<void> {
  await bench.register();
  await bench.dial(RINGS);
  await bench.journal.until('180 INVITE');
  const mark = bench.journal.mark();
  await bench.page.evaluate(() => widget.remove());
  await bench.journal.until(/^CANCEL /, mark);
  await expectUnregistered(bench);
  await bench.journal.expectNone('sdk', /^on/, mark);
}

async function removeWhileBooting(bench: Bench): Promise<void> {
  bench.world.faults.set('/api/sdk/info', { kind: 'slow', value: 500 });
  await bench.insert();
  await bench.journal.until(INFO);
  await bench.page.evaluate(() => widget.remove());
  const mark = bench.journal.mark();
  await eventually(async () => (await bench.exchange.registrations()).length === 1, 'a registration');
  await bench.journal.expectNone('sdk', /^on/, mark);
}

async function leavePage(bench: Bench): Promise<void> {
  const call = await bench.converse();
  await bench.page.goto('about:blank');
  await eventually(async () => (await bench.exchange.registrations()).length === 0, 'a closed socket');
  await bench.journal.expectNone('sent', /^BYE/);
  assert.equal(call.state, 'answered');
}
