import { expect } from '@open-wc/testing';
import { cleanTyping, formatNumber, toDialled } from '../../src/dialer/phone-number.ts';
import { formatDuration, formatMoney, languageOf } from '../../src/i18n/words.ts';

describe('numbers as people read and type them', () => {
  it('groups phone numbers', () => {
    expect(formatNumber('0912345678')).to.equal('0912 345 678');
    expect(formatNumber('02899990001')).to.equal('028 9999 0001');
    expect(formatNumber('842899990001')).to.equal('+84 28 9999 0001');
    expect(formatNumber('+84912345678')).to.equal('+84 912 345 678');
    expect(formatNumber('19001234')).to.equal('19001234');
  });

  it('dials plain digits', () => {
    for (const typed of [
      '0912 345 678',
      '+84 912.345.678',
      '(0912) 345-678',
      '0084912345678',
      '84912345678'.replace('84', '+84'),
    ]) {
      expect(toDialled(typed), typed).to.equal('0912345678');
    }
    expect(toDialled('101')).to.equal('101');
    expect(toDialled('+12025550123')).to.equal('+12025550123');
    for (const wrong of ['', ' ', '12', 'abc', '0912x', '1234567890123456', '091234567\r\n8;', '<b>']) {
      expect(() => toDialled(wrong), wrong)
        .to.throw()
        .with.property('code', 'invalid-number');
    }
  });

  it('keeps only what a number can hold while typing', () => {
    expect(cleanTyping('gọi 0912 345-678 nhé')).to.equal(' 0912 345-678 ');
    expect(cleanTyping('1'.repeat(99))).to.have.length(32);
  });

  it('writes money and time', () => {
    expect(formatMoney(12_500)).to.equal('12.500\u00a0₫');
    expect(formatMoney(0.9)).to.equal('0\u00a0₫');
    expect(formatMoney(-150)).to.equal('-150\u00a0₫');
    expect(formatDuration(133_000)).to.equal('02:13');
    expect(formatDuration(3_733_999)).to.equal('1:02:13');
  });

  it('takes the nearest language it speaks', () => {
    const outer = document.createElement('div');
    outer.lang = 'vi-VN';
    const inner = document.createElement('div');
    outer.append(inner);
    expect(languageOf(inner)).to.equal('vi');
    inner.lang = 'en-GB';
    expect(languageOf(inner)).to.equal('en');
    inner.lang = 'xx';
    expect(languageOf(inner)).to.equal('vi');
    outer.lang = 'fr';
    expect(languageOf(inner)).to.equal('en');
  });
});
