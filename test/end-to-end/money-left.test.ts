/** What an agent reads of money around a call, from the vendor's charges through the companion. */
import { expect, LONG, test } from './fixtures.ts';

test(
  'an agent reads what a call has cost, and from then on how long the balance lasts',
  LONG,
  async ({ agent }) => {
    await expect(agent.text('Call balance:')).toBeVisible();
    await agent.clickCustomer('0900 000 200');
    await expect(agent.text('In call')).toBeVisible();
    await expect(agent.text('00:01')).toBeVisible();
    await agent.hangUp();
    await expect(agent.page.locator('.strip .result', { hasText: /00:0\d · \d+\s₫/ })).toBeVisible();
    await expect(agent.page.locator('.balance', { hasText: /about \d+\sh/ })).toBeVisible();
    await agent.press('Recent calls');
    await expect(agent.page.locator('.recent .what', { hasText: /\d\ss · \d+\s₫/ })).toBeVisible();
  },
);
