import { expect } from '@open-wc/testing';
import { DialerError } from '../../../src/errors.ts';
import {
  INITIAL_STATE,
  transition,
  type DialerEvent,
  type DialerState,
} from '../../../src/dialer/state/state.ts';

const call = { id: '1', direction: 'outgoing', number: '0912345678', startedAt: 0 } as const;
const error = new DialerError('broker-unreachable', 'away');

const QUALITY = { mos: 2.6, worstMos: 2.6, lossPercent: 12, jitterMs: 9, roundTripMs: 80 };

/** Each that there is, in the variants that make a difference. */
const VARIANTS: Readonly<Record<DialerEvent['type'], readonly object[]>> = {
  connect: [{}],
  disconnect: [{ at: 3 }],
  'signed-in': [{ owner: 'agent001' }],
  registered: [{ hotlines: [{ name: 'Sales', number: '84' }] }],
  lost: [{}],
  failed: [{ error, retryAt: undefined }],
  readiness: [
    { readiness: { blockers: [] }, isUsable: true },
    { readiness: { blockers: ['insufficient-funds'] }, isUsable: true },
  ],
  blocked: [{ reason: 'insufficient-funds', source: 'call' }],
  browser: [{ reason: 'microphone-denied' }, { reason: undefined }],
  elsewhere: [{ activity: { is: 'idle' } }],
  here: [{}],
  'guide-drawn': [{ byPage: true }],
  'guide-asked': [{ for: 'check' }],
  'guide-answered': [{ to: 'check', notice: 'still-blocked' }],
  'help-result': [{ notice: 'help-requested' }],
  'hotline-chosen': [{ number: '84' }],
  cleared: [{}],
  placing: [{ number: call.number }],
  'microphone-checked': [{ willAsk: true }],
  'not-placed': [{}],
  dialing: [{ call }],
  incoming: [{ call: { ...call, direction: 'incoming' } }],
  ringing: [{ at: 1 }],
  'answer-trouble': [{ error }],
  answered: [{ at: 1 }],
  muted: [{ on: true }],
  held: [{ on: true }],
  microphone: [{ lost: true }],
  quality: [{ now: { warnings: [] }, summary: QUALITY }],
  customers: [{ of: call, customers: [], isNamed: false }],
  ended: [
    { outcome: 'busy', at: 2 },
    { outcome: 'insufficient-funds', at: 2 },
  ],
  dismiss: [{}],
};
const EVENTS = Object.entries(VARIANTS).flatMap(([type, variants]) =>
  variants.map((variant) => ({ type, ...variant }) as DialerEvent),
);

const after = (...events: DialerEvent[]): DialerState => events.reduce(transition, INITIAL_STATE);
const event = <T extends DialerEvent['type']>(type: T) =>
  EVENTS.find((each) => each.type === type) as DialerEvent;

describe('the state machine', () => {
  it('follows a call from sign-in to its end', () => {
    const path = ['connect', 'registered', 'placing', 'dialing', 'answered', 'ended', 'dismiss'] as const;
    const seen = path.map((_, index) => after(...path.slice(0, index + 1).map(event)).status);
    expect(seen).to.deep.equal(['connecting', 'ready', 'dialing', 'dialing', 'in-call', 'ended', 'ready']);
  });

  it('returns the very same object when an event means nothing', () => {
    const ready = after(event('connect'), event('registered'));
    for (const type of [
      'answered',
      'muted',
      'held',
      'ended',
      'dismiss',
      'cleared',
      'guide-answered',
      'guide-drawn',
    ] as const) {
      expect(transition(ready, event(type)), type).to.equal(ready);
    }
    const inCall = after(event('connect'), event('registered'), event('dialing'), event('answered'));
    for (const type of ['answered', 'dialing', 'incoming', 'answer-trouble'] as const) {
      expect(transition(inCall, event(type)), type).to.equal(inCall);
    }
    expect(transition(INITIAL_STATE, event('disconnect'))).to.equal(INITIAL_STATE);
  });

  it('is the very same object after an answer of the broker that says what is known', () => {
    const member = { memberNo: 'agent001', balance: 12_500 };
    const hotlines = [{ name: 'Sales', number: '84' }];
    const told = () =>
      ({
        type: 'readiness',
        readiness: { member: { ...member }, hotlines: [...hotlines], blockers: [] },
        isUsable: true,
      }) as const;
    const known = after(event('connect'), event('registered'), told());
    expect(known.member).to.deep.equal(member);
    expect(transition(known, told())).to.equal(known);
  });

  it('is the very same object after an answer of the broker that names the known blocker', () => {
    const named = { type: 'blocked', reason: 'no-hotline', source: 'broker' } as const;
    const blocked = after(event('connect'), event('registered'), named);
    expect(transition(blocked, named)).to.equal(blocked);
  });

  it('keeps what is known of the sound when a mute makes no warning untrue', () => {
    const now = { mos: 2.6, level: 'poor', warnings: ['loss-to-agent'] } as const;
    const heard = after(event('connect'), event('registered'), event('dialing'), event('answered'), {
      type: 'quality',
      now,
      summary: QUALITY,
    });
    const muted = transition(heard, event('muted'));
    expect(
      [heard.call, muted.call].map((each) => each.is === 'active' && each.quality?.warnings),
    ).to.deep.equal([now.warnings, now.warnings]);
    expect(
      'quality' in muted.call && 'quality' in heard.call && muted.call.quality === heard.call.quality,
    ).to.equal(true);
  });

  it('lets go of a block that the broker named when the broker names none, and of no other', () => {
    const named = after(event('connect'), event('registered'), {
      ...event('blocked'),
      source: 'broker',
    } as DialerEvent);
    expect(transition(named, event('readiness')).status).to.equal('ready');
    const stale = { type: 'readiness', readiness: { blockers: [] }, isUsable: false } as const;
    expect(transition(named, stale).status).to.equal('blocked');
  });

  it('says nothing of its own when a page with its own guide lets the member call again', () => {
    const blocked = after(event('connect'), event('registered'), event('blocked'), event('guide-drawn'));
    const free = transition(blocked, event('cleared'));
    expect([free.block.is, free.status]).to.deep.equal(['none', 'ready']);
  });

  it('waits for the answer to what was asked last', () => {
    const asked = after(
      event('connect'),
      event('registered'),
      event('blocked'),
      { type: 'guide-asked', for: 'check' },
      { type: 'guide-asked', for: 'help' },
    );
    const checked = transition(asked, event('guide-answered'));
    expect(checked.block).to.include({ waitingFor: 'help' });
    const answered = transition(checked, { type: 'guide-answered', to: 'help', notice: 'help-requested' });
    expect(answered.block).to.include({ waitingFor: undefined, notice: 'help-requested' });
  });

  it('keeps the caller number that the agent has chosen when it is disconnected', () => {
    const off = after(event('connect'), event('hotline-chosen'), event('disconnect'));
    expect(off.chosenHotline).to.equal('84');
  });

  it('keeps its promises on every path of four events', () => {
    let seen = new Set<DialerState>([INITIAL_STATE]);
    for (let depth = 0; depth < 4; depth += 1) {
      const next = new Map<string, DialerState>();
      for (const state of seen) {
        for (const each of EVENTS) {
          const moved = transition(state, each);
          check(moved);
          next.set(JSON.stringify(moved), moved);
        }
      }
      seen = new Set(next.values());
    }
    expect(seen.size).to.be.greaterThan(100);
  });
});

function check(state: DialerState): void {
  const { status, call: current, block, line } = state;
  if (status === 'in-call') expect(current.is).to.equal('active');
  if (status === 'ready' || status === 'ended')
    expect([line.is, block.is === 'blocked']).to.deep.equal(['up', false]);
  if (status === 'blocked') expect(block.is).to.equal('blocked');
  if (status === 'failed') expect(line.is).to.equal('failed');
  if (current.is === 'active') expect(current.info.answeredAt).to.equal(1);
  if (current.is === 'ended')
    expect(current.info.answeredAt === 1).to.equal(current.info.outcome === 'answered');
  if (current.is === 'ended' && current.info.outcome === 'insufficient-funds')
    expect(block.is).not.to.equal('none');
}
