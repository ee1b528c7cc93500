/** Pages that are closed, reloaded or left, with a call and without one, as the exchange sees it. */
import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import type { CallRecord, RegistrationRecord } from '../../demo/sandbox/world/records.ts';
import { eventually, someOf, test, type AgentPage, type Site } from './fixtures.ts';
import { LAUNCH } from './browser.ts';

let site: Site;
let agent: AgentPage;
/** Kinds of the dialogs that the browser showed; each was confirmed, unless a test wants to stay. */
let dialogs: string[];
let isStaying: boolean;
// As a person's browser does, and Playwright's by itself does not.
test.use({ launchOptions: { ...LAUNCH, ignoreDefaultArgs: ['--disable-back-forward-cache'] } });
test.beforeEach(async ({ sandbox }) => {
  site = sandbox;
  agent = await site.open();
  dialogs = [];
  isStaying = false;
  agent.page.on('dialog', (dialog) => {
    dialogs.push(dialog.type());
    void (isStaying ? dialog.dismiss() : dialog.accept());
  });
  await agent.see('Ready');
  // A browser asks nobody who has not touched the page.
  await agent.page.locator('h1, h2').first().click();
});

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

async function talk(): Promise<CallRecord> {
  await agent.clickCustomer('0900 000 200');
  await agent.see('In call');
  return site.call(({ state }) => state === 'answered');
}

async function ringOut(): Promise<CallRecord> {
  await agent.clickCustomer('0900 000 100');
  return site.call(({ state }) => state === 'ringing');
}

async function beCalled(): Promise<CallRecord> {
  await site.sandbox('calls', { memberNo: 'agent001', from: '0912345678' });
  await agent.see('Incoming call');
  return site.call(({ state }) => state === 'ringing');
}

async function ended({ id }: CallRecord): Promise<CallRecord> {
  return site.call((call) => call.id === id && call.state === 'ended');
}

/** Those of pages that are gone; a page that was reloaded has registered anew. */
async function oldRegistrations(leftAt: number): Promise<RegistrationRecord[]> {
  const registrations = await site.sandbox<RegistrationRecord[]>('registrations');
  return registrations.filter(({ since }) => since < leftAt);
}

const MOMENTS: Readonly<Record<string, (leave: Leave) => Promise<void>>> = {
  'while talking is asked first, and hangs up by it': async (leave) => {
    const call = await talk();
    const leftAt = Date.now();
    await leave(agent.page);
    assert.deepEqual(dialogs, ['beforeunload']);
    const { endedBy, endedWith } = await ended(call);
    assert.deepEqual({ endedBy, endedWith }, { endedBy: 'caller', endedWith: 'BYE' });
    await eventually(async () => (await oldRegistrations(leftAt)).length === 0, 'no registration');
  },
  'while it rings out is asked first, and cancels by it': async (leave) => {
    const call = await ringOut();
    const leftAt = Date.now();
    await leave(agent.page);
    assert.deepEqual(dialogs, ['beforeunload']);
    const { endedBy, endedWith } = await ended(call);
    assert.deepEqual({ endedBy, endedWith }, { endedBy: 'caller', endedWith: 'CANCEL' });
    await eventually(async () => (await oldRegistrations(leftAt)).length === 0, 'no registration');
  },
  'while somebody calls is not asked, and declines by it': async (leave) => {
    const call = await beCalled();
    await leave(agent.page);
    assert.deepEqual(dialogs, []);
    const { endedWith, finalStatus } = await ended(call);
    assert.deepEqual({ endedWith, finalStatus }, { endedWith: 'response', finalStatus: 480 });
  },
  'without a call is not asked, and leaves no registration': async (leave) => {
    const leftAt = Date.now();
    await leave(agent.page);
    assert.deepEqual(dialogs, []);
    await eventually(async () => (await oldRegistrations(leftAt)).length === 0, 'no registration');
  },
};

/** Each moment with the first way to leave, and each other way with a moment of its own; in CI all of them. */
for (const [index, [what, leave]] of Object.entries(WAYS).entries()) {
  test.describe(`an agent who ${what}`, () => {
    const moments = Object.entries(MOMENTS);
    const others = moments.splice(0, Math.max(index - 1, 0));
    for (const [name, play] of someOf([...moments, ...others], index === 0 ? Infinity : 1)) {
      test(name, () => play(leave));
    }
  });
}

test.describe('an agent who is asked', () => {
  test('may stay, and the call goes on; after it nobody is asked', async () => {
    isStaying = true;
    const call = await talk();
    // Playwright's own way would wait for the page that does not come.
    await agent.page.evaluate(() => setTimeout(() => location.reload()));
    await eventually(async () => dialogs.join() === 'beforeunload', 'the question');
    const heard = await agent.audioBytes();
    await eventually(async () => (await agent.audioBytes()) > heard, 'more audio');
    assert.equal((await site.calls()).find(({ id }) => id === call.id)?.state, 'answered');
    await agent.hangUp();
    await agent.page.reload();
    await agent.see('Ready');
    assert.deepEqual(dialogs, ['beforeunload']);
  });
});

/** What the page is told when it is shown again, and how its calls ended. */
const REMEMBER = () => {
  const seen: (string | undefined)[] = [];
  Reflect.set(globalThis, 'seen', seen);
  addEventListener('dialer-callend', (event) => seen.push(event.detail.call.outcome));
  addEventListener('pageshow', (event) => seen.push(event.persisted ? 'kept' : 'loaded'));
};
/** Playwright waits in vain for a page to load that is there already. */
const goBack = () => agent.page.goBack({ waitUntil: 'commit' });
const seen = () => agent.page.evaluate(() => Reflect.get(globalThis, 'seen') as unknown);

test.describe('an agent who goes back to a page that the browser has kept', () => {
  test('is connected anew, and reaches somebody', async () => {
    await agent.page.evaluate(REMEMBER);
    const leftAt = Date.now();
    await WAYS['goes to another page']?.(agent.page);
    await eventually(async () => (await oldRegistrations(leftAt)).length === 0, 'no registration');
    await goBack();
    await agent.see('Ready');
    assert.deepEqual(await seen(), ['kept']);
    await agent.reachSomebody();
    assert.deepEqual(await agent.errors(), []);
  });

  test('has ended their call by going', async () => {
    const call = await talk();
    await agent.page.evaluate(REMEMBER);
    const leftAt = Date.now();
    await WAYS['goes to another page']?.(agent.page);
    assert.equal((await ended(call)).endedWith, 'BYE');
    await eventually(async () => (await oldRegistrations(leftAt)).length === 0, 'no registration');
    await goBack();
    await agent.see('Ready');
    assert.deepEqual(await seen(), ['answered', 'kept']);
    await agent.reachSomebody();
    assert.deepEqual(await agent.errors(), []);
  });
});
