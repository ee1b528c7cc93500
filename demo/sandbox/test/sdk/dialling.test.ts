/** What `makeCall` and `hangupCall` take, ignore and send, however they are called. */
import { ANSWERS, RINGS } from './bench.ts';
import { ACCEPTED, BUSY, CANCELLED, DIALING, failed, NOT_REGISTERED } from './texts.ts';
import { expect, test } from './fixtures.ts';

const INVITE = /^INVITE /;
const SALES = '842899990001';
const SUPPORT = '842899990002';

test('before registration makeCall resolves, and only an error tells', async ({ bench }) => {
  const { journal } = bench;
  bench.world.faults.set('register', { kind: 'slow', value: 1500 });
  await bench.insert();
  await journal.until('onConnected');
  await bench.dial(ANSWERS);
  journal.expectOrder([`onError ${NOT_REGISTERED}`, 'makeCall resolved undefined']);
  await journal.expectNone('sdk', /^onCall/);
});

test('during a call makeCall resolves, and only an error tells', async ({ bench }) => {
  await bench.converse();
  const mark = bench.journal.mark();
  await bench.dial(RINGS);
  bench.journal.expectOrder([`onError ${BUSY}`, 'makeCall resolved undefined'], mark);
  await bench.journal.quiet();
  expect(bench.journal.callEvents(mark)).toEqual([`onError ${BUSY}`]);
  expect(bench.exchange.calls).toHaveLength(1);
});

test('two calls in one tick: the first goes out, the second is shown', async ({ bench }) => {
  const { journal, page } = bench;
  await bench.register();
  await page.evaluate(
    ([one, two]) => Promise.all([widget.makeCall(one), widget.makeCall(two)]),
    [ANSWERS, RINGS],
  );
  await journal.until(/^onCallAccepted/);
  expect(journal.texts('sent').filter((text) => INVITE.test(text))).toHaveLength(1);
  expect((await bench.exchange.call()).number).toBe(ANSWERS);
  expect(await page.evaluate(() => widget.getCallData()?.phoneNumber)).toBe(RINGS);
  await bench.invoke('hangupCall');
  await journal.until(/^onCallEnded/);
  await journal.quiet();
  expect(await bench.microphones(), 'one microphone stays open for ever').toEqual(['live', 'ended']);
});

test('a hang-up in the tick of the call is ignored', async ({ bench }) => {
  await bench.register();
  await bench.page.evaluate((number) => {
    void widget.makeCall(number);
    widget.hangupCall();
  }, ANSWERS);
  await bench.journal.expectCall([...DIALING, ...ACCEPTED]);
});

test('a hang-up between promise and INVITE stops the call, which fails twice', async ({ bench }) => {
  await bench.register();
  await bench.page.evaluate(async (number) => {
    await widget.makeCall(number);
    widget.hangupCall();
  }, ANSWERS);
  const aftermath = failed('WebRTC Error', 'onError').slice(2);
  await bench.journal.expectCall([...DIALING, ...failed(CANCELLED, 'onInfo'), ...aftermath]);
  await bench.journal.expectNone('sent', INVITE);
});

test('the number is neither checked nor cleaned', async ({ bench }) => {
  const { journal } = bench;
  await bench.register();
  const users = new Map<unknown, string>([
    ['', ''],
    ['abc', 'abc'],
    ['0912.345.200', '0912.345.200'],
    ['+84 912 345', '+84%20912%20345'],
  ]);
  for (const [number, user] of users) {
    const mark = journal.mark();
    await bench.dial(number);
    const { text } = await journal.until(INVITE, mark);
    expect(text).toBe(`INVITE sip:${SALES}*9001*${user}@sandbox.invalid`);
    await bench.invoke('hangupCall');
    await journal.until(/^onCallFailed/, mark);
  }
});

test('three to five digits go out without a hotline', async ({ bench }) => {
  await bench.register();
  await bench.dial('102');
  await bench.journal.until('INVITE sip:9001*102@sandbox.invalid');
});

test('the hotline of one call stays for the next', async ({ bench }) => {
  await bench.register();
  const dial = async (hotline?: string) => {
    const mark = bench.journal.mark();
    await bench.dial(RINGS, hotline);
    const { text } = await bench.journal.until(INVITE, mark);
    await bench.invoke('hangupCall');
    await bench.journal.until(/^onCallFailed/, mark);
    return /^INVITE sip:(.*)\*9001\*/.exec(text)?.[1];
  };
  expect(await dial(), 'the first of the list').toBe(SALES);
  expect(await dial(SUPPORT)).toBe(SUPPORT);
  expect(await dial(), 'the one of the call before').toBe(SUPPORT);
  expect(await dial('842800000000'), 'one that is not in the list').toBe('842800000000');
});

test('the external call id is a header of the INVITE', async ({ bench }) => {
  await bench.register();
  await bench.dial(RINGS, null, 'crm42');
  const { detail } = await bench.journal.until(INVITE);
  expect(String(detail)).toMatch(/^X-exc-id: crm42\r$/im);
  const call = await bench.exchange.call();
  expect(call.externalCallId).toBe('crm42');
});
