/** The same failure again: it fails again, but an error is not said again within 3 s. */
import { DIALING, failed } from './texts.ts';
import { test } from './fixtures.ts';

const NO_MONEY = '0900000402';
const BUSY = '0900000486';
const REPEAT_MS = 3000;

test('402 twice in a row fails twice, though the error is said once', async ({ bench }) => {
  const text = 'Payment Required';
  await bench.register();
  await bench.dial(NO_MONEY);
  await bench.journal.expectCall([...DIALING, ...failed(text, 'onError')]);
  const mark = bench.journal.mark();
  await bench.dial(NO_MONEY);
  await bench.journal.expectCall([...DIALING, ...failed(text, 'onError').slice(0, -1)], mark);
});

test('402 again after 3 s is said again', async ({ bench }) => {
  const failure = [...DIALING, ...failed('Payment Required', 'onError')];
  await bench.register();
  await bench.dial(NO_MONEY);
  await bench.journal.expectCall(failure);
  await bench.page.waitForTimeout(REPEAT_MS);
  const mark = bench.journal.mark();
  await bench.dial(NO_MONEY);
  await bench.journal.expectCall(failure, mark);
});

test('486 twice in a row fails twice, and the failure is reported twice', async ({ bench }) => {
  const failure = [...DIALING, ...failed('Thuê bao đang bận', 'onInfo')];
  await bench.register();
  await bench.dial(BUSY);
  await bench.journal.expectCall(failure);
  const mark = bench.journal.mark();
  await bench.dial(BUSY);
  await bench.journal.expectCall(failure, mark);
});
