/** Boots that come to nothing, or take long: the account, the socket and the registration may each be refused. */
import type { Fault } from '../../world/world.ts';
import { ANSWERS } from './bench.ts';
import { NOT_REGISTERED } from './texts.ts';
import { expect, test } from './fixtures.ts';

const INFO = '/api/sdk/info';

/** One text for everything that can go wrong with the account. */
const FAILED = 'Khởi tạo SDK thất bại';

const REGISTRATION_FAILED = ['onError Đăng ký Client thất bại', 'onUserConnectionFailed Kết nối thất bại'];

/** How long a SIP request without an answer is waited for, and some more. */
const UNANSWERED_MS = 36_000;

const REFUSALS: readonly (readonly [what: string, fault: Fault])[] = [
  ['an account refused with error 401', { kind: 'error', value: 401 }],
  ['an API that cannot be reached', { kind: 'drop' }],
  ['an account refused with HTTP 500', { kind: 'status', value: 500 }],
  ['an account that is not JSON', { kind: 'garbage' }],
  ['an account cut in half', { kind: 'cut' }],
];

for (const [what, fault] of REFUSALS) {
  test(`${what} fails the boot, with the one text, and is not tried again`, async ({ bench }) => {
    bench.world.faults.set(INFO, fault);
    await bench.insert();
    await bench.journal.until(/^onUserConnectionFailed/);
    await bench.journal.quiet(1000);
    expect(bench.journal.texts('sdk')).toEqual([
      'onHotlinesUpdated 0',
      `onError ${FAILED}`,
      `onUserConnectionFailed ${FAILED}`,
    ]);
    expect(bench.journal.texts('http').filter((text) => text.endsWith(INFO))).toHaveLength(1);
  });
}

test('a registration without an answer is given up after 32 s', async ({ bench }) => {
  bench.world.faults.set('register', { kind: 'silent' });
  await bench.insert();
  await bench.journal.until(/^onUserConnectionFailed/, 0, UNANSWERED_MS);
  bench.journal.expectOrder(['onConnected', ...REGISTRATION_FAILED]);
});

test('a refused registration is reported and final', async ({ bench }) => {
  const { journal } = bench;
  bench.world.faults.set('register', { kind: 'status', value: 403, times: 1 });
  await bench.insert();
  await journal.until(/^onUserConnectionFailed/);
  journal.expectOrder(['onConnected', '403 REGISTER', ...REGISTRATION_FAILED]);
  const mark = journal.mark();
  await bench.dial(ANSWERS);
  await journal.quiet(2500);
  expect(journal.texts('sdk', mark)).toEqual([`onError ${NOT_REGISTERED}`]);
  expect(journal.texts('sent', mark)).toEqual([]);
});

test('a refused socket is tried again, and not reported', async ({ bench }) => {
  bench.world.faults.set('socket', { kind: 'drop', times: 2 });
  await bench.register();
  expect(bench.journal.texts('sdk').slice(2)).toEqual([
    'onConnecting',
    'onConnecting',
    'onConnecting',
    'onConnected',
    'onUserConnected',
  ]);
});

test('a member without accounts fails the boot, after the hotlines', async ({ bench }) => {
  const json = { error: 0, message: 'success', data: { pid: 9001, accounts: [] } };
  await bench.page.route(`**${INFO}`, (route) => route.fulfill({ json }));
  await bench.insert();
  await bench.journal.until(/^onUserConnectionFailed/);
  expect(bench.journal.texts('sdk')).toEqual([
    'onHotlinesUpdated 0',
    'onHotlinesUpdated 2',
    `onError ${FAILED}`,
    `onUserConnectionFailed ${FAILED}`,
  ]);
});
