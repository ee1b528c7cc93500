/**
 * Random steps of agent, page, network and other party, with the demo and the sandbox's exchange. After each of them must
 * hold what always holds. `RANDOM_SEEDS` says how many seeds are played, `RANDOM_SEED` which is the first; with `SDK_FILE`,
 * by the vendor's own build.
 */
import { seededRandom } from '../support/random.ts';
import { expect, LONG, test, type AgentPage, type Site } from './fixtures.ts';
import { CARD_KEYS, focusCard, focusField, KEYS, typeKeys, watchKeys } from './random-keys.ts';
import { checkEnd, checkSound } from './random-rules.ts';
import {
  ACTS,
  act,
  allButtons,
  answerPrompts,
  buttons,
  callIfPossible,
  canCallSoon,
  keepBusy,
  look,
  readNotes,
  slowDown,
  watchDialer,
  watchMicrophones,
  type ActName,
  type Notes,
} from './random-steps.ts';
import { REPLIES, Way } from './way.ts';

const SEEDS = Number(process.env['RANDOM_SEEDS'] ?? 3);
const FIRST_SEED = Number(process.env['RANDOM_SEED'] ?? 1);

const STEPS = 16;
const LONGEST_WAIT_MS = 900;
/** The SDK tries again after 2 and 4 seconds. */
const LONGEST_AWAY_MS = 3500;
const LONGEST_BUSY_MS = 1000;
const MOST_SLOWDOWN = 4;

const NAMES = Object.keys(ACTS) as ActName[];
const SOUND: readonly ActName[] = ['mute', 'unmute', 'hold', 'resume', 'change devices'];
const ORDERS: readonly ActName[] = ['answer', 'answer', 'hang up', 'reject'];
const WITHIN_CALL: readonly ActName[] = ['hold', 'resume', 'press keys', 'hang up'];
const PROMPTING: readonly ActName[] = ['call', 'call', 'answer', 'unplug the microphone', 'change devices'];
const ENDS: readonly ActName[] = ['hang up', 'disconnect', 'remove'];

/** With and without what a call needs. */
const MEMBERS = [
  { balance: 0 },
  { balance: 50_000 },
  { hotlines: [] },
  { hotlines: ['842899990001'] },
  { balance: 50_000, hotlines: ['842899990001', '842899990002'] },
];
/** What broker and SDK ask the vendor for. */
const PLACES = ['/api/sdk/tokenSdk', '/api/sdk/info', '/api/member/getByMemberNo', 'register', 'script'];

interface Play {
  /** In the tab that the agent looks at. */
  agent: AgentPage;
  /** The agent looks at the other tab, if there is one. */
  readonly changeTab: () => Promise<void>;
  readonly site: Site;
  readonly way: Way;
  readonly pick: <T>(values: readonly T[]) => T;
  readonly upTo: (ms: number) => number;
  /** Somebody calls, each time from another number. Resolves to the call, if the exchange has a phone for it. */
  readonly ring: () => Promise<{ readonly id: string } | undefined>;
  /** One of the dialer's, with the pointer, if there is any. */
  readonly press: (find?: typeof buttons) => Promise<void>;
  /** On the keyboard. */
  readonly type: (keys: readonly string[], repeats?: number) => Promise<void>;
  readonly reload: () => Promise<void>;
  /** All at once. */
  readonly perform: (names: readonly ActName[]) => Promise<void>;
}

async function placeCall({ agent, perform }: Play): Promise<void> {
  await perform(['insert', 'connect']);
  await canCallSoon(agent.page);
  await perform(['call']);
  await agent.page.waitForTimeout(700);
}

const STEP_KINDS = {
  'one act': ({ perform, pick }) => perform([pick(NAMES)]),
  'two acts together': ({ perform, pick }) => perform([pick(NAMES), pick(NAMES)]),
  'sounds together': ({ perform, pick }) => perform([pick(SOUND), pick(SOUND), pick(SOUND)]),
  'a call': (play) => placeCall(play),
  'somebody calls': ({ ring }) => ring(),
  'somebody calls, and it is answered': async ({ agent, ring, perform }) => {
    await ring();
    await agent.page.waitForTimeout(400);
    await perform(['answer']);
    await agent.page.waitForTimeout(400);
  },
  'the other party hangs up': async ({ site }) => {
    const id = (await site.calls()).findLast(({ state }) => state !== 'ended')?.id;
    if (id !== undefined) await site.sandbox(`calls/${id}/hang-up`, {}).catch(() => undefined);
  },
  'a caller gives up and the next one calls while the page is busy': async (play) => {
    const { agent, site, ring, perform, pick, upTo } = play;
    const first = await ring();
    await agent.page.waitForTimeout(400);
    await keepBusy(agent.page, upTo(LONGEST_BUSY_MS));
    const acting = perform([pick(ORDERS)]);
    if (first) await site.sandbox(`calls/${first.id}/hang-up`, {}).catch(() => undefined);
    await ring();
    await acting;
  },
  'the socket is cut': ({ site }) => site.sandbox('sockets/drop', {}),
  'the network is away': async ({ agent, way, perform, pick, upTo }) => {
    const isTold = pick([true, false]);
    if (isTold) await agent.page.context().setOffline(true);
    await way.goAway();
    await perform([pick(NAMES)]);
    await agent.page.waitForTimeout(upTo(LONGEST_AWAY_MS));
    way.comeBack();
    if (isTold) await agent.page.context().setOffline(false);
  },
  'the agent ends a call without a network': async ({ agent, way, perform, pick, upTo }) => {
    const isTold = pick([true, false]);
    await way.goAway();
    if (isTold) await agent.page.context().setOffline(true);
    await perform([pick(ENDS)]);
    await agent.page.waitForTimeout(upTo(LONGEST_AWAY_MS));
    way.comeBack();
    if (isTold) await agent.page.context().setOffline(false);
  },
  'the network stalls, and nothing is lost': async ({ agent, way, perform, pick, upTo }) => {
    way.stall();
    await perform([pick(NAMES)]);
    await agent.page.waitForTimeout(upTo(LONGEST_AWAY_MS));
    await perform([pick(NAMES)]);
    way.flow();
  },
  'the network stalls until the socket is lost': async ({ agent, way, perform, pick, upTo }) => {
    way.stall();
    await perform([pick(NAMES)]);
    await agent.page.waitForTimeout(upTo(LONGEST_AWAY_MS));
    await way.goAway();
    await agent.page.waitForTimeout(upTo(LONGEST_AWAY_MS));
    way.comeBack();
  },
  'the agent presses a button': ({ press }) => press(),
  'the agent presses whatever there is': async ({ press, agent, upTo }) => {
    await press(allButtons);
    await agent.page.waitForTimeout(upTo(LONGEST_WAIT_MS));
    await press(allButtons);
  },
  'the agent types': async ({ press, type, agent, pick, upTo }) => {
    if (pick([true, false])) await press(allButtons);
    for (let time = 0; time < 4; time += 1) {
      await type(pick(KEYS), pick([0, 0, 3]));
      await agent.page.waitForTimeout(pick([0, upTo(LONGEST_WAIT_MS)]));
    }
  },
  'the agent types a number, and calls': async ({ type, agent, upTo }) => {
    await focusField(agent.page);
    await type(['Control+a', ...`09${String(upTo(10 ** 8)).padStart(8, '0')}`]);
    await agent.page.waitForTimeout(upTo(LONGEST_WAIT_MS));
    await type(['Enter']);
  },
  'the agent types as the other party hangs up': async ({ site, agent, type, pick, upTo }) => {
    const id = (await site.calls()).findLast(({ state }) => state !== 'ended')?.id;
    const ending =
      id === undefined ? undefined : site.sandbox(`calls/${id}/hang-up`, {}).catch(() => undefined);
    for (let time = 0; time < 3; time += 1) {
      await type(pick(KEYS));
      await agent.page.waitForTimeout(upTo(300));
    }
    await ending;
  },
  'the agent types as somebody calls': async ({ ring, agent, type, pick, upTo }) => {
    const ringing = ring();
    for (let time = 0; time < 3; time += 1) {
      await type(pick(KEYS));
      await agent.page.waitForTimeout(upTo(300));
    }
    await ringing;
  },
  'the agent types on the card of a call': async (play) => {
    const { agent, type, pick, upTo } = play;
    if ((await look(agent.page)).call !== 'active') await placeCall(play);
    await focusCard(agent.page);
    for (let time = 0; time < 3; time += 1) {
      await type(pick(CARD_KEYS), pick([0, 0, 3]));
      await agent.page.waitForTimeout(upTo(LONGEST_WAIT_MS));
    }
  },
  'the agent presses two buttons, or one twice': async ({ press }) => {
    await press();
    await press();
  },
  'the agent presses buttons while the network stalls': async ({ agent, way, press, upTo }) => {
    way.stall();
    await press();
    await agent.page.waitForTimeout(upTo(LONGEST_WAIT_MS));
    await press();
    way.flow();
  },
  'the exchange replies otherwise': async (play) => {
    const { agent, way, perform, pick, upTo } = play;
    if ((await look(agent.page)).call !== 'active') await placeCall(play);
    for (let time = 0; time < 3; time += 1) {
      way.twist(pick(REPLIES));
      await perform([pick(WITHIN_CALL)]);
      await agent.page.waitForTimeout(upTo(LONGEST_WAIT_MS));
    }
  },
  'another agent sits down': async ({ agent, perform, pick }) => {
    await perform([pick(['somebody signs in', 'somebody else signs in'] as const), pick(NAMES)]);
    await agent.page.waitForTimeout(300);
    await perform(pick([['disconnect', 'connect'], ['check again']] as const));
  },
  'the vendor changes the member': async ({ site, perform, pick }) => {
    await site.sandbox('members/agent001', pick(MEMBERS));
    await perform([pick(['check again', 'call', 'connect', 'insert'] as const)]);
  },
  'the vendor is slow': async ({ site, perform, pick, upTo }) => {
    const value = upTo(LONGEST_AWAY_MS);
    await site.sandbox('faults', { place: pick(PLACES), kind: 'slow', value, times: 2 });
    await perform([pick(NAMES), pick(['check again', 'connect', 'disconnect'] as const)]);
  },
  'an answer crosses': async ({ agent, way, perform, pick }) => {
    way.hold();
    await perform(['call']);
    await agent.page.waitForTimeout(600);
    await perform([pick(ENDS)]);
    await agent.page.waitForTimeout(200);
    way.release();
  },
  'the microphone is late': async ({ agent, perform, pick, upTo }) => {
    await answerPrompts(agent.page, { takes: upTo(LONGEST_AWAY_MS) });
    await perform([pick(PROMPTING)]);
    await agent.page.waitForTimeout(upTo(LONGEST_WAIT_MS));
    await perform([pick(NAMES)]);
    await answerPrompts(agent.page, { takes: 0 });
  },
  'a caller gives up, or the next one calls, while the microphone is late': async (play) => {
    const { agent, site, ring, perform, pick, upTo } = play;
    const first = await ring();
    await agent.page.waitForTimeout(400);
    await answerPrompts(agent.page, { takes: upTo(LONGEST_AWAY_MS) });
    await perform([pick(['answer', 'answer', 'call'] as const)]);
    await agent.page.waitForTimeout(upTo(LONGEST_WAIT_MS));
    if (first && pick([true, false]))
      await site.sandbox(`calls/${first.id}/hang-up`, {}).catch(() => undefined);
    if (pick([true, false])) await ring();
    await perform([pick(NAMES)]);
    await answerPrompts(agent.page, { takes: 0 });
  },
  'the microphone is refused': async ({ agent, way, perform, pick, upTo }) => {
    const refusal = pick(['NotAllowedError', 'NotFoundError'] as const);
    way.lackedMicrophone ||= refusal === 'NotFoundError';
    await answerPrompts(agent.page, { takes: pick([0, upTo(LONGEST_AWAY_MS)]), refusal });
    await perform([pick(PROMPTING)]);
    await agent.page.waitForTimeout(upTo(LONGEST_WAIT_MS));
    await perform([pick(NAMES)]);
    await answerPrompts(agent.page, { takes: 0 });
  },
  'the machine sleeps': async ({ perform, pick, way }) => {
    await perform([pick(NAMES)]);
    await way.sleep(pick([1000, 6000, 20_000]));
    await perform([pick(NAMES)]);
  },
  'the page is loaded again': ({ reload }) => reload(),
  'the other tab': ({ changeTab }) => changeTab(),
  'a call in the other tab': async ({ changeTab, perform }) => {
    await changeTab();
    await perform(['call']);
  },
  'use the other tab': async ({ changeTab, perform }) => {
    await changeTab();
    await perform(['use here']);
  },
  'back in the page': ({ perform }) => perform(['insert', 'connect']),
  'a call where the dialer says that it can': async ({ agent }) => {
    expect(await callIfPossible(agent.page), 'why no call went out').toBeUndefined();
  },
} as const satisfies Readonly<Record<string, (play: Play) => Promise<unknown>>>;

type StepKind = keyof typeof STEP_KINDS;
const KINDS = Object.keys(STEP_KINDS) as StepKind[];

async function open(site: Site, way: Way, renewsAfter: number | undefined): Promise<AgentPage> {
  const agent = await site.open('/healthz');
  const context = agent.page.context();
  await watchMicrophones(context);
  await way.follow(context);
  await context.route(/\/dialer\/session(?:\?.*)?$/, async (route) => {
    const response = await route.fetch().catch(() => undefined);
    if (!response) return route.abort();
    if (renewsAfter === undefined || !response.ok()) return route.fulfill({ response });
    const json = (await response.json()) as object;
    const expiresAt = new Date(Date.now() + renewsAfter / 0.8).toISOString();
    await route.fulfill({ response, json: { ...json, expiresAt } });
  });
  await agent.page.goto(site.origin);
  await expect(agent.text('Ready')).toBeVisible();
  return agent;
}

// Each has an agent, and each worker a demo, of its own.
test.describe.configure({ mode: 'parallel' });
for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
  test(
    `whatever happens in any order, nobody is left in a call or heard unseen: seed ${seed}`,
    LONG,
    async ({ site }) => {
      test.setTimeout(180_000);
      const random = seededRandom(seed);
      const upTo = (ms: number) => Math.floor(random() * ms);
      const pick = <T>(values: readonly T[]) => values[upTo(values.length)] as T;
      const way = new Way();
      const renewsAfter = pick([undefined, undefined, 5000]);
      const log = [renewsAfter === undefined ? 'no renewals' : `renews after ${renewsAfter} ms`];
      const agent = await open(site, way, renewsAfter);
      const tabs = [agent];
      if (pick([true, false])) tabs.push(await agent.openTab());
      log.push(`${tabs.length} tabs`);
      const slowdown = pick([1, 1, MOST_SLOWDOWN]);
      log.push(`a machine ${slowdown} times slower`);
      for (const [index, { page }] of tabs.entries()) {
        page.on('dialog', (dialog) => void dialog.accept());
        await watchDialer(page, index);
        await watchKeys(page);
        await slowDown(page, slowdown);
      }
      const earlier: Notes[] = [];
      const reload = async () => {
        const { page } = play.agent;
        const tab = tabs.indexOf(play.agent);
        earlier.push(await readNotes(page));
        way.reloads.push(Date.now());
        await page.goto(site.origin);
        await watchDialer(page, tab);
        await watchKeys(page);
      };
      const changeTab = async () => {
        play.agent = tabs.find((tab) => tab !== play.agent) ?? agent;
        await play.agent.page.bringToFront();
        log.push(`    tab ${tabs.indexOf(play.agent)}`);
      };
      const perform = (names: readonly ActName[]) => {
        log.push(`    ${names.join(' + ')}`);
        return act(play.agent.page, names);
      };
      const press = async (find = buttons) => {
        const places = await find(play.agent.page);
        if (places.length === 0) return;
        const place = pick(places);
        log.push(`    press ${places.indexOf(place)} of ${places.length}`);
        await play.agent.page.mouse.click(place.x, place.y);
      };
      const type = (keys: readonly string[], repeats = 0) => {
        log.push(`    type ${keys.join(' ')}${repeats > 0 ? ', held down' : ''}`);
        return typeKeys(play.agent.page, keys, repeats);
      };
      let callers = 0;
      const ring = () => {
        callers += 1;
        return site.ring(`0988${String(callers).padStart(6, '0')}`).catch(() => undefined);
      };
      const play: Play = { agent, changeTab, site, way, pick, upTo, ring, press, type, reload, perform };
      try {
        for (let step = 0; step < STEPS; step += 1) {
          const kind = pick(KINDS);
          const busyFor = pick([0, 0, upTo(LONGEST_BUSY_MS)]);
          log.push(`${step}: ${kind}${busyFor > 0 ? `, in a page that is busy for ${busyFor} ms` : ''}`);
          if (busyFor > 0) await keepBusy(play.agent.page, busyFor);
          await STEP_KINDS[kind](play);
          await agent.page.waitForTimeout(pick([0, 0, upTo(LONGEST_WAIT_MS)]));
          for (const tab of tabs) await checkSound(tab);
          const sights = await Promise.all(tabs.map(({ page }) => look(page)));
          const live = sights.filter(({ call }) => call !== 'none' && call !== 'ended');
          const members = new Set(live.map(({ memberNo }) => memberNo));
          expect(live.length, 'calls of one member in different tabs').toBe(members.size);
          for (const sight of sights) log.push(`    → ${Object.values(sight).map(String).join(' · ')}`);
        }
        for (const _ of tabs) {
          await perform([pick(ENDS)]);
          await changeTab();
        }
        await checkEnd(site, way, tabs, earlier);
      } catch (error) {
        throw new Error([...log, String(error)].join('\n'), { cause: error });
      }
    },
  );
}
