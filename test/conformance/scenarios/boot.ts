/** From the element's insertion to its registration, and what may come between. */
import assert from 'node:assert/strict';
import { ANSWERS, type Bench } from '../bench.ts';
import type { Family } from '../scenario.ts';

const INFO = '/api/sdk/info';
const HOTLINES = '/api/sdk/getHotline';
const REGISTER = /^REGISTER /;

export const boot: Family = {
  name: 'boot',
  scenarios: [
    { name: 'hotlines, socket and registration come one after the other', isSlow: true, run: bootWell },
    { name: 'a slow account is not reported; a call meanwhile is refused', isSlow: true, run: bootSlowly },
    { name: 'without hotlines it registers, and calls without one', isSlow: true, run: bootWithoutHotlines },
    { name: 'hotlines that cannot be had are as good as none', run: bootWithoutHotlineAnswer },
    { name: 'without a token nothing happens, not even when it comes later', run: bootWithoutToken },
  ],
};

async function bootWell(bench: Bench): Promise<void> {
  const { journal } = bench;
  await bench.register();
  await journal.quiet();
  assert.deepEqual(journal.texts('sdk'), [
    'onHotlinesUpdated 0',
    'onHotlinesUpdated 2',
    'onConnecting',
    'onConnected',
    'onUserConnected',
  ]);
  journal.expectOrder([/^POST .*sdk\/info$/, /^GET .*sdk\/getHotline$/, 'onHotlinesUpdated 2']);
  journal.expectOrder(['onConnected', REGISTER, '401 REGISTER', REGISTER, '200 REGISTER', 'onUserConnected']);
  assert.equal((await bench.exchange.registrations()).length, 1);
  assert.deepEqual(await bench.page.evaluate(() => widget.getHotlines()), [
    { name: 'Sales', number: '842899990001' },
    { name: 'Support', number: '842899990002' },
  ]);
}

async function bootSlowly(bench: Bench): Promise<void> {
  const { journal } = bench;
  bench.world.faults.set(INFO, { kind: 'slow', value: 1000 });
  await bench.insert();
  await bench.dial(ANSWERS);
  journal.expectOrder(['onError Client chưa được khởi tạo', 'makeCall resolved undefined']);
  await journal.until('onUserConnected');
  await journal.expectNone('sdk', /^onCall/);
}

async function bootWithoutHotlines(bench: Bench): Promise<void> {
  const { journal } = bench;
  bench.world.setAssignments(bench.member, []);
  await bench.register();
  await bench.dial(ANSWERS);
  await journal.until(/^INVITE sip:9001\*0900000200@/);
  assert.deepEqual(journal.texts('sdk').slice(0, 4), [
    'onHotlinesUpdated 0',
    'onConnecting',
    'onConnected',
    'onUserConnected',
  ]);
}

async function bootWithoutHotlineAnswer(bench: Bench): Promise<void> {
  bench.world.faults.set(HOTLINES, { kind: 'status', value: 500 });
  await bench.register();
  await bench.journal.quiet();
  assert.deepEqual(bench.journal.texts('sdk'), [
    'onHotlinesUpdated 0',
    'onConnecting',
    'onConnected',
    'onUserConnected',
  ]);
}

async function bootWithoutToken(bench: Bench): Promise<void> {
  const { journal } = bench;
  const token = bench.world.issueToken(bench.member.memberNo);
  await bench.insert({ token: null });
  await bench.page.evaluate((late) => widget.setAttribute('token', late), token);
  await journal.quiet(1000);
  assert.deepEqual(journal.texts('sdk'), ['onHotlinesUpdated 0']);
  await journal.expectNone('http', /sdk\/(?:info|getHotline)/);
}
