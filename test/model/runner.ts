/** Plays one sequence in a world of its own. */
import { seededRandom } from '../support/random.ts';
import { PlayedBroker } from './broker.ts';
import { PlayedClient } from './client.ts';
import { VirtualClock } from './clock.ts';
import { Exchange } from './exchange.ts';
import { Invariants } from './invariants.ts';
import { PlayedPage } from './page.ts';
import { Play } from './play.ts';
import { comeToRest } from './rest.ts';
import type { Sequence } from './steps.ts';
import { playIn } from './widget.ts';
import { World, type Violation } from './world.ts';

export interface Result {
  readonly violations: readonly Violation[];
  /** What happened when. */
  readonly journal: readonly string[];
  /** How often what happened, to see that sequences get anywhere. */
  readonly coverage: Readonly<Record<string, number>>;
}

export async function play(sequenceToPlay: Sequence, seed: number): Promise<Result> {
  const clock = new VirtualClock();
  const world = new World(clock);
  world.page = new PlayedPage(world, seededRandom(seed));
  world.exchange = new Exchange(world);
  world.broker = new PlayedBroker(world);
  world.client = new PlayedClient(world);
  playIn(world);
  const played = new Play(world, sequenceToPlay);
  const invariants = new Invariants(world);
  try {
    for (const [index, step] of sequenceToPlay.steps.entries()) {
      world.step = index;
      world.note(`STEP ${index} ${JSON.stringify(step)}`);
      await played.run(step);
      await clock.settle();
      invariants.check(played.actors);
    }
    world.step = sequenceToPlay.steps.length;
    world.note('AT REST');
    await comeToRest(world, played, invariants);
  } finally {
    world.tabs.close();
    played.leave();
    playIn(undefined);
    world.broker.restore();
    world.page.restore();
    clock.restore();
  }
  return { violations: world.violations, journal: world.journal, coverage: coverageOf(world, played) };
}

/** What the sequence got to: one that never gets to a call proves little. */
function coverageOf({ exchange, client, broker, tabs }: World, { actors }: Play): Record<string, number> {
  const shown = actors.flatMap(({ observer }) => [...observer.calls.values()]);
  return {
    boots: client.boots,
    calls: exchange.calls.length,
    invites: exchange.invites,
    shown: shown.length,
    connected: shown.filter(({ isConnected }) => isConnected).length,
    failed: shown.filter(({ isFailed }) => isFailed).length,
    incoming: shown.filter(({ direction }) => direction === 'incoming').length,
    held: exchange.calls.filter(({ wasHeld }) => wasHeld).length,
    topUps: broker.asked['top-up'],
    tabs: tabs.uses,
    sessions: broker.asked.session,
    statuses: broker.asked.status,
    costs: shown.filter(({ cost }) => cost !== undefined).length,
    lookups: broker.asked.customers,
    lateEnds: exchange.lateEnds,
    crossings: exchange.crossings,
    lostAcks: exchange.lostAcks,
    lateInvites: exchange.lateInvites,
  };
}
