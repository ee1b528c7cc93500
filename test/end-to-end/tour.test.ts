/** The tour of the demo: five presses, each with what it promises. */
import { LONG, test, type AgentPage } from './fixtures.ts';

function press(agent: AgentPage, name: string): Promise<void> {
  return agent.page.locator('#tour').getByRole('button', { name }).click();
}

test('the tour shows a call, both ways out, an incoming call and a bad network', LONG, async ({ agent }) => {
  await press(agent, '1. Call');
  await agent.see('In call');
  await agent.hangUp();

  await press(agent, '2. No balance');
  await agent.see('Then: call 0900 000 200');
  await agent.press('Ask for a top-up');
  await agent.see('You can call again');

  await press(agent, '3. No caller number');
  await agent.press('Ask for a caller number');
  await agent.see('You can call again');

  await press(agent, '4. Incoming call');
  await agent.press('Decline');

  await press(agent, '5. Bad network');
  await agent.see('The customer hardly hears you');
  await agent.page.getByText('Tiếng Việt', { exact: true }).click();
  await agent.page.getByText('Cứ năm gói âm thanh thì mất một, ở cả hai chiều').waitFor();
  await agent.page.getByText('English', { exact: true }).click();
  await agent.hangUp();
});
