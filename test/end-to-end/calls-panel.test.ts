/** The CRM's list of an agent's calls at the vendor, and the button that has the vendor ring their dialer. */
import type { Locator, Request } from '@playwright/test';
import { assertReadable } from './readable.ts';
import { expect, LONG, test, type AgentPage, type Site } from './fixtures.ts';
test.beforeEach(async ({ site }) => {
  await site.sandbox('members/agent002', { balance: 90_000, hotlines: ['842899990001'] });
  await site.sandbox('webhooks', { url: `${site.origin}/webhooks/calls` });
});

const panel = (agent: AgentPage) => agent.page.getByRole('region', { name: 'Calls', exact: true });
const rows = (agent: AgentPage) => panel(agent).locator('tbody').getByRole('row');
const isStream = (request: Request) => request.url().endsWith('/dialer/events');
const outcome = (agent: AgentPage) => panel(agent).locator('#call-me-outcome');

/** What somebody at the screen reads, on one line. */
async function read(place: Locator): Promise<string> {
  return (await place.innerText()).replaceAll(/\s+/g, ' ');
}

async function rowWith(agent: AgentPage, text: RegExp): Promise<string> {
  let texts: string[] = [];
  await expect
    .poll(async () => (texts = await Promise.all((await rows(agent).all()).map(read))))
    .toContainEqual(expect.stringMatching(text));
  return texts.find((one) => text.test(one)) ?? '';
}

async function pressCallMe(agent: AgentPage): Promise<void> {
  await panel(agent).getByRole('button', { name: 'Call me' }).click();
}

async function outcomeIs(agent: AgentPage, text: RegExp): Promise<void> {
  await expect.poll(() => read(outcome(agent))).toMatch(text);
}

/** @returns seconds */
async function talk(agent: AgentPage, site: Site, number: string, seconds: number): Promise<number> {
  await agent.clickCustomer(number);
  await expect(agent.text('In call')).toBeVisible();
  const { id, answeredAt = 0 } = await site.call({ state: 'answered' });
  await expect.poll(async () => Date.now(), 'some talk').toBeGreaterThan(answeredAt + seconds * 1000);
  await agent.hangUp();
  const { endedAt = 0 } = await site.call({ id, state: 'ended' });
  return Math.round((endedAt - answeredAt) / 1000);
}

async function signIn(agent: AgentPage, memberNo: string): Promise<void> {
  await agent.page.getByLabel('Signed in as').selectOption(memberNo);
  await expect
    .poll(
      () => agent.page.evaluate(() => document.querySelector('partner-dialer')?.member?.memberNo),
      `${memberNo} at the dialer`,
    )
    .toBe(memberNo);
  await expect(agent.text('Ready')).toBeVisible();
}

type Listed = Readonly<Record<string, unknown>>;

/** A call as the companion lists it. */
function listed({ daysAgo, ...facts }: { transId: string; daysAgo: number } & Listed): Listed {
  return {
    direction: 'outgoing',
    number: '0987654321',
    automatic: false,
    at: new Date(Date.now() - daysAgo * 86_400_000).toISOString(),
    disposition: 'ANSWER',
    talkSeconds: 61,
    cost: 1200,
    recorded: false,
    ...facts,
  };
}

/** More, and stranger, calls than the sandbox would have in a minute. */
async function answerWith(agent: AgentPage, calls: readonly Listed[]): Promise<void> {
  await agent.page.route('**/dialer/calls?page=*', (route) => {
    const page = Number(new URL(route.request().url()).searchParams.get('page'));
    return route.fulfill({ json: { calls: calls.slice(page * 20, page * 20 + 20) } });
  });
  await agent.page.reload();
}

test.describe('the page with calls in its panel', LONG, () => {
  test('is readable by everybody, in light and dark, wide and narrow', async ({ agent, site }) => {
    await talk(agent, site, '0900 000 200', 0);
    await agent.clickCustomer('0900 000 486');
    await expect(agent.text('The line is busy')).toBeVisible();
    await rowWith(agent, /Phạm Thu Hà.*Line busy.*0 ₫/);
    await rowWith(agent, /Nguyễn Thị Mai.*Answered/);
    await assertReadable(agent.page, [1440, 1024, 390]);
    expect(agent.consoleOutput, 'the console is left alone').toEqual([]);
  });
});

test.describe('a call made in the dialer', LONG, () => {
  test('appears in the panel with its talk time and cost', async ({ agent, site }) => {
    const earlier = await rows(agent).count();
    const seconds = await talk(agent, site, '0900 000 183', 1.5);
    const row = await rowWith(agent, /Trần Văn Hùng/);
    expect(row).toMatch(/^Outgoing: Trần Văn Hùng 0900 000 183 Recording just now Answered/);
    expect(row, row).toContain(` ${seconds} s `);
    expect(row).toMatch(/ How was it\? 300 ₫$/);
    await rows(agent).first().getByRole('button', { name: 'How was it?' }).press('Enter');
    await rowWith(agent, /Trần Văn Hùng.* (?:Good|Fair|Poor|Bad), \d\.\d\/5 300 ₫$/);
    await expect(rows(agent).first().locator('.sound:focus')).toBeVisible();
    await expect(rows(agent)).toHaveCount(earlier + 1);
    expect(await read(rows(agent).first()), 'newest first').toMatch(/Trần Văn Hùng/);
    expect(agent.consoleOutput, 'the console is left alone').toEqual([]);
  });

  test('appears as well where the vendor sends no webhooks', async ({ agent, site }) => {
    await site.sandbox('webhooks', { url: `${site.origin}/nowhere` });
    await agent.clickCustomer('0900 000 603');
    await expect(agent.text('The call was refused')).toBeVisible();
    expect(await rowWith(agent, /Bùi Ngọc Lan/)).toMatch(/Declined – – 0 ₫$/);
  });
});

test.describe('an agent who presses Call me', LONG, () => {
  test('is rung on their own dialer, and sees the call with what the vendor told of it', async ({
    agent,
    site,
  }) => {
    await pressCallMe(agent);
    await outcomeIs(agent, /The vendor is calling you/);
    await expect(agent.text('Incoming call')).toBeVisible();
    expect((await site.call({ state: 'ringing' })).memberNo).toBe('agent001');
    await agent.press('Answer');
    await expect(agent.text('In call')).toBeVisible();
    await agent.hangUp();
    await outcomeIs(agent, /^You answered\.$/);
    expect(await rowWith(agent, /Automatic call.*AI answers/)).toMatch(
      /Incoming: Automatic call Recording AI answers/,
    );
    expect(agent.consoleOutput, 'the console is left alone').toEqual([]);
  });

  test('reads that they did not take it', async ({ agent }) => {
    await pressCallMe(agent);
    await expect(agent.text('Incoming call')).toBeVisible();
    await agent.press('Decline');
    await outcomeIs(agent, /^You did not answer\./);
    await rowWith(agent, /Automatic call just now Missed/);
  });
});

test.describe('the calls of an agent', LONG, () => {
  test('are their own: another agent sees theirs, and the first stream is closed', async ({
    agent,
    site,
  }) => {
    await talk(agent, site, '0900 000 200', 0);
    await rowWith(agent, /Nguyễn Thị Mai/);
    // By the page, or by the server, which ends the session of the agent before.
    const closed = Promise.race([
      agent.page.waitForEvent('requestfailed', isStream),
      agent.page.waitForEvent('requestfinished', isStream),
    ]);
    await signIn(agent, 'agent002');
    await closed;
    await expect(panel(agent).getByText('No calls yet')).toBeVisible();
    await expect(rows(agent)).toHaveCount(0);
    await talk(agent, site, '0912 345 678', 0);
    await rowWith(agent, /Đặng Quốc Bảo/);
    await expect(rows(agent)).toHaveCount(1);
    await signIn(agent, 'agent001');
    await rowWith(agent, /Nguyễn Thị Mai/);
    await expect(panel(agent).getByText('Đặng Quốc Bảo')).toHaveCount(0);
    expect(agent.requested.filter((url) => url.endsWith('/dialer/events')).length).toBe(3);
    expect(agent.consoleOutput, 'the console is left alone').toEqual([]);
  });

  test('are not shown while the vendor is away, the agent reads why, and gets them by Try again', async ({
    agent,
    site,
  }) => {
    await talk(agent, site, '0900 000 200', 0);
    await rowWith(agent, /Nguyễn Thị Mai/);
    await site.sandbox('faults', { place: '/m-cdr/api/call/get-all', kind: 'error', value: 500 });
    await agent.page.reload();
    await expect(panel(agent).getByText(/^The vendor refused\./)).toBeVisible();
    await expect(panel(agent).getByText('No calls yet')).toBeHidden();
    await site.sandbox('faults/clear', {});
    await panel(agent).getByRole('button', { name: 'Try again' }).click();
    await rowWith(agent, /Nguyễn Thị Mai/);
    await expect(panel(agent).getByRole('button', { name: 'Try again' })).toBeHidden();
  });

  test('come twenty at a time, until there are no more', async ({ agent }) => {
    await answerWith(
      agent,
      Array.from({ length: 25 }, (_, index) => listed({ transId: `t${index}`, daysAgo: index })),
    );
    const more = panel(agent).getByRole('button', { name: 'Show more' });
    await expect(rows(agent)).toHaveCount(20);
    await more.press('Enter');
    await expect(rows(agent)).toHaveCount(25);
    await expect(more).toBeHidden();
    // The button is gone, and the keyboard is still here.
    await expect(panel(agent).locator('#calls-title:focus')).toBeVisible();
  });

  test('are told in words, whatever the vendor leaves out', async ({ agent }) => {
    await agent.page.route('**/quality', (route) =>
      route.fulfill({ json: { mos: { caller: 4.4, callee: 3.3 }, percent: {} } }),
    );
    await answerWith(agent, [
      listed({ transId: 'old', daysAgo: 3, number: '842838221234', cost: undefined, talkSeconds: undefined }),
      listed({ transId: 'new', daysAgo: 0 }),
      listed({ transId: 'missed', daysAgo: 1, direction: 'incoming', disposition: 'CANCEL' }),
      listed({ transId: 'odd', daysAgo: 2, number: undefined, disposition: 'SOME_NEW_CODE' }),
    ]);
    await rowWith(agent, /0987 654 321/);
    await rows(agent).first().getByRole('button', { name: 'How was it?' }).click();
    await rowWith(agent, /Poor, 3\.3\/5/);
    expect(await Promise.all((await rows(agent).all()).map(read))).toEqual([
      'Outgoing: 0987 654 321 just now Answered 1 min 01 s Poor, 3.3/5 1,200 ₫',
      'Incoming: 0987 654 321 yesterday Missed 1 min 01 s – 1,200 ₫',
      'Outgoing: Automatic call 2 days ago Some new code 1 min 01 s – 1,200 ₫',
      'Outgoing: Sarah Bennett 028 3822 1234 3 days ago Answered – How was it? –',
    ]);
  });

  test('are kept up to date after the companion has refused to tell of them', async ({ agent, site }) => {
    await agent.page.route('**/dialer/events', (route) => route.fulfill({ status: 503 }), { times: 1 });
    let isBack = false;
    const answered = (status: number) =>
      agent.page.waitForResponse(
        (answer) => answer.url().endsWith('/dialer/events') && answer.status() === status,
      );
    const refused = answered(503);
    void answered(200).then(() => (isBack = true));
    await agent.page.clock.install();
    await agent.page.reload();
    await refused;
    await expect(async () => {
      await agent.pass(1000);
      expect(isBack).toBe(true);
    }).toPass();
    // From another computer, as the dialer of this page would tell of its own calls.
    const elsewhere = await site.open();
    await expect(elsewhere.text('Ready')).toBeVisible();
    await elsewhere.clickCustomer('0900 000 402');
    await rowWith(agent, /Võ Minh Khoa.*Balance used up/);
    await elsewhere.close();
  });

  test('are read again by a page that was hidden, which holds no connection meanwhile', async ({ agent }) => {
    const hide = (hidden: boolean) =>
      agent.page.evaluate((is) => {
        Object.defineProperty(document, 'hidden', { configurable: true, value: is });
        document.dispatchEvent(new Event('visibilitychange'));
      }, hidden);
    const ended = agent.page.waitForEvent('requestfailed', (request) =>
      request.url().endsWith('/dialer/events'),
    );
    await hide(true);
    await ended;
    const readAgain = agent.page.waitForResponse((answer) => answer.url().endsWith('/dialer/calls?page=0'));
    await hide(false);
    await readAgain;
    expect(agent.consoleOutput, 'the console is left alone').toEqual([]);
  });
});
