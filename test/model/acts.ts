/** What page, agent and network do in one moment, by name: two of these at once, or one while the network is away. */
import type { Actor } from './actor.ts';
import { FAR } from './exchange-steps.ts';
import { MEMBERS, type MemberNo } from './members.ts';
import type { World } from './world.ts';

type Act = (actor: Actor, world: World) => void;

const asks =
  (...[method, ...args]: [Parameters<Actor['run']>[0]['method'], ...(string | boolean)[]]): Act =>
  (actor) =>
    actor.run({ method, args });

/** The dialer is not told of it. */
export function becomeMember(memberNo: MemberNo, { broker, client }: World): void {
  broker.memberNo = memberNo;
  client.calls.lastData = null;
}

export const ACTS = {
  nothing: () => undefined,
  call: asks('call', '0912345678'),
  'call another': asks('call', '02899990001'),
  answer: asks('answer'),
  'hang up': asks('hangUp'),
  reject: asks('reject'),
  mute: asks('setMuted', true),
  unmute: asks('setMuted', false),
  hold: asks('setHeld', true),
  resume: asks('setHeld', false),
  keys: asks('sendDtmf', '1'),
  connect: asks('connect'),
  disconnect: asks('disconnect'),
  'use here': asks('useHere'),
  recheck: asks('recheck'),
  guide: (actor, { exchange }) => {
    actor.requestCall();
    exchange.presses += 1;
    actor.press('guide-action', 0);
  },
  remove: (actor) => {
    if (actor.element.isConnected) actor.remove();
  },
  'close the window': (actor) => actor.closeWindow(),
  'another member': (_actor, world) => {
    const { memberNo } = world.broker;
    becomeMember(MEMBERS.find((one) => one !== memberNo) ?? memberNo, world);
  },
  'change the broker': (actor) => actor.changeBroker(),
  'lose the SDK': (_actor, { client }) => client.loseWidget(),
  'lose the socket': (_actor, { client }) => client.loseSocket(),
  'lose the audio': (_actor, world) => FAR['loses-audio'](world),
  'the SDK ends the call': (_actor, world) => FAR['ends-call'](world),
  'change devices': (_actor, { page }) => page.microphone.dispatchEvent(new Event('devicechange')),
  'the other party hangs up': (_actor, { client }) => client.calls.far.ends(),
  'the other party answers': (_actor, { client }) => client.calls.far.crosses(),
} as const satisfies Readonly<Record<string, Act>>;

export type ActName = keyof typeof ACTS;

/** What is about the sound of a call. */
export const SOUND_ACTS = ['mute', 'unmute', 'hold', 'resume', 'change devices', 'lose the socket'] as const;

/** What may end a call that rings. */
export const END_ACTS = ['hang up', 'disconnect', 'remove', 'lose the SDK', 'nothing'] as const;
