/** Calls to a member through the sandbox exchange, as their dialers see them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Headset, Site } from './sip-phone.ts';

const CALLER = { from: '0987654321', name: 'Chị "Lan"\r\nX-Evil: 1', externalCallId: 'crm42' };
const ELSEWHERE = 'SIP;cause=200;text="Call completed elsewhere"';

describe('calling a member', { concurrency: true }, () => {
  test('every dialer rings, the first to answer has the call, the others stop ringing', async (t) => {
    const site = new Site(t);
    const [quick, slow] = await Promise.all([site.register(), site.register()]);
    const headset = new Headset(t);
    const call = site.exchange.ringMember('agent001', CALLER);
    const [invite, other] = await Promise.all([quick.next(/^INVITE/), slow.next(/^INVITE/)]);
    assert.match(invite.header('From'), /^"Chị LanX-Evil: 1" <sip:0987654321@/);
    assert.equal(invite.header('X-exc-id'), 'crm42');
    assert.equal(invite.header('X-Evil'), '');

    slow.respond(other, '180 Ringing');
    quick.respond(invite, '180 Ringing');
    quick.respond(invite, '200 OK', await headset.peer.answer(invite.body));
    await quick.next(/^ACK/);
    const cancel = await slow.next(/^CANCEL/);
    assert.equal(cancel.header('Call-ID'), other.header('Call-ID'));
    assert.equal(cancel.header('Reason'), ELSEWHERE);
    slow.respond(cancel, '200 OK');
    slow.respond(other, '487 Request Terminated');

    headset.peer.startRingback();
    await headset.receives(1600);
    assert.equal(call.state, 'answered');
    assert.equal(call.cost, 0);
    assert.equal(site.exchange.hangUp(call.id), true);
    quick.respond(await quick.next(/^BYE/), '200 OK');
    assert.deepEqual([call.endedBy, call.endedWith], ['caller', 'BYE']);
  });

  test('another device of the member answers, and all their dialers stop ringing', async (t) => {
    const site = new Site(t);
    const phones = await Promise.all([site.register(), site.register()]);
    const call = site.exchange.ringMember('agent001', CALLER);
    const invites = await Promise.all(phones.map((phone) => phone.next(/^INVITE/)));
    for (const [index, phone] of phones.entries()) {
      const invite = invites[index];
      if (invite) phone.respond(invite, '180 Ringing');
    }
    await site.settled(() => call.state === 'ringing');
    assert.equal(site.exchange.answerElsewhere(call.id), true);
    for (const phone of phones) {
      assert.equal((await phone.next(/^CANCEL/)).header('Reason'), ELSEWHERE);
    }
    assert.deepEqual(
      [call.state, call.finalStatus, call.endedBy, call.endedWith],
      ['ended', 200, 'callee', 'answered-elsewhere'],
    );
    assert.equal(site.exchange.answerElsewhere(call.id), false);
  });

  test('a dialer that answers too late is hung up', async (t) => {
    const site = new Site(t);
    const phone = await site.register();
    const headset = new Headset(t);
    const call = site.exchange.ringMember('agent001', CALLER);
    const invite = await phone.next(/^INVITE/);
    phone.respond(invite, '180 Ringing');
    const answer = await headset.peer.answer(invite.body);
    site.exchange.hangUp(call.id);
    phone.respond(invite, '200 OK', answer);
    await phone.next(/^BYE/);
    assert.equal(call.finalStatus, 487);
  });

  test('a member without a dialer, or a caller without a proper number, is said so', async (t) => {
    const site = new Site(t);
    assert.throws(() => site.exchange.ringMember('agent001', CALLER), /No dialer of agent001/);
    await site.register();
    assert.throws(() => site.exchange.ringMember('agent001', { from: 'sip:x' }), /Not a telephone number/);
    const crooked = { from: '0987654321', externalCallId: 'a\r\nX: 1' };
    assert.throws(() => site.exchange.ringMember('agent001', crooked), /Not an external call id/);
  });
});
