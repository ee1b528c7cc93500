/** What an agent reads of money around a call, from the vendor's charges through the companion. */
import { LONG, test } from './fixtures.ts';

test(
  'an agent reads what a call has cost, and from then on how long the balance lasts',
  LONG,
  async ({ agent }) => {
    await agent.see('Call balance:');
    await agent.clickCustomer('0900 000 200');
    await agent.see('In call');
    await agent.see('00:01');
    await agent.hangUp();
    await agent.page.locator('.strip .result', { hasText: /00:0\d · \d+\s₫/ }).waitFor();
    await agent.page.locator('.balance', { hasText: /about \d+\sh/ }).waitFor();
    await agent.press('Recent calls');
    await agent.page.locator('.recent .what', { hasText: /\d\ss · \d+\s₫/ }).waitFor();
  },
);
