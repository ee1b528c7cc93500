/** Who is calling, from the vendor's customers through the companion to the screen of an agent. */
import { SANDBOX_API_KEY } from '../../demo/sandbox/sandbox.ts';
import { expect, LONG, test, type AgentPage, type Site } from './fixtures.ts';

async function addCustomer(site: Site, fields: Readonly<Record<string, string>>): Promise<void> {
  const answer = await fetch(`${site.origin}/vendor/v3.0/api/customer/insert`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': SANDBOX_API_KEY },
    body: JSON.stringify({ fields }),
  });
  const { error } = (await answer.json()) as { error: number };
  expect(error).toBe(0);
}

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

  test('from a number of two customers shows both, and markup in a name as text', async ({ agent, site }) => {
    await addCustomer(site, { customer_code: 'twin1', name: 'Hoàng <b>Yến</b>', phone: '0966123456' });
    await addCustomer(site, { customer_code: 'twin2', name: 'Hoàng Oanh', phone: '+84966123456' });
    await site.ring('0966123456');
    await expect(agent.text('Hoàng <b>Yến</b>')).toBeVisible();
    await expect(agent.text('Hoàng Oanh')).toBeVisible();
    expect(await customerOfCall(agent)).toEqual([undefined, 2]);
    await agent.press('Decline');
  });

  test('is answered at once while the lookup takes its time, and the late name comes while talking', async ({
    agent,
    site,
  }) => {
    let ask: (answer: () => Promise<void>) => void;
    const asked = new Promise<() => Promise<void>>((resolve) => (ask = resolve));
    await agent.page.route('**/dialer/customers?phone=*', (route) => ask(() => route.continue()));
    await site.ring('0900000486');
    const answer = await asked;
    await agent.press('Answer');
    await expect(agent.text('In call')).toBeVisible();
    expect(await customerOfCall(agent)).toEqual([undefined, undefined]);
    await answer();
    await expect(agent.text('Phạm Thu Hà')).toBeVisible();
    expect(await customerOfCall(agent)).toEqual(['c04', 1]);
    await agent.hangUp();
  });

  // Each number once, as the companion remembers whom it has found.
  const FAULTS = [
    ['silent', '0900000100'],
    ['status', '0900000402'],
    ['garbage', '0912345678'],
    ['cut', '0900000603'],
  ] as const;
  for (const [kind, number] of FAULTS) {
    test(`is answered at once when the vendor's answer is "${kind}", and nobody is told of an error`, async ({
      agent,
      site,
    }) => {
      await site.sandbox('faults', { place: '/api/customer/get-all', kind });
      const errors = agent.page.evaluate(
        () =>
          new Promise<string[]>((resolve) => {
            const names: string[] = [];
            const dialer = document.querySelector('partner-dialer');
            for (const name of ['dialer-error', 'dialer-customer'] as const)
              dialer?.addEventListener(name, () => names.push(name));
            dialer?.addEventListener('dialer-callend', () => resolve(names));
          }),
      );
      await site.ring(number);
      await agent.press('Answer');
      await expect(agent.text('In call')).toBeVisible();
      expect(await customerOfCall(agent)).toEqual([undefined, undefined]);
      await agent.hangUp();
      expect(await errors).toEqual([]);
    });
  }
});
