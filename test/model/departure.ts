/** The page is left, or frozen, and comes back. */
import type { Actor } from './actor.ts';
import { isLive } from './observer.ts';
import type { World } from './world.ts';

/** Into the back/forward cache: what is not done inside `pagehide` is not done before the page comes back. */
export function leaveAndComeBack(world: World, actors: readonly Actor[], away: number): void {
  const { exchange, client, clock } = world;
  askBeforeLeaving(world, actors);
  exchange.license('leaving');
  world.tabs.mayTakeAt = clock.lived;
  excuse(world);
  dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
  const { live } = exchange;
  if (
    live &&
    !live.isBlurred &&
    !live.isCrossing &&
    !live.answeredOver &&
    live.shownAs !== undefined &&
    client.behavior.hangUp === 'ok'
  ) {
    world.violate('a left the page with a call going on', live.answered ? 'talking' : 'ringing');
  }
  if (exchange.registrations.size > 0 && !client.isBlurred) world.violate('g left the page registered');
  clock.jump(away);
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
}

/** A frozen page could not ring, so that it may sign out; who talks goes on talking. */
export function freeze(world: World, actors: readonly Actor[], away: number): void {
  const { exchange, clock } = world;
  if (!isInCall(actors)) exchange.license('frozen');
  world.tabs.mayTakeAt = clock.lived;
  excuse(world);
  document.dispatchEvent(new Event('freeze'));
  clock.jump(away);
  document.dispatchEvent(new Event('resume'));
}

/** Without a socket, a page that goes cannot tell the exchange of the end. */
function excuse({ exchange, client }: World): void {
  if (!client.hasSocket) for (const call of exchange.calls) call.isExcused ||= call.isOn;
}

/** The browser asks only where a page wants it to. */
function askBeforeLeaving(world: World, actors: readonly Actor[]): void {
  const event = new Event('beforeunload', { cancelable: true });
  dispatchEvent(event);
  if (isInCall(actors) && !event.defaultPrevented) world.violate('a left without being asked');
  const isFree = actors.every(({ element }) => !isLive(element.state));
  if (isFree && event.defaultPrevented) world.violate('a asked for nothing');
}

/** Is somebody talking or ringing out? */
function isInCall(actors: readonly Actor[]): boolean {
  return actors.some(({ element }) => ['active', 'dialing'].includes(element.state.call.is));
}
