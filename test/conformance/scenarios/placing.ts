/** The element moved, put back and doubled. One page has one client, whatever its elements do. */
import assert from 'node:assert/strict';
import { ANSWERS, RINGS, type Bench } from '../bench.ts';
import type { Family } from '../scenario.ts';
import { expectUnregistered } from '../unregistered.ts';
import { eventually } from '../wait.ts';

const INFO_PATH = '/api/sdk/info';
const INFO = `POST /vendor/v3.0${INFO_PATH}`;
const A_WHILE_MS = 800;

export const placing: Family = {
  name: 'placing',
  scenarios: [
    { name: 'removed and put back in one task: a second boot, one registration', run: removeAndAdd },
    {
      name: 'the same while booting: both boots run, and the second connects nothing',
      isSlow: true,
      run: removeAndAddBooting,
    },
    { name: 'moved in a call: BYE, a new boot, and then the end is told', isSlow: true, run: moveInCall },
    { name: 'two elements: two boots, one client, every event on both', run: doubleElement },
    { name: 'two elements: removing one takes the client from both', run: removeOneOfTwo },
    { name: 'another token counts from the next insertion on', run: changeToken },
  ],
};

const boots = ({ journal }: Bench): number => journal.texts('http').filter((text) => text === INFO).length;

/** Takes the element out and puts it back before anything else can happen. */
const reinsert = ({ page }: Bench): Promise<void> =>
  page.evaluate(() => {
    const place = widget.parentNode;
    widget.remove();
    place?.append(widget);
  });

async function removeAndAdd(bench: Bench): Promise<void> {
  await bench.register();
  const mark = bench.journal.mark();
  await reinsert(bench);
  await bench.journal.until('onUserConnected', mark);
  bench.journal.expectOrder(['onDisconnected', 'onUserDisconnected', 'onConnecting', 'onConnected'], mark);
  await bench.journal.quiet();
  assert.equal(boots(bench), 2);
  await eventually(async () => (await bench.exchange.registrations()).length === 1, 'one registration');
  await bench.dial(ANSWERS);
  await bench.journal.until(/^onCallAccepted/, mark);
}

async function moveInCall(bench: Bench): Promise<void> {
  const call = await bench.converse();
  const mark = bench.journal.mark();
  await bench.page.evaluate(() => {
    const place = document.createElement('div');
    document.body.append(place);
    place.append(widget);
  });
  await bench.journal.until('onUserConnected', mark);
  await bench.journal.quiet();
  const told = ['onDisconnected', 'onUserDisconnected', 'onCallStateChange idle'];
  const booted = ['onConnecting', 'onConnected', 'onUserConnected'];
  assert.deepEqual(bench.journal.texts('sdk', mark), [
    ...told,
    'onCallEnded outgoing with session',
    ...booted,
  ]);
  bench.journal.expectOrder([/^BYE /], mark);
  assert.equal(call.endedBy, 'caller');
  assert.equal(boots(bench), 2);
}

async function changeToken(bench: Bench): Promise<void> {
  const { journal, page } = bench;
  const other = bench.world.createMember('agent002', ['HL_SALES']);
  await bench.register();
  const mark = journal.mark();
  await page.evaluate((token) => widget.setAttribute('token', token), bench.world.issueToken(other.memberNo));
  await journal.quiet(A_WHILE_MS);
  assert.deepEqual(journal.texts('sdk', mark), []);
  await reinsert(bench);
  await journal.until('onUserConnected', mark);
  const registered = (await bench.exchange.registrations()).map(({ memberNo }) => memberNo);
  assert.ok(registered.includes(other.memberNo), 'the other member is registered');
}

async function removeAndAddBooting(bench: Bench): Promise<void> {
  const { journal, world } = bench;
  world.faults.set(INFO_PATH, { kind: 'slow', value: 500, times: 1 });
  await bench.insert();
  await eventually(() => !world.faults.has(INFO_PATH), 'the first boot at the API');
  world.faults.set(INFO_PATH, { kind: 'slow', value: 1500, times: 1 });
  await reinsert(bench);
  await journal.until('onUserConnected');
  const mark = journal.mark();
  await journal.until('onConnecting', mark);
  await journal.quiet(A_WHILE_MS);
  assert.deepEqual(journal.texts('sdk', mark), ['onConnecting']);
  assert.equal(boots(bench), 2);
  assert.equal((await bench.exchange.registrations()).length, 1);
}

async function insertSecond(bench: Bench): Promise<void> {
  await bench.page.evaluate(() => {
    const second = widget.cloneNode(true) as HTMLElement;
    watch(second, 'second');
    document.body.append(second);
  });
}

async function doubleElement(bench: Bench): Promise<void> {
  const { journal } = bench;
  await bench.insert();
  await insertSecond(bench);
  await journal.until('onUserConnected');
  await journal.until('onUserConnected second');
  await journal.quiet();
  assert.equal(boots(bench), 2);
  assert.equal((await bench.exchange.registrations()).length, 1);
  await bench.dial(RINGS);
  await journal.until('onCallStateChange dialing');
  await journal.until('onCallStateChange dialing second');
  assert.equal((await bench.exchange.call()).number, RINGS);
  await journal.quiet();
  assert.equal(bench.exchange.calls.length, 1);
}

async function removeOneOfTwo(bench: Bench): Promise<void> {
  const { journal } = bench;
  await bench.insert();
  await insertSecond(bench);
  await journal.until('onUserConnected second');
  await journal.quiet();
  const mark = journal.mark();
  await bench.page.evaluate(() => document.querySelectorAll('vbot-widget')[1]?.remove());
  await journal.until('onUserDisconnected', mark);
  await expectUnregistered(bench);
  await bench.dial(ANSWERS);
  await journal.until('onError Client chưa được khởi tạo', mark);
}
