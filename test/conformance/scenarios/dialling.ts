/** What `makeCall` and `hangupCall` take, ignore and send, however they are called. */
import assert from 'node:assert/strict';
import { ANSWERS, RINGS, type Bench } from '../bench.ts';
import type { Family } from '../scenario.ts';
import { ACCEPTED, BUSY, CANCELLED, DIALING, failed, NOT_REGISTERED } from '../texts.ts';

const INVITE = /^INVITE /;
const SALES = '842899990001';
const SUPPORT = '842899990002';

export const dialling: Family = {
  name: 'dialling',
  scenarios: [
    { name: 'before registration it resolves, and only an error tells', run: dialUnregistered },
    { name: 'during a call it resolves, and only an error tells', run: dialWhenBusy },
    { name: 'two calls in one tick: the first goes out, the second is shown', run: dialTwice },
    { name: 'a hang-up in the tick of the call is ignored', run: hangUpTooEarly },
    {
      name: 'a hang-up between promise and INVITE stops the call, which fails twice',
      run: hangUpBeforeInvite,
    },
    { name: 'the number is neither checked nor cleaned', isSlow: true, run: dialAnything },
    { name: 'three to five digits go out without a hotline', run: dialExtension },
    { name: 'the hotline of one call stays for the next', run: stickToHotline },
    { name: 'the external call id is a header of the INVITE', run: sendExternalCallId },
  ],
};

async function dialUnregistered(bench: Bench): Promise<void> {
  const { journal } = bench;
  bench.world.faults.set('register', { kind: 'slow', value: 1500 });
  await bench.insert();
  await journal.until('onConnected');
  await bench.dial(ANSWERS);
  journal.expectOrder([`onError ${NOT_REGISTERED}`, 'makeCall resolved undefined']);
  await journal.expectNone('sdk', /^onCall/);
}

async function dialWhenBusy(bench: Bench): Promise<void> {
  await bench.converse();
  const mark = bench.journal.mark();
  await bench.dial(RINGS);
  bench.journal.expectOrder([`onError ${BUSY}`, 'makeCall resolved undefined'], mark);
  await bench.journal.quiet();
  assert.deepEqual(bench.journal.callEvents(mark), [`onError ${BUSY}`]);
  assert.equal(bench.exchange.calls.length, 1);
}

async function dialTwice(bench: Bench): Promise<void> {
  const { journal, page } = bench;
  await bench.register();
  await page.evaluate(
    ([one, two]) => Promise.all([widget.makeCall(one), widget.makeCall(two)]),
    [ANSWERS, RINGS],
  );
  await journal.until(/^onCallAccepted/);
  assert.equal(journal.texts('sent').filter((text) => INVITE.test(text)).length, 1);
  assert.equal((await bench.exchange.call()).number, ANSWERS);
  assert.equal(await page.evaluate(() => widget.getCallData()?.phoneNumber), RINGS);
  await bench.invoke('hangupCall');
  await journal.until(/^onCallEnded/);
  await journal.quiet();
  assert.deepEqual(await bench.microphones(), ['live', 'ended'], 'one microphone stays open for ever');
}

async function hangUpTooEarly(bench: Bench): Promise<void> {
  await bench.register();
  await bench.page.evaluate((number) => {
    void widget.makeCall(number);
    widget.hangupCall();
  }, ANSWERS);
  await bench.journal.expectCall([...DIALING, ...ACCEPTED]);
}

async function hangUpBeforeInvite(bench: Bench): Promise<void> {
  await bench.register();
  await bench.page.evaluate(async (number) => {
    await widget.makeCall(number);
    widget.hangupCall();
  }, ANSWERS);
  const aftermath = failed('WebRTC Error', 'onError').slice(2);
  await bench.journal.expectCall([...DIALING, ...failed(CANCELLED, 'onInfo'), ...aftermath]);
  await bench.journal.expectNone('sent', INVITE);
}

async function dialAnything(bench: Bench): Promise<void> {
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
    assert.equal(text, `INVITE sip:${SALES}*9001*${user}@sandbox.invalid`);
    await bench.invoke('hangupCall');
    await journal.until(/^onCallFailed/, mark);
  }
}

async function dialExtension(bench: Bench): Promise<void> {
  await bench.register();
  await bench.dial('102');
  await bench.journal.until('INVITE sip:9001*102@sandbox.invalid');
}

async function stickToHotline(bench: Bench): Promise<void> {
  await bench.register();
  const dial = async (hotline?: string) => {
    const mark = bench.journal.mark();
    await bench.dial(RINGS, hotline);
    const { text } = await bench.journal.until(INVITE, mark);
    await bench.invoke('hangupCall');
    await bench.journal.until(/^onCallFailed/, mark);
    return /^INVITE sip:(.*)\*9001\*/.exec(text)?.[1];
  };
  assert.equal(await dial(), SALES, 'the first of the list');
  assert.equal(await dial(SUPPORT), SUPPORT);
  assert.equal(await dial(), SUPPORT, 'the one of the call before');
  assert.equal(await dial('842800000000'), '842800000000', 'one that is not in the list');
  await bench.page.evaluate(() => widget.setDialHotline(null));
  assert.equal(await dial(), undefined, 'none');
}

async function sendExternalCallId(bench: Bench): Promise<void> {
  await bench.register();
  await bench.dial(RINGS, null, 'crm42');
  const { detail } = await bench.journal.until(INVITE);
  assert.match(String(detail), /^X-exc-id: crm42\r$/im);
  const call = await bench.exchange.call();
  assert.equal(call.externalCallId, 'crm42');
}
