/** Calls from a dialer through the sandbox exchange: who is let through. How a call goes is in `test/sdk`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Headset, Site, type Phone } from './sip-phone.ts';

/** Dials and expects to be refused; resolves with the status line. */
async function refusalOf(phone: Phone, dialled: string): Promise<string> {
  phone.invite(dialled, 'v=0\r\n');
  const { first } = await phone.next(/^SIP\/2\.0 [2-6]/);
  return first.slice('SIP/2.0 '.length);
}

describe('calling from a dialer', { concurrency: true }, () => {
  test('a number rings as long as the setting says before it answers', async (t) => {
    const site = new Site(t);
    const [patient, usual] = await Promise.all([site.register(), site.register()]);
    site.world.setSettings({ ...site.world.settings, answerAfter: 60_000 });
    patient.invite('9001*0900000200', await new Headset(t).peer.offer());
    await patient.next(/^SIP\/2\.0 180/);
    site.world.setSettings({ ...site.world.settings, answerAfter: 0 });
    // The other one, which by itself would be answered later.
    usual.invite('9001*0900000183', await new Headset(t).peer.offer());
    await usual.next(/^SIP\/2\.0 200/);
    assert.deepEqual(
      site.world.calls.map(({ state }) => state),
      ['ringing', 'answered'],
    );
  });

  test('a member without a hotline is refused with 406, and with somebody else’s hotline with 415', async (t) => {
    const site = new Site(t);
    const phone = await site.register();
    assert.match(await refusalOf(phone, '842899990002*9001*0900000200'), /^415/);
    site.world.setHotlines(site.world.hotlines.map((hotline) => ({ ...hotline, active: false })));
    assert.match(await refusalOf(phone, '842899990001*9001*0900000200'), /^406/);
    assert.match(await refusalOf(phone, '9001*0900000200'), /^406/);
  });

  test('only a registered dialer may call', async (t) => {
    const site = new Site(t);
    const phone = await site.connect();
    assert.match(await refusalOf(phone, '9001*0900000200'), /^403/);
  });

  test('an offer that cannot be read is refused with 488', async (t) => {
    const site = new Site(t);
    const phone = await site.register();
    assert.match(await refusalOf(phone, '9001*0900000200'), /^488/);
  });
});
