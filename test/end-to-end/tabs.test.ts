/** One agent with the dialer open in several tabs: one phone, one registration at the exchange, wherever it is used. */
import { setTimeout as rest } from 'node:timers/promises';
import type { RegistrationRecord } from '../../demo/sandbox/world/records.ts';
import { expect, LONG, test as base, type AgentPage, type Site } from './fixtures.ts';

/** Within these the phone has moved, or another tab has it after the first is gone. */
const MOVED_MS = 3000;
const PROMOTED_MS = 5000;
const HANGING_MS = 7000;
/** After that long without a sign of the first tab, the second would take the phone. The SDK tries again 9 s after the loss. */
const TAKEN_FOR_HANGING_MS = 5000;

const test = base.extend<{ first: AgentPage; second: AgentPage }>({
  first: async ({ agent, site }, use) => {
    await use(agent);
    await agent.close();
    const open = async () => (await registrations(site)).filter(({ endedAt }) => endedAt === undefined);
    await expect.poll(open, 'registrations of tabs that are closed').toEqual([]);
  },
  second: async ({ first }, use) => {
    const second = await first.openTab();
    await expect(second.text('Active in another tab')).toBeVisible();
    await use(second);
  },
});

/** All since the test began, the present one too. */
function registrations(site: Site): Promise<RegistrationRecord[]> {
  return site.sandbox('registrations/history');
}

/** The exchange has known so many in all, and never two at a time. */
async function followOneAnother(site: Site, count: number): Promise<void> {
  const all = await registrations(site);
  expect(all.length, 'registrations').toBe(count);
  for (const [index, { endedAt }] of all.slice(0, -1).entries()) {
    expect(endedAt ?? Infinity, 'never two at a time').toBeLessThanOrEqual(all[index + 1]?.since ?? 0);
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

const haveStatuses = (agents: readonly AgentPage[], wanted: readonly string[]) =>
  expect.poll(async () => (await Promise.all(agents.map((one) => one.status()))).toSorted()).toEqual(wanted);

test.describe('an agent with two tabs', () => {
  test('has the phone in the first, and moves it by "Use it here"', async ({ first, second, site }) => {
    expect([await first.status(), await second.status()]).toEqual(['ready', 'blocked']);
    await second.press('Use it here');
    await expect(second.text('Ready')).toBeVisible({ timeout: MOVED_MS });
    await expect(first.text('Active in another tab')).toBeVisible();
    await followOneAnother(site, 2);
  });

  test('moves it by a call placed in the other tab', LONG, async ({ first, second, site }) => {
    await second.clickCustomer('0900 000 200');
    await expect.poll(() => second.status()).not.toBe('blocked');
    await expect(second.text('In call')).toBeVisible();
    await expect(first.text(/You are in a call in the other tab, since \d\d:\d\d\./)).toBeVisible();
    await expect(first.text('0900 000 200')).toBeVisible();
    await second.hangUp();
    await expect(first.text('There is no call at the moment')).toBeVisible();
    await followOneAnother(site, 2);
  });

  test('cannot take it out of a call, and sees with whom that is', LONG, async ({ first, second, site }) => {
    await first.clickCustomer('0900 000 200');
    await expect(first.text('In call')).toBeVisible();
    await expect(second.text(/You are in a call in the other tab, since \d\d:\d\d\./)).toBeVisible();
    await expect(second.text('0900 000 200')).toBeVisible();
    await expect(second.text('You can move the phone here once the call is over.')).toBeVisible();
    await expect(second.button('Use it here')).toHaveClass('secondary');
    await second.press('Use it here');
    await expect(second.text('Not during a call')).toBeVisible();
    const calls = [['call', '0912345678'], ['hangUp'], ['setMuted', true], ['useHere']] as const;
    for (const [method, ...args] of calls) {
      expect(await outcomeOf(second, method, ...args), method).toBe('active-elsewhere');
    }
    await first.hangUp();
    await expect(second.text('There is no call at the moment')).toBeVisible();
    await expect(second.button('Use it here')).toHaveClass('primary accent');
    await followOneAnother(site, 1);
  });

  test(
    'keeps it in a tab that shows an alert in a call, though it answers nobody and a new tab is opened',
    LONG,
    async ({ first, second, site }) => {
      await first.clickCustomer('0900 000 200');
      await expect(first.text('In call')).toBeVisible();
      const dialog = first.page.waitForEvent('dialog');
      const alerting = first.page.evaluate(() => alert('Saved.'));
      const shown = await dialog;
      const third = await first.openTab();
      await expect(third.text('Active in another tab')).toBeVisible();
      await rest(HANGING_MS);
      expect([await second.status(), await third.status()]).toEqual(['blocked', 'blocked']);
      await followOneAnother(site, 1);
      await shown.accept();
      await alerting;
      expect(await first.status()).toBe('in-call');
      await first.hangUp();
      await third.page.close();
    },
  );

  test('is rung in one of them, and reads in the other who calls', LONG, async ({ first, second, site }) => {
    await site.sandbox('calls', { memberNo: 'agent001', from: '0912345678', name: 'Đặng Quốc Bảo' });
    await expect(first.text('Incoming call')).toBeVisible();
    await expect(second.text('The other tab has an incoming call.')).toBeVisible();
    await expect(second.text('Đặng Quốc Bảo, 0912 345 678')).toBeVisible();
    expect(await outcomeOf(second, 'answer')).toBe('active-elsewhere');
    await first.press('Answer');
    await expect(second.text('You are in a call in the other tab')).toBeVisible();
    await expect(second.text('Đặng Quốc Bảo')).toBeVisible();
    await first.hangUp();
  });

  test('goes on in the second when the first is closed', LONG, async ({ first, second, site }) => {
    await first.page.close();
    await expect(second.text('Ready')).toBeVisible({ timeout: PROMOTED_MS });
    await second.reachSomebody();
    await followOneAnother(site, 2);
  });

  test('goes on in the second when the first crashes', LONG, async ({ first, second, site }) => {
    const session = await first.page.context().newCDPSession(first.page);
    void session.send('Page.crash').catch(() => undefined);
    await expect(second.text('Ready')).toBeVisible({ timeout: PROMOTED_MS });
    await followOneAnother(site, 2);
  });

  test('goes on in the second when the first signs out', LONG, async ({ first, second, site }) => {
    expect(await outcomeOf(first, 'disconnect')).toBe('resolved');
    await expect(second.text('Ready')).toBeVisible({ timeout: PROMOTED_MS });
    expect(await first.status()).toBe('idle');
    await followOneAnother(site, 2);
  });

  test(
    'goes on in the second once the exchange knows that the agent has left a call, when the first signs out without a socket',
    LONG,
    async ({ first, second, site }) => {
      await first.clickCustomer('0900 000 200');
      await expect(first.text('In call')).toBeVisible();
      await site.sandbox('faults', { place: 'socket', kind: 'drop' });
      await site.sandbox('sockets/drop', {});
      await expect(first.text('You can go on talking')).toBeVisible();
      await first.press('Hang up');
      expect(await outcomeOf(first, 'disconnect')).toBe('resolved');
      await rest(TAKEN_FOR_HANGING_MS);
      expect(await second.status()).toBe('blocked');
      await site.sandbox('faults/clear', {});
      const { endedBy, endedWith } = await site.call({ state: 'ended' });
      expect([endedBy, endedWith]).toEqual(['caller', 'BYE']);
      await expect(second.text('Ready')).toBeVisible({ timeout: PROMOTED_MS });
      await followOneAnother(site, 3);
    },
  );

  test(
    'goes on in the second when the browser freezes the first, which comes back to that',
    LONG,
    async ({ first, second, site }) => {
      // Playwright keeps every page from being frozen for good: this is what the page itself notices.
      await first.page.evaluate(() => document.dispatchEvent(new Event('freeze')));
      await expect(second.text('Ready')).toBeVisible({ timeout: PROMOTED_MS });
      await first.page.evaluate(() => document.dispatchEvent(new Event('resume')));
      await expect(first.text('Active in another tab')).toBeVisible();
      expect(await second.status()).toBe('ready');
      await followOneAnother(site, 2);
    },
  );

  test(
    'goes on in the second when the first hangs, which gives way when it comes to',
    LONG,
    async ({ first, second, site }) => {
      const hanging = first.page.evaluate((ms) => {
        const end = performance.now() + ms;
        while (performance.now() < end);
      }, HANGING_MS);
      await expect(second.text('Ready')).toBeVisible({ timeout: PROMOTED_MS });
      await hanging;
      await expect(first.text('Active in another tab')).toBeVisible();
      await expect
        .poll(async () => (await registrations(site)).filter(({ endedAt }) => endedAt === undefined))
        .toHaveLength(1);
      expect(await second.status()).toBe('ready');
    },
  );

  test(
    'keeps it in the first when the second is reloaded, signs out, or is closed',
    LONG,
    async ({ first, second, site }) => {
      await second.page.reload();
      await expect(second.text('Active in another tab')).toBeVisible();
      expect(await outcomeOf(second, 'disconnect')).toBe('resolved');
      await second.page.close();
      await first.reachSomebody();
      await followOneAnother(site, 1);
    },
  );
});

test.describe('an agent with two tabs of a browser without Web Locks', () => {
  test('has a phone in each', LONG, async ({ first, second, site }) => {
    await second.page.close();
    await first.page
      .context()
      .addInitScript(() => Object.defineProperty(navigator, 'locks', { value: undefined }));
    await first.page.reload();
    await expect(first.text('Ready')).toBeVisible();
    second = await first.openTab();
    await expect(second.text('Ready')).toBeVisible();
    expect([await first.status(), await second.status()]).toEqual(['ready', 'ready']);
    expect((await registrations(site)).filter(({ endedAt }) => endedAt === undefined).length).toBe(2);
  });
});

test.describe('an agent with three tabs', () => {
  test(
    'has one phone when two press "Use it here" at once, and when the one with it is closed',
    LONG,
    async ({ first, second, site }) => {
      const third = await first.openTab();
      await expect(third.text('Active in another tab')).toBeVisible();
      await Promise.all([second.press('Use it here'), third.press('Use it here')]);
      await haveStatuses([first, second, third], ['blocked', 'blocked', 'ready']);
      await followOneAnother(site, 2);
      const [holder, other] = (await second.status()) === 'ready' ? [second, third] : [third, second];
      await holder.page.close();
      await haveStatuses([first, other], ['blocked', 'ready']);
      await followOneAnother(site, 3);
    },
  );
});
