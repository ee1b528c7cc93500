/**
 * `npm run soak -- walk`: an agent, a page, another party and a network that do whatever they like, in a real browser at the
 * sandbox's exchange; with `SDK_FILE=PATH` by another build of the SDK. `WALKS` and `SEED` say how many and from where.
 */
import { sample } from 'fast-check';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSite } from '../../end-to-end/open-site.ts';
import type { AgentPage, Site } from '../../end-to-end/site.ts';
import { judge } from './judge.ts';
import { Recorder, type Seen } from './recorder.ts';
import type { Tab, Walker } from './step.ts';
import { walks, type Move } from './steps.ts';

const MOST_TABS = 3;
const WALKS = Number(process.env['WALKS'] ?? 20);
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

/** @returns what did not hold */
async function walk(site: Site, moves: readonly Move[]): Promise<string[]> {
  await site.prepare();
  const agent = await site.open('/healthz');
  const since = Date.now();
  const walker: Walker = {
    site,
    tabs: [await openTab(agent, site.origin)],
    openTab: async () => {
      if (walker.tabs.length < MOST_TABS) walker.tabs.push(await openTab(await agent.openTab(), site.origin));
    },
  };
  await agent.see('Ready');
  const done: string[] = [];
  const ends: number[] = [];
  for (const { step, isDouble, tab, pause } of moves) {
    const at = Date.now();
    if (step.endsCalls) ends.push(at);
    const index = tab % walker.tabs.length;
    const how = await step.run(walker, walker.tabs[index] as Tab, isDouble).then(
      () => '',
      () => ' (could not)',
    );
    if (step.endsCalls) ends.push(Date.now());
    done.push(`${at - since} ${index} ${step.name}${isDouble ? ' twice' : ''}${how}`);
    await sleep(pause);
  }
  const found = await judge(walker, since, ends).catch((error: unknown) => [String(error)]);
  const seen = walker.tabs.flatMap(({ recorder }) => recorder.seen);
  const count = (what: string) => seen.filter((one) => one.what === what).length;
  console.log(
    `  ${done.length} steps, ${walker.tabs.length} tabs, ${count('dialer-callstart')} calls out, ${count('dialer-callincoming')} in, ${count('dialer-callconnect')} answered`,
  );
  if (found.length > 0) {
    const events = walker.tabs.flatMap(({ recorder }, index) =>
      recorder.seen.map((one) => `${one.at - since} ${index}    ${describe(one)}`),
    );
    console.log(
      [...done, ...events].toSorted((one, other) => Number.parseInt(one) - Number.parseInt(other)).join('\n'),
    );
    console.log(
      JSON.stringify(
        (await site.calls()).filter(({ startedAt }) => startedAt >= since),
        undefined,
        1,
      ),
    );
  }
  await agent.close();
  return found;
}

async function openTab(agent: AgentPage, origin: string): Promise<Tab> {
  const recorder = await Recorder.start(agent.page);
  agent.page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
  await agent.page.goto(origin);
  return { agent, recorder };
}

function describe({ what, status, line, block, call, id, outcome, settled }: Seen): string {
  return [what, status, line, block, call, id?.slice(0, 6), outcome, settled].join(' ');
}

const { site, close } = await openSite();
let failures = 0;
for (let seed = SEED; seed < SEED + WALKS; seed += 1) {
  const [moves = []] = sample(walks, { seed, numRuns: 1 });
  const found = await walk(site, moves).catch((error: unknown) => [String(error)]);
  console.log([`${found.length === 0 ? 'ok    ' : 'FAILED'} SEED=${seed}`, ...found].join('\n  '));
  failures += found.length === 0 ? 0 : 1;
}
await close();
console.log(`${WALKS - failures} passed, ${failures} failed`);
process.exit(failures === 0 ? 0 : 1);
