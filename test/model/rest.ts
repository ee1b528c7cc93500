/** How a sequence ends: all is well again, time passes, and every dialer is taken off the page. */
import type { DialerState } from '../../src/index.ts';
import type { Actor } from './actor.ts';
import { endOf } from './answers.ts';
import type { Invariants } from './invariants.ts';
import { describeState, isAble, isLive } from './observer.ts';
import { showsToken } from './leaks.ts';
import type { Play } from './play.ts';
import type { World } from './world.ts';

const REST_MS = 200_000;
const WAY_ON_MS = 60_000;
/** Longer than the longest wait between two attempts to connect, and one attempt. */
const RETRY_MS = 150_000;
/** One to ask for help, one to connect, one to see that nothing is in the way any more. */
const MOST_PRESSES = 3;

export async function comeToRest(world: World, play: Play, invariants: Invariants): Promise<void> {
  const { clock, client, page, exchange } = world;
  for (const actor of play.actors) actor.stopListening();
  await play.run({ do: 'mend' });
  await pass(world, REST_MS);
  invariants.check(play.actors);
  await endCall(world, play);
  invariants.check(play.actors);
  for (const actor of play.actors) checkCallsEnded(world, actor);
  for (const { isWanted, element } of play.actors) {
    if (isWanted && element.isConnected && element.state.line.is === 'off')
      world.violate('f signed out by nobody');
  }
  if (client.isRegistered && endOf(client.token) < clock.now)
    world.violate('f goes on with a token that has ended');
  await checkWayOn(world, play);
  invariants.check(play.actors);

  play.close();
  await pass(world, REST_MS);
  invariants.check(play.actors);
  for (const actor of play.actors) checkCallsEnded(world, actor);
  if (exchange.registrations.size > 0) world.violate('g registration left behind');
  if (client.calls.call) world.violate('g call left behind');
  for (const call of exchange.calls) exchange.strand(call);
  if (page.microphone.live > 0) world.violate('g microphone left open');
  if (clock.foreignTimers > 0) world.violate('g timers left behind', `${clock.foreignTimers}`);
  if (document.querySelector('vbot-widget')) world.violate('g SDK element left behind');
  if (showsToken(document.documentElement)) world.violate('g token left behind');
}

async function pass(world: World, ms: number): Promise<void> {
  if (!(await world.clock.advance(ms))) world.violate('e waits for nothing, again and again');
}

/** The other party has had enough. */
async function endCall(world: World, { actors }: Play): Promise<void> {
  const { calls } = world.client;
  calls.far.ends();
  calls.far.refuses(486);
  await world.clock.settle();
  const stuck = actors.find(({ element }) => isLive(element.state));
  // A call of which the element was not told the truth: somebody hangs up.
  stuck?.run({ method: 'hangUp', args: [] });
  await pass(world, 30_000);
  if (stuck && isLive(stuck.element.state)) world.violate('c hung up, and yet in a call');
}

function checkCallsEnded(world: World, { observer }: Actor): void {
  for (const { isEnded, direction } of observer.calls.values()) {
    if (!isEnded) world.violate('b a call without an end', direction);
  }
}

/** Whoever is in the page alone and properly set up can call, at the latest after pressing what is offered. */
async function checkWayOn(world: World, { actors }: Play): Promise<void> {
  const present = actors.filter(({ element }) => element.isConnected);
  const [actor] = present;
  if (!actor || present.length > 1) return;
  const { element } = actor;
  for (const name of ['sdk-url', 'sdk-base-url', 'floating', 'broker-credentials'])
    element.removeAttribute(name);
  actor.setHeaders('none');
  element.setAttribute('broker-url', '/broker/session');
  await pass(world, RETRY_MS);
  const { status } = element.state;
  if (!isAble(element.state) && !waitsForSomebody(element.state))
    world.violate('f does not come back by itself', describeState(element.state));
  for (let press = 0; press < MOST_PRESSES && !isAble(element.state); press += 1) {
    world.exchange.presses += 1;
    takeWayOn(actor);
    await pass(world, WAY_ON_MS);
  }
  if (!isAble(element.state))
    world.violate('f the way on leads nowhere', `${status} → ${describeState(element.state)}`);
}

/** Signed out, failed without a next attempt, or blocked for a reason that only a check of the agent ends. */
function waitsForSomebody({ line, block }: DialerState): boolean {
  if (line.is === 'off' || (line.is === 'failed' && line.retryAt === undefined)) return true;
  return block.is === 'blocked' && (block.source === 'call' || block.source === 'sdk');
}

/** The first button is the one to press. Where the page draws the guide, or has signed the dialer out, there is none. */
function takeWayOn(actor: Actor): void {
  if (actor.buttons('guide-action').length > 0) actor.press('guide-action', 0);
  else actor.run({ method: actor.element.state.status === 'idle' ? 'connect' : 'recheck', args: [] });
}
