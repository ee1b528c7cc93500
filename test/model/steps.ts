/** What may happen, as data: a sequence can be printed, cut down and played again. */
import * as fc from 'fast-check';
import { EVENTS, type DialerEventName } from '../../src/element/public-names.ts';
import { ANSWERS, SILENCES, type AnswerName } from './answers.ts';
import { PATHS, type Path } from './broker.ts';
import { ATTRIBUTES, FAR, NUMBERS, PARTS, PLACES, HEADERS, STALE, WORDS, WRONG_NUMBERS } from './choices.ts';
import { BEHAVIORS, type Behavior } from './behavior.ts';
import { MEMBERS, type MemberNo } from './members.ts';
import type { MicrophoneState } from './microphone.ts';
import { MOVES, type Move } from './moves.ts';
import type { Method } from './promises.ts';

type Arguments = readonly (string | boolean | Readonly<Record<string, string>>)[];
export type MethodCall = { readonly method: Method; readonly args: Arguments };
export type ListenerAct =
  | { readonly is: 'throw' }
  | { readonly is: 'prevent' }
  | { readonly is: 'remove' }
  | { readonly is: 'move'; readonly how: Move }
  | ({ readonly is: 'method' } & MethodCall);
type MannerOf<Name extends keyof Behavior> = {
  readonly do: 'manner';
  readonly name: Name;
  readonly value: Behavior[Name];
};

export type Step =
  | ({ readonly do: 'method'; readonly times: number } & MethodCall)
  | { readonly do: 'attribute'; readonly name: string; readonly value: string | null }
  | { readonly do: 'headers'; readonly kind: (typeof HEADERS)[number] }
  | { readonly do: 'words'; readonly kind: keyof typeof WORDS }
  | { readonly do: 'place'; readonly what: (typeof PLACES)[number] }
  | { readonly do: 'moved'; readonly how: Move }
  | {
      readonly do: 'press';
      readonly part: (typeof PARTS)[number];
      readonly nth: number;
      readonly times: number;
    }
  | { readonly do: 'type'; readonly text: string }
  | { readonly do: 'hotline' }
  | { readonly do: 'member'; readonly memberNo: MemberNo; readonly signsOut: boolean }
  | { readonly do: 'advance'; readonly ms: number }
  | { readonly do: 'jump'; readonly ms: number }
  | { readonly do: 'broker'; readonly path: Path; readonly answer: AnswerName; readonly delay: number }
  | { [Name in keyof Behavior]: MannerOf<Name> }[keyof Behavior]
  | { readonly do: 'far'; readonly what: (typeof FAR)[number] }
  | { readonly do: 'stale'; readonly event: (typeof STALE)[number] }
  | { readonly do: 'network'; readonly online: boolean }
  | { readonly do: 'sight'; readonly hidden: boolean }
  | { readonly do: 'leave'; readonly away: number }
  | { readonly do: 'freeze'; readonly away: number }
  | { readonly do: 'microphone'; readonly state: MicrophoneState }
  | { readonly do: 'listen'; readonly event: DialerEventName; readonly act: ListenerAct }
  | { readonly do: 'other' }
  /** All is well again. */
  | { readonly do: 'mend' }
  /** Straight into a conversation, or to the guide of somebody without money. */
  | { readonly do: 'talk'; readonly direction: 'outgoing' | 'incoming' | 'refused' };

export interface Sequence {
  readonly mode: 'auto' | 'interaction' | 'manual';
  /** May the SDK's events come late, swapped, or not at all? */
  readonly isFree: boolean;
  readonly steps: readonly Step[];
}

const pick = <T>(values: readonly T[]) => fc.constantFrom(...values);
const times = fc.oneof({ arbitrary: fc.constant(1), weight: 4 }, { arbitrary: fc.constant(2), weight: 1 });

const callOptions = fc.oneof(
  { arbitrary: fc.constant({}), weight: 4 },
  {
    arbitrary: pick([{ hotline: '842899990003' }, { hotline: '84999' }, { externalCallId: 'abc1' }]),
    weight: 1,
  },
  {
    arbitrary: pick([{ externalCallId: 'a\r\nb: c' }, { externalCallId: 'A' }, { name: 'Bình' }]),
    weight: 1,
  },
);
const number = fc.oneof(
  { arbitrary: pick(NUMBERS), weight: 6 },
  { arbitrary: pick(WRONG_NUMBERS), weight: 1 },
);
const call = fc
  .tuple(number, callOptions)
  .map(([to, options]): MethodCall => ({ method: 'call', args: [to, options] }));
const prefill = call.map(({ args }): MethodCall => ({ method: 'prefill', args }));
const plain = (method: Method) => fc.constant<MethodCall>({ method, args: [] });
const withFlag = (method: Method) => fc.boolean().map((on): MethodCall => ({ method, args: [on] }));
const dtmf = pick(['1', '*#9', 'x', '']).map((tones): MethodCall => ({ method: 'sendDtmf', args: [tones] }));

const methodCall = fc.oneof(
  { arbitrary: call, weight: 8 },
  { arbitrary: prefill, weight: 2 },
  { arbitrary: plain('hangUp'), weight: 3 },
  { arbitrary: plain('connect'), weight: 4 },
  { arbitrary: plain('answer'), weight: 3 },
  { arbitrary: plain('recheck'), weight: 3 },
  { arbitrary: plain('useHere'), weight: 1 },
  { arbitrary: withFlag('setHeld'), weight: 3 },
  { arbitrary: withFlag('setMuted'), weight: 3 },
  { arbitrary: plain('reject'), weight: 2 },
  { arbitrary: plain('disconnect'), weight: 1 },
  { arbitrary: dtmf, weight: 1 },
);

const method = fc
  .tuple(methodCall, times)
  .map(([made, count]): Step => ({ do: 'method', times: count, ...made }));

const attribute = pick(Object.keys(ATTRIBUTES)).chain((name) =>
  pick(ATTRIBUTES[name] ?? [null]).map((value): Step => ({ do: 'attribute', name, value })),
);

const answer = fc.oneof(
  { arbitrary: fc.constant<AnswerName>('ok'), weight: 12 },
  { arbitrary: pick(Object.keys(ANSWERS) as AnswerName[]), weight: 14 },
  { arbitrary: pick(SILENCES), weight: 2 },
);
const broker = fc
  .tuple(pick(PATHS), answer, pick([0, 20, 20, 500, 4000, 15_000]))
  .map(([path, kind, delay]): Step => ({ do: 'broker', path, answer: kind, delay }));

const manner = pick(Object.keys(BEHAVIORS) as (keyof Behavior)[]).chain((name) => {
  const [usual, ...others] = BEHAVIORS[name];
  const value = fc.oneof(
    { arbitrary: fc.constant(usual), weight: 1 },
    { arbitrary: pick(others), weight: 1 },
  );
  return value.map((chosen) => ({ do: 'manner', name, value: chosen }) as Step);
});

const move = pick(Object.keys(MOVES) as Move[]);

const act = fc.oneof(
  { arbitrary: pick<ListenerAct>([{ is: 'throw' }, { is: 'prevent' }, { is: 'remove' }]), weight: 2 },
  { arbitrary: move.map((how): ListenerAct => ({ is: 'move', how })), weight: 1 },
  { arbitrary: methodCall.map((made): ListenerAct => ({ is: 'method', ...made })), weight: 3 },
);

const advance = fc.oneof(
  { arbitrary: pick([10, 120, 250, 400]), weight: 5 },
  { arbitrary: pick([1000, 3100, 5000]), weight: 5 },
  { arbitrary: pick([12_000, 33_000]), weight: 2 },
  { arbitrary: pick([61_000, 150_000]), weight: 1 },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: method, weight: 26 },
  { arbitrary: advance.map((ms): Step => ({ do: 'advance', ms })), weight: 24 },
  { arbitrary: pick(FAR).map((what): Step => ({ do: 'far', what })), weight: 12 },
  {
    arbitrary: fc
      .tuple(pick(PARTS), fc.nat(20), times)
      .map(([part, nth, count]): Step => ({ do: 'press', part, nth, times: count })),
    weight: 8,
  },
  { arbitrary: broker, weight: 6 },
  { arbitrary: manner, weight: 6 },
  { arbitrary: attribute, weight: 4 },
  {
    arbitrary: fc
      .tuple(pick(Object.keys(EVENTS) as DialerEventName[]), act)
      .map(([event, what]): Step => ({ do: 'listen', event, act: what })),
    weight: 4,
  },
  { arbitrary: number.map((text): Step => ({ do: 'type', text })), weight: 2 },
  { arbitrary: fc.constant<Step>({ do: 'hotline' }), weight: 2 },
  {
    arbitrary: fc
      .tuple(pick(MEMBERS), fc.boolean())
      .map(([memberNo, signsOut]): Step => ({ do: 'member', memberNo, signsOut })),
    weight: 5,
  },
  { arbitrary: pick(PLACES).map((what): Step => ({ do: 'place', what })), weight: 2 },
  { arbitrary: move.map((how): Step => ({ do: 'moved', how })), weight: 3 },
  { arbitrary: fc.boolean().map((online): Step => ({ do: 'network', online })), weight: 2 },
  { arbitrary: fc.boolean().map((hidden): Step => ({ do: 'sight', hidden })), weight: 1 },
  {
    arbitrary: pick([20_000, 100_000, 3_600_000, -3_600_000]).map((ms): Step => ({ do: 'jump', ms })),
    weight: 2,
  },
  { arbitrary: pick([1000, 120_000]).map((away): Step => ({ do: 'leave', away })), weight: 1 },
  { arbitrary: pick([1000, 120_000]).map((away): Step => ({ do: 'freeze', away })), weight: 1 },
  {
    arbitrary: times.map((count): Step => ({ do: 'press', part: 'guide-action', nth: 0, times: count })),
    weight: 4,
  },
  {
    arbitrary: fc
      .oneof(
        { arbitrary: fc.constant<MicrophoneState>('granted'), weight: 3 },
        { arbitrary: pick<MicrophoneState>(['prompt', 'denied', 'missing']), weight: 2 },
      )
      .map((state): Step => ({ do: 'microphone', state })),
    weight: 3,
  },
  { arbitrary: pick(STALE).map((event): Step => ({ do: 'stale', event })), weight: 2 },
  { arbitrary: pick(HEADERS).map((kind): Step => ({ do: 'headers', kind })), weight: 1 },
  { arbitrary: fc.constant<Step>({ do: 'headers', kind: 're-rendered' }), weight: 2 },
  {
    arbitrary: pick(Object.keys(WORDS) as (keyof typeof WORDS)[]).map((kind): Step => ({
      do: 'words',
      kind,
    })),
    weight: 2,
  },
  { arbitrary: fc.constant<Step>({ do: 'other' }), weight: 1 },
  { arbitrary: fc.constant<Step>({ do: 'mend' }), weight: 5 },
  {
    arbitrary: pick(['outgoing', 'outgoing', 'incoming', 'refused'] as const).map((direction): Step => ({
      do: 'talk',
      direction,
    })),
    weight: 6,
  },
);

const LEAST_STEPS = 60;
const MOST_STEPS = 90;
/** One step in so many is left out: what fails is shrunk to few steps by leaving out the others. */
const SELDOM = 1000;

export const sequence: fc.Arbitrary<Sequence> = fc.record({
  mode: fc.oneof(
    { arbitrary: fc.constant('auto' as const), weight: 6 },
    { arbitrary: pick(['interaction', 'manual'] as const), weight: 1 },
  ),
  isFree: fc.boolean(),
  steps: fc
    .array(fc.option(step, { freq: SELDOM }), { minLength: LEAST_STEPS, maxLength: MOST_STEPS })
    .map((steps) => steps.filter((each) => each !== null)),
});
