/** Calls that are refused or given up: one text each, and the status nowhere. */
import { ANSWERS, RINGS } from './bench.ts';
import { CANCELLED, DIALING, failed } from './texts.ts';
import { expect, test } from './fixtures.ts';

const NO_MONEY = '0900000402';

/** How long a SIP request without an answer is waited for, and some more. */
const UNANSWERED_MS = 36_000;

/** Some replies are put into the SDK's own words, whatever their phrase; of the others the exchange's is passed on. */
const REFUSALS = [
  [403, 'Forbidden', 'onError'],
  [480, 'Người gọi Không thể liên lạc được', 'onInfo'],
  [486, 'Thuê bao đang bận', 'onInfo'],
  [487, 'Cuộc gọi đã kết thúc', 'onInfo'],
  [404, 'Not Found', 'onError'],
  [408, 'Request Timeout', 'onError'],
  [500, 'Internal Server Error', 'onError'],
  [503, 'Service Unavailable', 'onError'],
  [603, 'Decline', 'onError'],
] as const;

/** The phrase beside 402, and what becomes of it. */
const PHRASES = [
  ['the standard phrase', 'Payment Required', 'Payment Required'],
  ['a Vietnamese phrase', 'Tài khoản không đủ số dư', 'Tài khoản không đủ số dư'],
  ['an empty phrase', '', 'SIP Failure Code'],
] as const;

for (const [name, phrase, text] of PHRASES) {
  for (const paymentRefusal of ['at-once', 'after-ringing'] as const) {
    test(`402 with ${name}, ${paymentRefusal}`, async ({ bench }) => {
      const { world, journal } = bench;
      world.setSettings({ ...world.settings, paymentPhrase: phrase, paymentRefusal });
      await bench.register();
      await bench.dial(NO_MONEY);
      const rang = paymentRefusal === 'after-ringing';
      await journal.expectCall([...DIALING, ...failed(text, 'onError', rang)]);
      journal.expectOrder(['402 INVITE', 'onCallStateChange idle']);
    });
  }
}

for (const [status, text, said] of REFUSALS) {
  test(`${status} is told as "${text}"`, async ({ bench }) => {
    await bench.register();
    await bench.dial(`0900000${status}`);
    await bench.journal.expectCall([...DIALING, ...failed(text, said)]);
    expect((await bench.exchange.call()).finalStatus).toBe(status);
  });
}

test('an exchange that says nothing is given up after 32 s, like a cancel', async ({ bench }) => {
  bench.world.faults.set('invite', { kind: 'silent' });
  await bench.register();
  await bench.dial(ANSWERS);
  await bench.journal.until(/^onCallFailed/, 0, UNANSWERED_MS);
  await bench.journal.expectCall([...DIALING, ...failed(CANCELLED, 'onInfo')]);
});

test('the own cancel while it rings is a failure too', async ({ bench }) => {
  await bench.register();
  await bench.dial(RINGS);
  await bench.journal.until('180 INVITE');
  await bench.invoke('hangupCall');
  await bench.journal.expectCall([...DIALING, ...failed(CANCELLED, 'onInfo', true)]);
  await bench.journal.until('487 INVITE');
  bench.journal.expectOrder([/^CANCEL /, '487 INVITE']);
});

test('the own cancel before it rings is a failure too', async ({ bench }) => {
  bench.world.faults.set('invite', { kind: 'silent' });
  await bench.register();
  await bench.dial(ANSWERS);
  await bench.journal.until(/^INVITE /);
  await bench.invoke('hangupCall');
  await bench.journal.expectCall([...DIALING, ...failed(CANCELLED, 'onInfo')]);
});
