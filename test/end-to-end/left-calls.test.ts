/** Nobody stays in a call that the agent has left: however it ended here, the exchange gets to know. */
import type { WebSocketRoute } from '@playwright/test';
import { expect, inFirstCase, LONG, test, type AgentPage, type Site } from './fixtures.ts';

const goOnline = (agent: AgentPage, isOnline: boolean) => agent.page.context().setOffline(!isOnline);

async function loseNetwork(agent: AgentPage, site: Site): Promise<void> {
  await goOnline(agent, false);
  await site.sandbox('sockets/drop', {});
  await expect(agent.text('You are offline: nobody hears anything until the network is back.')).toBeVisible();
}

async function talk(agent: AgentPage): Promise<void> {
  await agent.clickCustomer('0900 000 200');
  await expect(agent.text('In call')).toBeVisible();
}

async function hangUp(agent: AgentPage): Promise<void> {
  await agent.press('Hang up');
  await expect.poll(() => agent.liveCall()).toMatchObject({ is: 'ended', info: { outcome: 'answered' } });
}

const disconnect = (agent: AgentPage) =>
  agent.page.evaluate(() => document.querySelector('partner-dialer')?.disconnect());

const remove = (agent: AgentPage) =>
  agent.page.evaluate(() => document.querySelector('partner-dialer')?.remove());

const changeSettings = (agent: AgentPage) =>
  agent.page.evaluate(() => document.querySelector('partner-dialer')?.toggleAttribute('vendor-ui'));

interface VendorElement extends HTMLElement {
  getCallData(): { readonly session: { terminate(options: object): void } };
}

const ENDED = { state: 'ended', endedBy: 'caller', endedWith: 'BYE' } as const;

test.describe('without a network, the other party is told when it is back, after', () => {
  const LEAVING: readonly (readonly [string, (agent: AgentPage, site: Site) => Promise<unknown>])[] = [
    ['a hang-up', hangUp],
    [
      'a hang-up for which changed settings have waited',
      (agent) => changeSettings(agent).then(() => hangUp(agent)),
    ],
    ['disconnect()', disconnect],
    ['the removal of the element', remove],
  ];
  for (const [name, leave] of LEAVING)
    test(name, LONG, async ({ agent, site }) => {
      await talk(agent);
      await loseNetwork(agent, site);
      await leave(agent, site);
      await goOnline(agent, true);
      await site.call(ENDED);
    });

  /** By a press on the SDK's own screen, or because the browser says that the sound is lost. */
  test('an end by the SDK', LONG, async ({ site }) => {
    const agent = await site.open('/healthz');
    await agent.page.addInitScript(() => {
      const attach = Element.prototype.attachShadow;
      // The dialer's place for the SDK's element is closed.
      Element.prototype.attachShadow = function (options) {
        return attach.call(this, { ...options, mode: 'open' });
      };
    });
    await agent.page.goto(site.origin);
    await expect(agent.text('Ready')).toBeVisible();
    await talk(agent);
    await loseNetwork(agent, site);
    await agent.page.locator('vbot-widget').evaluate((element) => {
      const { session } = (element as VendorElement).getCallData();
      session.terminate({ status_code: 408, reason_phrase: 'RTP Timeout' });
    });
    await expect.poll(() => agent.liveCall()).toMatchObject({ is: 'ended', info: { outcome: 'answered' } });
    await goOnline(agent, true);
    await site.call(ENDED);
    await expect(agent.text('Ready')).toBeVisible();
    await agent.reachSomebody();
  });

  test('a hang-up for which a new token has waited', LONG, async ({ site }) => {
    const agent = await site.open('/healthz');
    await agent.page.route('**/dialer/session', async (route) => {
      const response = await route.fetch();
      const session = (await response.json()) as object;
      await route.fulfill({
        response,
        json: { ...session, expiresAt: new Date(Date.now() + 8000).toISOString() },
      });
    });
    await agent.page.goto(site.origin);
    await expect(agent.text('Ready')).toBeVisible();
    await talk(agent);
    await agent.hearsMore(60_000);
    await loseNetwork(agent, site);
    await hangUp(agent);
    await goOnline(agent, true);
    await site.call(ENDED);
    await expect(agent.text('Ready')).toBeVisible({ timeout: 20_000 });
  });

  test('a hang-up when the network is back, but no socket', LONG, async ({ agent, site }) => {
    await talk(agent);
    await loseNetwork(agent, site);
    await site.sandbox('faults', { place: 'socket', kind: 'drop', times: 1 });
    await goOnline(agent, true);
    await expect(agent.text('You are offline')).toBeHidden();
    await hangUp(agent);
    await site.call(ENDED);
    await expect(agent.text('Ready')).toBeVisible();
    await agent.reachSomebody();
  });
});

/** As after a change of the network: neither side knows, and another socket would get through. */
for (const [name, leave] of [
  ['a hang-up', hangUp],
  ['disconnect()', disconnect],
] as const)
  test(
    `after ${name} over a socket that has died unnoticed, the other party is told over the next one`,
    LONG,
    async ({ site }) => {
      const agent = await site.open('/healthz');
      let isDead = false;
      await agent.page.routeWebSocket(/\/ws$/, (socket) => {
        const exchange = socket.connectToServer();
        const isLiving = () => !isDead || sockets.indexOf(socket) > 0;
        sockets.push(socket);
        socket.onMessage((message) => isLiving() && exchange.send(message));
        exchange.onMessage((message) => isLiving() && socket.send(message));
        socket.onClose(() => undefined);
      });
      const sockets: WebSocketRoute[] = [];
      await agent.page.goto(site.origin);
      await expect(agent.text('Ready')).toBeVisible();
      await talk(agent);
      isDead = true;
      await leave(agent);
      await site.call(ENDED);
    },
  );

/** The exchange has not noticed the end of the first socket. */
test(
  'a phone that rings when the socket is lost rings no longer once there is another',
  LONG,
  async ({ site }) => {
    const agent = await site.open('/healthz');
    const sockets: WebSocketRoute[] = [];
    await agent.page.routeWebSocket(/\/ws$/, (socket) => {
      socket.connectToServer();
      socket.onClose(() => undefined);
      sockets.push(socket);
    });
    await agent.page.goto(site.origin);
    await expect(agent.text('Ready')).toBeVisible();
    await agent.clickCustomer('0900 000 100');
    await site.call({ state: 'ringing' });
    await sockets[0]?.close();
    await site.call({ state: 'ended', endedBy: 'caller', endedWith: 'CANCEL' });
    await expect(agent.text('Ready')).toBeVisible();
    await agent.reachSomebody();
  },
);

/** The exchange has not noticed the end of the first socket. */
test('an answer that is lost with its socket leaves nobody in the call', LONG, async ({ site }) => {
  const agent = await site.open('/healthz');
  let isLost = false;
  await agent.page.routeWebSocket(/\/ws$/, (socket) => {
    const exchange = socket.connectToServer();
    socket.onClose(() => undefined);
    exchange.onMessage((message) => {
      const isAnswer = /^SIP\/2\.0 200 [^]*CSeq: \d+ INVITE/.test(String(message));
      if (!isAnswer) return socket.send(message);
      isLost = true;
      void socket.close();
    });
  });
  await agent.page.goto(site.origin);
  await expect(agent.text('Ready')).toBeVisible();
  await agent.clickCustomer('0900 000 200');
  await expect.poll(() => isLost).toBe(true);
  await site.call(ENDED);
});

async function answerWithoutAck(site: Site): Promise<AgentPage> {
  const agent = await site.open('/healthz');
  let isLost = false;
  await agent.page.routeWebSocket(/\/ws$/, (socket) => {
    const exchange = socket.connectToServer();
    exchange.onMessage((message) => {
      if (isLost || !String(message).startsWith('ACK')) return socket.send(message);
      isLost = true;
      void goOnline(agent, false).then(() => Promise.all([socket.close(), exchange.close()]));
    });
  });
  await agent.page.goto(site.origin);
  await expect(agent.text('Ready')).toBeVisible();
  await site.ring();
  await agent.press('Answer');
  await expect(agent.text('You are offline')).toBeVisible();
  await expect.poll(() => agent.liveCall()).toMatchObject({ is: 'active' });
  return agent;
}

test.describe('a call whose ACK is lost with its socket', () => {
  /** JsSIP waits for an ACK for 32 s. When it has been away for 54 s, the SDK opens its next socket. */
  const AWAY_MS = 45_000;
  test('goes on without a network, and the other party gets to know its end', LONG, async ({ site }) => {
    test.setTimeout(120_000);
    const agent = await answerWithoutAck(site);
    await agent.page.waitForTimeout(AWAY_MS);
    await expect.poll(() => agent.liveCall()).toMatchObject({ is: 'active' });
    await goOnline(agent, true);
    await expect(agent.text('You are offline')).toBeHidden();
    // Longer without a packet, the exchange would end the call by itself.
    await expect(agent.text('The line to the exchange')).toBeHidden({ timeout: 40_000 });
    await hangUp(agent);
    await site.call({ state: 'ended', endedBy: 'callee', endedWith: 'BYE' });
  });

  test('is ended once the network is back, if the agent has left it', LONG, async ({ site }) => {
    const agent = await answerWithoutAck(site);
    await hangUp(agent);
    await goOnline(agent, true);
    await site.call({ state: 'ended', endedBy: 'callee', endedWith: 'BYE' });
    await expect(agent.text('Ready')).toBeVisible();
    await agent.reachSomebody();
  });
});

test.describe('when the network stands still for longer than JsSIP waits, nobody is left in a call', () => {
  const STALLED_MS = 35_000;
  for (const [name, isLeft] of [
    ['that the agent has left', true],
    ['that has failed', false],
  ] as const)
    test(name, LONG, async ({ site }) => {
      test.setTimeout(90_000);
      const agent = await site.open('/healthz');
      let held: (() => void)[] | undefined;
      await agent.page.routeWebSocket(/\/ws$/, (socket) => {
        const exchange = socket.connectToServer();
        socket.onMessage((message) => {
          if (held) held.push(() => exchange.send(message));
          else exchange.send(message);
        });
      });
      await agent.page.goto(site.origin);
      await expect(agent.text('Ready')).toBeVisible();
      held = [];
      await agent.clickCustomer('0900 000 200');
      await expect.poll(() => held?.length).toBe(1);
      if (isLeft) await agent.press('Hang up');
      await agent.page.waitForTimeout(STALLED_MS);
      expect(await agent.liveCall()).toMatchObject({ is: 'ended' });
      for (const send of held.splice(0)) send();
      held = undefined;
      await site.call({ state: 'ended', endedBy: 'caller', endedWith: 'CANCEL' });
      await expect(agent.text('Ready')).toBeVisible();
      await agent.reachSomebody();
    });
});

test('a BYE that was lost with its socket reaches the exchange over the next one', LONG, async ({ site }) => {
  const agent = await site.open('/healthz');
  let isLost = false;
  await agent.page.routeWebSocket(/\/ws$/, (socket) => {
    const exchange = socket.connectToServer();
    socket.onMessage((message) => {
      if (isLost || !String(message).startsWith('BYE')) return exchange.send(message);
      isLost = true;
      void Promise.all([socket.close(), exchange.close()]);
    });
  });
  await agent.page.goto(site.origin);
  await expect(agent.text('Ready')).toBeVisible();
  await talk(agent);
  await hangUp(agent);
  await site.call(ENDED);
  await expect(agent.text('Ready')).toBeVisible();
  await agent.reachSomebody();
});

for (const isTried of [false, true])
  test(
    `a call that is left ${isTried ? 'after 100 Trying and ' : ''}before the exchange asks for its password does not stay open`,
    LONG,
    async ({ site }) => {
      const agent = await site.open('/healthz');
      let challenge: (() => void) | undefined;
      await agent.page.routeWebSocket(/\/ws$/, (socket) => {
        const exchange = socket.connectToServer();
        socket.onMessage((message) => {
          const text = String(message);
          const isFirst = challenge === undefined && text.startsWith('INVITE');
          if (!isFirst) return /^ACK[^]*tag=first/.test(text) ? undefined : exchange.send(message);
          const [to, ...kept] = ['To', 'Via', 'From', 'Call-ID', 'CSeq'].map(
            (name) => new RegExp(`^${name}: .*`, 'm').exec(text)?.[0].trim() ?? '',
          );
          if (isTried)
            socket.send(['SIP/2.0 100 Trying', to, ...kept, 'Content-Length: 0', '', ''].join('\r\n'));
          const asks =
            'Proxy-Authenticate: Digest realm="sandbox.invalid", nonce="x", algorithm=MD5, qop="auth"';
          const lines = [`${to};tag=first`, ...kept, asks, 'Content-Length: 0', '', ''];
          challenge = () => socket.send(['SIP/2.0 407 Proxy Authentication Required', ...lines].join('\r\n'));
        });
        exchange.onMessage((message) => {
          const isLate = /^CSeq: \d+ (INVITE|CANCEL)/m.test(String(message));
          setTimeout(() => socket.send(message), isLate ? 2500 : 0);
        });
        // The exchange does not notice.
        socket.onClose(() => undefined);
      });
      await agent.page.goto(site.origin);
      await expect(agent.text('Ready')).toBeVisible();
      await agent.clickCustomer('0900 000 200');
      await expect.poll(() => challenge !== undefined).toBe(true);
      await remove(agent);
      await agent.page.waitForTimeout(300);
      challenge?.();
      await site.call(ENDED);
    },
  );

test.describe('an answer that crosses', () => {
  const LEAVING: readonly (readonly [string, (agent: AgentPage) => Promise<unknown>])[] = [
    ['disconnect()', disconnect],
    ['the hang-up', (agent) => agent.press('Hang up')],
    ['the removal of the element', remove],
    [
      'changed settings',
      async (agent) => {
        await changeSettings(agent);
        await agent.press('Hang up');
      },
    ],
  ];
  const CASES = LEAVING.flatMap(([name, leave]) =>
    ([true, false] as const).map((rings) => ({
      name: `${name} leaves nobody in the call, ${rings ? 'which rang' : 'which never rang'}`,
      leave,
      rings,
    })),
  );
  for (const [index, { name, leave, rings }] of CASES.entries())
    test(name, inFirstCase(index), async ({ site }) => {
      const agent = await site.open('/healthz');
      const answers: (() => void)[] = [];
      await agent.page.routeWebSocket(/\/ws$/, (socket) => {
        const exchange = socket.connectToServer();
        socket.onMessage((message) => {
          exchange.send(message);
          if (String(message).startsWith('CANCEL')) for (const send of answers) send();
        });
        exchange.onMessage((message) => {
          const text = String(message);
          const send = () =>
            socket.send(rings ? text : text.replace(/^SIP\/2\.0 180.*/, 'SIP/2.0 100 Trying'));
          if (/^SIP\/2\.0 200 [^]*CSeq: \d+ INVITE/.test(text)) answers.push(send);
          else send();
        });
      });
      await agent.page.goto(site.origin);
      await expect(agent.text('Ready')).toBeVisible();
      await agent.clickCustomer('0900 000 200');
      await site.call({ state: 'answered' });
      await leave(agent);
      await site.call(ENDED);
    });
});
