import { expect } from '@open-wc/testing';
import type { Member } from '../../src/broker/contract.ts';
import { talkTime, talkTimeLeft } from '../../src/ui/talk-time.ts';
import { INITIAL_STATE, type DialerState } from '../../src/dialer/state/state.ts';

const MINUTE_MS = 60_000;
const member = (change: Partial<Member>): Member => ({
  memberNo: 'agent001',
  balance: 12_500,
  pricePerMinute: 800,
  ...change,
});
const inCall = (direction: 'outgoing' | 'incoming', change: Partial<Member> = {}): DialerState => ({
  ...INITIAL_STATE,
  member: member(change),
  call: {
    is: 'active',
    info: { id: '1', direction, number: '0912345678', startedAt: 0, answeredAt: 10_000 },
    muted: false,
    held: false,
    microphoneLost: false,
  },
});

describe('the time that the balance lasts', () => {
  it('is the balance by what a minute costs', () => {
    expect(talkTime(member({}))).to.equal(15.625 * MINUTE_MS);
    expect(talkTime(member({ balance: -5000 })), 'a debt').to.equal(0);
  });

  for (const [what, change] of [
    ['a price', { pricePerMinute: undefined }],
    ['a price above 0', { pricePerMinute: 0 }],
    ['a balance', { balance: undefined }],
  ] as const) {
    it(`is not known without ${what}`, () => {
      expect(talkTime(member(change))).to.equal(undefined);
      expect(talkTimeLeft(inCall('outgoing', change), 20_000)).to.equal(undefined);
    });
  }

  it('grows shorter in an outgoing call, down to nothing', () => {
    const call = inCall('outgoing', { balance: 1600 });
    expect(talkTimeLeft(call, 10_000)).to.equal(2 * MINUTE_MS);
    expect(talkTimeLeft(call, 10_000 + 90_000)).to.equal(30_000);
    expect(talkTimeLeft(call, 10_000 + 3 * MINUTE_MS)).to.equal(0);
    expect(talkTimeLeft(call, 0), 'a clock that was set back').to.equal(2 * MINUTE_MS);
  });

  it('does not count in an incoming call, nor without one', () => {
    expect(talkTimeLeft(inCall('incoming'), 20_000)).to.equal(undefined);
    expect(talkTimeLeft({ ...INITIAL_STATE, member: member({}) }, 20_000)).to.equal(undefined);
  });
});
