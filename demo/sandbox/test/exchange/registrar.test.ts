/** Registration at the sandbox exchange, as a telephone sees it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Site } from './sip-phone.ts';

describe('registering a dialer', { concurrency: true }, () => {
  test('a dialer with a wrong password, or of nobody, is refused with 403', async (t) => {
    const site = new Site(t);
    const [wrong, nobody] = await Promise.all([site.connect(), site.connect('p999')]);
    assert.match((await wrong.register('guess')).first, /^SIP\/2\.0 403/);
    assert.match((await nobody.register('guess')).first, /^SIP\/2\.0 403/);
    assert.deepEqual(site.exchange.registrations(), []);
  });

  test('expiry 0 ends a registration, and so does a lost socket', async (t) => {
    const site = new Site(t);
    const [one, two] = await Promise.all([site.register(), site.register()]);
    assert.equal(site.exchange.registrations().length, 2);
    await one.register(site.member.sipPassword, 0);
    assert.equal(site.exchange.registrations().length, 1);
    site.exchange.dropSockets('agent001');
    await two.closed;
    assert.deepEqual(site.exchange.registrations(), []);
    assert.deepEqual(
      site.world.registrations.map(({ endedWith }) => endedWith),
      ['unregistered', 'socket-closed'],
    );
  });

  test('a fault of the refresh lets a dialer register, and refuses to renew it', async (t) => {
    const site = new Site(t);
    site.world.faults.set('refresh', { kind: 'status', value: 403 });
    const phone = await site.connect();
    assert.match((await phone.register(site.member.sipPassword)).first, /^SIP\/2\.0 200/);
    assert.match((await phone.register(site.member.sipPassword)).first, /^SIP\/2\.0 403/);
    assert.equal(site.exchange.registrations().length, 1, 'it lasts until it expires');
    await phone.register(site.member.sipPassword, 0);
    assert.equal(site.exchange.registrations().length, 0, 'ending it is not renewing it');
  });

  test('nonsense on the wire does not end the exchange', async (t) => {
    const site = new Site(t);
    const phone = await site.connect();
    for (const nonsense of [
      '',
      '\r\n\r\n',
      'hello',
      'INVITE sip:x SIP/2.0\r\n\r\n',
      'SIP/2.0 200 OK\r\n\r\n',
    ]) {
      phone.send(nonsense);
    }
    assert.match((await phone.register(site.member.sipPassword)).first, /^SIP\/2\.0 200/);
    const own = `<sip:${phone.user}@sandbox.invalid>`;
    phone.request('OPTIONS', 'sip:sandbox.invalid', { callId: 'o1', from: `${own};tag=1`, to: own });
    assert.match((await phone.next(/^SIP/)).first, /^SIP\/2\.0 200/);
  });
});

test('a registration is granted for as long as the setting allows, renewed, and at last expires', async (t) => {
  t.mock.timers.enable({ apis: ['Date'] });
  const site = new Site(t);
  site.world.setSettings({ ...site.world.settings, registerExpires: 1 });
  const phone = await site.connect();
  const answer = await phone.register(site.member.sipPassword);
  assert.match(answer.header('Contact'), /;expires=1$/);
  await phone.register(site.member.sipPassword);
  assert.equal(site.exchange.registrations().length, 1);
  t.mock.timers.tick(1000);
  assert.equal(site.exchange.registrations().length, 0);
  const [registration, ...others] = site.world.registrations;
  assert.equal(others.length, 0);
  assert.deepEqual([registration?.refreshes, registration?.endedWith], [1, 'expired']);
  await phone.register(site.member.sipPassword);
  assert.equal(site.world.registrations.length, 2);
});
