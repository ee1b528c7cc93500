/** Whatever breaks on the way to the exchange: what the agent reads, and that there is a way on. */
import assert from 'node:assert/strict';
import { eventually, someOf, test, type AgentPage, type Site } from './fixtures.ts';

const SILENT = 'exchange does not answer';
/** After that long without an exchange the dialer says so. */
const GIVEN_UP_MS = 25_000;

let site: Site;
let agent: AgentPage;
test.beforeEach(({ sandbox }) => {
  site = sandbox;
});
test.afterEach(() => agent.closeWithoutErrors());

async function openReady(): Promise<void> {
  agent = await site.open();
  await agent.see('Ready');
}

test.describe('when the socket to the exchange', () => {
  const FAULTS: readonly (readonly [string, object])[] = [
    ['is refused', { place: 'socket', kind: 'drop' }],
    ['is silent', { place: 'register', kind: 'silent' }],
  ];
  for (const [name, fault] of someOf(FAULTS, 1)) {
    test(`${name}, the agent is told, and gets on once it is not`, async () => {
      agent = await site.open('/sandbox');
      await agent.installClock();
      await site.sandbox('faults', fault);
      await agent.page.goto(site.origin);
      await agent.asked('/ws');
      await agent.pass(GIVEN_UP_MS);
      await agent.see(SILENT);
      await site.sandbox('faults/clear', {});
      await agent.tryAgain();
      await agent.see('Ready');
      await agent.reachSomebody();
    });
  }

  test('drops while idle, it comes back by itself', async () => {
    await openReady();
    await site.sandbox('sockets/drop', {});
    await agent.see('Connection lost');
    await agent.see('Ready', 20_000);
    await agent.reachSomebody();
  });

  test('is away when keys and hold are asked for, they are refused, and the call goes on', async () => {
    await openReady();
    await agent.clickCustomer('0900 000 200');
    await agent.see('In call');
    await site.sandbox('sockets/drop', {});
    await agent.see('You can go on talking');
    const outcomes = await agent.page.evaluate(async () => {
      const dialer = document.querySelector('partner-dialer');
      const asked = [dialer?.sendDtmf('1'), dialer?.setHeld(true), dialer?.setMuted(true)];
      const settled = await Promise.allSettled(asked);
      return settled.map((one) =>
        one.status === 'rejected' ? (one.reason as { code: string }).code : 'resolved',
      );
    });
    assert.deepEqual(outcomes, ['network-lost', 'call-rejected', 'resolved']);
    await eventually(
      async () => (await site.sandbox<unknown[]>('registrations')).length === 1,
      'the next socket',
    );
    const { state, dtmf, isHeld } = await site.call(() => true);
    assert.deepEqual([state, dtmf, isHeld], ['answered', '', false]);
    await agent.page.evaluate(() => document.querySelector('partner-dialer')?.setHeld(true));
    assert.equal((await site.call(() => true)).isHeld, true);
    await agent.hangUp();
  });

  test('is away when the agent hangs up, the other party is told once it is back', async () => {
    await openReady();
    await agent.clickCustomer('0900 000 200');
    await agent.see('In call');
    await site.sandbox('sockets/drop', {});
    await agent.see('You can go on talking');
    await agent.press('Hang up');
    await agent.see('Answered');
    const { endedBy, endedWith } = await site.call(({ state }) => state === 'ended');
    assert.deepEqual([endedBy, endedWith], ['caller', 'BYE']);
    await agent.see('Ready');
    await agent.reachSomebody();
  });

  test('drops in a call, the call goes on, and can be hung up', async () => {
    await openReady();
    await agent.clickCustomer('0900 000 200');
    await agent.see('In call');
    await site.sandbox('sockets/drop', {});
    await agent.see('You can go on talking');
    const heard = await agent.audioBytes();
    await eventually(async () => (await agent.audioBytes()) > heard + 2000, 'audio without a socket');
    await eventually(
      async () => (await site.sandbox<unknown[]>('registrations')).length === 1,
      'the way back',
    );
    await agent.hangUp();
    await site.call(({ state }) => state === 'ended');
  });

  test('drops while somebody rings, that call is missed, and the agent can answer the next one', async () => {
    await openReady();
    const ring = (from: string) => site.sandbox('calls', { memberNo: 'agent001', from });
    await ring('0912345678');
    await agent.see('Incoming call');
    await site.sandbox('sockets/drop', {});
    await agent.see('Missed call');
    await agent.see('Ready', 20_000);
    await ring('0987654321');
    await agent.see('0987 654 321');
    await agent.press('Answer');
    await agent.see('In call');
    await agent.hangUp();
    const { finalStatus } = await site.call(({ state }) => state === 'ended');
    assert.equal(finalStatus, 200);
  });

  test('drops while it rings, the agent reads why the call is over', async () => {
    await openReady();
    await agent.clickCustomer('0900 000 100');
    await site.call(({ state }) => state === 'ringing');
    await site.sandbox('sockets/drop', {});
    await agent.see('The connection was lost');
    await agent.see('Ready', 20_000);
    // Whose number it is was looked up meanwhile, or was not.
    await agent.see(/The connection was lost\s· (?:Lê Hoàng Anh|0900 000 100)/);
  });
});
