/** Every dead end an agent can meet, and the way out of it. */
import assert from 'node:assert/strict';
import { eventually, someOf, test, type AgentPage, type Site } from './fixtures.ts';

const FUNDS = /Your call balance is used up/;
const HOTLINE = /You have no caller number yet/;

let site: Site;
let agent: AgentPage;
test.beforeEach(async ({ sandbox }) => {
  site = sandbox;
  await site.sandbox('settings', {
    hotlineList: 'hotlines',
    paymentPhrase: 'Payment Required',
    paymentRefusal: 'at-once',
  });
});
test.afterEach(() => agent.closeWithoutErrors());

async function openReady(): Promise<void> {
  agent = await site.open();
  await agent.see('Ready');
}

test.describe('an agent without money', () => {
  const PHRASES = [
    ['a Vietnamese phrase', 'Tài khoản không đủ số dư', 'at-once'],
    ['no phrase, after ringing', '', 'after-ringing'],
    ['the standard phrase', 'Payment Required', 'at-once'],
    ['no phrase, at once', '', 'at-once'],
  ] as const;
  for (const [name, paymentPhrase, paymentRefusal] of someOf(PHRASES, 1)) {
    test(`whose call is refused with ${name} asks for a top-up, checks, and reaches the same number`, async () => {
      await openReady();
      await site.sandbox('settings', { paymentPhrase, paymentRefusal });
      await site.sandbox('members/agent001', { balance: 0 });
      await agent.clickCustomer('0912 345 678');
      await agent.see(FUNDS);
      await agent.see('Then: call 0912 345 678');
      assert.equal((await site.call(({ state }) => state === 'ended')).finalStatus, 402);
      await agent.press('Ask for a top-up');
      await agent.see('You can call again');
      await agent.press('Check again');
      await agent.press('Call 0912 345 678');
      await agent.see('In call');
      const call = await site.call(({ state }) => state === 'answered');
      assert.equal(call.number, '0912345678');
      await agent.hangUp();
      const topUps = await site.sandbox<{ memberNo: string; money: number }[]>('top-ups');
      assert.equal(topUps.at(-1)?.memberNo, 'agent001');
      assert.equal(topUps.at(-1)?.money, 1000);
    });
  }

  test('calls the number that is always refused with 402, is guided, and may try it again', async () => {
    await openReady();
    await agent.clickCustomer('0900 000 402');
    await agent.see(FUNDS);
    await agent.press('Ask for a top-up');
    await agent.see('You can call again');
    await agent.press('Check again');
    const count = (await site.calls()).length;
    await agent.press('Call 0900 000 402');
    await eventually(async () => (await site.calls()).length === count + 1, 'the second call');
    await site.call(({ number, finalStatus }) => number === '0900000402' && finalStatus === 402);
    await agent.see(FUNDS);
  });

  test('is guided before the first call when the broker knows', async () => {
    await site.sandbox('members/agent005', { balance: 0, hotlines: ['842899990001'] });
    await site.sandbox('faults', { place: '/api/member/addMoney', kind: 'error', value: 402 });
    agent = await site.open();
    await agent.page.getByLabel('Signed in as').selectOption('agent005');
    await agent.see(FUNDS);
    await site.sandbox('faults/clear', {});
    await site.sandbox('members/agent005', { balance: 9000 });
    await agent.press('Check again');
    await agent.see('You can call again');
  });
});

test.describe('an agent without a hotline', () => {
  test('is guided, asks for one, and calls the number', async () => {
    await openReady();
    await agent.page.getByRole('button', { name: '3. No caller number' }).click();
    await agent.see(HOTLINE);
    await agent.see('Then: call 0900 000 200');
    await agent.press('Ask for a caller number');
    await agent.see('You can call again');
    await agent.press('Call 0900 000 200');
    await agent.see('In call');
    assert.equal((await site.call(({ state }) => state === 'answered')).hotline, '842899990001');
    await agent.hangUp();
  });

  test('learns it from the call, when it was taken away meanwhile', async () => {
    await openReady();
    await site.sandbox('members/agent001', { hotlines: [] });
    await agent.clickCustomer('0912 345 678');
    await agent.see(HOTLINE);
    await agent.press('Ask for a caller number');
    await agent.see('You can call again');
    await agent.press('Call 0912 345 678');
    await agent.see('In call');
    await agent.hangUp();
  });
});

test.describe('an agent whose way to the exchange is broken', () => {
  const FAULTS: readonly (readonly [string, string, RegExp])[] = [
    ['the script is not there', 'script', /phone software could not be loaded/],
    ['the SDK sign-in is refused', '/api/sdk/info', /did not accept your sign-in/],
    ['the registration is refused', 'register', /exchange does not answer/],
  ];
  const STATUS: Readonly<Record<string, number>> = { script: 404, '/api/sdk/info': 401, register: 403 };
  for (const [name, place, text] of someOf(FAULTS, 1)) {
    test(`reads so when ${name}, and gets on once it is mended`, async () => {
      await site.sandbox('faults', { place, kind: 'status', value: STATUS[place] });
      agent = await site.open();
      await agent.see(text);
      await agent.tryAgain();
      await agent.see(text);
      await site.sandbox('faults/clear', {});
      await agent.tryAgain();
      await agent.see('Ready');
      await agent.clickCustomer('0900 000 200');
      await agent.see('In call');
      await agent.hangUp();
    });
  }

  const ANSWERS: readonly (readonly [string, { status: number; body: string } | undefined, RegExp])[] = [
    ['is down', undefined, /sign-in server of this page does not answer/],
    ['is broken', { status: 500, body: 'oops' }, /sign-in server of this page does not answer/],
    ['answers garbage', { status: 200, body: '<!doctype html>' }, /answer that cannot be used/],
    [
      'does not know the agent',
      { status: 401, body: '{"code":"broker-unauthorized"}' },
      /You are not signed in/,
    ],
  ];
  for (const [name, answer, text] of someOf(ANSWERS, 1)) {
    test(`reads so when the broker ${name}, and gets on once it is mended`, async () => {
      agent = await site.open('/sandbox');
      await agent.page.route('**/dialer/session', (route) =>
        answer ? route.fulfill(answer) : route.abort(),
      );
      await agent.page.goto(site.origin);
      await agent.see(text);
      await agent.page.unroute('**/dialer/session');
      await agent.tryAgain();
      await agent.see('Ready');
    });
  }

  test('sees the vendor go down and come back, by the sandbox’s switches', async () => {
    await openReady();
    await agent.page.getByText('Vendor down', { exact: true }).click();
    await agent.see('Not connected');
    await agent.see('phone service does not answer');
    await agent.see('Trying again in');
    await agent.page.getByText('Ready', { exact: true }).first().click();
    await agent.see('Ready');
  });
});
