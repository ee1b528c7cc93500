/** Listeners that are not passive, and what they can and cannot find out. */
import { ANSWERS, RINGS, type Bench } from './bench.ts';
import { DIALING } from './texts.ts';
import { expect, test } from './fixtures.ts';

const NO_MONEY = '0900000402';
const A_WHILE_MS = 800;

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

/** Calls, once, from inside the first event of this name. */
const dialInside = ({ page }: Bench, event: string, number: string): Promise<void> =>
  page.evaluate(
    ([name, to]) => {
      const dial = () => void widget.makeCall(to).then(() => note({ name: 'called inside', detail: {} }));
      widget.addEventListener(`vbot:${name}`, dial, { once: true });
    },
    [event, number] as const,
  );

test('a listener that reads the call hears old failures again', async ({ bench }) => {
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
  expect(count(bench, /^onCallFailed/)).toBe(3);
});

test('a listener that reads the call hears one end several times', async ({ bench }) => {
  await bench.register();
  await readInEvents(bench);
  await bench.dial(ANSWERS);
  await bench.journal.until(/^onCallAccepted/);
  await bench.invoke('hangupCall');
  await bench.journal.until(/^onCallEnded/);
  await bench.journal.quiet();
  expect(count(bench, /^onInfo/)).toBe(4);
});

test('a call made inside onCallEnded is lost', async ({ bench }) => {
  const call = await bench.converse();
  await dialInside(bench, 'onCallEnded', RINGS);
  const mark = bench.journal.mark();
  await bench.exchange.hangUp(call);
  await bench.journal.until('called inside', mark);
  await bench.journal.quiet(A_WHILE_MS);
  bench.journal.expectOrder([/^onCallEnded/], mark);
  expect(count(bench, /^onCallStateChange dialing/)).toBe(1);
  expect(bench.exchange.calls).toHaveLength(1);
});

test('a call made inside onCallFailed goes out, after the old failure again', async ({ bench }) => {
  await bench.register();
  await dialInside(bench, 'onCallFailed', RINGS);
  await bench.dial(NO_MONEY);
  await bench.journal.until('180 INVITE');
  bench.journal.expectOrder([/^onCallEnded/, /^onCallFailed/, /^onCallFailed/, ...DIALING, /^INVITE/]);
});

test('the session of a call that rang tells the status, after onCallFailed', async ({ bench }) => {
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
});
