/** A network that goes and comes back, and a microphone that is taken back by the browser's own settings, as Chromium tells of them. */
import assert from 'node:assert/strict';
import { test, type AgentPage, type Site } from './fixtures.ts';

let site: Site;
let agent: AgentPage;
test.beforeEach(({ sandbox, agent: ready }) => {
  site = sandbox;
  agent = ready;
});
test.afterEach(async () => {
  await agent.page.context().setOffline(false);
  await agent.page.context().grantPermissions(['microphone']);
});

const goOnline = (isOnline: boolean) => agent.page.context().setOffline(!isOnline);

const isShown = (text: string) => agent.page.locator('partner-dialer').getByText(text).first().isVisible();

/** As the agent would in the browser's own settings; with the end of the session it would be taken back. */
async function setPermission(setting: 'granted' | 'denied'): Promise<void> {
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
  test('while idle, the agent is told, and it is ready again by itself', async () => {
    await goOnline(false);
    await agent.see('You are offline');
    await goOnline(true);
    await agent.see('Ready');
    await agent.reachSomebody();
  });

  test('in a call, the agent is told that nobody hears them; the call goes on when it is back, and can be hung up', async () => {
    await agent.clickCustomer('0900 000 200');
    await agent.see('In call');
    await goOnline(false);
    await agent.see('You are offline: nobody hears anything until the network is back.');
    assert.equal(await isShown('In call'), true);
    await goOnline(true);
    await agent.page
      .locator('partner-dialer')
      .getByText('You are offline')
      .first()
      .waitFor({ state: 'hidden' });
    await agent.hangUp();
    await site.call(({ state }) => state === 'ended');
    await agent.reachSomebody();
  });
});

test.describe('a microphone whose permission is taken back', () => {
  test('in a call, the call goes on; the agent is guided after it, and ready once it is allowed', async () => {
    await agent.clickCustomer('0900 000 200');
    await agent.see('In call');
    await setPermission('denied');
    assert.equal(await isShown('In call'), true);
    await agent.press('Hang up');
    await agent.see('The browser blocks the microphone');
    await setPermission('granted');
    await agent.see('Ready');
    await agent.reachSomebody();
  });
});
