import { expect } from '@open-wc/testing';
import type { CallOutcome } from '../../../src/sdk/calling-sdk.ts';
import { outcomeOf, type CallEnd } from '../../../src/sdk/vbot/outcome.ts';

const outgoing: CallEnd = {
  direction: 'outgoing',
  isAnswered: false,
  isAnswering: false,
  isHungUp: false,
  isAudioLost: false,
  isElsewhere: false,
  status: undefined,
  text: undefined,
};
const incoming: CallEnd = { ...outgoing, direction: 'incoming' };
const outcome = (end: CallEnd) => outcomeOf(end).outcome;
const refused = (status: number, text = 'Forbidden') => outcomeOf({ ...outgoing, status, text });

describe('how a call ended, by its SIP status', () => {
  const STATUSES: Readonly<Partial<Record<CallOutcome, readonly number[]>>> = {
    'insufficient-funds': [402],
    'wrong-number': [404, 410, 484],
    'no-answer': [408, 411, 480],
    busy: [486, 600],
    rejected: [301, 302, 400, 403, 405, 409, 413, 414, 487, 488, 603, 604],
    'exchange-trouble': [500, 501, 502, 503, 504, 580],
  };
  for (const [name, statuses] of Object.entries(STATUSES)) {
    it(`${statuses.join(', ')}: ${name}, whatever the words`, () => {
      for (const status of statuses) {
        for (const text of ['', 'Thuê bao đang bận', 'Payment Required', 'constructor']) {
          expect(refused(status, text), `${status} ${text}`).to.deep.equal({
            outcome: name,
            confidence: 'certain',
          });
        }
      }
    });
  }

  it('what the exchange has against the member is asked of the broker', () => {
    for (const status of [406, 407, 412, 415, 416]) {
      expect(refused(status), String(status)).to.deep.equal({ outcome: 'rejected', confidence: 'unknown' });
    }
  });
});

describe('how a call ended, by the words of the SDK', () => {
  const TEXTS: readonly (readonly [string, CallOutcome])[] = [
    ['Payment Required', 'insufficient-funds'],
    ['Tài khoản không đủ số dư', 'insufficient-funds'],
    ['Số dư của bạn đã hết', 'insufficient-funds'],
    ['Hết tiền', 'insufficient-funds'],
    ['Thuê bao đang bận', 'busy'],
    ['Busy Here', 'busy'],
    ['Người gọi Không thể liên lạc được', 'no-answer'],
    ['No Answer', 'no-answer'],
    ['Request Timeout', 'no-answer'],
    ['Temporarily Unavailable', 'no-answer'],
    ['Not Found', 'wrong-number'],
    ['Số điện thoại không tồn tại', 'wrong-number'],
    ['Address Incomplete', 'wrong-number'],
    ['Service Unavailable', 'exchange-trouble'],
    ['Server Internal Error', 'exchange-trouble'],
    ['Cuộc gọi đã kết thúc', 'rejected'],
    ['Cuộc gọi đã bị hủy', 'network-lost'],
    ['Connection Error', 'network-lost'],
    ['Forbidden', 'rejected'],
    ['Rejected', 'rejected'],
    ['Bị từ chối', 'rejected'],
  ];
  for (const [text, name] of TEXTS) {
    it(`"${text}" is ${name}`, () => {
      for (const words of [text, text.toUpperCase(), text.normalize('NFD')]) {
        expect(outcomeOf({ ...outgoing, text: words })).to.deep.equal({
          outcome: name,
          confidence: 'likely',
        });
      }
    });
  }

  it('unknown words, and none, are left to somebody who knows', () => {
    for (const text of ['SIP Failure Code', '', undefined]) {
      expect(outcomeOf({ ...outgoing, text })).to.deep.equal({ outcome: 'failed', confidence: 'unknown' });
    }
  });
});

describe('how a call ended, when several things are true', () => {
  it('a call that had been connected was answered, whatever ended it', () => {
    const everything = { isHungUp: true, isAudioLost: true, isElsewhere: true, isAnswering: true };
    for (const call of [outgoing, incoming]) {
      const answered = { ...call, isAnswered: true };
      expect(outcomeOf(answered)).to.deep.equal({ outcome: 'answered', confidence: 'certain' });
      expect(outcome({ ...answered, ...everything, status: 500, text: 'WebRTC Error' })).to.equal('answered');
    }
  });

  it('what this side chose is no failure', () => {
    expect(outcome({ ...outgoing, isHungUp: true, text: 'Cuộc gọi đã bị hủy' })).to.equal('cancelled');
    expect(outcome({ ...outgoing, isHungUp: true, status: 487 })).to.equal('cancelled');
    expect(outcome({ ...incoming, isHungUp: true, text: 'Rejected' })).to.equal('declined');
    expect(outcome({ ...incoming, isHungUp: true, isAnswering: true })).to.equal('declined');
  });

  it('audio lost before an answer is a lost network, also when this side then hung up', () => {
    expect(outcome({ ...outgoing, isAudioLost: true, isHungUp: true })).to.equal('network-lost');
  });

  it('a call to this side that nobody took was missed', () => {
    expect(outcome({ ...incoming, text: 'Cuộc gọi đã bị hủy' })).to.equal('missed');
    expect(outcome({ ...incoming, text: 'No Answer' })).to.equal('missed');
    expect(outcome({ ...incoming, isAnswering: true, text: 'Cuộc gọi đã bị hủy' })).to.equal('missed');
  });

  it('one that another device took was answered there', () => {
    const elsewhere = { ...incoming, isElsewhere: true, text: 'Cuộc gọi đã bị hủy' };
    expect(outcomeOf(elsewhere)).to.deep.equal({ outcome: 'answered-elsewhere', confidence: 'certain' });
    expect(outcome({ ...elsewhere, isHungUp: true })).to.equal('answered-elsewhere');
  });

  it('an answer that came to nothing is a failure, not a missed call', () => {
    expect(outcome({ ...incoming, isAnswering: true, text: 'User Denied Media Access' })).to.equal('failed');
  });
});
