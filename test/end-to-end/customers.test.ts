/** Who is calling, from the vendor's customers through the companion to the screen of an agent. */
import { expect, LONG, test, type AgentPage } from './fixtures.ts';

const customerOfCall = (agent: AgentPage) =>
  agent.page.evaluate(() => {
    const { call } = document.querySelector('partner-dialer')?.state ?? { call: { is: 'none' } as const };
    return 'info' in call ? [call.info.customer?.code, call.info.customers?.length] : [];
  });

/** Notes in the page, in this order, what the dialer tells of a call and when the name of the customer is to be seen. */
const watchNames = (agent: AgentPage) =>
  agent.page.evaluate(() => {
    const dialer = document.querySelector('partner-dialer');
    const seen: [what: string, at: number][] = [];
    Reflect.set(globalThis, 'seen', seen);
    const note = (what: string) => seen.push([what, performance.now()]);
    dialer?.addEventListener('dialer-callincoming', () => note('rings'));
    dialer?.addEventListener('dialer-customer', ({ detail: { customers } }) => {
      note('known');
      void dialer.updateComplete.then(() =>
        note(dialer.shadowRoot?.textContent?.includes(customers[0]?.name ?? '') ? 'shown' : 'not shown'),
      );
    });
  });

test.describe('an incoming call', LONG, () => {
  test('from a known number shows the name after one question to the companion, however the number is kept', async ({
    agent,
    site,
  }) => {
    await watchNames(agent);
    const earlier = agent.requested.length;
    expect(
      agent.requested.filter((url) => url.includes('phone=')),
      'nobody is asked before the first call',
    ).toEqual([]);
    await site.ring('+84900000183');
    await expect(agent.text('Trần Văn Hùng')).toBeVisible();
    const seen = await agent.page.evaluate(() => Reflect.get(globalThis, 'seen') as [string, number][]);
    expect(seen.map(([what]) => what)).toEqual(['rings', 'known', 'shown']);
    const asked = agent.requested.slice(earlier).map((url) => new URL(url));
    const questions = asked.filter(({ pathname }) => pathname === '/dialer/customers');
    expect(questions.map(({ searchParams }) => searchParams.get('phone'))).toEqual(['+84900000183']);
    expect(await customerOfCall(agent)).toEqual(['c02', 1]);
    await agent.press('Decline');
  });
});
