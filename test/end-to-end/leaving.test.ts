/** Pages that are closed, reloaded or left, with a call and without one, as the exchange sees it. */
import type { Page } from '@playwright/test';
import type { CallRecord, RegistrationRecord } from '../../demo/sandbox/world/records.ts';
import { expect, LONG, test as base, type AgentPage, type Site } from './fixtures.ts';
import { LAUNCH } from './browser.ts';

interface Dialogs {
  /** Of what the browser has shown. */
  readonly kinds: string[];
  /** Each is confirmed, unless the agent wants to stay. */
  isStaying: boolean;
}

const test = base.extend<{ dialogs: Dialogs }>({
  dialogs: async ({ agent }, use) => {
    const dialogs: Dialogs = { kinds: [], isStaying: false };
    agent.page.on('dialog', (dialog) => {
      dialogs.kinds.push(dialog.type());
      void (dialogs.isStaying ? dialog.dismiss() : dialog.accept());
    });
    // A browser asks nobody who has not touched the page.
    await agent.page.getByRole('heading').first().click();
    await use(dialogs);
  },
});
// As a person's browser does, and Playwright's by itself does not.
test.use({ launchOptions: { ...LAUNCH, ignoreDefaultArgs: ['--disable-back-forward-cache'] } });

interface Parties {
  readonly agent: AgentPage;
  readonly site: Site;
  readonly dialogs: Dialogs;
}

type Leave = (page: Page) => Promise<unknown>;

const WAYS: Readonly<Record<string, Leave>> = {
  'closes the tab': async (page) => {
    const closed = page.waitForEvent('close');
    await page.close({ runBeforeUnload: true });
    await closed;
  },
  'reloads the page': (page) => page.reload(),
  'goes to another page': (page) => page.goto(new URL('/healthz', page.url()).href),
};

async function talk(agent: AgentPage, site: Site): Promise<CallRecord> {
  await agent.clickCustomer('0900 000 200');
  await expect(agent.text('In call')).toBeVisible();
  return site.call({ state: 'answered' });
}

async function ringOut(agent: AgentPage, site: Site): Promise<CallRecord> {
  await agent.clickCustomer('0900 000 100');
  return site.call({ state: 'ringing' });
}

async function beCalled(agent: AgentPage, site: Site): Promise<CallRecord> {
  await site.ring();
  await expect(agent.text('Incoming call')).toBeVisible();
  return site.call({ state: 'ringing' });
}

async function ended(site: Site, { id }: CallRecord): Promise<CallRecord> {
  return site.call({ id, state: 'ended' });
}

/** Those of pages that are gone; a page that was reloaded has registered anew. */
async function oldRegistrations(site: Site, leftAt: number): Promise<RegistrationRecord[]> {
  const registrations = await site.sandbox<RegistrationRecord[]>('registrations');
  return registrations.filter(({ since }) => since < leftAt);
}

const MOMENTS: Readonly<Record<string, (parties: Parties, leave: Leave) => Promise<void>>> = {
  'while talking is asked first, and hangs up by it': async ({ agent, site, dialogs }, leave) => {
    const call = await talk(agent, site);
    const leftAt = Date.now();
    await leave(agent.page);
    expect(dialogs.kinds).toEqual(['beforeunload']);
    const { endedBy, endedWith } = await ended(site, call);
    expect({ endedBy, endedWith }).toEqual({ endedBy: 'caller', endedWith: 'BYE' });
    await expect.poll(async () => (await oldRegistrations(site, leftAt)).length, 'no registration').toBe(0);
  },
  'while it rings out is asked first, and cancels by it': async ({ agent, site, dialogs }, leave) => {
    const call = await ringOut(agent, site);
    const leftAt = Date.now();
    await leave(agent.page);
    expect(dialogs.kinds).toEqual(['beforeunload']);
    const { endedBy, endedWith } = await ended(site, call);
    expect({ endedBy, endedWith }).toEqual({ endedBy: 'caller', endedWith: 'CANCEL' });
    await expect.poll(async () => (await oldRegistrations(site, leftAt)).length, 'no registration').toBe(0);
  },
  'while somebody calls is not asked, and declines by it': async ({ agent, site, dialogs }, leave) => {
    const call = await beCalled(agent, site);
    await leave(agent.page);
    expect(dialogs.kinds).toEqual([]);
    const { endedWith, finalStatus } = await ended(site, call);
    expect({ endedWith, finalStatus }).toEqual({ endedWith: 'response', finalStatus: 480 });
  },
  'without a call is not asked, and leaves no registration': async ({ agent, site, dialogs }, leave) => {
    const leftAt = Date.now();
    await leave(agent.page);
    expect(dialogs.kinds).toEqual([]);
    await expect.poll(async () => (await oldRegistrations(site, leftAt)).length, 'no registration').toBe(0);
  },
  'in a call that they have answered is asked first, and hangs up by it': async (parties, leave) => {
    const { agent, site, dialogs } = parties;
    const call = await beCalled(agent, site);
    await agent.press('Answer');
    await expect(agent.text('In call')).toBeVisible();
    await leave(agent.page);
    expect(dialogs.kinds).toEqual(['beforeunload']);
    const { endedBy, endedWith } = await ended(site, call);
    expect({ endedBy, endedWith }).toEqual({ endedBy: 'callee', endedWith: 'BYE' });
  },
};

/** Each way to leave with a moment of its own; in CI all of them. */
for (const [way, [what, leave]] of Object.entries(WAYS).entries()) {
  test.describe(`an agent who ${what}`, () => {
    for (const [moment, [name, play]] of Object.entries(MOMENTS).entries()) {
      test(name, moment === way ? {} : LONG, ({ agent, site, dialogs }) =>
        play({ agent, site, dialogs }, leave),
      );
    }
  });
}

test.describe('an agent who is asked', () => {
  test('may stay, and the call goes on; after it nobody is asked', LONG, async ({ agent, site, dialogs }) => {
    dialogs.isStaying = true;
    const call = await talk(agent, site);
    // Playwright's own way would wait for the page that does not come.
    await agent.page.evaluate(() => setTimeout(() => location.reload()));
    await expect.poll(() => dialogs.kinds).toEqual(['beforeunload']);
    await agent.hearsMore();
    expect((await site.calls()).find(({ id }) => id === call.id)?.state).toBe('answered');
    await agent.hangUp();
    await agent.page.reload();
    await expect(agent.text('Ready')).toBeVisible();
    expect(dialogs.kinds).toEqual(['beforeunload']);
  });
});

/** What the page is told when it is shown again, and how its calls ended. */
const REMEMBER = () => {
  const seen: (string | undefined)[] = [];
  Reflect.set(globalThis, 'seen', seen);
  addEventListener('dialer-callend', (event) => seen.push(event.detail.call.outcome));
  addEventListener('pageshow', (event) => seen.push(event.persisted ? 'kept' : 'loaded'));
};
/** A page that comes back would be signed in again within this. */
const SIGNED_IN_MS = 2500;
/** Playwright waits in vain for a page to load that is there already. */
const goBack = (agent: AgentPage) => agent.page.goBack({ waitUntil: 'commit' });
const seen = (agent: AgentPage) => agent.page.evaluate(() => Reflect.get(globalThis, 'seen') as unknown);

test.describe('an agent who goes back to a page that the browser has kept', () => {
  test('is connected anew, and reaches somebody', LONG, async ({ agent, site }) => {
    await agent.page.evaluate(REMEMBER);
    const leftAt = Date.now();
    await WAYS['goes to another page']?.(agent.page);
    await expect.poll(async () => (await oldRegistrations(site, leftAt)).length, 'no registration').toBe(0);
    await goBack(agent);
    await expect(agent.text('Ready')).toBeVisible();
    expect(await seen(agent)).toEqual(['kept']);
    await agent.reachSomebody();
  });

  test('stays signed out if the page has signed out as it was left', LONG, async ({ agent }) => {
    await agent.page.evaluate(REMEMBER);
    await agent.page.evaluate(() => {
      addEventListener('pagehide', () => void document.querySelector('partner-dialer')?.disconnect());
    });
    await WAYS['goes to another page']?.(agent.page);
    await goBack(agent);
    await expect.poll(() => seen(agent)).toEqual(['kept']);
    await agent.page.waitForTimeout(SIGNED_IN_MS);
    expect(await agent.status()).toBe('idle');
  });

  test('has ended their call by going', LONG, async ({ agent, site }) => {
    const call = await talk(agent, site);
    await agent.page.evaluate(REMEMBER);
    const leftAt = Date.now();
    await WAYS['goes to another page']?.(agent.page);
    expect((await ended(site, call)).endedWith).toBe('BYE');
    await expect.poll(async () => (await oldRegistrations(site, leftAt)).length, 'no registration').toBe(0);
    await goBack(agent);
    await expect(agent.text('Ready')).toBeVisible();
    expect(await seen(agent)).toEqual(['answered', 'kept']);
    await agent.reachSomebody();
  });
});
