/**
 * `npm run soak -- tabs`: two to four tabs that are opened, closed, crash and hang, want the phone and call, in any order; once
 * they are at rest, exactly one has it. `WALKS` and `SEED` say how many and from where.
 */
import * as fc from 'fast-check';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../end-to-end/eventually.ts';
import type { AgentPage, Site } from '../end-to-end/site.ts';
import { playSeeds } from './seeds.ts';

const MOST_TABS = 4;
/** Within these the phone has moved, or another tab has it after the one with it is gone. */
const MOVED_MS = 3000;
const PROMOTED_MS = 5000;
/** Longer than the others wait for a tab that says nothing. */
const HANGING_MS = 8000;
const SLOW_MS = 1500;
/** A page that is opened has to load first. */
const OPENED_MS = 10_000;

interface Tabs {
  readonly site: Site;
  readonly all: Set<AgentPage>;
  /** The one with the phone, and those without. */
  readonly holder: AgentPage;
  readonly others: readonly AgentPage[];
  /** The one of the others whose turn it is. */
  readonly other: AgentPage | undefined;
}

interface Step {
  readonly name: string;
  /** How long it may take until one of them has the phone again, in milliseconds. */
  readonly within: number;
  /** @returns what did not hold */
  readonly run: (tabs: Tabs) => Promise<string | undefined | void>;
}

const STEPS: readonly Step[] = [
  {
    name: 'one is opened',
    within: OPENED_MS,
    run: async ({ all, holder }) => void (all.size < MOST_TABS && all.add(await holder.openTab())),
  },
  {
    name: 'the one with the phone is closed',
    within: PROMOTED_MS,
    run: async ({ all, holder, other }) => {
      if (other && all.delete(holder)) await holder.page.close();
    },
  },
  {
    name: 'the one with the phone crashes',
    within: PROMOTED_MS,
    run: async ({ all, holder, other }) => {
      if (!other) return;
      all.delete(holder);
      const session = await holder.page.context().newCDPSession(holder.page);
      void session.send('Page.crash').catch(() => undefined);
    },
  },
  {
    name: 'the one with the phone hangs',
    within: MOVED_MS,
    run: async ({ holder, others }) => {
      if (others.length === 0) return undefined;
      const hanging = holder.page.evaluate((ms) => {
        const end = performance.now() + ms;
        while (performance.now() < end);
      }, HANGING_MS);
      const isPromoted = await hasPhone(others, PROMOTED_MS);
      await hanging;
      return isPromoted ? undefined : 'no other tab has the phone';
    },
  },
  {
    name: 'one wants it',
    within: MOVED_MS,
    run: async ({ other }) => {
      if (!other) return undefined;
      const result = await ask(other, 'useHere');
      return result === 'resolved' && (await hasPhone([other], 0)) ? undefined : `it got ${result}`;
    },
  },
  {
    name: 'all want it',
    within: MOVED_MS,
    run: async ({ others }) => void (await Promise.all(others.map((tab) => ask(tab, 'useHere')))),
  },
  {
    name: 'one wants it while somebody calls',
    within: MOVED_MS,
    run: async ({ site, other }) => {
      if (!other) return;
      const wanted = ask(other, 'useHere');
      await site.sandbox('calls', { memberNo: 'agent001', from: '0987654321' }).catch(() => undefined);
      await wanted;
    },
  },
  {
    name: 'one wants it whose sign-in fails once',
    within: MOVED_MS,
    run: async ({ other }) => {
      if (!other) return;
      await other.page.route('**/dialer/session', (route) => route.fulfill({ status: 401 }), { times: 1 });
      await ask(other, 'useHere');
      await ask(other, 'connect');
      await other.page.unrouteAll();
    },
  },
  {
    name: 'one wants it while the broker is slow',
    within: MOVED_MS,
    run: async ({ other }) => {
      if (!other) return;
      await other.page.route('**/dialer/session', async (route) => {
        await sleep(SLOW_MS);
        await route.continue().catch(() => undefined);
      });
      await ask(other, 'useHere');
      await other.page.unrouteAll({ behavior: 'ignoreErrors' });
    },
  },
  {
    name: 'one calls, and the others want it meanwhile',
    within: MOVED_MS,
    run: async ({ all, other }) => {
      if (!other) return undefined;
      const called = await ask(other, 'call', '0900000200');
      if (called !== 'resolved') return `its call: ${called}`;
      const rest = [...all].filter((tab) => tab !== other);
      const answers = await Promise.all([
        ...rest.map((tab) => ask(tab, 'useHere')),
        ...rest.map((tab) => ask(tab, 'call', '0912345678')),
      ]);
      await ask(other, 'hangUp');
      const wrong = answers.filter((answer) => answer !== 'active-elsewhere');
      return wrong.length === 0 ? undefined : `the others: ${wrong.join()}`;
    },
  },
];

const sequences = fc.array(
  fc.record({ step: fc.constantFrom(...STEPS), turn: fc.nat(MOST_TABS), pause: fc.nat(600) }),
  { minLength: 8, maxLength: 14, size: 'max' },
);

async function ask(tab: AgentPage, method: string, ...args: readonly unknown[]): Promise<string> {
  return tab.page.evaluate(
    ([name, given]) => {
      const dialer = document.querySelector('partner-dialer');
      const called = Reflect.get(dialer ?? {}, name) as (...list: readonly unknown[]) => Promise<void>;
      return called.apply(dialer, [...given]).then(
        () => 'resolved',
        (error: { code?: string }) => error.code ?? String(error),
      );
    },
    [method, args] as const,
  );
}

function statusOf({ page }: AgentPage): Promise<string> {
  return page.evaluate(() => {
    const { status, block } = document.querySelector('partner-dialer')?.state ?? {};
    return block?.is === 'blocked' ? block.reason : (status ?? 'none');
  });
}

const WITH_PHONE = ['ready', 'ended', 'dialing', 'incoming', 'in-call'];

async function holderOf(tabs: Iterable<AgentPage>): Promise<AgentPage | undefined> {
  const all = [...tabs];
  const states = await Promise.all(all.map(statusOf));
  const holders = all.filter((_, index) => WITH_PHONE.includes(states[index] ?? ''));
  const isRest = states.every((state) => WITH_PHONE.includes(state) || state === 'active-elsewhere');
  return holders.length === 1 && isRest ? holders[0] : undefined;
}

/** Has any of them got it by then? */
async function hasPhone(tabs: readonly AgentPage[], within: number): Promise<boolean> {
  const isHere = async () =>
    (await Promise.all(tabs.map(statusOf))).some((state) => WITH_PHONE.includes(state));
  return (await isHere()) || eventually(isHere, 'the phone', within).catch(() => false);
}

/** @returns what did not hold */
async function walk(site: Site, seed: number): Promise<string[]> {
  await site.prepare();
  const first = await site.open();
  const all = new Set([first, await first.openTab()]);
  const found: string[] = [];
  const done: string[] = [];
  let [within, last] = [OPENED_MS, 'two tabs'];
  const rest = async () => {
    // The last one may have been in the middle of something when it was looked at.
    const holder = await eventually(
      () => holderOf(all),
      `one tab with the phone after: ${last}`,
      within + 500,
    );
    const some = await site.sandbox<unknown[]>('registrations');
    if (some.length !== 1) found.push(`${some.length} registrations after: ${last}`);
    return holder;
  };
  try {
    for (const { step, turn, pause } of fc.sample(sequences, { seed, numRuns: 1 })[0] ?? []) {
      const holder = await rest();
      const others = [...all].filter((tab) => tab !== holder);
      done.push(step.name);
      [within, last] = [step.within, step.name];
      const wrong = await step.run({ site, all, holder, others, other: others[turn % (others.length || 1)] });
      if (wrong) found.push(`${step.name}: ${wrong}`);
      await sleep(pause);
      await endCalls(site);
    }
    await rest();
  } catch (error) {
    found.push(String(error));
  }
  if (found.length > 0) console.log(done.map((name) => `    ${name}`).join('\n'));
  await first.page.context().close();
  return found;
}

async function endCalls(site: Site): Promise<void> {
  for (const { id, state } of await site.calls())
    if (state !== 'ended') await site.sandbox(`calls/${id}/hang-up`, {}).catch(() => undefined);
}

await playSeeds(10, walk);
