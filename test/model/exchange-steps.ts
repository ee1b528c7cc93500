/** What a step makes the exchange, the other party and the SDK do. */
import type { STALE } from './choices.ts';
import type { World } from './world.ts';

const LOST_AUDIO_MS = 10_000;
const NONSENSE = [null, 7, { callData: 'none' }, { callData: null }];

const refuse =
  (status: number) =>
  ({ client }: World): void =>
    client.calls.far.refuses(status);

export const FAR = {
  calls: ({ client, callerOf }) => client.calls.ring(callerOf('0988777666')),
  rings: ({ client }) => client.calls.far.rings(),
  answers: ({ client }) => client.calls.far.answers(),
  crosses: ({ client }) => client.calls.far.crosses(),
  ends: ({ client }) => client.calls.far.ends(),
  'answers-elsewhere': ({ client }) => client.calls.far.answersElsewhere(),
  'refuses-402': refuse(402),
  'refuses-486': refuse(486),
  'refuses-480': refuse(480),
  'refuses-404': refuse(404),
  'refuses-503': refuse(503),
  'loses-socket': ({ client }) => client.loseSocket(),
  /** For good, once it has been away for so long. */
  'loses-audio': ({ client: { calls }, clock, exchange }) => {
    const { call, session } = calls;
    session?.connection?.become('failed');
    clock.later(LOST_AUDIO_MS - 1, () => {
      const isLost = calls.call === call && session?.connection?.connectionState === 'failed';
      if (call && isLost) exchange.license('audio lost');
    });
  },
  /** By a press on its own screen, or because the browser says that the sound is lost. */
  'ends-call': ({ client: { calls }, clock, exchange }) => {
    const { call, session } = calls;
    // In a task of its own: what the SDK has said before is read.
    clock.later(1, () => {
      if (!call?.answered || calls.call !== call) return;
      exchange.license('end by the SDK');
      session?.terminate();
    });
  },
  'loses-widget': ({ client }) => client.loseWidget(),
  'finds-audio': ({ client }) => client.calls.session?.connection?.become('connected'),
  'refuses-refresh': ({ client }) => client.refuseRefresh(),
} as const satisfies Readonly<Record<string, (world: World) => void>>;

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
