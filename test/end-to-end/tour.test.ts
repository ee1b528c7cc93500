/** The tour of the demo: five presses, each with what it promises. */
import { expect, LONG, test, type AgentPage } from './fixtures.ts';

function press(agent: AgentPage, name: string): Promise<void> {
  return agent.page.locator('#tour').getByRole('button', { name }).click();
}

test('the tour shows a call, both ways out, an incoming call and a bad network', LONG, async ({ agent }) => {
  await press(agent, 'Make a call');
  await expect(agent.text('In call')).toBeVisible();
  await agent.hangUp();

  await press(agent, 'No balance');
  await expect(agent.text('Then: call 0900 000 200')).toBeVisible();
  await agent.press('Ask for a top-up');
  await expect(agent.text('You can call again')).toBeVisible();

  await press(agent, 'No caller number');
  await agent.press('Ask for a caller number');
  await expect(agent.text('You can call again')).toBeVisible();

  await press(agent, 'Incoming call');
  await agent.press('Decline');

  await press(agent, 'Bad network');
  await expect(agent.text('The customer can hardly hear you')).toBeVisible();
  await agent.page.getByText('Tiếng Việt', { exact: true }).click();
  await expect(agent.page.getByText('Cứ năm gói âm thanh thì mất một, ở cả hai chiều')).toBeVisible();
  await agent.page.getByText('English', { exact: true }).click();
  await agent.hangUp();
});

test('a step of the tour does what it says, whatever the step before has left', LONG, async ({ agent }) => {
  for (const [step, guide] of [
    ['No balance', 'Ask for a top-up'],
    ['No caller number', 'Ask for a caller number'],
  ] as const) {
    await press(agent, step);
    await expect(agent.button(guide)).toBeVisible();
    await press(agent, 'Make a call');
    await expect(agent.text('In call')).toBeVisible();
    await agent.hangUp();
  }
});
