/** One agent with the dialer open in several tabs: one phone, one registration at the exchange, wherever it is used. */
import assert from 'node:assert/strict';
import { setTimeout as rest } from 'node:timers/promises';
import type { RegistrationRecord } from '../../demo/sandbox/world/records.ts';
import { eventually, LONG, test, type AgentPage, type Site } from './fixtures.ts';

/** Within these the phone has moved, or another tab has it after the first is gone. */
const MOVED_MS = 3000;
const PROMOTED_MS = 5000;
const HANGING_MS = 7000;

let site: Site;
let first: AgentPage;
let second: AgentPage;
let since: number;
test.beforeEach(async ({ sandbox }) => {
  site = sandbox;
  since = Date.now();
  first = await site.open();
  await first.see('Ready');
  second = await first.openTab();
  await second.see('Active in another tab');
});
test.afterEach(async () => {
  await first.close();
  await eventually(async () => (await registrations()).every(({ endedAt }) => endedAt), 'no registration');
});

/** All since the test began, the present one too. */
async function registrations(): Promise<RegistrationRecord[]> {
  const all = await site.sandbox<RegistrationRecord[]>('registrations/history');
  return all.filter((one) => one.since >= since);
}

/** The exchange has known so many in all, and never two at a time. */
async function followOneAnother(count: number): Promise<void> {
  const all = await registrations();
  assert.equal(all.length, count, 'registrations');
  for (const [index, { endedAt }] of all.slice(0, -1).entries()) {
    assert.equal((endedAt ?? Infinity) <= (all[index + 1]?.since ?? 0), true, 'never two at a time');
  }
}

/** The code with which the method rejected, or `resolved`. */
const outcomeOf = (agent: AgentPage, method: string, ...args: readonly unknown[]): Promise<unknown> =>
  agent.page.evaluate(
    ([name, given]) => {
      const dialer = document.querySelector('partner-dialer');
      const called = Reflect.get(dialer ?? {}, name) as (...list: readonly unknown[]) => Promise<void>;
      return called.apply(dialer, [...given]).then(
        () => 'resolved',
        (error: { code: string }) => error.code,
      );
    },
    [method, args] as const,
  );

const statusOf = (agent: AgentPage): Promise<unknown> =>
  agent.page.evaluate(() => document.querySelector('partner-dialer')?.state.status);

const lookOfUseHere = (agent: AgentPage) =>
  agent.page.evaluate(
    () =>
      document.querySelector('partner-dialer')?.shadowRoot?.querySelector('[part="guide-action"]')?.className,
  );

const haveStatuses = (agents: readonly AgentPage[], wanted: string) =>
  eventually(async () => {
    const all = await Promise.all(agents.map(statusOf));
    return all.toSorted().join() === wanted;
  }, wanted);

test.describe('an agent with two tabs', () => {
  test('has the phone in the first, and moves it by "Use it here"', async () => {
    assert.deepEqual([await statusOf(first), await statusOf(second)], ['ready', 'blocked']);
    await second.press('Use it here');
    await second.see('Ready', MOVED_MS);
    await first.see('Active in another tab');
    await followOneAnother(2);
    assert.deepEqual([...(await first.errors()), ...(await second.errors())], []);
  });

  test('moves it by a call placed in the other tab', async () => {
    await second.clickCustomer('0900 000 200');
    await eventually(async () => (await statusOf(second)) !== 'blocked', 'the phone');
    await second.see('In call');
    await first.see(/You are in a call in the other tab, since \d\d:\d\d\./);
    await first.see('0900 000 200');
    await second.hangUp();
    await first.see('There is no call at the moment');
    await followOneAnother(2);
  });

  test('cannot take it out of a call, and sees with whom that is', async () => {
    await first.clickCustomer('0900 000 200');
    await first.see('In call');
    await second.see(/You are in a call in the other tab, since \d\d:\d\d\./);
    await second.see('0900 000 200');
    await second.see('You can move the phone here once the call is over.');
    assert.equal(await lookOfUseHere(second), 'secondary');
    await second.press('Use it here');
    await second.see('Not during a call');
    const calls = [['call', '0912345678'], ['hangUp'], ['setMuted', true], ['useHere']] as const;
    for (const [method, ...args] of calls) {
      assert.equal(await outcomeOf(second, method, ...args), 'active-elsewhere', method);
    }
    await first.hangUp();
    await second.see('There is no call at the moment');
    assert.equal(await lookOfUseHere(second), 'primary accent');
    await followOneAnother(1);
  });

  test(
    'keeps it in a tab that shows an alert in a call, though it answers nobody and a new tab is opened',
    LONG,
    async () => {
      await first.clickCustomer('0900 000 200');
      await first.see('In call');
      const dialog = first.page.waitForEvent('dialog');
      const alerting = first.page.evaluate(() => alert('Saved.'));
      const shown = await dialog;
      const third = await first.openTab();
      await third.see('Active in another tab');
      await rest(HANGING_MS);
      assert.deepEqual([await statusOf(second), await statusOf(third)], ['blocked', 'blocked']);
      await followOneAnother(1);
      await shown.accept();
      await alerting;
      assert.equal(await statusOf(first), 'in-call');
      await first.hangUp();
      await third.page.close();
    },
  );

  test('is rung in one of them, and reads in the other who calls', async () => {
    await site.sandbox('calls', { memberNo: 'agent001', from: '0912345678', name: 'Đặng Quốc Bảo' });
    await first.see('Incoming call');
    await second.see('The other tab has an incoming call.');
    await second.see('Đặng Quốc Bảo, 0912 345 678');
    assert.equal(await outcomeOf(second, 'answer'), 'active-elsewhere');
    await first.press('Answer');
    await second.see('You are in a call in the other tab');
    await second.see('Đặng Quốc Bảo');
    await first.hangUp();
  });

  test('goes on in the second when the first is closed', async () => {
    await first.page.close();
    await second.see('Ready', PROMOTED_MS);
    await second.reachSomebody();
    await followOneAnother(2);
  });

  test('goes on in the second when the first crashes', LONG, async () => {
    const session = await first.page.context().newCDPSession(first.page);
    void session.send('Page.crash').catch(() => undefined);
    await second.see('Ready', PROMOTED_MS);
    await followOneAnother(2);
  });

  test('goes on in the second when the first signs out', LONG, async () => {
    assert.equal(await outcomeOf(first, 'disconnect'), 'resolved');
    await second.see('Ready', PROMOTED_MS);
    assert.equal(await statusOf(first), 'idle');
    await followOneAnother(2);
  });

  test(
    'goes on in the second when the browser freezes the first, which comes back to that',
    LONG,
    async () => {
      // Playwright keeps every page from being frozen for good: this is what the page itself notices.
      await first.page.evaluate(() => document.dispatchEvent(new Event('freeze')));
      await second.see('Ready', PROMOTED_MS);
      await first.page.evaluate(() => document.dispatchEvent(new Event('resume')));
      await first.see('Active in another tab');
      assert.equal(await statusOf(second), 'ready');
      await followOneAnother(2);
    },
  );

  test('goes on in the second when the first hangs, which gives way when it comes to', LONG, async () => {
    const hanging = first.page.evaluate((ms) => {
      const end = performance.now() + ms;
      while (performance.now() < end);
    }, HANGING_MS);
    await second.see('Ready', PROMOTED_MS);
    await hanging;
    await first.see('Active in another tab');
    await eventually(async () => {
      const all = await registrations();
      return all.filter(({ endedAt }) => endedAt === undefined).length === 1;
    }, 'one registration');
    assert.equal(await statusOf(second), 'ready');
  });

  test('keeps it in the first when the second is reloaded, signs out, or is closed', async () => {
    await second.page.reload();
    await second.see('Active in another tab');
    assert.equal(await outcomeOf(second, 'disconnect'), 'resolved');
    await second.page.close();
    await first.reachSomebody();
    await followOneAnother(1);
  });
});

test.describe('an agent with two tabs of a browser without Web Locks', () => {
  test('has a phone in each', async () => {
    await second.page.close();
    await first.page
      .context()
      .addInitScript(() => Object.defineProperty(navigator, 'locks', { value: undefined }));
    await first.page.reload();
    await first.see('Ready');
    second = await first.openTab();
    await second.see('Ready');
    assert.deepEqual([await statusOf(first), await statusOf(second)], ['ready', 'ready']);
    assert.equal((await registrations()).filter(({ endedAt }) => endedAt === undefined).length, 2);
  });
});

test.describe('an agent with three tabs', () => {
  test(
    'has one phone when two press "Use it here" at once, and when the one with it is closed',
    LONG,
    async () => {
      const third = await first.openTab();
      await third.see('Active in another tab');
      await Promise.all([second.press('Use it here'), third.press('Use it here')]);
      await haveStatuses([first, second, third], 'blocked,blocked,ready');
      await followOneAnother(2);
      const [holder, other] = (await statusOf(second)) === 'ready' ? [second, third] : [third, second];
      await holder.page.close();
      await haveStatuses([first, other], 'blocked,ready');
      await followOneAnother(3);
    },
  );
});
