/** Boots that come to nothing, or take long: the account, the socket and the registration may each be refused. */
import assert from 'node:assert/strict';
import type { Fault } from '../../../demo/sandbox/world/world.ts';
import { ANSWERS, type Bench } from '../bench.ts';
import { varying, type Family, type Scenario } from '../scenario.ts';
import { NOT_REGISTERED } from '../texts.ts';

const INFO = '/api/sdk/info';

/** One text for everything that can go wrong with the account. */
const FAILED = 'Khởi tạo SDK thất bại';

const REGISTRATION_FAILED = ['onError Đăng ký Client thất bại', 'onUserConnectionFailed Kết nối thất bại'];

/** How long a SIP request without an answer is waited for, and some more. */
const UNANSWERED_MS = 36_000;

export const refusedBoot: Family = {
  name: 'refused boot',
  scenarios: [
    {
      name: 'a registration without an answer is given up after 32 s',
      isSlow: true,
      run: ignoreRegistration,
    },
    { name: 'a refused registration is reported and final', isSlow: true, run: refuseRegistration },
    { name: 'a refused socket is tried again, and not reported', isSlow: true, run: refuseSocket },
    ...varying(
      [
        refused('an account refused with error 401', { kind: 'error', value: 401 }),
        refused('an API that cannot be reached', { kind: 'drop' }),
        refused('an account refused with HTTP 500', { kind: 'status', value: 500 }),
        refused('an account that is no JSON', { kind: 'garbage' }),
        refused('an account cut in half', { kind: 'cut' }),
      ],
      2,
    ),
    { name: 'a member without accounts fails the boot, after the hotlines', run: bootWithoutAccount },
  ],
};

async function ignoreRegistration(bench: Bench): Promise<void> {
  bench.world.faults.set('register', { kind: 'silent' });
  await bench.insert();
  await bench.journal.until(/^onUserConnectionFailed/, 0, UNANSWERED_MS);
  bench.journal.expectOrder(['onConnected', ...REGISTRATION_FAILED]);
}

async function refuseRegistration(bench: Bench): Promise<void> {
  const { journal } = bench;
  bench.world.faults.set('register', { kind: 'status', value: 403, times: 1 });
  await bench.insert();
  await journal.until(/^onUserConnectionFailed/);
  journal.expectOrder(['onConnected', '403 REGISTER', ...REGISTRATION_FAILED]);
  const mark = journal.mark();
  await bench.dial(ANSWERS);
  await journal.quiet(2500);
  assert.deepEqual(journal.texts('sdk', mark), [`onError ${NOT_REGISTERED}`]);
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
