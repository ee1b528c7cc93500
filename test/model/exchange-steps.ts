/** What a step makes the exchange, the other party and the SDK do. */
import type { FAR, STALE } from './choices.ts';
import type { World } from './world.ts';

const LOST_AUDIO_MS = 10_000;
const NONSENSE = [null, 7, { callData: 'none' }, { callData: null }];

export function makeFarEnd(world: World, what: (typeof FAR)[number]): void {
  const { client } = world;
  const { calls } = client;
  const { far } = calls;
  const status = Number(/^refuses-(\d+)/.exec(what)?.[1] ?? 0);
  if (status > 0) return far.refuses(status);
  switch (what) {
    case 'calls':
      return calls.ring(world.callerOf('0988777666'));
    case 'rings':
      return far.rings();
    case 'answers':
      return far.answers();
    case 'ends':
      return far.ends();
    case 'answers-elsewhere':
      return far.answersElsewhere();
    case 'loses-socket':
      return client.loseSocket();
    case 'refuses-refresh':
      return client.refuseRefresh();
    case 'finds-audio':
      return calls.session?.connection?.become('connected');
    case 'loses-audio':
      return loseAudio(world);
  }
}

/** For good, once it has been away for so long. */
function loseAudio({ client: { calls }, clock, exchange }: World): void {
  const { call, session } = calls;
  session?.connection?.become('failed');
  clock.later(LOST_AUDIO_MS - 1, () => {
    const isLost = calls.call === call && session?.connection?.connectionState === 'failed';
    if (call && isLost) exchange.license('audio lost');
  });
}

/** An event of a call that is over, which says so itself; or one that makes no sense. */
export function tellAgain({ client }: World, event: (typeof STALE)[number]): void {
  const { delivery, widgets, calls } = client;
  if (event === 'nonsense') {
    for (const detail of NONSENSE) delivery.emit(widgets, 'onCallProgress', detail);
    return;
  }
  const callData = calls.lastData;
  if (callData) delivery.emit(widgets, event, { callData });
}
