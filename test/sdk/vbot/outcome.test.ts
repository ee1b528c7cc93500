import { expect } from '@open-wc/testing';
import type { CallOutcome } from '../../../src/sdk/calling-sdk.ts';
import { judgeOutcome, troubleError, type CallEnd } from '../../../src/sdk/vbot/outcome.ts';

const outgoing: CallEnd = {
  direction: 'outgoing',
  isAnswered: false,
  isAnswering: false,
  cause: undefined,
  status: undefined,
  text: undefined,
};
const incoming: CallEnd = { ...outgoing, direction: 'incoming' };
const outcome = (end: CallEnd) => judgeOutcome(end).outcome;
const code = (...texts: string[]) => troubleError(texts, 'It did not.').code;
const refused = (status: number, text = 'Forbidden') => judgeOutcome({ ...outgoing, status, text });

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
        expect(judgeOutcome({ ...outgoing, text: words })).to.deep.equal({
          outcome: name,
          confidence: 'likely',
        });
      }
    });
  }

  it('unknown words, and none, are left to somebody who knows', () => {
    for (const text of ['SIP Failure Code', '', undefined]) {
      expect(judgeOutcome({ ...outgoing, text })).to.deep.equal({ outcome: 'failed', confidence: 'unknown' });
    }
  });
});

describe('how a call ended, when several things are true', () => {
  it('a call that had been connected was answered, whatever ended it', () => {
    for (const call of [outgoing, incoming]) {
      const answered = { ...call, isAnswered: true };
      expect(judgeOutcome(answered)).to.deep.equal({ outcome: 'answered', confidence: 'certain' });
      for (const cause of ['hung-up', 'network-lost', 'answered-elsewhere'] as const) {
        const everything = { cause, isAnswering: true, status: 500, text: 'WebRTC Error' };
        expect(outcome({ ...answered, ...everything }), cause).to.equal('answered');
      }
    }
  });

  it('what this side chose is no failure', () => {
    expect(outcome({ ...outgoing, cause: 'hung-up', text: 'Cuộc gọi đã bị hủy' })).to.equal('cancelled');
    expect(outcome({ ...outgoing, cause: 'hung-up', status: 487 })).to.equal('cancelled');
    expect(outcome({ ...incoming, cause: 'hung-up', text: 'Rejected' })).to.equal('declined');
    expect(outcome({ ...incoming, cause: 'hung-up', isAnswering: true })).to.equal('declined');
  });

  it('audio lost before an answer is a lost network', () => {
    expect(outcome({ ...outgoing, cause: 'network-lost', status: 487 })).to.equal('network-lost');
  });

  it('a call to this side whose socket was lost was missed, unless it was being answered', () => {
    const lost = { ...incoming, cause: 'network-lost', text: 'Rejected' } as const;
    expect(outcome(lost)).to.equal('missed');
    expect(outcome({ ...lost, isAnswering: true })).to.equal('network-lost');
  });

  it('a call to this side that nobody took was missed', () => {
    expect(outcome({ ...incoming, text: 'Cuộc gọi đã bị hủy' })).to.equal('missed');
    expect(outcome({ ...incoming, text: 'No Answer' })).to.equal('missed');
    expect(outcome({ ...incoming, isAnswering: true, text: 'Cuộc gọi đã bị hủy' })).to.equal('missed');
  });

  it('one that another device took was answered there', () => {
    const elsewhere = { ...incoming, cause: 'answered-elsewhere', text: 'Cuộc gọi đã bị hủy' } as const;
    expect(judgeOutcome(elsewhere)).to.deep.equal({ outcome: 'answered-elsewhere', confidence: 'certain' });
  });

  it('an answer that came to nothing is a failure, not a missed call', () => {
    expect(outcome({ ...incoming, isAnswering: true, text: 'User Denied Media Access' })).to.equal('failed');
  });
});

describe('why the SDK could not place or answer a call', () => {
  it('is the microphone where the SDK or the browser says so', () => {
    expect(code('Không tìm thấy thiết bị microphone. Hãy kết nối micro')).to.equal('microphone-missing');
    expect(code('NotFoundError: Requested device not found')).to.equal('microphone-missing');
    expect(code('Trình duyệt đang chặn quyền microphone.')).to.equal('microphone-denied');
    expect(code('NotAllowedError: Permission denied')).to.equal('microphone-denied');
  });

  it('is not the microphone where a number is not found, or a method not allowed', () => {
    for (const text of ['Not Found', '404 Not Found', 'Account not found', 'Method Not Allowed']) {
      expect(code(text), text).to.equal('call-rejected');
    }
  });
});
