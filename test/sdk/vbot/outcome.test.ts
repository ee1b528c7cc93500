import { expect } from '@open-wc/testing';
import { classifyFailure } from '../../../src/sdk/vbot/outcome.ts';

const out = { id: '1', direction: 'outgoing', number: '0912345678', startedAt: 0 } as const;
const incoming = { ...out, direction: 'incoming' } as const;
const failed = (text: string, status?: number) =>
  ({ type: 'ended', hungUpHere: false, failure: { text, status } }) as const;

describe('why a call ended', () => {
  const TEXTS: readonly (readonly [string, string])[] = [
    ['Payment Required', 'insufficient-funds'],
    ['Tài khoản không đủ số dư', 'insufficient-funds'],
    ['Số dư của bạn đã hết', 'insufficient-funds'],
    ['Hết tiền', 'insufficient-funds'],
    ['Thuê bao đang bận', 'busy'],
    ['Người gọi Không thể liên lạc được', 'no-answer'],
    ['Cuộc gọi đã kết thúc', 'rejected'],
    ['Cuộc gọi đã bị hủy', 'network-lost'],
    ['Forbidden', 'rejected'],
    ['Rejected', 'rejected'],
  ];
  for (const [text, outcome] of TEXTS) {
    it(`"${text}" is ${outcome}`, () => {
      expect(classifyFailure(out, failed(text))).to.deep.equal({ outcome, confidence: 'likely' });
    });
  }

  it('a status beats any words', () => {
    expect(classifyFailure(out, failed('Thuê bao đang bận', 402)).outcome).to.equal('insufficient-funds');
    expect(classifyFailure(out, failed('', 486))).to.deep.equal({ outcome: 'busy', confidence: 'certain' });
    expect(classifyFailure(out, failed('', 413)).outcome).to.equal('rejected');
  });

  it('unknown words are left to somebody who knows', () => {
    expect(classifyFailure(out, failed('SIP Failure Code')).confidence).to.equal('unknown');
    expect(classifyFailure(out, failed('')).confidence).to.equal('unknown');
  });

  it('what this side chose is no failure', () => {
    expect(classifyFailure(out, { ...failed('Cuộc gọi đã bị hủy'), hungUpHere: true }).outcome).to.equal(
      'cancelled',
    );
    expect(classifyFailure(incoming, { ...failed('Rejected'), hungUpHere: true }).outcome).to.equal(
      'declined',
    );
    expect(classifyFailure(incoming, failed('Cuộc gọi đã bị hủy')).outcome).to.equal('missed');
    expect(classifyFailure({ ...out, answeredAt: 1 }, failed('WebRTC Error')).outcome).to.equal('answered');
  });
});
