/** Every dead end an agent can meet, and the way out of it. */
import { expect, inFirstCase, LONG, test } from './fixtures.ts';

const FUNDS = /Your call balance is used up/;
const HOTLINE = /You have no caller number yet/;
test.beforeEach(async ({ site }) => {
  await site.sandbox('settings', { hotlineList: 'hotlines' });
});

test.describe('an agent without money', () => {
  const PHRASES = [
    ['a Vietnamese phrase', 'Tài khoản không đủ số dư', 'at-once'],
    ['no phrase, after ringing', '', 'after-ringing'],
    ['the standard phrase', 'Payment Required', 'at-once'],
    ['no phrase, at once', '', 'at-once'],
  ] as const;
  for (const [index, [name, paymentPhrase, paymentRefusal]] of PHRASES.entries()) {
    test(
      `whose call is refused with ${name} asks for a top-up, checks, and reaches the same number`,
      inFirstCase(index),
      async ({ agent, site }) => {
        await site.sandbox('settings', { paymentPhrase, paymentRefusal });
        await site.sandbox('members/agent001', { balance: 0 });
        await agent.clickCustomer('0912 345 678');
        await expect(agent.text(FUNDS)).toBeVisible();
        await expect(agent.text('Then: call 0912 345 678')).toBeVisible();
        expect((await site.call({ state: 'ended' })).finalStatus).toBe(402);
        await agent.press('Ask for a top-up');
        await expect(agent.text('You can call again')).toBeVisible();
        await agent.press('Check again');
        await agent.press('Call 0912 345 678');
        await expect(agent.text('In call')).toBeVisible();
        const call = await site.call({ state: 'answered' });
        expect(call.number).toBe('0912345678');
        await agent.hangUp();
        const topUps = await site.sandbox<{ memberNo: string; money: number }[]>('top-ups');
        expect(topUps.at(-1)?.memberNo).toBe('agent001');
        expect(topUps.at(-1)?.money).toBe(1000);
      },
    );
  }

  test('is guided before the first call when the broker knows', async ({ site }) => {
    await site.sandbox('members/agent005', { balance: 0, hotlines: ['842899990001'] });
    await site.sandbox('faults', { place: '/api/member/addMoney', kind: 'error', value: 402 });
    const agent = await site.open();
    await agent.page.getByLabel('Signed in as').selectOption('agent005');
    await expect(agent.text(FUNDS)).toBeVisible();
    await site.sandbox('faults/clear', {});
    await site.sandbox('members/agent005', { balance: 9000 });
    await agent.press('Check again');
    await expect(agent.text('You can call again')).toBeVisible();
  });
});

test(
  'who presses in a page that another agent has left open asks for no money, and reads who has signed in',
  LONG,
  async ({ agent, site }) => {
    await site.sandbox('members/agent001', { balance: 0 });
    await agent.clickCustomer('0912 345 678');
    await expect(agent.text(FUNDS)).toBeVisible();
    const { page } = agent;
    // In another window, with the same cookie.
    await page.request.post(`${site.origin}/login`, { data: { memberNo: 'agent002' } });
    await site.sandbox('members/agent002', { balance: 0, hotlines: ['842899990001'] });
    const asked = page.waitForResponse(/\/dialer\/top-up/);
    // The next sign-in may pay them.
    await page.route('**/dialer/session', () => undefined);
    await agent.press('Ask for a top-up');
    await asked;
    expect(await site.sandbox('top-ups')).toEqual([]);
    await page.unroute('**/dialer/session');
    const memberNo = () =>
      page.evaluate(() => document.querySelector('partner-dialer')?.state.member?.memberNo);
    await expect.poll(memberNo).toBe('agent002');
  },
);

test.describe('an agent without a hotline', () => {
  test('is guided, asks for one, and calls the number', async ({ agent, site }) => {
    await agent.page.getByRole('button', { name: 'No caller number' }).click();
    await expect(agent.text(HOTLINE)).toBeVisible();
    await expect(agent.text('Then: call 0900 000 200')).toBeVisible();
    await agent.press('Ask for a caller number');
    await expect(agent.text('You can call again')).toBeVisible();
    await agent.press('Call 0900 000 200');
    await expect(agent.text('In call')).toBeVisible();
    expect((await site.call({ state: 'answered' })).hotline).toBe('842899990001');
    await agent.hangUp();
  });

  test('learns it from the call, when it was taken away meanwhile', LONG, async ({ agent, site }) => {
    await site.sandbox('members/agent001', { hotlines: [] });
    await agent.clickCustomer('0912 345 678');
    await expect(agent.text(HOTLINE)).toBeVisible();
    await agent.press('Ask for a caller number');
    await expect(agent.text('You can call again')).toBeVisible();
    await agent.press('Call 0912 345 678');
    await expect(agent.text('In call')).toBeVisible();
    await agent.hangUp();
  });
});

test.describe('an agent whose way to the exchange is broken', () => {
  const REFUSED = /did not accept your sign-in/;
  const SIGN_IN = '/api/sdk/info';
  const FAULTS: readonly (readonly [
    name: string,
    fault: object,
    text: RegExp,
    code: string,
    details?: object,
  ])[] = [
    [
      'the script is not there',
      { place: 'script', kind: 'status', value: 404 },
      /phone software could not be loaded/,
      'PD-SDK',
    ],
    ['the SDK sign-in is refused', { place: SIGN_IN, kind: 'status', value: 401 }, REFUSED, 'PD-TOKEN', LONG],
    [
      'the SDK sign-in drops',
      { place: SIGN_IN, kind: 'drop' },
      /The phone service does not answer/,
      'PD-VENDOR',
      LONG,
    ],
    [
      'the registration is refused',
      { place: 'register', kind: 'status', value: 403 },
      /exchange does not answer/,
      'PD-EXCHANGE',
      LONG,
    ],
  ];
  for (const [name, fault, text, code, details = {}] of FAULTS) {
    test(`reads so when ${name}, and gets on by "Try again" once it is mended`, details, async ({ site }) => {
      await site.sandbox('faults', fault);
      const agent = await site.openWithClock();
      await expect(agent.text(text)).toBeVisible();
      await expect(agent.text(code)).toBeVisible();
      await agent.tryAgain();
      await expect(agent.text(text)).toBeVisible();
      await agent.tryAgain(() => site.sandbox('faults/clear', {}));
      await expect(agent.text('Ready')).toBeVisible();
      await agent.reachSomebody();
    });
  }

  test('calls with the broker’s caller number when those of the SDK fail', LONG, async ({ site }) => {
    await site.sandbox('faults', { place: '/api/sdk/getHotline', kind: 'status', value: 500 });
    const agent = await site.open();
    await expect(agent.text('Ready')).toBeVisible();
    await agent.reachSomebody();
  });

  test(
    'is told when the SDK sign-in takes half a minute, and is ready when it comes',
    LONG,
    async ({ site }) => {
      const slow = 2000;
      await site.sandbox('faults', { place: SIGN_IN, kind: 'slow', value: slow, times: 1 });
      const agent = await site.openWithClock();
      await agent.asked(SIGN_IN);
      await agent.pass(30_000 - slow);
      await expect(agent.text(/exchange does not answer/)).toBeVisible();
      await expect(agent.text('Ready')).toBeVisible();
      await agent.reachSomebody();
    },
  );

  test('reads so when the broker is down, and gets on by "Try again" once it is mended', async ({ site }) => {
    const text = /sign-in server of this page does not answer/;
    const agent = await site.openWithClock('/sandbox');
    await agent.page.route('**/dialer/session', (route) => route.abort());
    await agent.page.goto(site.origin);
    await expect(agent.text(text)).toBeVisible();
    await agent.tryAgain(() => agent.page.unroute('**/dialer/session'));
    await expect(agent.text('Ready')).toBeVisible();
  });

  test('sees the vendor go down and come back, by the sandbox’s switches', LONG, async ({ agent }) => {
    await agent.page.getByText('Vendor down', { exact: true }).click();
    await expect(agent.text('Not connected')).toBeVisible();
    await expect(agent.text('phone service does not answer')).toBeVisible();
    await expect(agent.text('Trying again in')).toBeVisible();
    await agent.page.getByText('All is well', { exact: true }).click();
    await expect(agent.text('Ready')).toBeVisible();
  });
});
