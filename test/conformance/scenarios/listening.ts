/** Listeners that are not passive, and what they can and cannot find out. */
import assert from 'node:assert/strict';
import { ANSWERS, RINGS, type Bench } from '../bench.ts';
import type { Family } from '../scenario.ts';
import { DIALING } from '../texts.ts';

const NO_MONEY = '0900000402';
const A_WHILE_MS = 800;

export const listening: Family = {
  name: 'listening',
  scenarios: [
    { name: 'a listener that reads the call hears old failures again', run: readInFailure },
    { name: 'a listener that reads the call hears one end several times', run: readInEnd },
    { name: 'a call made inside onCallEnded is lost', isSlow: true, run: dialInEnd },
    { name: 'a call made inside onCallFailed goes out, after the old failure again', run: dialInFailure },
    { name: 'the session of a call that rang tells the status, after onCallFailed', run: askSession },
  ],
};

/** Does what a page must not: asks the element about the call from inside its events. */
const readInEvents = ({ page }: Bench): Promise<void> =>
  page.evaluate(() => {
    for (const name of ['onCallStateChange', 'onCallEnded', 'onCallFailed', 'onError', 'onInfo']) {
      widget.addEventListener(`vbot:${name}`, () => {
        widget.getCallState();
        widget.getCallData();
      });
    }
  });

const count = ({ journal }: Bench, wanted: RegExp): number =>
  journal.texts('sdk').filter((text) => wanted.test(text)).length;

async function readInFailure(bench: Bench): Promise<void> {
  await bench.register();
  await readInEvents(bench);
  await bench.dial(NO_MONEY);
  await bench.journal.until(/^onCallFailed/);
  await bench.journal.quiet();
  const mark = bench.journal.mark();
  await bench.dial(NO_MONEY);
  await bench.journal.until(/^onCallEnded/, mark);
  await bench.journal.quiet();
  bench.journal.expectOrder([/^onCallFailed/, 'onCallStateChange dialing', /^INVITE/, /^onCallFailed/], mark);
  assert.equal(count(bench, /^onCallFailed/), 3);
}

async function readInEnd(bench: Bench): Promise<void> {
  await bench.register();
  await readInEvents(bench);
  await bench.dial(ANSWERS);
  await bench.journal.until(/^onCallAccepted/);
  await bench.invoke('hangupCall');
  await bench.journal.until(/^onCallEnded/);
  await bench.journal.quiet();
  assert.equal(count(bench, /^onInfo/), 4);
}

/** Calls, once, from inside the first event of this name. */
const dialInside = ({ page }: Bench, event: string, number: string): Promise<void> =>
  page.evaluate(
    ([name, to]) => {
      const dial = () => void widget.makeCall(to).then(() => note({ name: 'called inside', detail: {} }));
      widget.addEventListener(`vbot:${name}`, dial, { once: true });
    },
    [event, number] as const,
  );

async function dialInEnd(bench: Bench): Promise<void> {
  const call = await bench.converse();
  await dialInside(bench, 'onCallEnded', RINGS);
  const mark = bench.journal.mark();
  await bench.exchange.hangUp(call);
  await bench.journal.until('called inside', mark);
  await bench.journal.quiet(A_WHILE_MS);
  bench.journal.expectOrder([/^onCallEnded/], mark);
  assert.equal(count(bench, /^onCallStateChange dialing/), 1);
  assert.equal(bench.exchange.calls.length, 1);
}

async function dialInFailure(bench: Bench): Promise<void> {
  await bench.register();
  await dialInside(bench, 'onCallFailed', RINGS);
  await bench.dial(NO_MONEY);
  await bench.journal.until('180 INVITE');
  bench.journal.expectOrder([/^onCallEnded/, /^onCallFailed/, /^onCallFailed/, ...DIALING, /^INVITE/]);
}

async function askSession(bench: Bench): Promise<void> {
  const { journal, page, world } = bench;
  world.setSettings({ ...world.settings, paymentRefusal: 'after-ringing' });
  await bench.register();
  await bench.dial(NO_MONEY);
  await journal.until('180 INVITE');
  await page.evaluate(() => {
    widget.getCallData()?.session?.on('failed', ({ message }) => {
      void note({ name: 'status', detail: { value: String(message?.status_code) } });
    });
  });
  await journal.until('status 402');
  journal.expectOrder([/^onCallFailed/, 'status 402']);
}
