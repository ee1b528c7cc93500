/** Whatever breaks on the way to the exchange: what the agent reads, and that there is a way on. */
import { expect, inFirstCase, LONG, test, type AgentPage, type Site } from './fixtures.ts';

const SILENT = 'exchange does not answer';
/** After that long without an exchange the dialer says so. */
const GIVEN_UP_MS = 25_000;
/** Each of the two messages of a registration takes so long. */
const SLOW_MS = 2000;

async function dropInCall(agent: AgentPage, site: Site): Promise<void> {
  await agent.clickCustomer('0900 000 200');
  await expect(agent.text('In call')).toBeVisible();
  await site.sandbox('sockets/drop', {});
  await expect(agent.text('You can go on talking')).toBeVisible();
}

test.describe('when the socket to the exchange', () => {
  const FAULTS: readonly (readonly [string, object])[] = [
    ['is refused', { place: 'socket', kind: 'drop' }],
    ['is silent', { place: 'register', kind: 'silent' }],
  ];
  for (const [index, [name, fault]] of FAULTS.entries()) {
    test(`${name}, the agent is told, and gets on once it is not`, inFirstCase(index), async ({ site }) => {
      await site.sandbox('faults', fault);
      const agent = await site.openWithClock();
      await agent.asked('/ws');
      await agent.pass(GIVEN_UP_MS);
      await expect(agent.text(SILENT)).toBeVisible();
      await agent.tryAgain(() => site.sandbox('faults/clear', {}));
      await expect(agent.text('Ready')).toBeVisible();
      await agent.reachSomebody();
    });
  }

  test('is slow, a dialer that signs out as it registers leaves no registration', LONG, async ({ site }) => {
    await site.sandbox('faults', { place: 'register', kind: 'slow', value: SLOW_MS });
    const agent = await site.open('/healthz');
    let registers = 0;
    agent.page.on('websocket', (socket) =>
      socket.on('framesent', ({ payload }) => {
        if (String(payload).startsWith('REGISTER ')) registers += 1;
      }),
    );
    await agent.page.goto(site.origin);
    // The first one is challenged.
    await expect.poll(() => registers).toBe(2);
    await agent.page.evaluate(() => document.querySelector('partner-dialer')?.disconnect());
    await agent.page.waitForTimeout(2 * SLOW_MS);
    expect(await site.sandbox('registrations/history')).toEqual([]);
  });

  test('drops while idle, it comes back by itself', LONG, async ({ agent, site }) => {
    await site.sandbox('sockets/drop', {});
    await expect(agent.text('Reconnecting…')).toBeVisible();
    await expect(agent.text('Ready')).toBeVisible({ timeout: 20_000 });
    await agent.reachSomebody();
  });

  test(
    'is away when keys and hold are asked for, they are refused, and the call goes on',
    LONG,
    async ({ agent, site }) => {
      await dropInCall(agent, site);
      const outcomes = await agent.page.evaluate(async () => {
        const dialer = document.querySelector('partner-dialer');
        const asked = [dialer?.sendDtmf('1'), dialer?.setHeld(true), dialer?.setMuted(true)];
        const settled = await Promise.allSettled(asked);
        return settled.map((one) =>
          one.status === 'rejected' ? (one.reason as { code: string }).code : 'resolved',
        );
      });
      expect(outcomes).toEqual(['network-lost', 'call-rejected', 'resolved']);
      await expect
        .poll(async () => (await site.sandbox<unknown[]>('registrations')).length, 'the next socket')
        .toBe(1);
      const { state, dtmf, isHeld } = await site.call();
      expect([state, dtmf, isHeld]).toEqual(['answered', '', false]);
      await agent.page.evaluate(() => document.querySelector('partner-dialer')?.setHeld(true));
      expect((await site.call()).isHeld).toBe(true);
      await agent.hangUp();
    },
  );

  test(
    'is away when the agent hangs up, the other party is told once it is back',
    LONG,
    async ({ agent, site }) => {
      await dropInCall(agent, site);
      await agent.press('Hang up');
      await expect(agent.text('Answered')).toBeVisible();
      // A reconnect is asked for at once; the SDK needs two seconds until it has a socket again.
      await agent.page.evaluate(() => dispatchEvent(new Event('online')));
      const { endedBy, endedWith } = await site.call({ state: 'ended' });
      expect([endedBy, endedWith]).toEqual(['caller', 'BYE']);
      await expect(agent.text('Ready')).toBeVisible();
      await agent.reachSomebody();
    },
  );

  test('drops in a call, the call goes on, and can be hung up', async ({ agent, site }) => {
    await dropInCall(agent, site);
    await agent.hearsMore(2000);
    await expect
      .poll(async () => (await site.sandbox<unknown[]>('registrations')).length, 'the way back')
      .toBe(1);
    await agent.hangUp();
    await site.call({ state: 'ended' });
  });

  test(
    'drops while somebody rings, that call is missed, and the agent can answer the next one',
    LONG,
    async ({ agent, site }) => {
      const ring = (from: string) => site.sandbox('calls', { memberNo: 'agent001', from });
      await ring('0912345678');
      await expect(agent.text('Incoming call')).toBeVisible();
      await site.sandbox('sockets/drop', {});
      await expect(agent.text('Missed call')).toBeVisible();
      await expect(agent.text('Ready')).toBeVisible({ timeout: 20_000 });
      await ring('0987654321');
      await expect(agent.text('0987 654 321')).toBeVisible();
      await agent.press('Answer');
      await expect(agent.text('In call')).toBeVisible();
      await agent.hangUp();
      const { finalStatus } = await site.call({ state: 'ended' });
      expect(finalStatus).toBe(200);
    },
  );

  test('drops while it rings, the agent reads why the call is over', LONG, async ({ agent, site }) => {
    await agent.clickCustomer('0900 000 100');
    await site.call({ state: 'ringing' });
    await site.sandbox('sockets/drop', {});
    await expect(agent.text('The connection was lost')).toBeVisible();
    await expect(agent.text('Ready')).toBeVisible({ timeout: 20_000 });
    // Whose number it is was looked up meanwhile, or was not.
    await expect(agent.text(/The connection was lost\s*(?:Lê Hoàng Anh|0900 000 100)/)).toBeVisible();
  });
});

test('a page that removes what the dialer has put into it gets a new connection', LONG, async ({ agent }) => {
  await agent.page.evaluate(() => document.body.nextElementSibling?.remove());
  await expect(agent.text('Ready')).toBeHidden();
  await expect(agent.text('Ready')).toBeVisible();
  await agent.reachSomebody();
});
