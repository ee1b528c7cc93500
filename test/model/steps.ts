/** What may happen, as data: a sequence can be printed, cut down and played again. */
import * as fc from 'fast-check';
import { EVENTS, type DialerEventName } from '../../src/element/public-names.ts';
import { ACTS, END_ACTS, SOUND_ACTS } from './acts.ts';
import { ANSWERS, SILENCES, type AnswerName } from './answers.ts';
import { PATHS } from './broker.ts';
import { ATTRIBUTES, GIVEN, NUMBERS, PARTS, PLACES, STALE, WORDS, WRONG_NUMBERS } from './choices.ts';
import { BEHAVIORS, type Behavior } from './behavior.ts';
import { ASSIGNED } from './caller-numbers.ts';
import { FAR } from './exchange-steps.ts';
import { HEADERS } from './headers.ts';
import { MEMBERS } from './members.ts';
import { MOVES, RETURNS, type Gap } from './moves.ts';
import type { Method } from './promises.ts';
import { TAB_ACTS } from './tabs.ts';

type Arguments = readonly (string | boolean | Readonly<Record<string, string>>)[];
export type MethodCall = { readonly method: Method; readonly args: Arguments };
export type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;
export type StepOf<Name extends Step['do']> = Extract<Step, { do: Name }>;

export interface Sequence {
  readonly mode: 'auto' | 'interaction' | 'manual';
  /** May the SDK's events come late, swapped, or not at all? */
  readonly isFree: boolean;
  /** What the page has given as `session` before the dialer was in it. */
  readonly given: readonly StepOf<'given'>[];
  readonly steps: readonly Step[];
}

const pick = <T>(values: readonly T[]) => fc.constantFrom(...values);
const nameOf = <T extends object>(table: T) => pick(Object.keys(table) as (keyof T)[]);
const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });

/** A step, with what it is about. */
const does = <Name extends string, About extends object>(
  name: Name,
  about: { readonly [Key in keyof About]: fc.Arbitrary<About[Key]> },
) => {
  const model: Readonly<Record<string, fc.Arbitrary<unknown>>> = { do: fc.constant(name), ...about };
  return fc.record(model, { noNullPrototype: true }) as fc.Arbitrary<unknown> as fc.Arbitrary<
    { readonly do: Name } & Readonly<About>
  >;
};

const event = pick(Object.keys(EVENTS) as DialerEventName[]);
const times = fc.oneof(weighted(4, fc.constant(1)), weighted(1, fc.constant(2)));

const callOptions = fc.oneof(
  weighted(3, fc.constant({})),
  weighted(1, pick([{ hotline: '842899990003' }, { hotline: '02899990005' }, { hotline: '84999' }])),
  weighted(
    1,
    pick([
      { externalCallId: 'abc1' },
      { externalCallId: 'a\r\nb: c' },
      { externalCallId: 'A' },
      { name: 'Bình' },
    ]),
  ),
);
const number = fc.oneof(weighted(6, pick(NUMBERS)), weighted(1, pick(WRONG_NUMBERS)));
const call = fc
  .tuple(number, callOptions)
  .map(([to, options]): MethodCall => ({ method: 'call', args: [to, options] }));
const prefill = call.map(({ args }): MethodCall => ({ method: 'prefill', args }));
const plain = (method: Method) => fc.constant<MethodCall>({ method, args: [] });
const withFlag = (method: Method) => fc.boolean().map((on): MethodCall => ({ method, args: [on] }));
const dtmf = pick(['1', '*#9', 'x', '']).map((tones): MethodCall => ({ method: 'sendDtmf', args: [tones] }));

const methodCall = fc.oneof(
  weighted(8, call),
  weighted(2, prefill),
  weighted(3, plain('hangUp')),
  weighted(4, plain('connect')),
  weighted(3, plain('answer')),
  weighted(3, plain('recheck')),
  weighted(1, plain('useHere')),
  weighted(3, withFlag('setHeld')),
  weighted(3, withFlag('setMuted')),
  weighted(2, plain('reject')),
  weighted(1, plain('disconnect')),
  weighted(1, dtmf),
);

const method = fc
  .tuple(methodCall, times)
  .map(([made, count]) => ({ do: 'method', times: count, ...made }) as const);

const attribute = nameOf(ATTRIBUTES).chain((name) =>
  does('attribute', { name: fc.constant(name), value: pick(ATTRIBUTES[name] ?? [null]) }),
);

const answer = fc.oneof(
  weighted(12, fc.constant<AnswerName>('ok')),
  weighted(14, pick(Object.keys(ANSWERS) as AnswerName[])),
  weighted(2, pick(SILENCES)),
);
const delay = pick([0, 20, 20, 500, 4000, 15_000]);

const manner = nameOf(BEHAVIORS).chain((name) => {
  const [usual, ...others] = BEHAVIORS[name] as readonly Behavior[typeof name][];
  const value = fc.oneof(weighted(1, pick([usual])), weighted(1, pick(others)));
  return does('manner', { name: fc.constant(name), value });
});

const actName = nameOf(ACTS);
const gap: fc.Arbitrary<Gap> = fc.record(
  {
    before: fc.oneof(fc.constant('nothing' as const), fc.constant('call' as const), actName),
    act: actName,
    promises: fc.nat(5),
    to: nameOf(RETURNS),
    isPreventing: fc.boolean(),
  },
  { noNullPrototype: true },
);

const act = fc.oneof(
  weighted(2, pick([{ is: 'throw' }, { is: 'prevent' }, { is: 'remove' }] as const)),
  weighted(
    1,
    nameOf(MOVES).map((how) => ({ is: 'move', how }) as const),
  ),
  weighted(
    1,
    gap.map((each) => ({ is: 'gap', gap: each }) as const),
  ),
  weighted(
    3,
    methodCall.map((made) => ({ is: 'method', ...made }) as const),
  ),
);

const time = fc.oneof(
  weighted(5, pick([10, 120, 250, 400])),
  weighted(5, pick([1000, 3100, 5000])),
  weighted(2, pick([12_000, 33_000])),
  weighted(1, pick([61_000, 150_000])),
);
const jump = pick([20_000, 100_000, 3_600_000, -3_600_000]);
const away = pick([1000, 120_000]);
const microphone = fc.oneof(
  weighted(3, fc.constant('granted' as const)),
  weighted(2, pick(['prompt', 'denied', 'missing'] as const)),
);
const direction = pick(['outgoing', 'outgoing', 'incoming', 'refused'] as const);
/** As it is, or in a call first. */
const situation = pick(['any', 'outgoing', 'incoming', 'ringing', 'rung', 'refused'] as const);
const inCall = pick(['any', 'outgoing', 'incoming'] as const);
/** At once, before the exchange has agreed to a hold, after that, or after a new socket has come. */
const soundAct = fc.tuple(pick(SOUND_ACTS), pick([0, 0, 20, 100, 2500]));
const answers = fc.oneof(
  weighted(2, fc.constant<AnswerName>('ok')),
  weighted(1, pick(Object.keys(ANSWERS) as AnswerName[])),
);

/** What comes while the browser asks for the microphone, and how long it takes. */
const whileAsked = fc.tuple(
  fc.oneof(
    weighted(5, pick(['calls', 'the other party hangs up', 'hang up', 'answer', 'call another'] as const)),
    weighted(2, pick(['another member', 'recheck', 'connect', 'lose the socket'] as const)),
    weighted(1, pick(['disconnect', 'change the broker', 'lose the SDK', 'remove'] as const)),
  ),
  fc.oneof(weighted(8, fc.constant(250)), weighted(1, pick([20_000, 100_000]))),
);

const given = does('given', { form: pick(GIVEN), answer: answers });

const step = fc.oneof(
  weighted(26, method),
  weighted(24, does('advance', { ms: time })),
  weighted(12, does('far', { what: nameOf(FAR) })),
  weighted(8, does('press', { part: pick(PARTS), nth: fc.nat(20), times })),
  weighted(6, does('broker', { path: pick(PATHS), answer, delay })),
  weighted(6, manner),
  weighted(4, attribute),
  weighted(4, does('listen', { event, act })),
  weighted(2, does('type', { text: number })),
  weighted(4, does('hotline', { nth: fc.nat(2) })),
  weighted(4, does('numbers', { assigned: pick(ASSIGNED) })),
  weighted(5, does('member', { memberNo: pick(MEMBERS), signsOut: fc.boolean() })),
  weighted(2, does('place', { what: pick(PLACES) })),
  weighted(2, given),
  weighted(3, does('moved', { how: nameOf(MOVES) })),
  weighted(
    2,
    does('window', {
      in: situation,
      ms: pick([0, 250, 5000]),
      into: pick(['into a window', 'into a window that gives it back'] as const),
      isPutBack: fc.boolean(),
    }),
  ),
  weighted(4, does('gap', { in: situation, at: fc.option(event), cause: actName, gap })),
  weighted(2, does('network', { online: fc.boolean(), isTold: fc.boolean() })),
  weighted(1, does('sight', { hidden: fc.boolean() })),
  weighted(2, does('jump', { ms: jump })),
  weighted(1, does('leave', { away })),
  weighted(1, does('freeze', { away })),
  weighted(4, does('press', { part: pick(['guide-action'] as const), nth: fc.constant(0), times })),
  weighted(3, does('microphone', { state: microphone })),
  weighted(2, does('stale', { event: pick(STALE) })),
  weighted(1, does('headers', { kind: nameOf(HEADERS) })),
  weighted(2, does('headers', { kind: pick(['re-rendered'] as const) })),
  weighted(2, does('words', { kind: nameOf(WORDS) })),
  weighted(1, does('other', {})),
  weighted(4, does('tab', { nth: fc.nat(1), act: pick(TAB_ACTS) })),
  weighted(5, does('together', { in: situation, acts: fc.tuple(actName, actName) })),
  weighted(3, does('sound', { in: inCall, acts: fc.array(soundAct, { minLength: 2, maxLength: 8 }) })),
  weighted(2, does('crossing', { act: pick(END_ACTS), isFirst: fc.boolean() })),
  weighted(
    2,
    does('stall', {
      act: pick(['hang up', 'disconnect', 'call another', 'change the broker', 'nothing'] as const),
      ms: pick([250, 10_000, 33_000]),
    }),
  ),
  weighted(
    6,
    does('outage', {
      in: situation,
      isTold: fc.boolean(),
      ms: pick([500, 3000, 20_000, 70_000]),
      acts: fc.tuple(fc.option(actName), fc.option(actName), fc.option(actName)),
    }),
  ),
  weighted(
    2,
    does('handover', {
      in: inCall,
      act: pick(['hang up', 'the other party hangs up', 'nothing'] as const),
      isFirst: fc.boolean(),
      ms: pick([500, 3000, 20_000]),
    }),
  ),
  weighted(3, does('prompt', { in: inCall, acts: fc.array(whileAsked, { minLength: 1, maxLength: 5 }) })),
  weighted(2, does('succession', { at: pick(['hang up', 'answer', 'late answer', 'microphone'] as const) })),
  weighted(2, does('overtaken', { path: pick(PATHS), answers: fc.tuple(answers, answers) })),
  weighted(2, does('relief', { during: pick(['headers', 'sign-in'] as const) })),
  weighted(2, does('chosen late', { nth: fc.nat(2), assigned: pick(ASSIGNED), call })),
  weighted(2, does('booked', {})),
  weighted(1, does('unlinked', {})),
  weighted(
    2,
    does('dead socket', {
      in: pick(['outgoing', 'incoming'] as const),
      act: pick(['hang up', 'disconnect', 'remove', 'change the broker'] as const),
    }),
  ),
  weighted(2, does('sleep', { how: pick(['stands', 'counts', 'back'] as const), isCut: fc.boolean() })),
  // All is well again.
  weighted(5, does('mend', {})),
  // Straight into a conversation, or to the guide of somebody without money.
  weighted(6, does('talk', { direction })),
);

const LEAST_STEPS = 60;
const MOST_STEPS = 90;
/** One step in so many is left out: what fails is shrunk to few steps by leaving out the others. */
const SELDOM = 1000;

export const sequence: fc.Arbitrary<Sequence> = fc.record({
  mode: fc.oneof(
    weighted(6, fc.constant('auto' as const)),
    weighted(1, pick(['interaction', 'manual'] as const)),
  ),
  isFree: fc.boolean(),
  given: fc.array(given, { maxLength: 2 }),
  steps: fc
    .array(fc.option(step, { freq: SELDOM }), { minLength: LEAST_STEPS, maxLength: MOST_STEPS })
    .map((steps) => steps.filter((each) => each !== null)),
});
