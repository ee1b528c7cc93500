/** From the element's insertion to its registration, and what may come between. */
import assert from 'node:assert/strict';
import type { Fault } from '../../../demo/sandbox/world.ts';
import { ANSWERS, type Bench } from '../bench.ts';
import type { Family, Scenario } from '../scenario.ts';

const INFO = '/api/sdk/info';
const HOTLINES = '/api/sdk/getHotline';
const REGISTER = /^REGISTER /;

/** One text for everything that can go wrong with the account. */
const FAILED = 'Khởi tạo SDK thất bại';

export const boot: Family = {
  name: 'boot',
  scenarios: [
    { name: 'hotlines, socket and registration come one after the other', run: bootWell },
    refused('an account refused with error 401', { kind: 'error', value: 401 }),
    refused('an account refused with HTTP 500', { kind: 'status', value: 500 }),
    refused('an account that is no JSON', { kind: 'garbage' }),
    refused('an API that cannot be reached', { kind: 'drop' }),
    { name: 'a member without accounts fails the boot, after the hotlines', run: bootWithoutAccount },
    { name: 'a slow account is not reported; a call meanwhile is refused', run: bootSlowly },
    { name: 'without hotlines it registers, and calls without one', run: bootWithoutHotlines },
    { name: 'hotlines that cannot be had are as good as none', run: bootWithoutHotlineAnswer },
    { name: 'a refused registration is reported and final', run: refuseRegistration },
    { name: 'a refused socket is tried again, and not reported', run: refuseSocket },
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
  assert.equal((await bench.registrations()).length, 1);
  assert.deepEqual(await bench.page.evaluate(() => widget.getHotlines()), [
    { name: 'Sales', number: '842899990001' },
    { name: 'Support', number: '842899990002' },
  ]);
}

function refused(what: string, fault: Fault): Scenario {
  return {
    name: `${what} fails the boot, with the one text, and is not tried again`,
    run: async (bench) => {
      bench.world.faults.set(INFO, fault);
      await bench.insert();
      await bench.journal.until(/^onUserConnectionFailed/);
      await bench.journal.quiet(1000);
      assert.deepEqual(bench.journal.texts('sdk'), [
        'onHotlinesUpdated 0',
        `onError ${FAILED}`,
        `onUserConnectionFailed ${FAILED}`,
      ]);
      assert.equal(bench.journal.texts('http').filter((text) => text.endsWith(INFO)).length, 1);
    },
  };
}

async function bootWithoutAccount(bench: Bench): Promise<void> {
  const json = { error: 0, message: 'success', data: { pid: 9001, accounts: [] } };
  await bench.page.route(`**${INFO}`, (route) => route.fulfill({ json }));
  await bench.insert();
  await bench.journal.until(/^onUserConnectionFailed/);
  assert.deepEqual(bench.journal.texts('sdk'), [
    'onHotlinesUpdated 0',
    'onHotlinesUpdated 2',
    `onError ${FAILED}`,
    `onUserConnectionFailed ${FAILED}`,
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

async function refuseRegistration(bench: Bench): Promise<void> {
  const { journal } = bench;
  bench.world.faults.set('register', { kind: 'status', value: 403, times: 1 });
  await bench.insert();
  await journal.until(/^onUserConnectionFailed/);
  journal.expectOrder([
    'onConnected',
    '403 REGISTER',
    'onError Đăng ký Client thất bại',
    'onUserConnectionFailed Kết nối thất bại',
  ]);
  const mark = journal.mark();
  await bench.dial(ANSWERS);
  await journal.quiet(2500);
  assert.deepEqual(journal.texts('sdk', mark), ['onError Client chưa đăng ký']);
  assert.deepEqual(journal.texts('sent', mark), []);
}

async function refuseSocket(bench: Bench): Promise<void> {
  bench.world.faults.set('socket', { kind: 'drop', times: 2 });
  await bench.register();
  assert.deepEqual(bench.journal.texts('sdk').slice(2), [
    'onConnecting',
    'onConnecting',
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
