/** A network that goes and comes back, and a microphone that is taken back by the browser's own settings, as Chromium tells of them. */
import { expect, test, type AgentPage, type Site, LONG } from './fixtures.ts';
test.afterEach(async ({ agent }) => {
  await agent.page.context().setOffline(false);
  await agent.page.context().grantPermissions(['microphone']);
});

const goOnline = (agent: AgentPage, isOnline: boolean) => agent.page.context().setOffline(!isOnline);

/** As the agent would in the browser's own settings; with the end of the session it would be taken back. */
async function setPermission(agent: AgentPage, site: Site, setting: 'granted' | 'denied'): Promise<void> {
  const devtools = await agent.page.context().newCDPSession(agent.page);
  const { targetInfo } = await devtools.send('Target.getTargetInfo');
  const { browserContextId } = targetInfo;
  await devtools.send('Browser.setPermission', {
    permission: { name: 'microphone' },
    setting,
    origin: site.origin,
    ...(browserContextId !== undefined && { browserContextId }),
  });
}

test.describe('a machine that loses its network', () => {
  test('while idle, the agent is told, and it is ready again by itself', LONG, async ({ agent }) => {
    await goOnline(agent, false);
    await expect(agent.text('You are offline')).toBeVisible();
    await goOnline(agent, true);
    await expect(agent.text('Ready')).toBeVisible();
    await agent.reachSomebody();
  });

  test('in a call, the agent is told that nobody hears them; the call goes on when it is back, and can be hung up', async ({
    agent,
    site,
  }) => {
    await agent.clickCustomer('0900 000 200');
    await expect(agent.text('In call')).toBeVisible();
    await goOnline(agent, false);
    await expect(
      agent.text('You are offline: nobody hears anything until the network is back.'),
    ).toBeVisible();
    await expect(agent.text('In call')).toBeVisible();
    await goOnline(agent, true);
    await expect(agent.text('You are offline')).toBeHidden();
    await agent.hangUp();
    await site.call({ state: 'ended' });
    await agent.reachSomebody();
  });
});

test.describe('a microphone whose permission is taken back', () => {
  test(
    'in a call, the call goes on; the agent is guided after it, and ready once it is allowed',
    LONG,
    async ({ agent, site }) => {
      await agent.clickCustomer('0900 000 200');
      await expect(agent.text('In call')).toBeVisible();
      await setPermission(agent, site, 'denied');
      await expect(agent.text('In call')).toBeVisible();
      await agent.press('Hang up');
      await expect(agent.text('The browser blocks the microphone')).toBeVisible();
      await setPermission(agent, site, 'granted');
      await expect(agent.text('Ready')).toBeVisible();
      await agent.reachSomebody();
    },
  );
});
