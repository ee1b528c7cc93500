/** Calls from a web page to the exchange and back, with real audio. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { eventually, openSite, type Desk, type Site } from './site.ts';

let site: Site;
let desk: Desk;
before(async () => {
  site = await openSite();
});
after(() => site.close());
beforeEach(async () => {
  await site.prepare();
  desk = await site.open();
  await desk.see('Ready');
});
afterEach(() => desk.closeUnharmed());

describe('an agent who clicks a customer', () => {
  it('hears the other side, and the money falls; then hangs up', async () => {
    await desk.clickCustomer('0900 000 200');
    await desk.see('In call');
    const first = await eventually(() => desk.audioBytes(), 'audio');
    await eventually(async () => (await desk.audioBytes()) > first + 4000, 'more audio');
    const call = await site.call(({ audioBytes }) => audioBytes > 4000);
    assert.equal(call.number, '0900000200');
    assert.equal(call.hotline, '842899990001');
    assert.match(call.externalCallId ?? '', /^[a-z0-9]{1,32}$/);
    await desk.press('Hang up');
    const ended = await site.call(({ state }) => state === 'ended');
    assert.equal(ended.endedBy, 'caller');
    assert.equal(ended.cost, 300);
    await desk.press('Done');
    await desk.see(/49\.700/);
    assert.deepEqual(desk.said, [], 'a healthy call leaves the console alone');
  });

  it('sees that the other side hung up', async () => {
    await desk.clickCustomer('0900 000 200');
    await desk.see('In call');
    const { id } = await site.call(({ state }) => state === 'answered');
    await site.sandbox(`calls/${id}/hang-up`, {});
    await desk.see('Call ended');
    assert.equal((await site.call(({ state }) => state === 'ended')).endedBy, 'callee');
  });

  it('presses keys that arrive at the exchange', async () => {
    await desk.clickCustomer('0900 000 183');
    await desk.see('In call');
    await desk.press('Keys');
    for (const key of '12#') await desk.press(key);
    await site.call(({ dtmf }) => dtmf === '12#');
    await desk.hangUp();
  });

  it('is not heard while muted, and hears nothing on hold', async () => {
    await desk.clickCustomer('0900 000 200');
    await desk.see('In call');
    await eventually(() => desk.audioBytes(), 'audio');
    await desk.press('Hold');
    await desk.see('On hold');
    await eventually(async () => {
      const heard = await desk.audioBytes();
      await desk.page.waitForTimeout(500);
      return (await desk.audioBytes()) === heard;
    }, 'silence');
    await desk.press('Resume');
    const quiet = await desk.audioBytes();
    await eventually(async () => (await desk.audioBytes()) > quiet, 'audio after the hold');
    await desk.press('Mute');
    await desk.press('Unmute');
    await desk.hangUp();
  });

  it('gives up a call that nobody answers', async () => {
    await desk.clickCustomer('0900 000 100');
    await desk.see('Calling…');
    await site.call(({ state }) => state === 'ringing');
    await desk.press('Hang up');
    await desk.see('Cancelled');
    assert.equal((await site.call(({ state }) => state === 'ended')).finalStatus, 487);
  });

  it('learns that the line is busy', async () => {
    await desk.clickCustomer('0900 000 486');
    await desk.see('The line is busy');
  });
});

describe('an agent who is called', () => {
  it('answers and talks', async () => {
    await site.sandbox('calls', { memberNo: 'agent001', from: '0912345678', name: 'Đặng Quốc Bảo' });
    await desk.see('Incoming call');
    await desk.see('0912 345 678');
    await desk.press('Answer');
    await desk.see('In call');
    const first = await eventually(() => desk.audioBytes(), 'audio');
    await eventually(async () => (await desk.audioBytes()) > first + 2000, 'more audio');
    await desk.hangUp();
    const call = await site.call(({ state }) => state === 'ended');
    assert.equal(call.finalStatus, 200);
  });

  it('declines', async () => {
    await site.sandbox('calls', { memberNo: 'agent001', from: '0912345678' });
    await desk.see('Incoming call');
    await desk.press('Decline');
    await desk.see('Declined');
    const call = await site.call(({ state }) => state === 'ended');
    assert.equal(call.finalStatus, 480);
  });

  it('misses a call', async () => {
    const { id } = await site.sandbox<{ id: string }>('calls', { memberNo: 'agent001', from: '0912345678' });
    await desk.see('Incoming call');
    await site.sandbox(`calls/${id}/hang-up`, {});
    await desk.see('Missed call');
  });
});

describe('the end sound of a page', () => {
  const sound = /hang-up\.wav/;

  it('is requested, and played after a hang-up and after an error', async () => {
    assert.ok(desk.requested.some((url) => sound.test(url)));
    await desk.clickCustomer('0900 000 200');
    await desk.see('In call');
    await desk.press('Hang up');
    await eventually(
      async () => (await desk.played()).filter((url) => sound.test(url)).length === 1,
      'the sound',
    );
    await desk.clickCustomer('0900 000 603');
    await desk.see('The call was refused');
    await eventually(
      async () => (await desk.played()).filter((url) => sound.test(url)).length === 2,
      'it again',
    );
  });

  it('may change while the dialer is there', async () => {
    await desk.page.evaluate(() => {
      document
        .querySelector('partner-dialer')
        ?.setAttribute('disconnect-sound-url', '/crm/hang-up.wav?other');
    });
    await eventually(async () => desk.requested.some((url) => url.endsWith('?other')), 'the other sound');
    await desk.clickCustomer('0900 000 486');
    await desk.see('The line is busy');
    await eventually(async () => (await desk.played()).some((url) => url.endsWith('?other')), 'it played');
  });
});
