/** The same failure again: it fails again, but an error is not said again within 3 s. */
import { type Bench } from '../bench.ts';
import type { Family } from '../scenario.ts';
import { DIALING, failed } from '../texts.ts';
import { pause } from '../wait.ts';

const NO_MONEY = '0900000402';
const BUSY = '0900000486';
const REPEAT_MS = 3000;

export const repeats: Family = {
  name: 'repeats',
  scenarios: [
    { name: '402 twice in a row fails twice, though the error is said once', run: failTwice },
    { name: '402 again after 3 s is said again', isSlow: true, run: failAgainLater },
    { name: '486 twice in a row fails twice, and the failure is reported twice', run: busyTwice },
  ],
};

async function failTwice(bench: Bench): Promise<void> {
  const text = 'Payment Required';
  await bench.register();
  await bench.dial(NO_MONEY);
  await bench.journal.expectCall([...DIALING, ...failed(text, 'onError')]);
  const mark = bench.journal.mark();
  await bench.dial(NO_MONEY);
  await bench.journal.expectCall([...DIALING, ...failed(text, 'onError').slice(0, -1)], mark);
}

async function failAgainLater(bench: Bench): Promise<void> {
  const failure = [...DIALING, ...failed('Payment Required', 'onError')];
  await bench.register();
  await bench.dial(NO_MONEY);
  await bench.journal.expectCall(failure);
  await pause(REPEAT_MS);
  const mark = bench.journal.mark();
  await bench.dial(NO_MONEY);
  await bench.journal.expectCall(failure, mark);
}

async function busyTwice(bench: Bench): Promise<void> {
  const failure = [...DIALING, ...failed('Thuê bao đang bận', 'onInfo')];
  await bench.register();
  await bench.dial(BUSY);
  await bench.journal.expectCall(failure);
  const mark = bench.journal.mark();
  await bench.dial(BUSY);
  await bench.journal.expectCall(failure, mark);
}
