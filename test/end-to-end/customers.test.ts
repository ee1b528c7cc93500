/** Who is calling, from the vendor's customers through the companion to the screen of an agent. */
import assert from 'node:assert/strict';
import { SANDBOX_API_KEY } from '../../demo/sandbox/sandbox.ts';
import { LONG, test, type AgentPage, type Site } from './fixtures.ts';

let site: Site;
let agent: AgentPage;
test.beforeEach(async ({ sandbox }) => {
  site = sandbox;
  await site.sandbox('members/agent001', { balance: 90_000, hotlines: ['842899990001'] });
  agent = await site.open();
  await agent.see('Ready');
});
test.afterEach(() => agent.closeWithoutErrors());

const ring = (from: string) => site.sandbox('calls', { memberNo: 'agent001', from });

async function addCustomer(fields: Readonly<Record<string, string>>): Promise<void> {
  const answer = await fetch(`${site.origin}/vendor/v3.0/api/customer/insert`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': SANDBOX_API_KEY },
    body: JSON.stringify({ fields }),
  });
  const { error } = (await answer.json()) as { error: number };
  // It is there still where a test of this file ran before.
  assert.ok(error === 0 || error === 409, `error ${error}`);
}

const customerOfCall = () =>
  agent.page.evaluate(() => {
    const { call } = document.querySelector('partner-dialer')?.state ?? { call: { is: 'none' } as const };
    return 'info' in call ? [call.info.customer?.code, call.info.customers?.length] : [];
  });

/** Notes in the page, in this order, what the dialer tells of a call and when the name of the customer is to be seen. */
const watchNames = () =>
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
  test('from a known number shows the name after one question to the companion, however the number is kept', async () => {
    await watchNames();
    const earlier = agent.requested.length;
    assert.deepEqual(
      agent.requested.filter((url) => url.includes('phone=')),
      [],
      'nobody is asked before the first call',
    );
    await ring('+84900000183');
    await agent.see('Trần Văn Hùng');
    const seen = await agent.page.evaluate(() => Reflect.get(globalThis, 'seen') as [string, number][]);
    assert.deepEqual(
      seen.map(([what]) => what),
      ['rings', 'known', 'shown'],
    );
    const asked = agent.requested.slice(earlier).map((url) => new URL(url));
    const questions = asked.filter(({ pathname }) => pathname === '/dialer/customers');
    assert.deepEqual(
      questions.map(({ searchParams }) => searchParams.get('phone')),
      ['+84900000183'],
    );
    assert.deepEqual(await customerOfCall(), ['c02', 1]);
    await agent.press('Decline');
  });

  test('from a number of two customers shows both, and markup in a name as text', async () => {
    await addCustomer({ customer_code: 'twin1', name: 'Hoàng <b>Yến</b>', phone: '0977654321' });
    await addCustomer({ customer_code: 'twin2', name: 'Hoàng Oanh', phone: '+84977654321' });
    await ring('0977654321');
    await agent.see('Hoàng <b>Yến</b>');
    await agent.see('Hoàng Oanh');
    assert.deepEqual(await customerOfCall(), [undefined, 2]);
    await agent.press('Decline');
  });

  test('is answered at once while the lookup takes its time, and the late name comes while talking', async () => {
    let ask: (answer: () => Promise<void>) => void;
    const asked = new Promise<() => Promise<void>>((resolve) => (ask = resolve));
    await agent.page.route('**/dialer/customers?phone=*', (route) => ask(() => route.continue()));
    await ring('0900000486');
    const answer = await asked;
    await agent.press('Answer');
    await agent.see('In call');
    assert.deepEqual(await customerOfCall(), [undefined, undefined]);
    await answer();
    await agent.see('Phạm Thu Hà');
    assert.deepEqual(await customerOfCall(), ['c04', 1]);
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
    test(`is answered at once when the vendor's answer is "${kind}", and nobody is told of an error`, async () => {
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
      await ring(number);
      await agent.press('Answer');
      await agent.see('In call');
      assert.deepEqual(await customerOfCall(), [undefined, undefined]);
      await agent.hangUp();
      assert.deepEqual(await errors, []);
    });
  }
});
