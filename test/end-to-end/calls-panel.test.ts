/** The CRM's list of an agent's calls at the vendor, and the button that has the vendor ring their dialer. */
import assert from 'node:assert/strict';
import type { Locator } from '@playwright/test';
import { assertReadable } from './readable.ts';
import { eventually, LONG, test, type AgentPage, type Site } from './fixtures.ts';

let site: Site;
let agent: AgentPage;
test.beforeEach(async ({ sandbox }) => {
  site = sandbox;
  for (const memberNo of ['agent001', 'agent002']) {
    await site.sandbox(`members/${memberNo}`, { balance: 90_000, hotlines: ['842899990001'] });
  }
  await site.sandbox('webhooks', { url: `${site.origin}/webhooks/calls` });
  agent = await site.open();
  await agent.see('Ready');
});
test.afterEach(() => agent.closeWithoutErrors());

const panel = () => agent.page.getByRole('region', { name: 'Calls', exact: true });
const rows = () => panel().locator('tbody').getByRole('row');
const outcome = () => panel().locator('#call-me-outcome');

/** What somebody at the screen reads, on one line. */
async function read(place: Locator): Promise<string> {
  return (await place.innerText()).replaceAll(/\s+/g, ' ');
}

async function rowWith(text: RegExp): Promise<string> {
  return eventually(
    async () => {
      const texts = await Promise.all((await rows().all()).map(read));
      return texts.find((one) => text.test(one));
    },
    `a row with ${String(text)}`,
  );
}

async function pressCallMe(): Promise<void> {
  await panel().getByRole('button', { name: 'Call me' }).click();
}

async function outcomeIs(text: RegExp): Promise<void> {
  await eventually(async () => text.test(await read(outcome())), `the outcome ${String(text)}`);
}

/** @returns seconds */
async function talk(number: string, seconds: number): Promise<number> {
  await agent.clickCustomer(number);
  await agent.see('In call');
  const { id, answeredAt = 0 } = await site.call(({ state }) => state === 'answered');
  await eventually(async () => Date.now() > answeredAt + seconds * 1000, 'some talk');
  await agent.hangUp();
  const { endedAt = 0 } = await site.call((call) => call.id === id && call.state === 'ended');
  return Math.round((endedAt - answeredAt) / 1000);
}

async function signIn(memberNo: string): Promise<void> {
  await agent.page.getByLabel('Signed in as').selectOption(memberNo);
  await eventually(
    async () =>
      (await agent.page.evaluate(() => document.querySelector('partner-dialer')?.member?.memberNo)) ===
      memberNo,
    `${memberNo} at the dialer`,
  );
  await agent.see('Ready');
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
async function answerWith(calls: readonly Listed[]): Promise<void> {
  await agent.page.route('**/dialer/calls?page=*', (route) => {
    const page = Number(new URL(route.request().url()).searchParams.get('page'));
    return route.fulfill({ json: { calls: calls.slice(page * 20, page * 20 + 20) } });
  });
  await agent.page.reload();
}

test.describe('the page with calls in its panel', LONG, () => {
  test('is readable by everybody, in light and dark, wide and narrow', async () => {
    await talk('0900 000 200', 0);
    await agent.clickCustomer('0900 000 486');
    await agent.see('The line is busy');
    await rowWith(/Phạm Thu Hà.*Line busy.*0 ₫/);
    await rowWith(/Nguyễn Thị Mai.*Answered/);
    await assertReadable(agent.page, [1440, 1024, 390]);
    assert.deepEqual(agent.consoleOutput, [], 'the console is left alone');
  });
});

test.describe('a call made in the dialer', LONG, () => {
  test('appears in the panel with its talk time and cost', async () => {
    const earlier = await rows().count();
    const seconds = await talk('0900 000 183', 1.5);
    const row = await rowWith(/Trần Văn Hùng/);
    assert.match(row, /^Outgoing: Trần Văn Hùng 0900 000 183 Recording just now Answered/);
    assert.ok(row.includes(` ${seconds} s `), row);
    assert.match(row, / How was it\? 300 ₫$/);
    await rows().first().getByRole('button', { name: 'How was it?' }).press('Enter');
    await rowWith(/Trần Văn Hùng.* (?:Good|Fair|Poor|Bad), \d\.\d\/5 300 ₫$/);
    await rows().first().locator('.sound:focus').waitFor();
    assert.equal(await rows().count(), earlier + 1);
    assert.match(await read(rows().first()), /Trần Văn Hùng/, 'newest first');
    assert.deepEqual(agent.consoleOutput, [], 'the console is left alone');
  });

  test('appears as well where the vendor sends no webhooks', async () => {
    await site.sandbox('webhooks', { url: `${site.origin}/nowhere` });
    await agent.clickCustomer('0900 000 603');
    await agent.see('The call was refused');
    assert.match(await rowWith(/Bùi Ngọc Lan/), /Declined – – 0 ₫$/);
  });
});

test.describe('an agent who presses Call me', LONG, () => {
  test('is rung on their own dialer, and sees the call with what the vendor told of it', async () => {
    await pressCallMe();
    await outcomeIs(/The vendor is calling you/);
    await agent.see('Incoming call');
    assert.equal((await site.call(({ state }) => state === 'ringing')).memberNo, 'agent001');
    await agent.press('Answer');
    await agent.see('In call');
    await agent.hangUp();
    await outcomeIs(/^You answered\.$/);
    assert.match(
      await rowWith(/Automatic call.*AI answers/),
      /Incoming: Automatic call Recording AI answers/,
    );
    assert.deepEqual(agent.consoleOutput, [], 'the console is left alone');
  });

  test('reads that they did not take it', async () => {
    await pressCallMe();
    await agent.see('Incoming call');
    await agent.press('Decline');
    await outcomeIs(/^You did not take the call\./);
    await rowWith(/Automatic call just now Missed/);
  });

  test('reads so when the vendor is in trouble, when there is no script, and when they ask too often', async () => {
    await site.sandbox('faults', {
      place: '/m-auto-call/api/call/create-list-member',
      kind: 'status',
      value: 503,
    });
    await pressCallMe();
    await outcomeIs(/vendor/i);
    await outcomeIs(/Try again/);
    await site.sandbox('faults/clear', {});
    const refusals = [
      [409, 'no-script', /No script at the vendor can call you/],
      [429, 'too-many-requests', /Try again in 17 s\./],
    ] as const;
    for (const [status, code, text] of refusals) {
      const headers = { 'Content-Type': 'application/problem+json', 'Retry-After': '17' };
      const answer = { status, headers, body: JSON.stringify({ code }) };
      await agent.page.route('**/dialer/call-me', (route) => route.fulfill(answer), { times: 1 });
      await pressCallMe();
      await outcomeIs(text);
    }
  });
});

test.describe('the calls of an agent', LONG, () => {
  test('are their own: another agent sees theirs, and the first stream is closed', async () => {
    await talk('0900 000 200', 0);
    await rowWith(/Nguyễn Thị Mai/);
    const closed = agent.page.waitForEvent('requestfailed', (request) =>
      request.url().endsWith('/dialer/events'),
    );
    await signIn('agent002');
    await closed;
    await panel().getByText('No calls yet').waitFor();
    assert.equal(await rows().count(), 0);
    await talk('0912 345 678', 0);
    await rowWith(/Đặng Quốc Bảo/);
    assert.equal(await rows().count(), 1);
    await signIn('agent001');
    await rowWith(/Nguyễn Thị Mai/);
    assert.equal(await panel().getByText('Đặng Quốc Bảo').count(), 0);
    assert.equal(agent.requested.filter((url) => url.endsWith('/dialer/events')).length, 3);
    assert.deepEqual(agent.consoleOutput, [], 'the console is left alone');
  });

  test('are not shown while the vendor is away, the agent reads why, and gets them by Try again', async () => {
    await talk('0900 000 200', 0);
    await rowWith(/Nguyễn Thị Mai/);
    await site.sandbox('faults', { place: '/m-cdr/api/call/get-all', kind: 'error', value: 500 });
    await agent.page.reload();
    await panel()
      .getByText(/^The vendor refused\./)
      .waitFor();
    assert.equal(await panel().getByText('No calls yet').isVisible(), false);
    await site.sandbox('faults/clear', {});
    await panel().getByRole('button', { name: 'Try again' }).click();
    await rowWith(/Nguyễn Thị Mai/);
    assert.equal(await panel().getByRole('button', { name: 'Try again' }).isVisible(), false);
  });

  test('come ten at a time, until there are no more', async () => {
    await answerWith(
      Array.from({ length: 25 }, (_, index) => listed({ transId: `t${index}`, daysAgo: index })),
    );
    const more = panel().getByRole('button', { name: 'Show more' });
    await eventually(async () => (await rows().count()) === 10, 'ten rows');
    await more.click();
    await eventually(async () => (await rows().count()) === 20, 'twenty rows');
    await more.press('Enter');
    await eventually(async () => (await rows().count()) === 25, 'all rows');
    assert.equal(await more.isVisible(), false);
    // The button is gone, and the keyboard is still here.
    await panel().locator('#calls-title:focus').waitFor();
  });

  test('are told in words, whatever the vendor leaves out', async () => {
    await agent.page.route('**/quality', (route) =>
      route.fulfill({ json: { mos: { caller: 4.4, callee: 3.3 }, percent: {} } }),
    );
    await answerWith([
      listed({ transId: 'old', daysAgo: 3, number: '842838221234', cost: undefined, talkSeconds: undefined }),
      listed({ transId: 'new', daysAgo: 0 }),
      listed({ transId: 'missed', daysAgo: 1, direction: 'incoming', disposition: 'CANCEL' }),
      listed({ transId: 'odd', daysAgo: 2, number: undefined, disposition: 'SOME_NEW_CODE' }),
    ]);
    await rowWith(/0987 654 321/);
    await rows().first().getByRole('button', { name: 'How was it?' }).click();
    await rowWith(/Poor, 3\.3\/5/);
    assert.deepEqual(await Promise.all((await rows().all()).map(read)), [
      'Outgoing: 0987 654 321 just now Answered 1 min 01 s Poor, 3.3/5 1.200 ₫',
      'Incoming: 0987 654 321 yesterday Missed 1 min 01 s – 1.200 ₫',
      'Outgoing: Automatic call 2 days ago Some new code 1 min 01 s – 1.200 ₫',
      'Outgoing: Sarah Bennett 028 3822 1234 3 days ago Answered – How was it? –',
    ]);
  });

  test('are kept up to date after the companion has refused to tell of them', async () => {
    await agent.page.route('**/dialer/events', (route) => route.fulfill({ status: 503 }), { times: 1 });
    let isBack = false;
    const answered = (status: number) =>
      agent.page.waitForResponse(
        (answer) => answer.url().endsWith('/dialer/events') && answer.status() === status,
      );
    const refused = answered(503);
    void answered(200).then(() => (isBack = true));
    await agent.installClock();
    await agent.page.reload();
    await refused;
    await eventually(async () => {
      await agent.pass(1000);
      return isBack;
    }, 'the events');
    // From another computer, as the dialer of this page would tell of its own calls.
    const elsewhere = await site.open();
    await elsewhere.see('Ready');
    await elsewhere.clickCustomer('0900 000 402');
    await rowWith(/Võ Minh Khoa.*Balance used up/);
    await elsewhere.close();
  });

  test('are read again by a page that was hidden, which holds no connection meanwhile', async () => {
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
    assert.deepEqual(agent.consoleOutput, [], 'the console is left alone');
  });
});
