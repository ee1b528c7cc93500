/** Calls from a dialer through the sandbox exchange: who is let through, what they hear, and what it costs. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Headset, Site, type Phone } from './sip-phone.ts';

/** How long a number may ring with a voice of its own before it answers. */
const EARLY_MS = 6000;

/** Dials and expects to be refused; resolves with the status line. */
async function refusalOf(phone: Phone, dialled: string): Promise<string> {
  phone.invite(dialled, 'v=0\r\n');
  const { first } = await phone.next(/^SIP\/2\.0 [2-6]/);
  return first.slice('SIP/2.0 '.length);
}

describe('calling from a dialer', { concurrency: true }, () => {
  test('a call is answered, echoes what the agent says, and costs a minute when it starts', async (t) => {
    const site = new Site(t, 400);
    const phone = await site.register();
    const headset = new Headset(t);
    const dialled = '842899990001*9001*0900000200';
    const invite = phone.invite(dialled, await headset.peer.offer(), ['X-exc-id: crm42']);
    await phone.next(/^SIP\/2\.0 180/);
    const answer = await phone.next(/^SIP\/2\.0 200/);
    assert.equal(site.member.balance, 700);
    const dialog = phone.acknowledge(invite, answer);
    await headset.peer.acceptAnswer(answer.body);
    headset.peer.startRingback();
    await headset.receives(1600);

    const call = site.world.calls.at(-1);
    assert.equal(call?.state, 'answered');
    assert.equal(call?.hotline, '842899990001');
    assert.equal(call?.number, '0900000200');
    assert.equal(call?.externalCallId, 'crm42');
    assert.equal(
      call.audioBytes >= 1600 && call.audioPackets >= 10,
      true,
      `${call.audioBytes} bytes in ${call.audioPackets} packets`,
    );

    const tone = { type: 'application/dtmf-relay' };
    phone.request('INFO', 'sip:exchange@sandbox.invalid', dialog, [], 'Signal=5\r\nDuration=100\r\n', tone);
    await phone.next(/^SIP\/2\.0 200/);
    assert.equal(call.dtmf, '5');

    while (call.cost < 600) await headset.receives(160);
    assert.equal(site.member.balance, 1000 - call.cost);

    phone.request('BYE', 'sip:exchange@sandbox.invalid', dialog);
    await phone.next(/^SIP\/2\.0 200/);
    assert.deepEqual([call.endedBy, call.endedWith, call.finalStatus], ['caller', 'BYE', 200]);
    assert.ok((call.endedAt ?? 0) >= (call.answeredAt ?? Infinity), 'the end has a time');
  });

  test('hold stops the echo, and resuming brings it back', async (t) => {
    const site = new Site(t);
    const phone = await site.register();
    const headset = new Headset(t);
    const offer = await headset.peer.offer();
    const invite = phone.invite('9001*0900000200', offer);
    const answer = await phone.next(/^SIP\/2\.0 200/);
    const dialog = phone.acknowledge(invite, answer);
    await headset.peer.acceptAnswer(answer.body);
    headset.peer.startRingback();
    await headset.receives(320);

    const offerAgain = async (direction: string) => {
      const changed = offer.replace('a=sendrecv', `a=${direction}`);
      const branch = phone.request('INVITE', 'sip:exchange@sandbox.invalid', dialog, [], changed);
      const again = await phone.next(/^SIP\/2\.0 [2-6]/, undefined, branch);
      phone.acknowledge(dialog, again);
      return /^a=(sendrecv|sendonly|recvonly|inactive)/m.exec(again.body)?.[1];
    };
    assert.equal(await offerAgain('sendonly'), 'recvonly');
    const call = site.world.calls.at(-1);
    const sentBefore = call?.audioPackets ?? 0;
    await site.settled(() => (call?.audioPackets ?? 0) > sentBefore + 2);
    const receivedHeld = headset.received;
    await site.settled(() => (call?.audioPackets ?? 0) > sentBefore + 12);
    assert.equal(headset.received, receivedHeld);
    assert.equal(await offerAgain('inactive'), 'inactive');
    assert.equal(await offerAgain('sendrecv'), 'sendrecv');
    await headset.receives(320);
  });

  test('a hold is refused by the fault of a change within a call, and the call goes on', async (t) => {
    const site = new Site(t);
    const phone = await site.register();
    const headset = new Headset(t);
    const offer = await headset.peer.offer();
    const invite = phone.invite('9001*0900000200', offer);
    const answer = await phone.next(/^SIP\/2\.0 200/);
    const dialog = phone.acknowledge(invite, answer);
    await headset.peer.acceptAnswer(answer.body);
    headset.peer.startRingback();
    await headset.receives(320);

    const hold = async () => {
      const held = offer.replace('a=sendrecv', 'a=sendonly');
      const branch = phone.request('INVITE', 'sip:exchange@sandbox.invalid', dialog, [], held);
      const response = await phone.next(/^SIP\/2\.0 [2-6]/, undefined, branch);
      phone.acknowledge(dialog, response);
      return response.first.slice('SIP/2.0 '.length);
    };
    site.world.faults.set('reinvite', { kind: 'status', times: 1 });
    assert.match(await hold(), /^488/);
    await headset.receives(320);
    site.world.faults.set('reinvite', { kind: 'status', value: 491, times: 1 });
    assert.match(await hold(), /^491/);
    assert.match(await hold(), /^200/);
    assert.equal(site.world.calls.at(-1)?.state, 'answered');
  });

  test('the other party hangs up with BYE', async (t) => {
    const site = new Site(t);
    const phone = await site.register();
    const headset = new Headset(t);
    const invite = phone.invite('9001*0900000200', await headset.peer.offer());
    const answer = await phone.next(/^SIP\/2\.0 200/);
    const call = site.world.calls.at(-1);
    // Before the ACK, when a BYE must still wait.
    assert.equal(site.exchange.hangUp(call?.id ?? ''), true);
    phone.acknowledge(invite, answer);
    phone.respond(await phone.next(/^BYE/), '200 OK');
    assert.deepEqual([call?.endedBy, call?.endedWith], ['callee', 'BYE']);
    assert.equal(site.exchange.hangUp(call?.id ?? ''), false);
  });

  test('a call that outlives its socket is ended over the next one', async (t) => {
    const site = new Site(t);
    const first = await site.register();
    const headset = new Headset(t);
    const invite = first.invite('9001*0900000200', await headset.peer.offer());
    const dialog = first.acknowledge(invite, await first.next(/^SIP\/2\.0 200/));
    site.exchange.dropSockets();
    await first.closed;
    const call = site.world.calls.at(-1);
    assert.equal(call?.state, 'answered');
    const second = await site.register();
    second.request('BYE', 'sip:exchange@sandbox.invalid', dialog, [], '', { sequence: 50 });
    await second.next(/^SIP\/2\.0 200/);
    assert.equal(call?.state, 'ended');
  });

  test('early media is heard before the answer', async (t) => {
    const site = new Site(t);
    const phone = await site.register();
    const headset = new Headset(t);
    // A busy machine has not connected the audio within the two seconds that this number takes.
    site.world.setSettings({ ...site.world.settings, answerAfter: EARLY_MS });
    phone.invite('9001*0900000183', await headset.peer.offer());
    const early = await phone.next(/^SIP\/2\.0 18/);
    assert.match(early.first, /183/);
    await headset.peer.acceptAnswer(early.body);
    await headset.receives(320);
    assert.equal(site.world.calls.at(-1)?.state, 'ringing');
    assert.equal((await phone.next(/^SIP\/2\.0 200/)).body, early.body);
  });

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

  test('the caller gives up a number that is never answered', async (t) => {
    const site = new Site(t);
    const phone = await site.register();
    const headset = new Headset(t);
    const dialled = '9001*0900000100';
    const invite = phone.invite(dialled, await headset.peer.offer());
    await phone.next(/^SIP\/2\.0 180/);
    phone.cancel(invite, dialled);
    await phone.next(/^SIP\/2\.0 487/);
    const call = site.world.calls.at(-1);
    assert.equal(call?.finalStatus, 487);
    assert.deepEqual([call?.endedBy, call?.endedWith], ['caller', 'CANCEL']);
    assert.equal(site.member.balance, 1000);
  });

  test('a socket lost while it rings ends the call', async (t) => {
    const site = new Site(t);
    const phone = await site.register();
    const headset = new Headset(t);
    phone.invite('9001*0900000200', await headset.peer.offer());
    await phone.next(/^SIP\/2\.0 180/);
    site.exchange.dropSockets();
    await phone.closed;
    await site.settled(() => site.world.calls.at(-1)?.state === 'ended');
    assert.equal(site.world.calls.at(-1)?.finalStatus, 487);
    assert.equal(site.world.calls.at(-1)?.endedWith, 'socket-closed');
  });

  test('a number of the refusing kind is refused with its own status, whatever the balance', async (t) => {
    const site = new Site(t);
    const phone = await site.register();
    assert.equal(await refusalOf(phone, '9001*0900000486'), '486 Busy Here');
    assert.equal(await refusalOf(phone, '9001*0900000603'), '603 Decline');
    assert.equal(await refusalOf(phone, '842899990001*9001*0900000402'), '402 Payment Required');
    assert.equal(await refusalOf(phone, '9001*abc'), '404 Not Found');
    assert.equal(await refusalOf(phone, '9001*12'), '404 Not Found');
    assert.equal(await refusalOf(phone, '9001*'), '404 Not Found');
    assert.equal(await refusalOf(phone, 'somebody'), '404 Not Found');
  });

  test('a member without money is refused with 402, in the words and at the moment that were set', async (t) => {
    const site = new Site(t);
    const phone = await site.register();
    site.world.setBalance(site.member, 0);
    assert.equal(await refusalOf(phone, '9001*0900000200'), '402 Payment Required');
    const { settings } = site.world;
    site.world.setSettings({ ...settings, paymentPhrase: 'Tài khoản không đủ tiền' });
    assert.equal(await refusalOf(phone, '9001*0900000200'), '402 Tài khoản không đủ tiền');
    site.world.setSettings({ ...settings, paymentPhrase: '', paymentRefusal: 'after-ringing' });
    phone.invite('9001*0900000200', 'v=0\r\n');
    await phone.next(/^SIP\/2\.0 180/);
    assert.equal((await phone.next(/^SIP\/2\.0 [2-6]/)).first, 'SIP/2.0 402 ');
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

  test('faults refuse a call, delay it, or leave it without any answer', async (t) => {
    const site = new Site(t);
    const phone = await site.register();
    site.world.faults.set('invite', { kind: 'status', value: 500, times: 1 });
    assert.match(await refusalOf(phone, '9001*0900000200'), /^500/);
    site.world.faults.set('invite', { kind: 'slow', value: 50, times: 1 });
    assert.match(await refusalOf(phone, '9001*abc'), /^404/);
    site.world.faults.set('invite', { kind: 'silent', times: 1 });
    phone.invite('9001*0900000200', 'v=0\r\n');
    await assert.rejects(phone.next(/./, 400), /Nothing like/);
    site.world.faults.set('invite', { kind: 'drop', times: 1 });
    phone.invite('9001*0900000200', 'v=0\r\n');
    await phone.closed;
  });
});
