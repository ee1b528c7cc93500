/** Calls that are refused or given up: one text each, and the status nowhere. */
import assert from 'node:assert/strict';
import type { Settings } from '../../../demo/sandbox/world/world.ts';
import { ANSWERS, RINGS, type Bench } from '../bench.ts';
import { varying, type Family, type Scenario } from '../scenario.ts';
import { CANCELLED, DIALING, failed } from '../texts.ts';

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

export const failures: Family = {
  name: 'failures',
  scenarios: [
    {
      name: 'an exchange that says nothing is given up after 32 s, like a cancel',
      isSlow: true,
      run: dialSilence,
    },
    ...varying(
      PHRASES.map(([name, phrase, text]) => unpaid(`402 with ${name}, at once`, phrase, text, 'at-once')),
      1,
    ),
    // The empty one first: it is given words of the SDK's own.
    ...varying(
      PHRASES.toReversed().map(([name, phrase, text]) =>
        unpaid(`402 with ${name}, after ringing`, phrase, text, 'after-ringing'),
      ),
      1,
    ),
    ...varying(
      REFUSALS.map(([status, text, said]) => refused(status, text, said)),
      4,
    ),
    { name: 'the own cancel while it rings is a failure too', run: cancelRinging },
    { name: 'the own cancel before it rings is a failure too', run: cancelTrying },
  ],
};

function unpaid(name: string, phrase: string, text: string, refusal: Settings['paymentRefusal']): Scenario {
  return {
    name,
    run: async (bench) => {
      const { world, journal } = bench;
      world.setSettings({ ...world.settings, paymentPhrase: phrase, paymentRefusal: refusal });
      await bench.register();
      await bench.dial(NO_MONEY);
      const rang = refusal === 'after-ringing';
      await journal.expectCall([...DIALING, ...failed(text, 'onError', rang)]);
      journal.expectOrder(['402 INVITE', 'onCallStateChange idle']);
    },
  };
}

function refused(status: number, text: string, said: 'onError' | 'onInfo'): Scenario {
  return {
    name: `${status} is told as "${text}"`,
    run: async (bench) => {
      await bench.register();
      await bench.dial(`0900000${status}`);
      await bench.journal.expectCall([...DIALING, ...failed(text, said)]);
      assert.equal((await bench.exchange.call()).finalStatus, status);
    },
  };
}

async function cancelRinging(bench: Bench): Promise<void> {
  await bench.register();
  await bench.dial(RINGS);
  await bench.journal.until('180 INVITE');
  await bench.invoke('hangupCall');
  await bench.journal.expectCall([...DIALING, ...failed(CANCELLED, 'onInfo', true)]);
  bench.journal.expectOrder([/^CANCEL /, '487 INVITE']);
}

async function cancelTrying(bench: Bench): Promise<void> {
  bench.world.faults.set('invite', { kind: 'silent' });
  await bench.register();
  await bench.dial(ANSWERS);
  await bench.journal.until(/^INVITE /);
  await bench.invoke('hangupCall');
  await bench.journal.expectCall([...DIALING, ...failed(CANCELLED, 'onInfo')]);
}

async function dialSilence(bench: Bench): Promise<void> {
  bench.world.faults.set('invite', { kind: 'silent' });
  await bench.register();
  await bench.dial(ANSWERS);
  await bench.journal.until(/^onCallFailed/, 0, UNANSWERED_MS);
  await bench.journal.expectCall([...DIALING, ...failed(CANCELLED, 'onInfo')]);
}
